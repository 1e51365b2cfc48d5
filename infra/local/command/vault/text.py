"""A file's bytes as text and back, without losing one: a byte order mark stays the text's first character."""

import codecs
from hashlib import sha256

ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")
BOM = "\ufeff"


class NotText(ValueError):
    """The bytes are not text that we can give back as it was."""


def decode(raw: bytes) -> str:
    """The text of a file: UTF-8, or UTF-16 where a byte order mark says so."""
    encoding = "utf-8"
    if raw.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise NotText("it is UTF-32; only UTF-8 and UTF-16 are read")
    if raw.startswith(codecs.BOM_UTF16_LE):
        encoding = "utf-16-le"
    elif raw.startswith(codecs.BOM_UTF16_BE):
        encoding = "utf-16-be"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise NotText(f"it is not {encoding[:6].upper().rstrip('-')} (byte {error.start:,})") from None
    if "\0" in text:
        raise NotText("it holds zero bytes, so it is hardly text")
    return text


def digest(raw: bytes) -> str:
    """The hash by which an imported file is known."""
    return sha256(raw).hexdigest()


def encoding_of(text: str, content_sha256: str) -> str | None:
    """How the file with this hash was encoded, if this is its text; None where the text is another one."""
    for encoding in ENCODINGS if text.startswith(BOM) else ENCODINGS[:1]:
        if digest(text.encode(encoding)) == content_sha256:
            return encoding
    return None


def line_end(text: str) -> str:
    """How this text ends its lines."""
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"
