"""What a task is: spec, workspace, checks, grading and proof."""
