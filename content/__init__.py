"""Words, cards, boards and numbers, as YAML, and what reads them."""
