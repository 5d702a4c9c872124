"""One trial for a person to read: on a terminal, or as a page of HTML."""
