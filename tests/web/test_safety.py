"""Hostile text does nothing: no script, no foreign request, no way out of the policy."""

import gzip

import pytest
from playwright.sync_api import Page, Request, expect

from tests.web.conftest import Complaints, Product, enriched, save, sign_in

pytestmark = pytest.mark.browser

HOSTILE = (
    """# <script>window.hit = 1</script> <img src=x onerror="window.hit = 1">

<script>window.hit = 1</script>
<img src="https://tracker.example/pixel.png" onerror="window.hit = 1">
<svg onload="window.hit = 1"><a href="javascript:window.hit=1">svg</a></svg>
<iframe srcdoc="<script>parent.hit = 1</script>"></iframe>
<style>body { display: none }</style>
<form action="https://evil.example"><button>send</button></form>

[click](javascript:window.hit=1) [data](data:text/html,<script>window.hit=1</script>) [key](#key=stolen)
![pixel](https://tracker.example/pixel.png) ![js](javascript:window.hit=1)

[cite: 1] [cite: 99999999] [ref][r]

[r]: javascript:window.hit=1

\u202eright to left override\u202c مرحبا بالعالم, and then English.

"""
    + "w" * 5000
)


def test_hostile_text_does_nothing(page: Page, product: Product) -> None:
    foreign: list[str] = []

    def note(request: Request) -> None:
        if not request.url.startswith((product.base_url, "data:")):
            foreign.append(request.url)

    page.on("request", note)
    save(page, HOSTILE)
    page.locator(".row-link").click()
    expect(page.locator(".prose")).to_contain_text("right to left override")
    for link in page.locator(".prose a").all():
        assert (link.get_attribute("href") or "").startswith(("https://", "http://"))
    assert page.locator(".prose :is(script, img, svg, iframe, style, form, object)").count() == 0
    enriched(page)
    assert page.evaluate("window.hit") is None
    assert foreign == []
    assert page.evaluate("localStorage.getItem('memex.key')") == product.key


def test_the_policy_holds_in_every_room(page: Page, complaints: Complaints) -> None:
    answer = page.request.get(page.url.split("#")[0])
    policy = answer.headers["content-security-policy"]
    for rule in (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
    ):
        assert f"{rule};" in policy
    assert "unsafe" not in policy
    save(page, "does it work?", research=True)
    for place in ("#/operations", "#/capture", "#/?bin=1", "#/nowhere"):
        page.evaluate("(hash) => { location.hash = hash }", place)
        page.wait_for_timeout(200)
    assert [line for line in complaints.lines if "Content Security Policy" in line] == []


def test_the_key_goes_nowhere_but_into_its_header(page: Page, product: Product) -> None:
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url + (request.post_data or "")))
    sign_in(page, product)
    save(page, "a thought")
    page.wait_for_timeout(300)
    assert seen
    assert [url for url in seen if product.key in url] == []


def test_the_first_load_is_small(page: Page, product: Product) -> None:

    page.reload()
    page.get_by_placeholder("Search").wait_for()
    scripts = page.evaluate("performance.getEntriesByType('resource').map(e => e.name).filter(n => n.endsWith('.js'))")
    sizes = [len(gzip.compress(page.request.get(url).body())) for url in scripts]
    assert sizes
    assert sum(sizes) < 200_000
