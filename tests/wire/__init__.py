"""The bot as its own process against the simulated Discord over real sockets."""
