"""The rulebook, chapter by chapter: one coroutine each, awaiting the players' answers."""
