"""Text from a graph as text of a page: names of files hold whatever their users liked."""

from __future__ import annotations

import html
import re
import unicodedata

# What XML does not know, and marks that turn the direction of the text around them.
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def escaped(value: object) -> str:
    """A value as text within HTML, SVG, or an attribute in double quotes."""
    return html.escape(_UNFIT.sub("\ufffd", str(value)), quote=True)


def shortened(text: str, columns: int, keep_end: bool = False) -> str:
    """The text in no more than some columns; with an ellipsis where it is cut."""
    kept: list[str] = []
    left = columns
    for letter in reversed(text) if keep_end else text:
        left -= _columns(letter)
        kept.append(letter)
        if left < 0:
            while left < 1:
                left += _columns(kept.pop())
            kept.append("…")
            break
    return "".join(reversed(kept) if keep_end else kept)


def _columns(letter: str) -> int:
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
