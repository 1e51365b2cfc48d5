"""`memex undo`: takes back the last change that a conversation made. Which one that is, the conversation tells."""

from typing import TYPE_CHECKING

import click

from infra.local.command import screen
from infra.local.command.cli import Connection, connected
from infra.local.command.failure import Failure

if TYPE_CHECKING:
    from infra.local.command.answers import Json
    from infra.local.command.talk import ChatApi

_PAGES = 10
"""Pages of 200 steps that are looked through."""
_DONE = {
    "note_created": "The note is in the bin.",
    "note_changed": "The note is as it was before.",
    "note_deleted": "The note is back among the others.",
    "tasks_created": "What was added to your tasks is dropped.",
    "task_changed": "The task is as it was before.",
}


@click.command()
@click.option("--session", metavar="ID", help="In this conversation; otherwise in the last one.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON as the API answers it.")
@connected()
def undo(connection: Connection, session: str | None, as_json: bool) -> None:
    """Take back the last change that a conversation made.

    Only that one: asked again, it does nothing more. Earlier changes are taken back in the web client. What was
    changed again since is left as it is.
    """
    import asyncio

    from infra.local.command.answers import child, text
    from infra.local.command.talk import ChatApi

    async def act() -> "tuple[str, Json]":
        from infra.local.command.talk import known, last

        async with ChatApi(connection.target(), waits=screen.say) as api:
            talk = await (known(api, session) if session else last(api))
            told, seq = await _change(api, talk.session_id)
            return told, await api.chat("POST", f"/sessions/{talk.session_id}/undo", {"seq": seq})

    told, answer = asyncio.run(act())
    if as_json:
        screen.out_json(answer)
        return
    screen.out(f"Taken back: {told}")
    screen.out(_DONE.get(text(child(answer, "undone"), "undone"), "It is as it was before."))


async def _change(api: "ChatApi", session_id: str) -> tuple[str, int]:
    """The newest change in words, and its number in the conversation; a Failure where there is none."""
    from infra.local.command import deeds
    from infra.local.command.answers import child, children, text, whole

    earlier, wanted, seq, tool = 0, "", 0, ""
    for _ in range(_PAGES):
        more = {"earlier": earlier} if earlier else {}
        page = await api.chat("GET", f"/sessions/{session_id}", limit=200, **more)
        for event in reversed(children(page, "trace")):
            if not seq and text(event, "type") == "tool_result" and event.get("ok") is True and event.get("undo"):
                wanted, seq, tool = text(event, "call_id"), whole(event, "seq"), text(event, "tool")
            elif seq and text(event, "type") == "tool_call" and text(event, "call_id") == wanted:
                return deeds.did(tool, child(event, "arguments")), seq
        following = text(page, "next_cursor")
        if not following.isdecimal():
            break
        earlier = int(following)
    if not seq:
        raise Failure(
            "This conversation changed nothing that could be taken back.",
            "Name another one with --session ID; what a note was before is in its trace.",
        )
    return deeds.did(tool, {}), seq
