"""Addresses as text: which ones are the same, and what of one may be shown."""

import pytest

from shared.errors import MemexError
from shared.net.address import host_of, normal, normals, secrets_in, shown


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("https://Example.ORG", "https://example.org/"),
        ("https://example.org:443/", "https://example.org/"),
        ("http://example.org.:80/a#part", "http://example.org/a"),
        ("https://example.org/a b".replace(" ", "%20"), "https://example.org/a%20b"),
        ("https://example.org/ä?q=ö", "https://example.org/%C3%A4?q=%C3%B6"),
        ("https://example.org/%c3%a4", "https://example.org/%C3%A4"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("http://[2606:4700:0::1111]:8080/", "http://[2606:4700::1111]:8080/"),
        ("https://example.org/?a=1&b=2", "https://example.org/?a=1&b=2"),
    ],
)
def test_one_address_has_one_form(url: str, same: str) -> None:
    assert normal(url) == same
    assert normal(same) == same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.org/a", "https://example.org/A"),
        ("https://example.org/a", "https://example.org/a?q=secret"),
        ("https://example.org/a", "https://example.org/a/"),
        ("https://example.org/a", "http://example.org/a"),
        ("https://example.org/a", "https://example.org:8443/a"),
        ("https://example.org/a%2Fb", "https://example.org/a/b"),
        ("https://example.org/?a=1&b=2", "https://example.org/?b=2&a=1"),
    ],
)
def test_different_addresses_stay_different(one: str, other: str) -> None:
    assert normal(one) != normal(other)


@pytest.mark.parametrize(
    "url", ["", "example.org", "ftp://example.org/", "https://me:pw@example.org/", "https://example.org\\@evil.test/"]
)
def test_what_can_not_be_asked_has_no_form(url: str) -> None:
    with pytest.raises(MemexError):
        normal(url)
    assert normals([url, "https://example.org/"]) == {"https://example.org/"}


def test_half_a_character_breaks_nothing() -> None:
    assert normal("https://example.org/\ud800") == "https://example.org/%3F"


def test_the_host_is_the_normalised_one() -> None:
    assert host_of("https://BÜCHER.example:8443/x") == "xn--bcher-kva.example"


@pytest.mark.parametrize(
    ("url", "visible", "secrets"),
    [
        ("https://a.example/mcp", "https://a.example/mcp", []),
        ("https://a.example/mcp?key=s3cret&x=", "https://a.example/mcp?key=[hidden]&x=[hidden]", ["s3cret"]),
        ("https://a.example/mcp?s3cret", "https://a.example/mcp?[hidden]", ["s3cret"]),
        ("https://a.example/s/9f8e7d6c5b4a39281706/mcp", "https://a.example/s/[hidden]/mcp", ["9f8e7d6c5b4a39281706"]),
        ("https://a.example/a-quite-long-readable-name", "https://a.example/a-quite-long-readable-name", []),
    ],
)
def test_what_may_be_secret_in_an_address_is_not_shown(url: str, visible: str, secrets: list[str]) -> None:
    assert shown(url) == visible
    assert [secret for secret in secrets_in(url) if secret != "x="] == secrets
