"""The `text` module of the standard library. Patterns that RE2 would refuse are refused."""

import re
from urllib.parse import quote, quote_plus, unquote

from infra.local.workflow.errors import Raised
from infra.local.workflow.values import Value, type_name

_CHARSETS = ("utf-8", "utf-16", "utf-32", "ascii", "us-ascii", "iso-8859-1", "latin-1", "windows-1252")

# Python's engine has more than RE2; what works here must work in the service.
_NOT_RE2 = re.compile(r"(?<!\\)(?:\\\\)*(?:\(\?(?:[=!>(#]|<[=!]|P=)|\\[1-9])")


def decode(data: Value, charset: Value = "utf-8") -> Value:
    """Turn bytes into text."""
    if not isinstance(data, bytes):
        raise Raised.tagged("TypeError", f"text.decode: needs bytes; got: {type_name(data)}")
    try:
        return data.decode(_charset("text.decode", charset))
    except UnicodeDecodeError as error:
        raise Raised.tagged("ValueError", f"text.decode: {error}") from None


def encode(data: Value, charset: Value = "utf-8") -> Value:
    """Turn text into bytes."""
    try:
        return _text("text.encode", data).encode(_charset("text.encode", charset))
    except UnicodeEncodeError as error:
        raise Raised.tagged("ValueError", f"text.encode: {error}") from None


def find_all(source: Value, substr: Value) -> Value:
    """Return the positions of all matches that don't overlap."""
    subject, part = _text("text.find_all", source), _text("text.find_all", substr)
    if not part:
        return list(range(len(subject) + 1))
    return [match.start() for match in re.finditer(re.escape(part), subject)]


def find_all_regex(source: Value, regexp: Value) -> Value:
    """Return position and text of all matches."""
    pattern = _pattern("text.find_all_regex", regexp)
    subject = _text("text.find_all_regex", source)
    return [{"index": match.start(), "match": match[0]} for match in pattern.finditer(subject)]


def match_regex(source: Value, regexp: Value) -> Value:
    """Tell whether a pattern matches anywhere."""
    return _pattern("text.match_regex", regexp).search(_text("text.match_regex", source)) is not None


def replace_all(source: Value, substr: Value, repl: Value) -> Value:
    """Replace all occurrences of a text."""
    name = "text.replace_all"
    return _text(name, source).replace(_text(name, substr), _text(name, repl))


def replace_all_regex(source: Value, regexp: Value, repl: Value) -> Value:
    """Replace all matches of a pattern; the replacement is taken literally."""
    name = "text.replace_all_regex"
    replacement = _text(name, repl)
    return _pattern(name, regexp).sub(lambda _: replacement, _text(name, source))


def split(source: Value, separator: Value) -> Value:
    """Cut a text at each separator; without one, into its characters."""
    subject, mark = _text("text.split", source), _text("text.split", separator)
    return list(subject.split(mark)) if mark else list(subject)


def substring(source: Value, start: Value, end: Value) -> Value:
    """Return the characters from `start` up to, not including, `end`."""
    subject = _text("text.substring", source)
    for bound in (start, end):
        if isinstance(bound, bool) or not isinstance(bound, int):
            raise Raised.tagged("TypeError", f"text.substring: needs integers; got: {type_name(bound)}")
    assert isinstance(start, int) and isinstance(end, int)
    if not 0 <= start <= end <= len(subject):
        raise Raised.tagged("IndexError", f"text.substring: out of range: {start}, {end}")
    return subject[start:end]


def to_lower(source: Value) -> Value:
    """Return the text in lower case."""
    return _text("text.to_lower", source).lower()


def to_upper(source: Value) -> Value:
    """Return the text in upper case."""
    return _text("text.to_upper", source).upper()


def url_decode(source: Value) -> Value:
    """Undo percent-encoding, plus signs included."""
    try:
        return unquote(_text("text.url_decode", source).replace("+", " "), errors="strict")
    except UnicodeDecodeError as error:
        raise Raised.tagged("ValueError", f"text.url_decode: {error}") from None


def url_encode(source: Value) -> Value:
    """Percent-encode; a space becomes %20."""
    return quote(_text("text.url_encode", source), safe="")


def url_encode_plus(source: Value) -> Value:
    """Percent-encode; a space becomes a plus sign."""
    return quote_plus(_text("text.url_encode_plus", source))


def _text(function: str, value: Value) -> str:
    if not isinstance(value, str):
        raise Raised.tagged("TypeError", f"{function}: needs a string; got: {type_name(value)}")
    return value


def _charset(function: str, value: Value) -> str:
    name = _text(function, value).lower()
    if name not in _CHARSETS:
        # Python knows codecs that are no charsets at all, such as unicode_escape.
        raise Raised.tagged("ValueError", f"{function}: unknown charset: {name}")
    return name


def _pattern(function: str, value: Value) -> re.Pattern[str]:
    source = _text(function, value)
    if _NOT_RE2.search(source):
        raise Raised.tagged("ValueError", f"{function}: RE2 has no lookaround and no backreferences: {source}")
    try:
        return re.compile(source)
    except re.error as error:
        raise Raised.tagged("ValueError", f"{function}: invalid pattern: {error}") from None
