"""HTML in which every text is escaped: what is no `Html` already cannot become any."""

from html import escape

from clawgym_bench.show.text import visible


class Html(str):
    """Text that is HTML."""

    __slots__ = ()


def element(tag: str, *content: str | None, **attributes: str | bool) -> Html:
    """An element.

    Args:
        tag: its name.
        content: escaped, and made visible, where it is no `Html`; None is left out.
        attributes: a trailing underscore is left off (`class_`), others are hyphens; True is an attribute without a value, False is none.
    """
    given = "".join(
        _attribute(name.rstrip("_").replace("_", "-"), value)
        for name, value in attributes.items()
        if value is not False
    )
    inner = "".join(part if isinstance(part, Html) else plain(part) for part in content if part is not None)
    return Html(f"<{tag}{given}>{inner}</{tag}>")


def joined(*parts: Html | None) -> Html:
    """Elements one after the other."""
    return Html("".join(part for part in parts if part is not None))


def plain(text: str) -> Html:
    """A text as HTML that shows it."""
    return Html(escape(visible(text), quote=True))


def _attribute(name: str, value: str | bool) -> str:
    return f" {name}" if value is True else f' {name}="{escape(visible(str(value)), quote=True)}"'
