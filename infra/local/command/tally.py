"""What became of the files of an import, and how that is told."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from infra.local.command.screen import number
from infra.local.command.vault.walk import Found

NAMED = 15
"""Names that are listed before the rest is only counted."""
Reasons = list[tuple[str, str]]


@dataclass(slots=True)
class Tally:
    """Counts and names, by what happened."""

    total: int = 0
    imported: int = 0
    tags: set[str] = field(default_factory=set)
    there: int = 0
    binned: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    left_alone: Reasons = field(default_factory=list)
    """Changed files whose notes were edited in Memex too."""
    empty: list[str] = field(default_factory=list)
    reported: Reasons = field(default_factory=list)
    """Files that can't be imported as they are."""
    failed: Reasons = field(default_factory=list)
    remarks: Reasons = field(default_factory=list)
    attachments: Counter[str] = field(default_factory=Counter)
    hidden: int = 0
    links: list[str] = field(default_factory=list)

    def take(self, found: Found) -> None:
        """What the walk through the folder said."""
        self.total = len(found.files)
        self.attachments, self.hidden, self.links = found.attachments, found.hidden, found.links
        self.failed += found.unreadable

    @property
    def settled(self) -> int:
        """Files of which it is known what became of them."""
        named = len(self.binned) + len(self.changed) + len(self.updated) + len(self.left_alone)
        return self.imported + self.there + named + len(self.empty) + len(self.reported)

    @property
    def left(self) -> int:
        """Files of which it is not."""
        return max(0, self.total - self.settled)

    def as_json(self) -> dict[str, object]:
        """Everything, for programs."""

        def named(reasons: Reasons) -> list[dict[str, str]]:
            return [{"file": name, "reason": reason} for name, reason in sorted(reasons)]

        return {
            "files": self.total,
            "imported": self.imported,
            "already_there": self.there,
            "in_bin": sorted(self.binned),
            "changed": sorted(self.changed),
            "updated": sorted(self.updated),
            "left_alone": named(self.left_alone),
            "skipped": {
                "attachments": dict(self.attachments.most_common()),
                "hidden": self.hidden,
                "links": self.links,
                "empty": sorted(self.empty),
                "unsuitable": named(self.reported),
            },
            "failed": named(self.failed),
            "remarks": named(self.remarks),
        }

    def summary(self, *, dry_run: bool = False) -> Iterator[str]:
        """Everything, for people."""
        yield _row("Would import" if dry_run else "Imported", self.imported, self._with_tags())
        if not dry_run:
            yield _row("Already there", self.there)
        if self.updated:
            yield _row("Updated", len(self.updated))
            yield from _names(self.updated)
        if self.changed:
            yield _row("Changed", len(self.changed), "the files, not the notes; --update takes them over")
            yield from _names(self.changed)
        if self.left_alone:
            yield _row("Left alone", len(self.left_alone))
            yield from _reasons(self.left_alone)
        if self.binned:
            yield _row("In the bin", len(self.binned), "restore them in Memex, or leave them there")
            yield from _names(self.binned)
        yield from self._skipped()
        if self.failed:
            yield _row("Failed", len(self.failed))
            yield from _reasons(self.failed)
        if self.remarks:
            yield ""
            yield "Worth a look:"
            yield from _reasons(self.remarks)

    def _with_tags(self) -> str:
        return f"with {number(len(self.tags), 'different tag')}" if self.tags and self.imported else ""

    def _skipped(self) -> Iterator[str]:
        count = sum(self.attachments.values())
        kinds = ", ".join(number(many, kind) for kind, many in self.attachments.most_common())
        parts = [
            f"{number(count, 'attachment')} ({kinds})" if count else "",
            number(len(self.empty), "empty file") if self.empty else "",
            number(self.hidden, "hidden file or folder", "hidden files and folders") if self.hidden else "",
            f"{number(len(self.links), 'link')} out of the vault" if self.links else "",
            number(len(self.reported), "unsuitable file") if self.reported else "",
        ]
        if told := [part for part in parts if part]:
            total = count + len(self.empty) + self.hidden + len(self.links) + len(self.reported)
            yield _row("Skipped", total, ", ".join(told))
            yield from _reasons(self.reported)


def _row(label: str, count: int, more: str = "") -> str:
    return f"{label:<14}{count:>7,}  {more}".rstrip()


def _names(names: list[str]) -> Iterator[str]:
    for name in sorted(names)[:NAMED]:
        yield f"    {name}"
    if len(names) > NAMED:
        yield f"    ... and {number(len(names) - NAMED, 'more file')} (--json names all)"


def _reasons(reasons: Reasons) -> Iterator[str]:
    yield from _names([f"{name}: {reason}" for name, reason in reasons])
