"""Escape the Night: eleven guests, nine artifacts, ten hours."""
