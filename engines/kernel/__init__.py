"""The game-agnostic kernel: it drives a game's rules, a coroutine that awaits answers.

Standard library only; no clock, no files, no asyncio. Everything here is deterministic: the same
header and the same answers give the same game, on every machine and in every process.
"""
