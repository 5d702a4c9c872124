"""The errors a user meets: each names the thing, what was found and what was expected."""


class ClawGymError(Exception):
    """Base of the errors that are shown to a user without a traceback."""


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

    def __init__(self, errors: tuple[SpecError, ...]) -> None:
        self.errors = errors
        super().__init__("\n".join(str(error) for error in errors))
