"""`memex import`: a folder of Markdown notes, once, however often it is interrupted and run again."""

from pathlib import Path

import click

from infra.local.command import screen
from infra.local.command.cli import Connection, connected
from infra.local.command.failure import FAILED, INTERRUPTED, USAGE, Failure
from infra.local.command.tally import Tally
from infra.local.command.vault.walk import walk


@click.command("import")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--research", is_flag=True, help="Ask for a researched report on every note that is new.")
@click.option("--update", is_flag=True, help="Take changed files over, where the note in Memex was not edited.")
@click.option("--dry-run", is_flag=True, help="Read everything, send nothing, say what would be sent.")
@click.option("--name", metavar="NAME", help="The vault's name in Memex; otherwise the folder's.")
@click.option("--yes", is_flag=True, help="With --research: don't ask.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON, with every name.")
@connected()
def importing(
    connection: Connection,
    folder: Path,
    research: bool,
    update: bool,
    dry_run: bool,
    name: str | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Bring in a folder of Markdown notes.

    Front matter gives title, tags and date (created, date or created_at); without a title there, the heading that the
    text begins with is taken, then the file's name. A note without a date there counts as written when its
    file was last changed; a file that was copied may have the date of the copying. #tags in the text count too, the
    text itself stays byte for byte.
    A file is taken once: run it again at any time, after Ctrl-C too, and only what is missing is added. With --update,
    files that changed since are taken over too, except where their note was edited in Memex.

    What `memex export` wrote is known by the ids in it: in the same Memex nothing is added, in another one each note
    keeps its id, its date, its kind and its sources.
    """
    import asyncio

    vault = name or folder.resolve().name or "vault"
    if "/" in vault or vault in (".", ".."):
        raise Failure(f"{vault!r} can't be a vault's name.", "Choose one without a slash.", exit_code=USAGE)
    tally = Tally()
    try:
        from infra.local.command.intake import Intake, Options
        from infra.local.command.ledger import History

        found = walk(folder)
        tally.take(found)
        # Under a name of its own, a folder is a vault like any other.
        exported = History() if name else History(folder)
        options = Options(vault=vault, exported=exported, research=research, update=update, dry_run=dry_run)
        intake = Intake(found.files, options, tally)
        if dry_run:
            intake.rehearse()
        elif found.files:
            target = connection.target()
            asyncio.run(intake.run(target, ask=research and not yes))
    except KeyboardInterrupt:
        if tally.settled:
            _show(tally, dry_run=dry_run, as_json=as_json)
        raise Failure(
            f"Stopped with {tally.left:,} of {tally.total:,} files to go.",
            "Run the same command again: it goes on where it stopped.",
            exit_code=INTERRUPTED,
        ) from None
    except Failure as failure:
        if tally.settled:
            _show(tally, dry_run=dry_run, as_json=as_json)
            failure.message = f"{failure.message} {tally.left:,} of {tally.total:,} files are still to come."
            failure.next += "\nThen run the same command again: it goes on where it stopped."
        raise
    _show(tally, dry_run=dry_run, as_json=as_json)
    if tally.failed:
        raise click.exceptions.Exit(FAILED)


def _show(tally: Tally, *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        screen.out_json(tally.as_json())
        return
    for line in tally.summary(dry_run=dry_run):
        screen.out(line)
