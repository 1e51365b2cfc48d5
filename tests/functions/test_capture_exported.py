"""Captures of what an export wrote: the claim is kept where it does no harm, and a note that is there never changes."""

from typing import Any

import pytest

from infra.local.services import LocalServices
from shared.models.ids import ulid
from tests.functions.conftest import Serve

CAPTURES = "/api/v1/captures"
OLD = "01ha0000000000000000000000"
CITED = {"number": 1, "title": "A", "url": "https://example.org/a", "quote": "Said."}


def entry(text: str = "text", **claimed: Any) -> dict[str, Any]:
    return {"text": text, "source": "import", "exported": {"note_id": OLD, **claimed}}


def test_it_keeps_its_id_its_kind_and_its_citations(serve: Serve) -> None:
    with serve("capture") as client:
        sent = entry(kind="research", citations=[CITED], source_note_id=OLD)
        first = client.post(CAPTURES, json={**sent, "tags": ["research-report", "research"]})
        assert first.status_code == 201
        note = first.json()["note"]
        assert (note["id"], note["kind"], note["source_note_id"]) == (OLD, "research", OLD)
        assert [one["url"] for one in note["citations"]] == [CITED["url"]]
        assert (note["enrichment"]["status"], note["research"]["requested"]) == ("none", False)


def test_a_note_that_has_the_id_is_answered_and_never_changed(serve: Serve) -> None:
    with serve("capture") as client:
        note = client.post(CAPTURES, json=entry()).json()["note"]
        again = client.post(CAPTURES, json=entry("other", kind="research", citations=[CITED]))
        kept = ("id", "body", "kind", "citations", "revision")
        assert again.status_code == 200
        assert [again.json()["note"][field] for field in kept] == [note[field] for field in kept]
        origin = {"path": "v/a.md", "content_sha256": "0" * 64}
        assert client.post(CAPTURES, json={**entry("third"), "origin": origin}).status_code == 200
        # Its path is free still: no note came of that file.
        fresh = client.post(CAPTURES, json={"text": "fourth", "source": "import", "origin": origin})
        assert fresh.status_code == 201


def test_an_id_of_a_time_to_come_is_not_kept_and_the_file_taken_once(serve: Serve, product: LocalServices) -> None:
    ahead = ulid(product.now() + 86_400)
    sent = {**entry(), "origin": {"path": "v/a.md", "content_sha256": "0" * 64}}
    sent["exported"] = {"note_id": ahead}
    with serve("capture") as client:
        first = client.post(CAPTURES, json=sent)
        assert first.status_code == 201 and first.json()["note"]["id"] < ahead
        assert client.post(CAPTURES, json=sent).json()["note"]["id"] == first.json()["note"]["id"]


@pytest.mark.parametrize(
    "claimed",
    [
        {"note_id": "../x"},
        {"kind": "thesis"},
        {"citations": [{**CITED, "url": "javascript:alert(1)"}]},
        {"citations": [{**CITED, "url": "#/notes/../settings"}]},
    ],
)
def test_what_no_export_writes_is_refused(serve: Serve, claimed: dict[str, Any]) -> None:
    with serve("capture") as client:
        assert client.post(CAPTURES, json=entry(**claimed)).status_code == 422
