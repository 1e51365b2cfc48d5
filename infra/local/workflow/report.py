"""Where a thread stands and what went wrong, in the words of the API. It changes neither."""

from infra.local.workflow.errors import Place, Raised, message_of
from infra.local.workflow.records import Position, StackElement
from infra.local.workflow.state import Frame, RoutineFrame, Thread
from infra.local.workflow.values import Key, Value, to_json

MAX_SUMMARY = 4_096
MAX_MESSAGE = 1_000


def routine_of(frame: Frame) -> str:
    """Name the routine that a frame belongs to: every block's path begins with it."""
    return frame.block.path.partition(".")[0]


def positions_of(thread: Thread) -> tuple[Position, ...]:
    """Name the steps that are being run, one for each branch."""
    return tuple(
        Position(routine_of(frame), frame.block.steps[frame.at].name, leaf.wake)
        for leaf in thread.leaves()
        if leaf.frames and (frame := leaf.frames[-1]).at < len(frame.block.steps)
    )


def trace_of(thread: Thread) -> list[Place]:
    """Name the current step of each routine on the stack, the innermost first."""
    places: list[Place] = []
    innermost = True
    for frame in reversed(thread.frames):
        if innermost and frame.at < len(frame.block.steps):
            step = frame.block.steps[frame.at]
            places.append(Place(routine_of(frame), step.name, step.line))
        innermost = isinstance(frame, RoutineFrame)
    return places


def payload_of(value: Value) -> str:
    """Write an error value as the JSON that the API shows."""
    try:
        return to_json(value)
    except ValueError:
        return to_json({"message": "the error value can't be encoded as JSON", "tags": ["ValueError"]})


def summary_of(value: Value) -> str:
    """Write an error value for a step entry: whole while it is short, else without what a server answered."""
    payload = payload_of(value)
    if len(payload) <= MAX_SUMMARY:
        return payload
    kept: dict[Key, Value] = {"message": message_of(value)[:MAX_MESSAGE], "truncated": True}
    if isinstance(value, dict):
        kept |= {
            key: value[key] for key in ("code", "tags") if key in value and len(payload_of(value[key])) <= MAX_MESSAGE
        }
    return payload_of(kept)


def context_of(error: Raised) -> str:
    """Say what happened and where, as the API shows it."""
    where = (f'in step "{place.step}", routine "{place.routine}", line: {place.line}' for place in error.trace)
    return "\n".join([str(error), *where])


def stack_of(error: Raised) -> tuple[StackElement, ...]:
    """Return an error's stack trace for the API."""
    return tuple(StackElement(place.routine, place.step, place.line) for place in error.trace)
