"""The archive holds what functions need and nothing else; every function starts from it with the plan's variables."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from functions.api.main import AREAS
from infra.gcp import archive
from tests.infra.gcp.agreement import folders
from tests.infra.gcp.conftest import ROOT, needs_terraform
from tests.infra.gcp.plan import Plan

LONGEST_START = 30.0


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive in an empty folder, compiled as the buildpack does."""
    folder = tmp_path_factory.mktemp("workspace")
    made = folder.with_suffix(".zip")
    archive.pack(made, _tree(tmp_path_factory.mktemp("tree")))
    with zipfile.ZipFile(made) as content:
        content.extractall(folder)
    command = [sys.executable, "-m", "compileall", "-f", "-q", "."]
    subprocess.run(command, cwd=folder, env={"SOURCE_DATE_EPOCH": "1"}, check=True)
    return folder


def _tree(folder: Path) -> Path:
    """The checkout's functions and shared, and a built client where there is none here."""
    for name in ("functions", "shared"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in archive.FILES:
        shutil.copy(ROOT / name, folder / name)
    assets = folder / "web" / "dist" / "assets"
    assets.mkdir(parents=True)
    (folder / "web" / "dist" / "index.html").write_text("<!doctype html><title>Memex</title>")
    (assets / "index-x.js").write_text("export {};")
    return folder


# -- what is in it ---------------------------------------------------------------------------------------------


def test_the_archive_holds_only_what_is_allowed(unpacked: Path) -> None:
    with zipfile.ZipFile(unpacked.with_suffix(".zip")) as content:
        names = content.namelist()
    assert names == sorted(names)
    assert all(name in archive.FILES or name.startswith(tuple(f"{tree}/" for tree in archive.TREES)) for name in names)
    assert {f"functions/{name}/main.py" for name in folders()} <= set(names)
    assert not [name for name in names if "__pycache__" in name or "test" in Path(name).parts or "infra" in name]


def test_the_same_source_gives_the_same_bytes(tmp_path: Path) -> None:
    tree = _tree(tmp_path / "tree")
    first = archive.pack(tmp_path / "a.zip", tree)
    for file in tree.rglob("*.py"):
        os.utime(file, (1, 1))
        file.chmod(0o600)
    (tree / ".env").write_text("KEY=secret")
    (tree / "shared" / ".DS_Store").write_text("x")
    (tree / "shared" / "__pycache__").mkdir()
    (tree / "shared" / "__pycache__" / "x.pyc").write_text("x")
    (tree / "tests").mkdir()
    (tree / "tests" / "keys.json").write_text("{}")
    assert archive.pack(tmp_path / "b.zip", tree) == first
    (tree / "shared" / "errors.py").write_text('"""Other."""\n')
    assert archive.pack(tmp_path / "c.zip", tree) != first


def test_what_nobody_allowed_stops_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree = _tree(tmp_path / "tree")
    (tree / "shared" / "keys.json").write_text("{}")
    with pytest.raises(archive.Incomplete, match=r"shared/keys\.json"):
        archive.pack(tmp_path / "a.zip", tree)
    (tree / "shared" / "keys.json").unlink()
    (tree / "functions" / "link.py").symlink_to("/etc/passwd")
    with pytest.raises(archive.Incomplete, match="link"):
        archive.pack(tmp_path / "a.zip", tree)
    (tree / "functions" / "link.py").unlink()
    shutil.rmtree(tree / "web")
    with pytest.raises(archive.Incomplete, match="make setup"):
        archive.pack(tmp_path / "a.zip", tree)
    assert not (tmp_path / "a.zip").exists()
    assert archive.main([]) == 2
    assert "usage" in capsys.readouterr().err


def test_the_requirements_suit_the_buildpack() -> None:
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    # It looks for a line that begins so, and adds an older one otherwise.
    assert any(line.startswith("functions-framework==") for line in lines)


# -- that it runs ----------------------------------------------------------------------------------------------


PRIVATE_PATHS = {"memory": "/generate"}
"""A path of those private functions that take no messages."""


def environment(plan: Plan, name: str, workspace: Path) -> dict[str, str]:
    """What the container starts with: the plan's variables, and what the platform adds."""
    build = plan.functions[name]["build_config"][0]
    return {
        **plan.environment(name),
        "PYTHONPATH": str(workspace),
        "FUNCTION_TARGET": build["entry_point"],
        "FUNCTION_SOURCE": build["environment_variables"]["GOOGLE_FUNCTION_SOURCE"],
        "FUNCTION_SIGNATURE_TYPE": "http",
        "PYTHONUNBUFFERED": "TRUE",
        "K_SERVICE": name,
        "K_REVISION": f"{name}-00001-abc",
        "K_CONFIGURATION": name,
    }


@contextmanager
def running(environ: dict[str, str], workspace: Path, command: list[str]) -> Iterator[str]:
    """One function's process, as in its container; its address once it listens."""
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        port = chosen.getsockname()[1]
    log = workspace.with_name(f"{environ['K_SERVICE']}.log")
    with log.open("w") as output:
        process = subprocess.Popen(
            command,
            cwd=workspace,
            env={**environ, "PORT": str(port), "HOME": str(workspace.parent)},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            yield f"http://127.0.0.1:{port}"
        except Exception:
            print(log.read_text()[-4000:])
            raise
        finally:
            process.terminate()
            process.wait(20)


async def answered(origin: str) -> httpx.Response:
    """The answer of /api/v1/health, as soon as somebody answers."""
    async with httpx.AsyncClient(trust_env=False) as client:
        deadline = asyncio.get_running_loop().time() + LONGEST_START
        while True:
            try:
                return await client.get(f"{origin}/api/v1/health")
            except httpx.TransportError:
                if asyncio.get_running_loop().time() > deadline:
                    raise
                await asyncio.sleep(0.1)


async def serves(plan: Plan, name: str, workspace: Path, command: list[str], environ: dict[str, str]) -> None:
    with running(environ, workspace, command) as origin:
        health = await answered(origin)
        assert (health.status_code, health.json()) == (200, {"status": "ok"})
        async with httpx.AsyncClient(base_url=origin, trust_env=False) as client:
            if "MEMEX_CALLERS" in environ:
                path = PRIVATE_PATHS.get(name, "/")
                assert (await client.post(path, json={})).status_code == 401
            elif name == "api":
                asset = await client.get("/assets/index-x.js")
                assert (asset.status_code, asset.text) == (200, "export {};")
                page = await client.get("/")
                assert f"{plan.address('capture')}" in page.headers["content-security-policy"]
                # The key table is a secret that is not mounted here: closed, not open.
                assert (await client.get("/api/v1/notes")).status_code == 503
                for area in AREAS:
                    assert (await client.get(f"/api/v1/{area}")).status_code in (404, 503), area
            else:
                path = {"capture": "/api/v1/captures", "chat": "/api/v1/chat/sessions"}[name]
                assert (await client.post(path, json={"text": "x"} if name == "capture" else {})).status_code == 503


@needs_terraform
@pytest.mark.parametrize("name", sorted(folders()))
async def test_a_function_starts_from_the_archive(plan: Plan, unpacked: Path, name: str) -> None:
    site = sysconfig.get_path("purelib")
    # -S: the environment at hand has a path entry to the checkout, from which anything missing would be found.
    start = "from functions_framework._cli import _cli; _cli()"
    environ = environment(plan, name, unpacked)
    environ["PYTHONPATH"] += f":{site}"
    await serves(plan, name, unpacked, [sys.executable, "-S", "-c", start], environ)


@pytest.fixture(scope="module")
def pinned(unpacked: Path) -> Path:
    """A new environment with what requirements.txt pins, hashes checked, and nothing else."""
    venv = unpacked.with_name("venv")
    python = str(venv / "bin" / "python")
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--require-hashes", "-r", "requirements.txt"], cwd=unpacked, check=True)
    subprocess.run([*pip, "check"], check=True)
    return venv


@needs_terraform
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(not os.environ.get("MEMEX_TEST_ALL"), reason="installs every dependency anew (MEMEX_TEST_ALL=1)")
@pytest.mark.parametrize("name", sorted(folders()))
async def test_a_function_starts_with_the_pinned_packages_alone(
    plan: Plan, unpacked: Path, pinned: Path, name: str
) -> None:
    environ = {**environment(plan, name, unpacked), "PATH": str(pinned / "bin")}
    await serves(plan, name, unpacked, [str(pinned / "bin" / "functions-framework")], environ)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(not os.environ.get("MEMEX_TEST_ALL"), reason="asks for every pinned wheel (MEMEX_TEST_ALL=1)")
def test_there_are_wheels_for_the_cloud_s_python(tmp_path: Path) -> None:
    platforms = ["manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--disable-pip-version-check"]
    command += ["--target", str(tmp_path), "--only-binary=:all:", "--python-version", "3.13", "--require-hashes"]
    command += [f"--platform={platform}" for platform in platforms]
    subprocess.run([*command, "-r", str(ROOT / "requirements.txt")], check=True)
