"""The cold start of each function (import, app, ready to serve) beside importing what it imports from others."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from infra.gcp.archive import members
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
CHAT = """
import asyncio, os
os.environ |= {'MEMEX_PROJECT': 'bench', 'MEMEX_REGION': 'here', 'MEMEX_DEVICE_KEYS_FILE': 'keys.json'}
from functions_framework.aio import create_asgi_app
app = create_asgi_app('chat', 'functions/chat/main.py', 'http')

async def health():
    answers = []

    async def send(message):
        answers.append(message.get('status'))

    async def receive():
        return {'type': 'http.request'}

    scope = {'type': 'http', 'method': 'GET', 'path': '/api/v1/health', 'raw_path': b'/api/v1/health', 'headers': [],
             'query_string': b'', 'root_path': '', 'scheme': 'http', 'http_version': '1.1', 'server': ('here', 80)}
    await app(scope, receive, send)
    assert answers[0] == 200, answers

asyncio.run(health())
"""
"""Until the function answers; ADK is not there yet."""
AGENT = """
import functions_framework.aio, fastapi, google.cloud.firestore
import google.adk.agents.llm_agent, google.adk.runners
"""
"""What any agent behind such a function imports, whoever writes it."""
TURN = (
    CHAT
    + """
import tempfile
from pathlib import Path
import httpx
from infra.local.clock import RealClock
from infra.local.folder import Folder
from infra.local.product import settings_for
from infra.local.services import LocalServices
from shared import services

async def turn(data):
    folder = Folder(data)
    services.use(LocalServices(settings_for(folder, {}), folder, RealClock()))
    headers = {'Authorization': f'Bearer {folder.device_key(None)}', 'Accept': 'application/json'}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url='http://here', headers=headers) as client:
        session = (await client.post('/api/v1/chat/sessions')).json()['session']['id']
        said = await client.post(f'/api/v1/chat/sessions/{session}/messages', json={'text': 'What is 2 + 2?'})
        assert said.json()['session']['turn']['status'] == 'done', said.text

with tempfile.TemporaryDirectory() as name:
    asyncio.run(turn(Path(name)))
"""
)
"""Until a first answer without a model, on the local store."""
BARE = "import importlib, sys, json\nfor name in {names!r}: importlib.import_module(name)"


def measure() -> list[Row]:
    """Milliseconds of a whole process, both in turn."""
    with tempfile.TemporaryDirectory() as name:
        deployed = _deployed(Path(name))
        functions = [entry.parent.name for entry in sorted((deployed / "functions").glob("*/main.py"))]
        return [*(_compare(function, deployed) for function in functions), _chat(deployed)]


def _deployed(folder: Path) -> Path:
    """The source as an instance has it: what the archive holds, with the bytecode that the buildpack makes."""
    for name, file in members(ROOT):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(file.read_bytes())
    build = {**os.environ, "SOURCE_DATE_EPOCH": "1"}
    subprocess.run([sys.executable, "-m", "compileall", "-f", "-q", "."], cwd=folder, env=build, check=True)
    return folder


def _compare(name: str, deployed: Path) -> Row:
    ours = OURS.format(name=name)
    names = json.loads(_run(ours + LIST, deployed).stdout)
    bare = BARE.format(names=names)
    return _row(f"cold start of {name}, ms", ours, bare, 1.25, deployed)


def _chat(deployed: Path) -> Row:
    """The chat until it answers, beside the imports that no agent does without; ours loads ADK with its first turn."""
    first = median(_timed(TURN, ROOT) for _ in range(3)) * 1e3
    return _row(f"chat answers, beside ADK's imports, ms (first turn {first:,.0f})", CHAT, AGENT, 1.2, deployed)


def _row(name: str, ours: str, bare: str, goal: float, folder: Path) -> Row:
    pairs = [(_timed(ours, folder), _timed(bare, folder)) for _ in range(ROUNDS)][1:]
    return {
        "name": name,
        "ours": median(one for one, _ in pairs) * 1e3,
        "floor": median(other for _, other in pairs) * 1e3,
        "ratio": median(one / other for one, other in pairs),
        "goal": goal,
        "at_least": False,
    }


def _timed(code: str, folder: Path) -> float:
    began = time.perf_counter()
    _run(code, folder)
    return time.perf_counter() - began


def _run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environ, capture_output=True, text=True, check=True
    )
