"""`memex tasks`: what is to be done, the newest first. It changes nothing."""

from typing import TYPE_CHECKING

import click

from infra.local.command import screen
from infra.local.command.cli import Connection, connected

if TYPE_CHECKING:
    from infra.local.command.answers import Json

STATUSES = ("open", "done", "dropped", "all")
_INDENT = " " * 12
_LINES = 3


@click.command()
@click.option(
    "--status",
    type=click.Choice(STATUSES),
    default="open",
    show_default=True,
    metavar="STATUS",
    help=f"Which: {', '.join(STATUSES)}.",
)
@click.option("--limit", metavar="N", default=50, show_default=True, type=click.IntRange(1, 200), help="How many.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON as the API answers it.")
@connected()
def tasks(connection: Connection, status: str, limit: int, as_json: bool) -> None:
    """List the tasks that are open, each with the day on which it was noted."""
    import asyncio

    from infra.local.command.answers import children, text
    from infra.local.command.http import Api

    async def act() -> "Json":
        async with Api(connection.target(), waits=screen.say) as api:
            return await api.get("/api/v1/tasks", limit=limit, status=[] if status == "all" else status)

    answer = asyncio.run(act())
    if as_json:
        screen.out_json(answer)
        return
    found = children(answer, "tasks")
    for task in found:
        mark = f" ({text(task, 'status')})" if status == "all" else ""
        first, *more = screen.wrapped(text(task, "title") + mark, max(40, screen.width() - len(_INDENT)), _LINES)
        screen.out(f"{screen.day(text(task, 'created_at'))}  {first}")
        for line in more:
            screen.out(_INDENT + line)
    if not found:
        screen.say("There is no open task." if status == "open" else "There is no such task.")
    elif text(answer, "next_cursor"):
        screen.say(f"These are the newest {len(found)}; more with --limit.")
