"""Records the schema of the Google provider's types that we use, from a Python package that carries them.

The package `cdktn-provider-google` holds JavaScript generated from the provider's own schema, complete enough to be
turned back. Run it when a type is added, or for a newer provider:

    pip download --no-deps cdktn-provider-google==21.1.0
    python -m infra.gcp.proof.record cdktn_provider_google-21.1.0-*.whl
"""

import json
import re
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from infra.gcp.proof.schema import RECORDED, Attribute, Block, Nested, Schema, Type

MODULE = Path(__file__).parents[1]
_USED = re.compile(r'^(resource|data) "google_(\w+)"', re.MULTILINE)
_CLASS = re.compile(r"^class (\w+) extends cdktn\.(\w+)", re.MULTILINE)
_ATTRIBUTE = re.compile(
    r"^    // (\w+) - computed: (true|false), optional: (true|false), required: (true|false)\n(.*\n)(.*\n)",
    re.MULTILINE,
)
_FUNCTION = re.compile(r"^function (\w+)ToHclTerraform\(", re.MULTILINE)
_ENTRY = re.compile(
    r'^ +(\w+): \{\n +value: (.*),\n +isBlock: (true|false),\n +type: "(\w+)",\n +storageClassType: "(\w+)",\n',
    re.MULTILINE,
)
_MADE = re.compile(r'= new (?:cdktn\.)?(\w+)\(this, "\w+"(?:, (true|false))?\)')
_GETTER = re.compile(r"return (cdktn\.Fn\.tolist\()?this\.get(\w+)Attribute\(")
_INTERFACE = re.compile(r"^export interface (\w+).*?\n(.*?)^}", re.MULTILINE | re.DOTALL)
_VALUES = re.compile(r"/\*\*((?:(?!\*/).)*?Possible values: \[([^\]]*)\].*?#(\w+) \w+#\w+\}.*?)\*/", re.DOTALL)
_SIMPLE: dict[str, Type] = {"string": "string", "number": "number", "boolean": "bool", "any": "string"}


class Unreadable(Exception):
    """The package is not written as expected; nothing is guessed."""


def used(module: Path) -> tuple[list[str], list[str]]:
    """Resource and data types of a module, without the provider's prefix."""
    found = {match for file in module.glob("*.tf") for match in _USED.findall(file.read_text())}
    return sorted(name for kind, name in found if kind == "resource"), sorted(
        name for kind, name in found if kind == "data"
    )


def sources(wheel: Path, folders: Sequence[str]) -> dict[str, tuple[str, str]]:
    """JavaScript and declarations of some folders, read as a stream: unpacked the package has 400 MB."""
    code: dict[str, list[str]] = {folder: [] for folder in folders}
    types: dict[str, list[str]] = {folder: [] for folder in folders}
    with zipfile.ZipFile(wheel) as outer:
        inner = next(name for name in outer.namelist() if name.endswith(".jsii.tgz"))
        with outer.open(inner) as stream, tarfile.open(fileobj=stream, mode="r|gz") as package:
            for member in package:
                parts = member.name.split("/")
                if not member.isfile() or len(parts) < 4 or parts[1] != "lib" or parts[2] not in code:
                    continue
                kept = types if member.name.endswith(".d.ts") else code if member.name.endswith(".js") else None
                opened = package.extractfile(member)
                if kept is not None and opened is not None:
                    kept[parts[2]].append(opened.read().decode())
    return {folder: ("\n".join(code[folder]), "\n".join(types[folder])) for folder in folders}


@dataclass
class _Entry:
    """What a synthesis function says of one argument."""

    block: bool
    kind: str
    storage: str
    many: bool


@dataclass
class _Folder:
    """One type's files, cut into classes."""

    bodies: dict[str, str]
    entries: dict[str, dict[str, _Entry]]
    values: dict[str, dict[str, list[str]]]
    root: str = ""


def _cut(pattern: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], str]]:
    matches = list(pattern.finditer(text))
    for match, following in zip_longest(matches, matches[1:]):
        yield match, text[match.end() : following.start() if following else len(text)]


def _entries(text: str) -> dict[str, _Entry]:
    return {
        name: _Entry(block == "true", kind, storage, "Mapper" in value)
        for name, value, block, kind, storage in _ENTRY.findall(text)
    }


def _folder(code: str, declarations: str) -> _Folder:
    folder = _Folder({}, {}, {})
    for match, body in _cut(_CLASS, code):
        name, parent = match.groups()
        folder.bodies[name] = body
        if parent in ("TerraformResource", "TerraformDataSource", "TerraformProvider"):
            folder.root = name
            folder.entries[name] = _entries(body[body.index("synthesizeHclAttributes") :])
    for match, body in _cut(_FUNCTION, code):
        folder.entries[match.group(1).lower()] = _entries(body.split("\nclass ")[0])
    for name, body in _INTERFACE.findall(declarations):
        found = {key: re.findall(r'"([^"]+)"', values) for _, values, key in _VALUES.findall(body)}
        folder.values[name.removesuffix("Config") if name == f"{folder.root}Config" else name] = found
    return folder


def _computed_type(folder: _Folder, where: str, made: re.Match[str] | None, getter: re.Match[str] | None) -> Type:
    if made:
        name, is_set = made.groups()
        if name.endswith("Map"):
            return ["map", _SIMPLE[name.removesuffix("Map").lower()]]
        return ["set" if is_set == "true" else "list", _object(folder, name.removesuffix("List"))]
    if getter:
        to_list, kind = getter.groups()
        for suffix, collection in (("List", "set" if to_list else "list"), ("Map", "map")):
            if kind.endswith(suffix):
                return [collection, _SIMPLE[(kind.removesuffix(suffix) or "String").lower()]]
        return _SIMPLE[kind.lower()]
    raise Unreadable(f"{where}: no type")


def _object(folder: _Folder, name: str) -> Type:
    members: dict[str, Type] = {}
    for attribute, *_, first, second in _ATTRIBUTE.findall(folder.bodies[f"{name}OutputReference"]):
        made, getter = _MADE.search(first), _GETTER.search(first + second)
        members[attribute] = _computed_type(folder, f"{name}.{attribute}", made, getter)
    return ["object", members]


def _argument_type(where: str, entry: _Entry) -> Type:
    if entry.kind == "simple":
        return _SIMPLE[entry.storage]
    element = _SIMPLE.get(entry.storage.removesuffix("List").removesuffix("Map"))
    if element is None or entry.kind not in ("list", "set", "map"):
        raise Unreadable(f"{where}: {entry}")
    return [entry.kind, element]


def _block(folder: _Folder, name: str) -> Block:
    root = name == folder.root
    body = folder.bodies[name if root else f"{name}OutputReference"]
    entries = folder.entries[name if root else name.lower()]
    values = folder.values.get(name, {})
    attributes: dict[str, Attribute] = {}
    blocks: dict[str, Nested] = {}
    for attribute, computed, optional, required, first, second in _ATTRIBUTE.findall(body):
        where, entry = f"{name}.{attribute}", entries.get(attribute)
        flags = "".join(
            letter for letter, is_so in (("r", required), ("o", optional), ("c", computed)) if is_so == "true"
        )
        if entry is None:
            kind = _computed_type(folder, where, _MADE.search(first), _GETTER.search(first + second))
            attributes[attribute] = Attribute(kind, flags)
        elif entry.block:
            inner = re.sub(r"(List|Set)$", "", entry.storage) if entry.kind != "struct" else entry.storage
            if entry.kind not in ("list", "set", "struct"):
                raise Unreadable(f"{where}: {entry}")
            nesting = "single" if entry.kind == "struct" else entry.kind
            least = 1 if required == "true" and nesting != "single" else 0
            most = 0 if entry.many or nesting == "single" else 1
            blocks[attribute] = Nested(nesting, least, most, _block(folder, inner))
        else:
            attributes[attribute] = Attribute(_argument_type(where, entry), flags, values.get(attribute, []))
    if missing := entries.keys() - attributes.keys() - blocks.keys():
        raise Unreadable(f"{name}: {missing}")
    return Block(attributes, blocks)


def _provider(folder: _Folder) -> Block:
    """The provider's own arguments, without blocks (batching, external credentials) and API addresses: none are set."""
    return Block(
        {
            name: Attribute(_argument_type(name, entry), "o")
            for name, entry in folder.entries[folder.root].items()
            if not (entry.block or name == "alias" or name.endswith("_custom_endpoint"))
        },
        {},
    )


def record(wheel: Path, module: Path = MODULE) -> Schema:
    """The schema of the types that a module uses."""
    resources, data = used(module)
    dashed = {name: name.replace("_", "-") for name in resources}
    folders = ["provider", *dashed.values(), *(f"data-google-{name.replace('_', '-')}" for name in data)]
    texts = sources(wheel, folders)
    blocks: dict[str, Block] = {}
    for name, (code, declarations) in texts.items():
        if not code:
            raise Unreadable(f"the package has no {name}")
        folder = _folder(code, declarations)
        blocks[name] = _provider(folder) if name == "provider" else _block(folder, folder.root)
    version = re.search(r"providerVersion: '([\d.]+)'", texts[dashed[resources[0]]][0])
    if version is None:
        raise Unreadable("no provider version")
    return Schema(
        version.group(1),
        blocks["provider"],
        {f"google_{name}": blocks[folder] for name, folder in dashed.items()},
        {f"google_{name}": blocks[f"data-google-{name.replace('_', '-')}"] for name in data},
    )


if __name__ == "__main__":
    recorded = record(Path(sys.argv[1]))
    target = Path(sys.argv[2]) if len(sys.argv) > 2 else RECORDED
    target.write_text(json.dumps(recorded.to_json(), separators=(",", ":"), sort_keys=True) + "\n")
    print(f"{target}: provider {recorded.version}, {len(recorded.resources)} resource types")
