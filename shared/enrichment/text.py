"""A note's Markdown as plain blocks: what is heading, prose, list, table, code. It judges nothing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from shared.enrichment.proposal import visible

LIMIT = 50_000
"""Characters of a note that are read; what a note is about is said before."""
PARSED = 9_000
"""Characters that are taken apart: title, summary and tags come from them. Behind them only paragraphs with a heading,
a box or a to-do are; the rest is the greater part of a long note, and could add nothing."""

CODE_LINE = 200
"""Characters of a line that are looked at for code: lines of code are short, and looking costs more than reading."""

BlockKind = Literal["heading", "prose", "item", "row", "code"]


@dataclass(slots=True)
class Block:
    """One piece of a note, markup taken off."""

    kind: BlockKind
    text: str
    """As a reader sees it; an address is shown as its host."""
    words: str = ""
    """The same without code and addresses: where tags come from."""
    level: int = 0
    """Of a heading."""
    quoted: bool = False
    ordered: bool = False
    """An item of a numbered list."""
    box: str = ""
    """What stands in an item's check box, and in that of the item which a line goes on with; empty without a box."""
    struck: bool = False
    """Whether all of it is struck out."""
    standalone: tuple[str, ...] = ()
    """Texts of links and hashtags, which name things."""
    info: str = ""
    """Language of a code block."""


@dataclass(slots=True)
class Page:
    """A note, read."""

    blocks: list[Block]
    title: str = ""
    """The title in the front matter."""
    url: str = ""
    """The first address in it, as it stands there."""
    unread: int = 0
    """Characters of paragraphs that were passed over."""


_URL = r"(?:https?://|www\.)[^\s<>\"'`|\\^{}\[\]，。、；）】」]{1,2000}"
_INLINE = re.compile(
    r"(?P<embed>!\[\[[^\[\]\n]{0,300}\]\])"
    r"|\[\[(?P<wiki>[^\[\]\n|]{1,300})(?:\|(?P<alias>[^\[\]\n]{0,300}))?\]\]"
    r"|(?P<image>!\[[^\[\]\n]{0,300}\]\([^()\n]{0,1000}\))"
    r"|\[(?P<link>[^\[\]\n]{1,500})\]\((?:[^()\n]|\([^()\n]{0,200}\)){0,1000}\)"
    r"|(?P<note>\[\^[^\[\]\s]{1,50}\]:?)"
    r"|\[(?P<ref>[^\[\]\n]{1,300})\]\[[^\[\]\n]{0,100}\]"
    r"|`{1,3}(?P<code>[^`\n]{1,500})`{1,3}"
    r"|(?<![^\W_])<?(?P<url>" + _URL + r")>?"
    r"|(?P<html></?[A-Za-z][^<>\n]{0,300}>)"
    r"|(?P<mail>[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5})"
    r"|(?P<block>\s\^[\w-]{1,40}$)"
    r"|\\(?P<escaped>[\\`*_{}\[\]()#+.!|>~$-])"
    r"|(?P<mark>(?<![^\W_])(?:\*{1,3}|_{1,3}|~~|==)(?=[^\s*_~=])|(?<=[^\s*_~=])(?:\*{1,3}|_{1,3}|~~|==)(?![^\W_]))"
    r"|&(?P<entity>nbsp|amp|lt|gt|quot|apos|mdash|ndash|hellip|#39|#160);"
    r"|(?<![\w&/#])\#(?P<hash>[^\W\d_][\w/-]{0,60}|\d{1,10}[^\W\d_][\w/-]{0,60})",
)
_SPECIAL = re.compile(r"[\[\]`<&*_~=\\#@^]|://|www\.")
_ENTITIES = {"nbsp": " ", "amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "mdash": "—"}
_ENTITIES |= {"ndash": "–", "hellip": "…", "#39": "'", "#160": " "}
_HEX = re.compile(r"[0-9a-f]{3}(?:[0-9a-f]{3})?")
_FENCE = re.compile(r"\s{0,12}(`{3,}|~{3,})\s*\{?\.?([\w+#-]{0,20})")
_HEADING = re.compile(r"\s{0,3}(#{1,6})[ \t]+(.*)")
_ITEM = re.compile(r"\s*(?:[-*+•–]|(\d{1,3}[.)]))\s+(.*)")
_BOX = re.compile(r"\[(.)\]\s+(.*)")
_QUOTE = re.compile(r"\s{0,3}>\s?")
_CALLOUT = re.compile(r"\[!([\w-]{1,30})[^\]\n]{0,30}\][-+]?\s*(.*)")
_STRUCK = re.compile(r"~~(?=\S)(?:(?!~~).)+~~[\W\d]*")
"""Behind it a date may follow, when it was done."""
_RULE = re.compile(r"\s*([-*_=])(?:\s*\1){2,}\s*$")
_UNDERLINE = re.compile(r"\s{0,3}(?:={3,}|-{3,})\s*$")
_FRONT_TITLE = re.compile(r"^title:[ \t]*(\S.*)$", re.MULTILINE)
_TAIL_TAGS = re.compile(r"(?:(?:^|(?<=\s))#[^\W\d_][\w/-]{0,60}(?:\s+|$)){1,30}$")
_HEAD_TAGS = re.compile(
    r"(?:#[^\W\d_][\w/-]{0,60}[,;:]?\s+){1,30}(?!(?:is|are|was|were|has|have|had|can|will|and|or|vs|ist|sind|war|und|oder)\b)"
    r"(?=[^#\s])"
)
"""Hashtags before a text are none of its words, unless they are its subject."""
_REQUEST = re.compile(
    r"\s*(?:(?:please |bitte )?(?:remember to|don['’]?t forget|do not forget|remind me|i need to|denke? (?:bitte )?"
    r"(?:an|dran|daran)|nicht vergessen|vergiss|ich muss)\b|to-?do\b)",
    re.I,
)
"""A line that begins like a request to oneself stands alone, however the line before it ended."""
_TELLING = re.compile(
    r"^[ \t>]*(?:#{1,6}[ \t]|(?:[-*+•–]|\d{1,3}[.)])[ \t]+\[.\]|[-*+•·–→@ \t]*(?:(?:my |offene )?to-?\s?do|tasks to do"
    r"|fixme|action item|aufgabe|offene|zu erledigen|noch zu|à faire|por hacer|tareas))",
    re.I | re.MULTILINE,
)
"""What is looked for behind the parsed part: headings, boxes, marks and labels of things to do."""
_LABEL = re.compile(
    r"[#>\s]*(?:my |offene )?(?:to-?\s?dos?|tasks to do|action items?|aufgaben|zu erledigen|à faire|tareas"
    r"|por hacer)\b",
    re.I,
)
_ADDRESS_END = re.compile(r"[).,;:!?*_~]+$")
_CODE = re.compile(
    r"[{};]\s*$|^\s*[})\]]+[;,)]*\s*$"
    r"|^\s*(?:async\s+)?(?:def|class)\s+\w+.{0,200}:\s*$"
    r"|^\s*(?:import\s+[\w.{}*, ]+(?:\s+(?:as|from)\s+\S+)?;?|from\s+[\w.]+\s+import\s.{0,200})$"
    r"|^\s*(?:export\s+)?(?:const|let|var)\s+[\w{\[].{0,200}?="
    r"|^\s*(?:pub\s+)?(?:function|fn|func)\s+\w+\s*[(<]"
    r"|^\s*(?:if|for|while|switch)\s*\(.{0,200}\)\s*\{?$"
    r"|^\s*(?:return|raise|throw|yield|await)\b.{0,200}[;()\[\]=.]\w*$"
    r"|^\s*[\w.]{1,60}(?:\[[^\]]{0,60}\])?\s?[-+*/|&]?=\s?\S"
    r"|^\s*[\w.]{1,80}\([^\s,()][^()]{0,200}\)\s*[;:]?$|^\s*[\w.]{1,80}\(\)\s*[;:]?$"
    r"|=>|->\s*\w+\s*[:{]|\w::\w|\[::|\s&&\s|\s\|\|\s|\s(?:!==?|===)\s"
    r"|^\s*(?:\#include|\#!/|//|/\*|\*/|<\?php)"
    r"|^\s*</?[a-z][^>]{0,200}>.{0,200}</?[a-z]+>\s*$|^\s*</?[a-z][\w-]*[^<>]{0,200}>\s*$"
    r"|^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE (?:TABLE|INDEX)|ALTER TABLE)\s"
    r"|^\s*(?:\$|>>>|sudo|FROM \S+:\S+$)\s\S|^\s*\"[\w-]+\":\s"
)
_CODE_HINT = re.compile(r"[{}()\[\];=<>|&$\"]|::|//|^\s*(?:import|class|return|raise|FROM|SELECT|UPDATE|DELETE)\s|:$")
_SENTENCE_END = tuple(".!?…:;。！？؟۔।")


def read(body: str) -> Page:
    """The note's blocks, in order, from its first `LIMIT` characters; those behind `PARSED` only where they tell."""
    text = body if len(body) <= LIMIT else _head(body)
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", " ")
    text = text if text.isascii() else visible(text)
    title, text = _front_matter(text)
    text = _uncommented(text)
    blocks: list[Block] = []
    paragraph: list[str] = []
    room, unread, listed = PARSED, 0, False

    def close() -> None:
        nonlocal unread, listed
        if room < 0:
            unread += sum(map(len, paragraph))
            paragraph[:], listed = _telling(paragraph, listed)
        _close(paragraph, blocks)

    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if fence := _FENCE.match(line):
            close()
            start = at
            while at < len(lines) and not lines[at].lstrip().startswith(fence[1]):
                at += 1
            blocks.append(Block("code", "\n".join(lines[start:at]), info=fence[2].lower()))
            at += 1
        elif not line.strip():
            close()
        else:
            if 0 <= room < len(line):
                close()
            room -= len(line)
            paragraph.append(line)
    close()
    return Page(blocks, title, _first_address(text), unread)


def _first_address(text: str) -> str:
    # The expression tries every place of a note; most notes hold no address, and a plain search says so sooner.
    places = [text.find(sign) for sign in ("://", "www.") if sign in text]
    first = _ADDRESS.search(text, max(0, min(places) - len("https"))) if places else None
    return _ADDRESS_END.sub("", first[0]) if first else ""


def _telling(lines: list[str], listed: bool) -> tuple[list[str], bool]:
    """The lines of a paragraph that tell something by themselves, and whether it ends in a list of things to do."""
    if not listed and not _TELLING.search("\n".join(lines)):
        return [], False
    if _is_code(lines):
        return [], False
    kept: list[str] = []
    for line in lines:
        listed = bool(_LABEL.match(line)) or (listed and bool(_ITEM.match(line)))
        if listed or _TELLING.match(line):
            kept.append(line)
    return kept, listed


_ADDRESS = re.compile(r"(?<![^\W_])(?:https?://|www\.)[^\s<>\"'`|\\^{}\[\]，。、；）】」]{1,2000}")


def inline(text: str) -> tuple[str, str, tuple[str, ...]]:
    """A line without inline markup: as shown, as words only, and the texts that name something."""
    if not _SPECIAL.search(text):
        return text, text, ()
    shown: list[str] = []
    words: list[str] = []
    names: list[str] = []
    at = 0
    for found in _INLINE.finditer(text):
        between = text[at : found.start()]
        at = found.end()
        as_shown, as_word, name = _one(found)
        shown += (between, as_shown)
        words += (between, as_word)
        if name:
            names.append(name)
    shown.append(text[at:])
    words.append(text[at:])
    return "".join(shown), "".join(words), tuple(names)


def host(url: str) -> str:
    """The host of an address, without `www.`."""
    rest = url.split("://", 1)[-1]
    name = re.split(r"[/?#]", rest, maxsplit=1)[0].rsplit("@", 1)[-1]
    return name.removeprefix("www.")


def _one(found: re.Match[str]) -> tuple[str, str, str]:  # one flat table of what a match means
    group = found.lastgroup
    if group == "alias" or group == "wiki":
        return _wiki(found["wiki"], found["alias"])
    if group == "link" or group == "ref":
        shown, words, _ = inline(found[group])
        return (shown, words, words) if "://" not in found[group] else (shown, " ", "")
    if group == "url":
        end = _ADDRESS_END.search(found["url"])
        tail = end[0] if end else ""
        return host(found["url"]).rstrip(tail or "\n") + tail, " \n ", ""
    if group == "code":
        return found["code"], " ` ", ""
    if group == "mail":
        return found["mail"], " \n ", ""
    if group == "escaped":
        return found["escaped"], found["escaped"], ""
    if group == "entity":
        char = _ENTITIES[found["entity"]]
        return char, char, ""
    if group == "hash":
        name = found["hash"].rstrip("/-")
        return found["hash"], found["hash"], "" if _HEX.fullmatch(name.lower()) else f"#{name}"
    if group == "html":
        return " ", " ", ""
    if group == "mark":
        return "", "", ""
    return " ", " ", ""


def _wiki(target: str, alias: str | None) -> tuple[str, str, str]:
    if alias and (alias := alias.strip()):
        return alias, alias, alias
    path, _, part = target.rstrip("\\").partition("#")
    name = path.rsplit("/", 1)[-1].strip() or part.rsplit("#", 1)[-1].strip().lstrip("^")
    return name, name, name


def _head(body: str) -> str:
    """The beginning of a long body, ending with a whole line or at least a whole word."""
    head = body[:LIMIT]
    for border in ("\n", " "):
        if (at := head.rfind(border)) > LIMIT * 3 // 4:
            return head[:at]
    return head


def _front_matter(text: str) -> tuple[str, str]:
    if not text.startswith("---\n"):
        return "", text
    end = text.find("\n---", 3, 20_000)
    if end < 0 or text[end + 4 : end + 5].strip():
        return "", text
    block = text[4 : end + 1]
    if ":" not in block and block.strip():
        return "", text
    title = _FRONT_TITLE.search(block)
    return (title[1].strip().strip("\"'") if title else ""), text[end + 4 :]


def _uncommented(text: str) -> str:
    if "<!--" in text:
        kept: list[str] = []
        at = 0
        while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
            kept += (text[at:start], " ")
            at = end + 3
        text = "".join((*kept, text[at:]))
    if text.count("%%") and text.count("%%") % 2 == 0:
        text = " ".join(text.split("%%")[::2])
    return text


def _close(paragraph: list[str], blocks: list[Block]) -> None:
    """Turn the lines of one paragraph into blocks."""
    if not paragraph:
        return
    if _is_code(paragraph):
        blocks.append(Block("code", "\n".join(paragraph)))
    else:
        blocks.extend(_parsed(paragraph))
    paragraph.clear()


def _is_code(paragraph: list[str]) -> bool:
    looked = paragraph[:30]
    code = sum(1 for line in looked if _CODE_HINT.search(line) and _CODE.search(line[:CODE_LINE]))
    return bool(code) and code * 2 >= len(looked) and not _is_markdown(paragraph)


def _is_markdown(lines: list[str]) -> bool:
    return all(_ITEM.match(line) or _QUOTE.match(line) or line.lstrip().startswith("|") for line in lines)


def _parsed(lines: list[str]) -> Iterator[Block]:
    prose: list[str] = []
    was_quoted = False
    ticked = under = ""

    def flush() -> Iterator[Block]:
        if prose:
            yield _block("prose", " ".join(prose), quoted=was_quoted, box=under)
            prose.clear()

    for at, raw in enumerate(lines):
        line, quoted = raw, False
        while mark := _QUOTE.match(line):
            line, quoted = line[mark.end() :], True
        if quoted != was_quoted:
            yield from flush()
        was_quoted = quoted
        if _RULE.match(line):
            if prose and not quoted and set(line.strip()) <= set("=-"):
                heading = " ".join(prose)
                prose.clear()
                yield _block("heading", heading, level=1 if "=" in line else 2)
            continue
        special = _special(line, quoted)
        if special is None:
            if not line[:1].isspace():
                ticked = ""
            if prose and (_REQUEST.match(line) or ticked != under):
                yield from flush()
            under = ticked
            prose.append(line.strip())
            ends = line.rstrip().endswith(_SENTENCE_END) or len(line) < 50 or line.endswith("  ")
            if ends and not (at + 1 < len(lines) and _UNDERLINE.match(lines[at + 1])):
                yield from flush()
            continue
        yield from flush()
        # What an item that is done goes on with in the next lines is done, too.
        ticked = special.box.strip()
        yield special
    yield from flush()


def _special(line: str, quoted: bool) -> Block | None:
    """The line as a heading, an item or a row; None where it is prose."""
    if heading := _HEADING.match(line):
        return _block("heading", heading[2].rstrip("# \t"), level=len(heading[1]), quoted=quoted)
    if quoted and (callout := _CALLOUT.match(line)):
        return _block("row", callout[2], quoted=True)
    if item := _ITEM.match(line):
        box = _BOX.match(item[2])
        return _block(
            "item", box[2] if box else item[2], ordered=bool(item[1]), box=box[1] if box else "", quoted=quoted
        )
    stripped = line.strip()
    if stripped.startswith("|") and stripped.count("|") > 1:
        if set(stripped) <= set("|:- "):
            return _block("row", "")
        cells = re.split(r"(?<!\\)\|", stripped.strip("|"))
        return _block("row", ", ".join(cell.strip() for cell in cells if cell.strip()))
    return None


def _block(
    kind: BlockKind, text: str, *, level: int = 0, quoted: bool = False, ordered: bool = False, box: str = ""
) -> Block:
    tail = _TAIL_TAGS.search(text) if "#" in text else None
    head = _HEAD_TAGS.match(text, 0, tail.start()) if tail else _HEAD_TAGS.match(text)
    said = text[head.end() if head else 0 : tail.start() if tail else len(text)]
    shown, words, names = inline(said)
    for tags in (head, tail):
        if tags:
            names += inline(tags[0])[2]
    struck = "~~" in said and bool(_STRUCK.fullmatch(said.strip()))
    return Block(kind, shown.strip(), words, level, quoted, ordered, box, struck, names)
