"""Build hook: the wheel carries `task_specs/` without solutions, inside `clawgym_data`."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LEFT_OUT = {"solution", "right", "wrong", "__pycache__", "NOTES.md"}


class TaskSpecsHook(BuildHookInterface):
    """Adds the files of `task_specs/`, without what would give answers away."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Map every file into the wheel; an editable install reads the source tree instead."""
        if version == "editable":
            return
        root = Path(self.root)
        for path in sorted((root / "task_specs").rglob("*")):
            parts = path.relative_to(root).parts
            in_workspace = "workspace" in parts
            if path.is_file() and (in_workspace or not LEFT_OUT & set(parts)):
                build_data["force_include"][str(path)] = f"clawgym_data/{path.relative_to(root).as_posix()}"
