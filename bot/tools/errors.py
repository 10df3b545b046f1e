"""What a command line can get wrong."""


class UsageError(Exception):
    """A command that cannot be carried out as given; the message is one line for the operator."""
