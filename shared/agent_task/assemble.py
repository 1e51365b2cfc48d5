"""The result of a task: the filled-in form with everything taken off that no source bears; or quotes alone, by rule."""

import re
from collections.abc import Callable, Sequence

from pydantic import TypeAdapter, ValidationError

from shared.agent.citing import cited
from shared.agent_task.quotes import Quote, quotes
from shared.agent_task.standing import Read, Standing
from shared.enrichment.proposal import cut as shortened
from shared.events.trace import cut
from shared.models.artifact import Artifact
from shared.models.base import JsonDict
from shared.models.note import Citation
from shared.models.result import Claim, Company, Form, FormClaim, Result, Source

CLAIMS, LINES, QUOTES = 40, 20, 5
"""Claims of a result; entries of each other list; quotes of one claim."""
SENTENCE, SUMMARY = 1_000, 4_000
"""Characters of a claim or a line, and of the summary."""
CLAIM_BYTES, ARTIFACT_BYTES, LINE_BYTES = 20_000, 16_000, 8_000
"""What each part may have: the whole is stored in the operation and in its last event, 64 kB each."""
_RULE_SENTENCE = 600
"""Characters of a sentence that is quoted by rule."""
_MARK = re.compile(r"\s?\[(S\d{1,4}(?:\s{0,3},\s{0,3}S\d{1,4}){0,19})\]")
_ARTIFACT: TypeAdapter[Artifact] = TypeAdapter(Artifact)


def from_form(stand: Standing, form: Form) -> Result:
    """The form as a result: sources that were not read are taken off, quotes that stand nowhere too, and both told."""
    flags: dict[str, None] = {}
    clean = _cleaner(stand)
    claims = [_checked(stand, one, clean, flags) for one in form.claims[:CLAIMS]]
    if len(form.claims) > CLAIMS:
        flags[f"{len(form.claims) - CLAIMS} more claims were left out"] = None
    lines = _lines(clean, form, flags)
    supported = any(not claim.unsupported for claim in claims)
    return _result(
        stand,
        clean(form.summary)[:SUMMARY],
        claims,
        flags,
        companies=[Company(ticker=one.ticker.strip()[:20], name=one.name and one.name[:200]) for one in form.companies][
            :LINES
        ],
        # Of what nothing bears, nobody can be sure.
        confidence=form.confidence if supported else None,
        **lines,
    )


def by_rule(stand: Standing) -> Result:
    """Without a model's form: sentences of the sources that hold the question's words. The two best are the summary."""
    claims = [_quoted(quote) for quote in quotes(list(stand.sources.values()), stand.question)]
    draft = _cleaner(stand)(stand.draft or "")[:SUMMARY]
    summary = draft or " ".join(claim.claim for claim in claims[:2])
    return _result(stand, summary, claims, {})


def _quoted(quote: Quote) -> Claim:
    """A sentence as a claim; it is its own evidence, and is told again only where it had to be cut."""
    claim = shortened(quote.text, _RULE_SENTENCE)
    evidence = [] if claim == quote.text else [quote.text[:SENTENCE]]
    return Claim(claim=claim, evidence=evidence, sources=[quote.source.id])


# -- what a form says, checked ---------------------------------------------------------------------------------


def _checked(stand: Standing, one: FormClaim, clean: Callable[[str], str], flags: dict[str, None]) -> Claim:
    known = [(name, found(stand, name)) for name in one.sources]
    reads = {read.source.id: read for _, read in known if read}
    unknown = sum(read is None for _, read in known)
    if unknown:
        flags[f"A claim named {unknown} sources that were not read; they were taken off."] = None
    bodies = [_plain(read.text) for read in reads.values()]
    quotes = [quote.strip()[:SENTENCE] for quote in one.evidence if quote.strip()]
    evidence = [quote for quote in quotes if any(_plain(quote) in body for body in bodies)]
    if len(evidence) < len(quotes):
        flags["Quotes that don't stand in their sources word for word were taken off."] = None
    return Claim(
        claim=clean(one.claim)[:SENTENCE],
        confidence=one.confidence if reads else None,
        evidence=evidence[:QUOTES],
        sources=list(reads),
        unsupported=not reads,
    )


def found(stand: Standing, name: str) -> Read | None:
    """The source that was read and is meant by this: its id, its address, or a note's id."""
    name = name.strip().strip("[]()").strip()
    for url, read in stand.sources.items():
        source = read.source
        if name.upper() == source.id or name in (url, source.note_id) or (name and name.rstrip("/") == url.rstrip("/")):
            return read
    return None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _cleaner(stand: Standing) -> Callable[[str], str]:
    """Takes links and marks to what was not read off a text."""
    sources = {
        url: Citation(number=1, title=read.source.title, url=url, note_id=read.source.note_id)
        for url, read in stand.sources.items()
    }

    def marks(match: re.Match[str]) -> str:
        kept = [name for name in re.split(r"\s*,\s*", match[1]) if found(stand, name)]
        return f" [{', '.join(kept)}]" if kept else ""

    def clean(text: str) -> str:
        return _MARK.sub(marks, cited(text, sources, stand.addresses).text).strip()

    return clean


def _lines(clean: Callable[[str], str], form: Form, flags: dict[str, None]) -> dict[str, list[str]]:
    made: dict[str, list[str]] = {}
    room = LINE_BYTES
    for name, given in (("risks", form.risks), ("themes", form.themes), ("portfolio_impact", form.portfolio_impact)):
        kept: list[str] = []
        for line in filter(None, (clean(one)[:SENTENCE] for one in given[:LINES])):
            room -= len(line.encode())
            if room >= 0:
                kept.append(line)
        if len(kept) < len(given):
            flags[f"Of {name} some did not fit."] = None
        made[name] = kept
    return made


# -- the whole -------------------------------------------------------------------------------------------------


def _result(
    stand: Standing,
    summary: str,
    claims: Sequence[Claim],
    flags: dict[str, None],
    *,
    companies: Sequence[Company] = (),
    confidence: int | None = None,
    risks: Sequence[str] = (),
    themes: Sequence[str] = (),
    portfolio_impact: Sequence[str] = (),
) -> Result:
    kept = _fitting(claims)
    if len(kept) < len(claims):
        flags[f"{len(claims) - len(kept)} more claims did not fit."] = None
    artifacts = _artifacts(stand, flags)
    named = {name for claim in kept for name in claim.sources} | {name for one in artifacts for name in one.sources}
    return Result(
        summary=cut(summary, SUMMARY * 3),
        claims=kept,
        sources=[read.source for read in stand.sources.values() if read.source.id in named],
        risks=list(risks),
        companies=list(companies),
        themes=list(themes),
        portfolio_impact=list(portfolio_impact),
        confidence=confidence,
        artifacts=artifacts,
        flags=list(flags)[:LINES],
    )


def _fitting(claims: Sequence[Claim]) -> list[Claim]:
    kept: list[Claim] = []
    room = CLAIM_BYTES
    for claim in claims:
        room -= len(claim.model_dump_json().encode())
        if room < 0:
            break
        kept.append(claim)
    return kept


def _artifacts(stand: Standing, flags: dict[str, None]) -> list[Artifact]:
    """What the run laid out, each naming only sources that were read."""
    kept: list[Artifact] = []
    room = ARTIFACT_BYTES
    for told in stand.artifacts:
        artifact = _artifact(told)
        if artifact is None:
            continue
        reads = [found(stand, name) for name in artifact.sources]
        ids = dict.fromkeys(read.source.id for read in reads if read)
        if None in reads:
            flags["An artifact named sources that were not read; they were taken off."] = None
        artifact = artifact.model_copy(update={"sources": list(ids)})
        room -= len(artifact.model_dump_json().encode())
        if room < 0:
            flags["More was laid out than fits into a result."] = None
            break
        kept.append(artifact)
    return kept


def _artifact(told: JsonDict) -> Artifact | None:
    try:
        return _ARTIFACT.validate_python(told)
    except ValidationError:
        return None  # what was cut to fit into an event is no whole artifact


def used(result: Result) -> list[Source]:
    """The sources that claims rest on."""
    named = {name for claim in result.claims for name in claim.sources}
    return [source for source in result.sources if source.id in named]
