"""The OpenAPI documents under web/ are those of the functions: the client's types come from them."""

from pathlib import Path

from infra.local.openapi import documents

FOLDER = Path(__file__).resolve().parents[2] / "web" / "openapi"


def test_the_documents_are_current() -> None:
    """To renew them: `python -m infra.local.openapi web/openapi`, then `npm run types` in web/."""
    kept = {path.stem: path.read_text() for path in FOLDER.glob("*.json")}
    assert kept == documents()
