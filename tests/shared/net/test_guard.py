"""The guard's tables (survival case 15): what is public, what an allowlist names, what hides a number."""

from collections.abc import Sequence

import pytest

from shared.errors import Forbidden, MemexError, Unreachable
from shared.net.guard import check, host_allowed, inside, public, split


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::1"]
)
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.8.8", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
        "169.254.169.254", "169.254.0.1", "100.64.0.1", "100.127.255.255", "192.0.0.8", "192.0.2.1", "198.18.0.1",
        "198.51.100.1", "203.0.113.1", "192.88.99.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:8.8.8.8", "::127.0.0.1", "fc00::1",
        "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "64:ff9b::7f00:1", "64:ff9b:1::1",
        "2002:7f00:1::", "2001:0:7f00:1::", "2001:db8::1", "100::1", "3fff::1", "not-an-address", "", "127.1",
    ],
)  # fmt: skip
def test_addresses_inside_networks_are_not(address: str) -> None:
    assert not public(address)


@pytest.mark.parametrize(
    ("host", "patterns", "allowed"),
    [
        ("example.org", ["example.org"], True),
        ("www.example.org", ["example.org"], False),
        ("www.example.org", ["*.example.org"], True),
        ("a.b.example.org", ["*.example.org"], True),
        ("example.org", ["*.example.org"], False),
        ("badexample.org", ["*.example.org"], False),
        ("example.org.evil.test", ["example.org", "*.example.org"], False),
        ("example.org", [" EXAMPLE.org. "], True),
        ("anything.test", ["*"], False),
        ("anything.test", ["", "*."], False),
        ("example.org", [], False),
    ],
)
def test_the_allowlist_names_hosts(host: str, patterns: list[str], allowed: bool) -> None:
    assert host_allowed(host, patterns) is allowed


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("https://Example.ORG/x", ("https", "example.org", 443)),
        ("http://example.org.:8080/", ("http", "example.org", 8080)),
        ("https://bücher.example", ("https", "xn--bcher-kva.example", 443)),
        ("http://[2606:4700::1111]/", ("http", "2606:4700::1111", 80)),
        ("http://93.184.216.34/", ("http", "93.184.216.34", 80)),
    ],
)
def test_addresses_are_normalised(url: str, read: tuple[str, str, int]) -> None:
    assert split(url) == read


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd", "ftp://example.org/", "gopher://example.org/", "javascript:alert(1)", "//example.org/",
        "https://", "https:///x", "http://user:pass@example.org/", "http://user@example.org/", "http://example.org:22/",
        "http://example.org:99999/", "http://2130706433/", "http://0x7f000001/", "http://0x7f.1/", "http://0177.0.0.1/",
        "http://017700000001/", "http://127.1/", "http://127.0.1/", "http://1.2.3/", "http://127.0.0.0x1/",
        "http://①②⑦.0.0.1.0x0/", "http://example.org\\@evil.test/", "http://exa mple.org/", "http://example.org\n.x/",
        "http://[::1", "http://[fe80::1%25eth0]/", "http://[v1.x]/", "http://ex_@mple.org/", "http://a..b/",
        "http://" + "a" * 64 + ".org/", "http://example.org/\x7f",
    ],
)  # fmt: skip
def test_odd_addresses_are_refused(url: str) -> None:
    with pytest.raises(MemexError):
        split(url)


def test_full_width_digits_are_read_as_the_number_they_are() -> None:
    assert split("http://１２７.0.0.1/")[1] == "127.0.0.1"


def resolving(*addresses: str) -> "Resolver":
    return Resolver(list(addresses))


class Resolver:
    def __init__(self, addresses: list[str]) -> None:
        self.addresses = addresses
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.addresses


async def test_the_target_is_the_checked_address_under_the_asked_name() -> None:
    target = await check("https://example.org/a?b=c", ["example.org"], resolving("93.184.216.34", "8.8.8.8"))
    assert (target.host, target.address, target.authority) == ("example.org", "93.184.216.34", "example.org")


@pytest.mark.parametrize(
    "addresses", [["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["::1"], ["::ffff:10.0.0.1"], ["169.254.169.254"]]
)
async def test_a_name_that_leads_inside_is_refused_although_it_is_allowed(addresses: list[str]) -> None:
    with pytest.raises(Forbidden) as caught:
        await check("https://example.org/", ["example.org"], resolving(*addresses))
    assert caught.value.code == "address_blocked"


@pytest.mark.parametrize("url", ["http://169.254.169.254/latest", "http://127.0.0.1/", "http://[::1]/"])
async def test_a_private_address_is_refused_even_where_the_list_names_it(url: str) -> None:
    resolver = resolving("93.184.216.34")
    with pytest.raises(Forbidden):
        await check(url, ["169.254.169.254", "127.0.0.1", "::1"], resolver)
    assert resolver.asked == []


async def test_a_host_off_the_list_is_never_looked_up() -> None:
    resolver = resolving("93.184.216.34")
    with pytest.raises(Forbidden) as caught:
        await check("https://secret-data.evil.test/", ["example.org"], resolver)
    assert caught.value.code == "egress_blocked"
    assert resolver.asked == []


async def test_a_name_without_address_is_unreachable() -> None:
    with pytest.raises(Unreachable):
        await check("https://example.org/", ["example.org"], resolving())


@pytest.mark.parametrize(
    "host", ["localhost", "a.localhost", "printer.local", "metadata.google.internal", "127.0.0.1", "::1", "10.0.0.1"]
)
async def test_what_lies_inside_by_its_name_is_refused_before_the_list_is_asked(host: str) -> None:
    assert inside(host)
    resolver = resolving("93.184.216.34")
    for patterns in ([], [host]):
        with pytest.raises(Forbidden) as caught:
            await check(f"http://{f'[{host}]' if ':' in host else host}/", patterns, resolver)
        # Nobody is told to allow what stays forbidden then.
        assert caught.value.code == "address_blocked" and "Settings" not in caught.value.next
    assert resolver.asked == []


@pytest.mark.parametrize("host", ["example.org", "local.example", "internal", "8.8.8.8", "2606:4700::1111"])
def test_other_hosts_are_not_inside_by_their_name(host: str) -> None:
    assert inside(host) is (host == "internal")
