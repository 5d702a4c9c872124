"""The task spec as frozen models."""
