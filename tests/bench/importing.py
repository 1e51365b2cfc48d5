"""The import that captures are measured beside, in its own process: `python -m tests.bench.importing PORT DATA`."""

import asyncio
import sys
from pathlib import Path

from tests.bench.captures import bring_in

if __name__ == "__main__":
    asyncio.run(bring_in(int(sys.argv[1]), Path(sys.argv[2])))
