"""The `memex` command: a client of the HTTP API, local or deployed. Importing it loads no command yet."""


def main() -> None:
    """Run the command with the arguments of this process."""
    from infra.local.command.cli import memex

    memex()
