"""The ways in which a memory bank can fail, to be asked for by name. Nothing here happens by accident."""

from dataclasses import dataclass, fields

from shared.models.base import JsonDict


@dataclass(frozen=True, slots=True)
class Faults:
    """How the bank behaves where it differs from a good one."""

    looks: int = 1
    """GETs of an operation until it is done; 0 means at once."""
    never_done: bool = False
    """No operation ever ends."""
    says_done_false: bool = False
    """A pending operation says `"done": false` instead of nothing."""
    error_code: int = 0
    """Every generation ends with this RPC code."""
    empty: bool = False
    """No generation finds anything."""
    no_answer: bool = False
    """A generation is taken, and its answer is an error of the server."""
    keep_deleted: bool = False
    """DELETED is reported, and the memory stays."""
    keep_old: bool = False
    """UPDATED is reported, and the old revision stays."""
    never_shown: bool = False
    """CREATED is reported, and the memory never appears."""
    lag: int = 0
    """Reads that still show the old state after an operation is done."""
    foreign_rows: bool = False
    """Reads answer with rows of every scope."""
    no_similarity: bool = False
    """Similarity finds nothing."""
    cut: bool = False
    """Pages hold three rows, whatever was asked."""
    busy: int = 0
    """That many requests are answered 429."""
    down: bool = False
    """Everything is answered 503."""


def parse(body: JsonDict) -> Faults:
    """The faults that a control request names; ValueError for one that there is not."""
    known = {field.name: type(field.default) for field in fields(Faults)}
    for name, value in body.items():
        if known.get(name) is not type(value):
            raise ValueError(f"no fault {name} of that type")
    return Faults(**body)  # type: ignore[arg-type]  # each name and type was compared
