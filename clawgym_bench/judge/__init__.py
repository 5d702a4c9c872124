"""The judge: one criterion a call, by declared levels, on fenced files (DESIGN 3)."""
