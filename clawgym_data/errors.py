"""The errors a user meets: each names the thing, what was found and what was expected."""

import re

_UNSHOWABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def showable(text: str) -> str:
    r"""The text with control characters and halves of surrogate pairs escaped (`\udcff` for a byte that is not UTF-8).

    File names and what agents write may hold them; neither a terminal nor a JSON file takes them as they are.
    """
    return _UNSHOWABLE.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


class ClawGymError(Exception):
    """Base of the errors that are shown to a user without a traceback."""

    def __init__(self, message: str = "") -> None:
        super().__init__(showable(message))


class SpecError(ClawGymError):
    """A spec, a task folder or an argument is not what it must be.

    Attributes:
        file: path or name of the source.
        field: the field or place within it, empty for the whole file.
        found: what stands there.
        expected: what should.
    """

    def __init__(self, file: str, field: str, found: str, expected: str) -> None:
        self.file, self.field, self.found, self.expected = file, field, found, expected
        place = f"{file}: {field}" if field else file
        super().__init__(f"{place}: found {found}; expected {expected}")


class SpecErrors(ClawGymError):  # noqa: N818 - the plural of SpecError
    """Several faults of one file, all of them listed."""

    MAX_SHOWN = 50

    def __init__(self, errors: tuple[SpecError, ...]) -> None:
        self.errors = errors
        more = len(errors) - self.MAX_SHOWN
        lines = [str(error) for error in errors[: self.MAX_SHOWN]]
        super().__init__("\n".join([*lines, f"and {more} more faults"] if more > 0 else lines))
