"""Text whose characters arrive in halves: JSON may cut a sign such as an emoji between two pieces."""

_WIDE = "utf-16-le"


def whole(text: str) -> str:
    """The text with its halves joined; one without its other half becomes the sign for something lost."""
    if text.isascii():
        return text
    return text.encode(_WIDE, "surrogatepass").decode(_WIDE, "replace")


class Letters:
    """Feed it pieces; it holds back the first half of a character until the second comes."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, piece: str) -> str:
        """The text that is whole by now."""
        piece = self._half + piece
        self._half = piece[-1] if "\ud800" <= piece[-1:] <= "\udbff" else ""
        return whole(piece.removesuffix(self._half))

    def end(self) -> str:
        """What is left when no more comes."""
        half, self._half = self._half, ""
        return whole(half)
