"""The one exception for what cannot be read."""


class Unreadable(Exception):  # noqa: N818 - a reason, not a fault of ours
    """The agent's file is missing or not in the form the output declares; the message is the reason."""
