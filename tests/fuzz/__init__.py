"""Malformed input: only tidy errors, in bounded time and memory."""
