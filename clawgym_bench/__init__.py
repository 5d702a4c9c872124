"""The benchmark: what an attempt is, on Inspect AI."""
