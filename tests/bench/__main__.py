"""`make bench`: a table for people, JSON lines in `.bench/` for machines. `python -m tests.bench captures` runs one."""

import json
import sys
import time
from importlib import import_module
from pathlib import Path

PARTS = ("captures", "chat", "cold", "engine", "graph", "search", "documents")


def main() -> None:
    """Run the parts that were named, or all."""
    wanted = sys.argv[1:] or PARTS
    folder = Path(".bench")
    folder.mkdir(exist_ok=True)
    file = folder / f"{time.strftime('%Y%m%d-%H%M%S')}.jsonl"
    print(f"{'what':58} {'ours':>12} {'floor':>12} {'ratio':>7}  goal")
    with file.open("w") as lines:
        for part in wanted:
            for row in import_module(f"tests.bench.{part}").measure():
                least = row.get("at_least", False)
                met = row["ratio"] >= row["goal"] if least else row["ratio"] <= row["goal"]
                sign = ">=" if least else "<="
                print(
                    f"{row['name']:58} {row['ours']:12.2f} {row['floor']:12.2f} {row['ratio']:7.2f}  "
                    f"{sign} {row['goal']:g}{'' if met else '   missed'}",
                    flush=True,
                )
                lines.write(json.dumps({"part": part, **row}) + "\n")
    print(f"\nkept in {file}")


if __name__ == "__main__":
    main()
