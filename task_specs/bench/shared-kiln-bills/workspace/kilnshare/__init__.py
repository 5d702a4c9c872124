"""Who pays what for the shared kiln."""

__version__ = "1.4.2"
