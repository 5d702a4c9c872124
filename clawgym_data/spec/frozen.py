"""The base of every model of the spec, and the plain types they share."""

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, StringConstraints

from clawgym_data.errors import showable


class Frozen(BaseModel):
    """Immutable, strict, and unknown fields are errors."""

    model_config = ConfigDict(
        frozen=True, strict=True, extra="forbid", use_attribute_docstrings=True, serialize_by_alias=True
    )


RESERVED_NAMES = re.compile(r"(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)")
FORBIDDEN_CHARACTERS = re.compile(r'[\x00-\x1f\x7f<>:"\\|?*]')
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
MAX_PATH_CHARACTERS = 180


def path_fault(path: str) -> str | None:
    """Why `path` cannot name a file of a workspace on every system, or None.

    Returns:
        A reason such as "contains '..'"; the rules are: relative, POSIX, NFC, no `.` or `..` part, no characters or
        names that Windows or macOS refuse, at most 180 characters.
    """
    reasons = (
        (path == "", "is empty"),
        (path.startswith("/"), "is absolute"),
        (len(path) > MAX_PATH_CHARACTERS, f"has more than {MAX_PATH_CHARACTERS} characters"),
        (FORBIDDEN_CHARACTERS.search(path) is not None, "contains a character that some systems refuse"),
        (LONE_SURROGATE.search(path) is not None, "is not UTF-8"),
        (unicodedata.normalize("NFC", path) != path, "is not NFC"),
    )
    for holds, reason in reasons:
        if holds:
            return reason
    for part in path.split("/"):
        if part in ("", ".", ".."):
            return f"contains the part {part!r}"
        if RESERVED_NAMES.match(part) or part != part.rstrip(" ."):
            return f"contains the part {part!r}, which some systems refuse"
    return None


def _checked_path(path: str) -> str:
    fault = path_fault(path)
    if fault:
        raise ValueError(f"path {path!r} {fault}; expected a relative POSIX path inside the workspace")
    return path


RelativePath = Annotated[str, AfterValidator(_checked_path)]
"""A path inside the workspace: POSIX, relative, NFC, no `..`."""

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
"""Lower-case words joined by hyphens."""

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""Hexadecimal SHA-256."""

Shown = Annotated[str, BeforeValidator(lambda text: showable(text) if isinstance(text, str) else text)]
"""Text that may quote file names or what agents wrote: kept so that a terminal and a JSON file take it."""
