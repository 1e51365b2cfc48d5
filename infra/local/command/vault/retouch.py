"""Changes title and tags in a file's front matter, and leaves every other character as it stands."""

import re
from dataclasses import dataclass

import yaml

from infra.local.command.vault import front_matter
from infra.local.command.vault.draft import kept_tags
from infra.local.command.vault.front_matter import Fields, Split
from infra.local.command.vault.text import line_end


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to change."""

    title: str | None = None
    drop: frozenset[str] = frozenset()
    """Tags to take out, as Memex spells them."""
    add: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.title is not None or self.drop or self.add)


@dataclass(frozen=True, slots=True)
class _Edit:
    start: int
    end: int
    text: str


def retouch(text: str, wish: Wish) -> str:
    """The text with its front matter changed; a block is made where there is none."""
    try:
        pieces = front_matter.split(text)
    except front_matter.Malformed:
        pieces = front_matter.whole(text)
    end = line_end(text)
    if pieces.fields is None:
        inside = _fresh(wish, end)
        return f"{pieces.opening}---{end}{inside}---{end}{pieces.body}" if inside else text
    wanted = _wanted(pieces.fields, wish)
    inside = _in_place(pieces, wish, end)
    if _read(inside) != wanted:
        inside = _anew(pieces.inside, wanted)
    return pieces.opening + inside + pieces.closing + pieces.body


def _read(inside: str) -> Fields | None:
    try:
        return front_matter.parse(inside)
    except front_matter.Malformed:
        return None


def _wanted(fields: Fields, wish: Wish) -> Fields:
    """What the block has to say afterwards."""
    wanted = dict(fields)
    if wish.title is not None:
        wanted[front_matter.key_of(fields, "title") or "title"] = wish.title
    keys = front_matter.tag_keys(fields)
    add = list(wish.add)
    for key in keys:
        before = front_matter.spelled(fields[key])
        left = [tag for tag in before if not _dropped(tag, wish)] + add
        if left != before:
            wanted[key] = _joined(str(fields[key]), left) if isinstance(fields[key], str) and fields[key] else [*left]
        add = []
    if add:
        wanted["tags"] = [*add]
    return wanted


def _dropped(spelled: str, wish: Wish) -> bool:
    return bool(wish.drop.intersection(kept_tags([spelled])[0]))


def _joined(before: str, tags: list[str]) -> str:
    return (", " if "," in before else " ").join(tags)


def _fresh(wish: Wish, end: str) -> str:
    title = f"title: {scalar(wish.title)}{end}" if wish.title is not None else ""
    return title + (_block("tags", wish.add, end) + end if wish.add else "")


def _block(key: str, tags: tuple[str, ...] | list[str], end: str, indent: str = "") -> str:
    return "".join([f"{indent}{key}:", *(f"{end}{indent}  - {scalar(tag)}" for tag in tags)])


def scalar(text: str, *, inside_brackets: bool = False) -> str:
    """A text as YAML in one line, quoted where it has to be."""
    dumped: str = yaml.safe_dump([text], allow_unicode=True, width=10**9, default_flow_style=inside_brackets)
    return dumped.strip()[1:-1] if inside_brackets else dumped.removeprefix("- ").strip()


def _listed(tags: list[str] | tuple[str, ...]) -> str:
    return f"[{', '.join(scalar(tag, inside_brackets=True) for tag in tags)}]"


# -- in place --------------------------------------------------------------------------------------------------


def _in_place(pieces: Split, wish: Wish, end: str) -> str:
    inside = pieces.inside
    root = yaml.compose(inside, Loader=yaml.BaseLoader)
    if not isinstance(root, yaml.MappingNode) or pieces.fields is None:
        return inside + ("" if not inside or inside.endswith("\n") else end) + _fresh(wish, end)
    nodes = {key.value: (key, value) for key, value in root.value}
    edits: list[_Edit] = []
    if wish.title is not None:
        key = front_matter.key_of(pieces.fields, "title")
        edits.append(_title(inside, root, nodes[key] if key else None, wish.title, end))
    add = wish.add
    for key in front_matter.tag_keys(pieces.fields):
        if add or any(_dropped(tag, wish) for tag in front_matter.spelled(pieces.fields[key])):
            edits.append(_tags(inside, nodes[key], Wish(drop=wish.drop, add=add), end, bool(root.flow_style)))
        add = ()
    if add:
        edits.append(_new_tags(inside, root, add, end))
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        inside = inside[: edit.start] + edit.text + inside[edit.end :]
    return inside


def _title(
    inside: str, root: yaml.MappingNode, entry: tuple[yaml.Node, yaml.Node] | None, title: str, end: str
) -> _Edit:
    if entry is None:
        start = root.start_mark.index
        if root.flow_style:
            written = scalar(title, inside_brackets=True)
            return _Edit(start + 1, start + 1, f"title: {written}" + (", " if root.value else ""))
        return _Edit(start, start, f"title: {scalar(title)}{end}{' ' * root.start_mark.column}")
    return _value(inside, *entry, scalar(title, inside_brackets=bool(root.flow_style)))


def _value(inside: str, key: yaml.Node, value: yaml.Node, text: str) -> _Edit:
    """Put a text in a value's place, in the key's own line."""
    colon = inside.index(":", _end(inside, key)) + 1
    if value.start_mark.line == key.start_mark.line and _end(inside, value) > value.start_mark.index:
        return _Edit(value.start_mark.index, _end(inside, value), text)
    return _Edit(colon, max(colon, _end(inside, value)), f" {text}")


def _tags(inside: str, entry: tuple[yaml.Node, yaml.Node], wish: Wish, end: str, flow: bool) -> _Edit:
    key, value = entry
    if isinstance(value, yaml.SequenceNode):
        items = [(item, inside[item.start_mark.index : _end(inside, item)]) for item in value.value]
        flow = bool(value.flow_style)
        kept = [text for item, text in items if not _gone(item, wish)]
        kept += [scalar(tag, inside_brackets=flow) for tag in wish.add]
        if not kept or flow:
            return _value(inside, key, value, f"[{', '.join(kept)}]")
        lead = end + " " * value.start_mark.column
        return _Edit(value.start_mark.index, _end(inside, value), lead.join(f"- {text}" for text in kept))
    before = str(value.value)
    left = [tag for tag in front_matter.spelled(before) if not _dropped(tag, wish)] + list(wish.add)
    if before.strip():
        return _value(inside, key, value, scalar(_joined(before, left), inside_brackets=flow))
    return _value(inside, key, value, _listed(left))


def _gone(item: yaml.Node, wish: Wish) -> bool:
    return isinstance(item, yaml.ScalarNode) and _dropped(item.value, wish)


def _new_tags(inside: str, root: yaml.MappingNode, tags: tuple[str, ...], end: str) -> _Edit:
    if root.flow_style:
        start = root.start_mark.index + 1
        return _Edit(start, start, f"tags: {_listed(tags)}" + (", " if root.value else ""))
    last = _end(inside, root)
    line = re.compile(r"\r?\n|\Z").search(inside, last)
    at = line.start() if line else len(inside)
    return _Edit(at, at, end + _block("tags", tags, end, " " * root.start_mark.column))


def _end(inside: str, node: yaml.Node) -> int:
    """Where a node's text ends: a block's own mark lies behind the comments that follow it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(inside, last[1] if isinstance(last, tuple) else last)
    end = node.end_mark.index
    while end > node.start_mark.index and inside[end - 1].isspace():
        end -= 1
    return int(end)


# -- anew ------------------------------------------------------------------------------------------------------


def _anew(inside: str, wanted: Fields) -> str:
    """The last resort for blocks that can't be changed in place: written anew, comments lost, values as spelled."""
    root = yaml.compose(inside, Loader=yaml.SafeLoader)
    entries = list(root.value) if isinstance(root, yaml.MappingNode) else []
    before = _read(inside) or {}
    kept = [(key, value) for key, value in entries if wanted.get(key.value) == before.get(key.value)]
    changed = {name: value for name, value in wanted.items() if value != before.get(name)}
    added = yaml.compose(yaml.safe_dump(changed, allow_unicode=True), Loader=yaml.SafeLoader)
    node = yaml.MappingNode("tag:yaml.org,2002:map", [*kept, *(added.value if added else [])], flow_style=False)
    written: str = yaml.serialize(node, Dumper=yaml.SafeDumper, allow_unicode=True, width=10**9)
    end = line_end(inside)
    return written.replace("\n", end)
