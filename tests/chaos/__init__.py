"""Twenty tables at once, random people, and everything around them going wrong."""
