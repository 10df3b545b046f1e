"""A Discord bot that hosts board games."""
