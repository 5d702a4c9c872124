"""The sandbox's root file system as an image: one recipe, one digest, for bubblewrap and for Docker."""
