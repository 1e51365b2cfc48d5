"""The command's front door: its subcommands by name, each loaded only when it is called."""

import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import update_wrapper
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from infra.local.command import screen
from infra.local.command.failure import FAILED, INTERRUPTED, USAGE, Failure
from infra.local.command.target import Target, resolve

COMMANDS = {
    "capture": ("capture", "Keep a thought, a link or a question."),
    "import": ("importing", "Bring in a folder of Markdown notes."),
    "export": ("exporting", "Write all notes out as Markdown."),
    "ask": ("ask", "Ask the agent that works on your notes, and see what it does."),
    "search": ("search", "Find notes by their words."),
    "tasks": ("tasks", "List what is to be done."),
    "undo": ("undo", "Take back the last change that a conversation made."),
    "research": ("research", "Ask for a researched report, and follow it."),
    "memory": ("memory", "Test what the chat remembers: the rules, and the service that keeps it."),
    "ops": ("ops", "See, follow and stop running work."),
    "doctor": ("doctor", "Check a set-up, here or in Google Cloud, and say what mends it."),
    "serve": ("serve", "Serve the whole product on this machine."),
    "demo": ("demo", "Show the main job from end to end, on an empty store."),
}
"""Name of a subcommand -> its module here, and its line in the help."""

EPILOG = """\b
Approvals, routines, agents and settings are in the web client.

\b
Exit codes: 0 done, 1 something failed, 2 wrong usage, 3 Memex can't be reached
or lets nobody in, 130 stopped with Ctrl-C.
"""


@dataclass(slots=True)
class Connection:
    """Where the person says Memex is."""

    url: str | None = None
    key: str | None = None
    data: str | None = None
    port: int | None = None
    _target: Target | None = field(default=None, repr=False)

    def target(self) -> Target:
        """The Memex that is meant."""
        if self._target is None:
            url = self.url or (f"http://127.0.0.1:{self.port}" if self.port else None)
            self._target = resolve(url, self.key, self.data)
            if self._target.url.startswith("http://") and not self._target.local:
                screen.say(f"Beware: the key and your notes travel to {self._target.url} unencrypted.")
        return self._target


class Commands(click.Group):
    """The group whose members are imported on call, and whose errors have one shape."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Those that are there."""
        return [name for name, (module, _) in COMMANDS.items() if find_spec(f"infra.local.command.{module}")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One of them, loaded now."""
        if cmd_name not in self.list_commands(ctx):
            return None
        loaded = import_module(f"infra.local.command.{COMMANDS[cmd_name][0]}")
        command = getattr(loaded, COMMANDS[cmd_name][0])
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in the help, without loading anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])

    def main(self, *args: Any, **extra: Any) -> Any:  # click's own signature
        """Run, and end with an exit code."""
        extra["standalone_mode"] = False
        try:
            sys.exit(super().main(*args, **extra) or 0)
        except Failure as failure:
            screen.complain(failure.message, failure.next)
            sys.exit(failure.exit_code)
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            sys.exit(USAGE)
        except click.UsageError as error:
            path = error.ctx.command_path if error.ctx else "memex"
            screen.complain(error.format_message(), f"See `{path} --help`.")
            sys.exit(USAGE)
        except click.ClickException as error:
            screen.complain(error.format_message())
            sys.exit(FAILED)
        except click.Abort:
            screen.complain("Stopped.")
            sys.exit(INTERRUPTED)


def _version(ctx: click.Context, _option: click.Parameter, asked: bool) -> None:
    # A checkout is never installed, so what it is built from says which one it is.
    if asked and not ctx.resilient_parsing:
        with (Path(__file__).parents[3] / "pyproject.toml").open("rb") as file:
            screen.out(f"memex {tomllib.load(file)['project']['version']}")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EPILOG)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit."
)
@click.option("--url", metavar="URL", help="Address of Memex (MEMEX_URL); otherwise the one on this machine.")
@click.option("--key", metavar="KEY", help="Device key (MEMEX_DEVICE_KEY); otherwise the one in the data folder.")
@click.option("--data", metavar="FOLDER", help="Data folder of the Memex on this machine (MEMEX_DATA, .memex).")
@click.option("--port", type=int, metavar="N", help="Its port (PORT); otherwise what the data folder tells, or 8765.")
@click.pass_context
def memex(ctx: click.Context, url: str | None, key: str | None, data: str | None, port: int | None) -> None:
    """A second brain that runs on nothing: capture, research, and take everything with you."""
    ctx.obj = Connection(url, key, data, port)


def connected(*, url: bool = True) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command its connection; --url, --key, --data and --port are taken after its name too."""

    def decorate(run: Callable[..., None]) -> Callable[..., None]:
        @click.pass_context
        def wrapped(ctx: click.Context, /, **given: Any) -> None:
            connection = ctx.find_object(Connection) or Connection()
            for name in ("at_url", "at_key", "at_data", "at_port"):
                if value := given.pop(name, None):
                    setattr(connection, name.removeprefix("at_"), value)
            run(connection, **given)

        decorated: Callable[..., None] = update_wrapper(wrapped, run)
        for name in ("url", "key", "data") if url else ("key", "data"):
            decorated = click.option(f"--{name}", f"at_{name}", hidden=True)(decorated)
        decorated = click.option("--port", "at_port", type=int, hidden=True)(decorated)
        return decorated

    return decorate
