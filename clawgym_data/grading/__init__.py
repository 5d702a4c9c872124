"""Grading: from the snapshot of a final workspace to a verdict, isolated from what the agent made."""
