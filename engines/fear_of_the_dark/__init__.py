"""Fear of the Dark: one Lost, a handful of matches, and a maze that grows as it is walked."""
