"""Who is signed in: found, missing, refused, out of reach, or too slow; and the command never waits for ever."""

import json
import time
from pathlib import Path

import pytest

from infra.local.doctor import credentials
from infra.local.doctor.credentials import Identity, NobodyThere, application_default, token
from infra.local.doctor.finding import Unanswered

USER = {"type": "authorized_user", "client_id": "x", "client_secret": "x", "refresh_token": "x"}


@pytest.fixture
def signed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person's credentials."""
    file = tmp_path / "credentials.json"
    file.write_text(json.dumps(USER))
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(file))


def test_without_a_file_nobody_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "none.json"))
    with pytest.raises(NobodyThere):
        application_default()


def test_a_token_is_fetched_for_a_person(signed_in: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from google.oauth2.credentials import Credentials

    def refresh(self: Credentials, _request: object) -> None:
        self.token = "fresh"

    monkeypatch.setattr(Credentials, "refresh", refresh)
    found = application_default()
    assert found == Identity("fresh", "", personal=True)
    assert "fresh" not in repr(found)


@pytest.mark.parametrize(
    ("error", "raised"),
    [("RefreshError", NobodyThere), ("TransportError", Unanswered), ("MalformedError", NobodyThere)],
)
def test_refused_is_told_from_unreachable(
    error: str, raised: type[Exception], signed_in: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    import google.auth.exceptions
    from google.oauth2.credentials import Credentials

    def refresh(_self: Credentials, _request: object) -> None:
        raise getattr(google.auth.exceptions, error)("no")

    monkeypatch.setattr(Credentials, "refresh", refresh)
    with pytest.raises(raised) as caught:
        application_default()
    assert type(caught.value) is raised


async def test_a_fetch_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credentials, "PATIENCE", 0.01)

    def hang() -> Identity:
        time.sleep(0.2)
        return Identity("late")

    with pytest.raises(Unanswered, match="in time"):
        await token(hang)


async def test_what_a_fetch_raises_is_raised() -> None:
    def fail() -> Identity:
        raise NobodyThere("nobody")

    with pytest.raises(NobodyThere):
        await token(fail)
    assert await token(lambda: Identity("x")) == Identity("x")
