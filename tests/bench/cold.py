"""The cold start of each function (import, app, ready to serve) beside importing what it imports from others."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from tests.bench.captures import Row

ROOT = Path(__file__).parents[2]
ROUNDS = 7
OURS = """
from functions_framework.aio import create_asgi_app
app = create_asgi_app({name!r}, 'functions/{name}/main.py', 'http')
"""
LIST = """
import json, sys
own = ('shared', 'functions', 'infra', 'main', '__main__', '__mp_main__')
theirs = [n for n, m in sys.modules.items() if n.partition('.')[0] not in own and getattr(m, '__spec__', None)]
print(json.dumps(theirs))
"""
BARE = "import importlib, sys, json\nfor name in {names!r}: importlib.import_module(name)"


def measure() -> list[Row]:
    """Milliseconds of a whole process, both in turn."""
    return [_compare(folder.name) for folder in sorted((ROOT / "functions").iterdir()) if (folder / "main.py").exists()]


def _compare(name: str) -> Row:
    ours = OURS.format(name=name)
    names = json.loads(_run(ours + LIST).stdout)
    bare = BARE.format(names=names)
    pairs = [(_timed(ours), _timed(bare)) for _ in range(ROUNDS)][1:]
    return {
        "name": f"cold start of {name}, ms",
        "ours": median(one for one, _ in pairs) * 1e3,
        "floor": median(other for _, other in pairs) * 1e3,
        "ratio": median(one / other for one, other in pairs),
        "goal": 1.25,
        "at_least": False,
    }


def _timed(code: str) -> float:
    began = time.perf_counter()
    _run(code)
    return time.perf_counter() - began


def _run(code: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environ, capture_output=True, text=True, check=True
    )
