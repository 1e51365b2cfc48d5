"""What a request that was written wrongly is told: what happened, and what to do."""

import pytest

from tests.functions.conftest import Serve

CAPTURES = "/api/v1/captures"


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (None, "The request has no Content-Type; it has to be application/json."),
        ("text/plain", "The request has another Content-Type than application/json."),
        ("application/x-www-form-urlencoded", "The request has another Content-Type than application/json."),
        ("multipart/form-data; boundary=x", "The request has another Content-Type than application/json."),
    ],
)
@pytest.mark.parametrize("path", [CAPTURES, f"{CAPTURES}/batch"])
def test_a_body_that_is_not_called_json_is_told_what_to_send(
    serve: Serve, kind: str | None, told: str, path: str
) -> None:
    with serve("capture") as client:
        answer = client.post(path, content=b'{"text": "a"}', headers={"Content-Type": kind} if kind else {})
        assert answer.status_code == 415
        error = answer.json()["error"]
        assert (error["code"], error["message"]) == ("not_json", told)
        assert "Content-Type: application/json" in error["next"]


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "APPLICATION/JSON"])
def test_json_is_read_however_it_is_spelt(serve: Serve, kind: str) -> None:
    with serve("capture") as client:
        headers = {"Content-Type": kind}
        assert client.post(CAPTURES, content=b'{"text": "a"}', headers=headers).status_code == 201
        wrong = client.post(CAPTURES, content=b'{"text": 5}', headers=headers)
        assert (wrong.status_code, wrong.json()["error"]["code"]) == (422, "invalid_field")


def test_broken_json_an_unknown_address_and_a_wrong_method_say_what_to_do(serve: Serve) -> None:
    with serve("capture") as client:
        broken = client.post(CAPTURES, content=b"{", headers={"Content-Type": "application/json"})
        unknown = client.get("/api/v1/nothing")
        method = client.get(CAPTURES)
    assert [one.status_code for one in (broken, unknown, method)] == [400, 404, 405]
    assert "/api/v1/notes" in unknown.json()["error"]["next"]
    assert method.headers["allow"] == "POST"
    assert "Allow" in method.json()["error"]["next"]
    assert broken.json()["error"]["next"]


def test_wrong_parameters_of_a_request_without_a_body_are_named(serve: Serve) -> None:
    with serve("api") as client:
        answer = client.get("/api/v1/notes", params={"limit": "many"})
    assert answer.status_code == 422
    assert answer.json()["error"]["message"].startswith("query.limit: ")
