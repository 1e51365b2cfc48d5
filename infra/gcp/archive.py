"""Packs the source of all functions into one zip: an allow-list, sorted, with fixed times. Nothing else rides along.

    python -m infra.gcp.archive memex.zip

The same source gives the same bytes on every machine, so that the archive's hash names a deployment. Nothing is
compressed: the bytes would be those of one version of zlib.
"""

import sys
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
TREES = {
    "functions": (".py",),
    "shared": (".py", ".md"),
    # The client, which functions/api serves.
    "web/dist": (".css", ".html", ".ico", ".js", ".json", ".png", ".svg", ".txt", ".webmanifest", ".woff2"),
}
"""Folders, and the kinds of file in them that a function needs."""
# The buildpack installs from requirements.txt; pyproject.toml says which Python, and is ignored otherwise.
FILES = ("pyproject.toml", "requirements.txt")
NEEDED = ("functions/api/main.py", "shared/config.py", "web/dist/index.html", *FILES)
TIME = (1980, 1, 1, 0, 0, 0)


class Incomplete(Exception):
    """Something is missing, or there is something that nobody allowed."""


def members(root: Path = ROOT) -> Iterator[tuple[str, Path]]:
    """Names in the archive, in order, and the files that they come from."""
    found: dict[str, Path] = {name: root / name for name in FILES if (root / name).is_file()}
    for tree, kinds in TREES.items():
        for file in (root / tree).rglob("*"):
            inside = file.relative_to(root)
            hidden = any(part.startswith(".") or part == "__pycache__" for part in inside.parts)
            if hidden or not (file.is_file() or file.is_symlink()):
                continue
            if file.is_symlink():
                raise Incomplete(f"{inside} is a link, and could bring anything along")
            if file.suffix not in kinds:
                raise Incomplete(f"{inside} is of no kind that a function needs; see TREES in {__name__}")
            found[inside.as_posix()] = file
    if missing := [name for name in NEEDED if name not in found]:
        raise Incomplete(f"missing: {', '.join(missing)} (`make setup` builds the web client)")
    yield from sorted(found.items())


def pack(target: Path, root: Path = ROOT) -> str:
    """Write the archive; the SHA-256 of its bytes."""
    chosen = list(members(root))
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, file in chosen:
            entry = zipfile.ZipInfo(name, TIME)
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, file.read_bytes())
    return sha256(target.read_bytes()).hexdigest()


def main(arguments: list[str]) -> int:
    """The command."""
    if len(arguments) != 1:
        print(f"usage: python -m {__spec__.name if __spec__ else __name__} OUT.zip", file=sys.stderr)
        return 2
    target = Path(arguments[0])
    try:
        digest = pack(target)
    except Incomplete as fault:
        print(f"archive: {fault}", file=sys.stderr)
        return 1
    print(f"{target}: {target.stat().st_size:,} bytes, sha256 {digest}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
