"""Checks workflow definitions from the command line: `python -m infra.local.workflow.check FILE...`."""

import sys
from collections.abc import Sequence
from pathlib import Path

from infra.local.workflow.errors import LoadError
from infra.local.workflow.loader import load


def main(files: Sequence[str]) -> int:
    """Print what is wrong with each file; return the exit status."""
    if not files:
        print("usage: python -m infra.local.workflow.check FILE...", file=sys.stderr)
        return 2
    failed = False
    for file in files:
        try:
            load(Path(file).read_text("utf-8"), file)
        except (LoadError, OSError, UnicodeDecodeError) as error:
            print(error if isinstance(error, LoadError) else f"{file}: {error}", file=sys.stderr)
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
