"""Command-line tools: simulate, replay, preview and the checks."""
