"""A file of the data folder that is not what it should be: said in words, and left as it is."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.local.folder import Folder
from infra.local.product import Product
from shared.errors import NotConfigured

ROOT = Path(__file__).parents[3]
GARBAGE = [b"{broken", b"\xff\xfe\x00garbage " * 500]
FILES = ["memex.db", "executions.db", "research.db", "device-keys.json", "clock.json", "signing-key.pem"]


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    async with Product(tmp_path, environ={}) as product:
        product.clock.advance(5)
    return tmp_path


def damage(file: Path, content: bytes) -> None:
    for rest in file.parent.glob(f"{file.name}-*"):
        rest.unlink()
    file.write_bytes(content)


@pytest.mark.parametrize("content", GARBAGE)
@pytest.mark.parametrize("name", [*FILES, "device-key"])
async def test_a_damaged_file_is_named_with_what_to_do_and_left_alone(folder: Path, name: str, content: bytes) -> None:
    content = b"two words" if (name, content) == ("device-key", GARBAGE[0]) else content
    damage(folder / name, content)
    with pytest.raises(NotConfigured) as caught:
        async with Product(folder, environ={}):
            pass
    assert str(folder / name) in caught.value.message
    assert caught.value.next
    assert (folder / name).read_bytes() == content


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("device-keys.json", []),
        ("device-keys.json", {"phone": {"key": "x"}}),
        ("clock.json", {}),
        ("clock.json", {"offset_seconds": -1}),
        ("clock.json", {"offset_seconds": "much"}),
        ("clock.json", {"offset_seconds": float("inf")}),
    ],
)
async def test_json_of_another_shape_is_damage_too(folder: Path, name: str, value: object) -> None:
    known = json.loads((folder / name).read_bytes()) if name == "device-keys.json" and isinstance(value, dict) else {}
    text = json.dumps({**known, **value} if isinstance(value, dict) else value)
    (folder / name).write_text(text)
    with pytest.raises(NotConfigured) as caught:
        async with Product(folder, environ={}):
            pass
    assert str(folder / name) in caught.value.message
    assert (folder / name).read_text() == text


async def test_a_folder_in_use_keeps_its_keys(folder: Path) -> None:
    async with Product(folder, environ={}) as product:
        before = product.folder.device_keys_file.read_bytes()
        with pytest.raises(Exception, match="in use"):
            async with Product(folder, environ={"MEMEX_DEVICE_KEY": "another"}):
                pass
        assert product.folder.device_keys_file.read_bytes() == before


async def test_the_key_in_use_is_told_from_those_that_are_not(folder: Path) -> None:
    kept = Folder(folder)
    made = kept.device_key_file.read_text()
    assert kept.key_in_use(None) == kept.key_in_use("another") == made
    async with Product(folder, environ={"MEMEX_DEVICE_KEY": "chosen"}):
        assert kept.key_in_use("chosen\n") == "chosen"
        assert kept.key_in_use(None) == kept.key_in_use("another") == "", "the one kept here lets nobody in now"
    kept.device_keys_file.write_bytes(b"[]")
    assert kept.key_in_use("chosen") == ""


async def test_devices_that_were_added_stay(folder: Path) -> None:
    file = folder / "device-keys.json"
    phone = {"key_sha256": "0" * 64, "tenant": "default", "subject": "me"}
    file.write_text(json.dumps({**json.loads(file.read_text()), "phone": phone}))
    async with Product(folder, environ={"MEMEX_DEVICE_KEY": "chosen"}):
        pass
    assert json.loads(file.read_text())["phone"] == phone


@pytest.mark.parametrize("name", FILES)
def test_serve_says_so_and_exits_with_a_failure(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(GARBAGE[1])
    (tmp_path / name).chmod(0o600)
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from infra.local.command import main; main()",
            "serve",
            "--port",
            "0",
            "--data",
            tmp_path,
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done
    assert done.stderr.startswith(f"memex: {tmp_path / name} ")
    assert "Traceback" not in done.stderr
    assert "ready" not in done.stdout
    assert (tmp_path / name).read_bytes() == GARBAGE[1]
