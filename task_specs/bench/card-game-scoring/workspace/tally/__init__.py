"""The sums of Larder Lane. What goes in and out stands in app/interface.md."""
