"""`memex export`: everything out again as Markdown; what was imported comes out as the files it was."""

from pathlib import Path

import click

from infra.local.command import screen
from infra.local.command.cli import Connection, connected
from infra.local.command.failure import FAILED, INTERRUPTED, Failure


@click.command("export")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--include-reports/--no-reports", default=True, show_default=True, help="Research reports too.")
@click.option("--force", is_flag=True, help="Overwrite files that no export wrote, or that were changed since.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON, with every name.")
@connected()
def exporting(connection: Connection, folder: Path, include_reports: bool, force: bool, as_json: bool) -> None:
    """Write all notes into FOLDER as Markdown.

    Imported files come out byte for byte at their own path, but for what you edited in Memex. Other notes become
    `<date> <title>.md`. Run it again to bring the folder up to date; a file of your own is never overwritten, and none
    is deleted. At the end it names files whose notes are gone, and tasks that stand in no box and so in no file.
    """
    import asyncio

    from infra.local.command.ledger import Ledger
    from infra.local.command.outlet import Outlet, Written

    target = connection.target()
    written = Written()
    try:
        ledger = Ledger(folder, force=force)
    except OSError as error:
        raise Failure(f"{folder} can't be written to: {error.strerror}.", "Choose another folder.") from None
    try:
        asyncio.run(Outlet(ledger, written, reports=include_reports).run(target))
    except KeyboardInterrupt:
        raise Failure(
            f"Stopped with {written.written + written.same:,} of {written.total:,} notes in {folder}.",
            "Run the same command again: it goes on where it stopped.",
            exit_code=INTERRUPTED,
        ) from None
    except Failure as failure:
        if written.written + written.same:
            failure.message += f" {written.written + written.same:,} of {written.total:,} notes are in {folder}."
            failure.next += "\nThen run the same command again."
        raise
    if as_json:
        screen.out_json(written.as_json())
    else:
        for line in written.summary():
            screen.out(line)
    if written.failed or written.kept:
        raise click.exceptions.Exit(FAILED)
