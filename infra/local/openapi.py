"""Writes the public functions' OpenAPI documents, from which the web client's types are generated."""

import json
import sys
from pathlib import Path


def documents() -> dict[str, str]:
    """The documents as text, by function; stable, so that a check can compare."""
    from fastapi.openapi.utils import get_openapi

    from functions.api.main import whole
    from functions.capture.main import app as capture
    from functions.chat.main import app as chat

    return {
        name: json.dumps(
            get_openapi(title=app.title, version=app.version, routes=app.routes), indent=1, ensure_ascii=False
        )
        + "\n"
        for name, app in (("api", whole()), ("capture", capture), ("chat", chat))
    }


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for name, text in documents().items():
        (target / f"{name}.json").write_text(text)
