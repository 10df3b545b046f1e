"""What cards do: one small coroutine for each effect, its parameters from the card."""
