"""The real bot on a simulated Discord, driven by clicks."""
