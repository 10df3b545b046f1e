"""A Discord bot that hosts board games."""

__version__ = "0.1.0"
