"""Where memory is off, nothing of it is loaded: not by any function, and not by a product that people talk to."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
IMPORTS = """
import sys
import {names}
found = [name for name in sys.modules if name.startswith(("shared.memory", "infra.local.memory", "functions.memory"))]
print(found)
"""
TALK = """
import asyncio, sys
from pathlib import Path
import httpx
from infra.local.product import Product

async def main():
    async with Product(Path(sys.argv[1]), environ={}) as product:
        headers = {"Authorization": f"Bearer {product.key}", "Accept": "application/json"}
        async with httpx.AsyncClient(base_url=product.origin, headers=headers, timeout=30, trust_env=False) as client:
            (await client.post("/api/v1/captures", json={"text": "I drink tea."})).raise_for_status()
            session = (await client.post("/api/v1/chat/sessions", json={})).raise_for_status().json()["session"]["id"]
            url = f"/api/v1/chat/sessions/{session}/messages"
            (await client.post(url, json={"text": "I live in Leiden. What do I drink?"})).raise_for_status()
            await product.settled()
            assert product.services.memory_standin
    ours = ("shared.memory", "infra.local.memory", "functions.memory")
    print([name for name in sys.modules if name.startswith(ours)])

asyncio.run(main())
"""


def loaded(code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_no_function_loads_it_at_import() -> None:
    found = sorted(folder.parent.name for folder in (ROOT / "functions").glob("*/main.py"))
    names = ", ".join(f"functions.{name}.main" for name in found if name != "memory")
    assert loaded(IMPORTS.replace("{names}", names)) == "[]"
    assert "shared.memory.steps" in loaded(IMPORTS.replace("{names}", "functions.memory.main"))


def test_a_product_that_people_talk_to_loads_nothing_of_it(tmp_path: Path) -> None:
    assert loaded(TALK, str(tmp_path / "data")) == "[]"
    assert not (tmp_path / "data" / "memory.db").exists()
