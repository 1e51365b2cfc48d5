"""Which sections a report takes from what was read, and which sentences open it."""

from shared.research.extract.question import Question
from shared.research.extract.section import Section
from shared.research.extract.sentence import Sentence, length
from shared.research.extract.source import Source
from shared.research.extract.standing import leans, stands, weight
from shared.research.extract.wording import alike

MIN_COVERAGE = 0.5
"""A section that touches less of the question than this answers another one."""
NEAR = 0.3
"""A sentence that touches less of the question than this, with its titles, is not even near it."""
CLOSEST, CLOSEST_OF_SOURCE = 5, 2
MAX_SECTIONS = 7
INTRO_SENTENCES = 3


def chosen(question: Question, ranked: list[Section]) -> list[Section]:
    """The best sections, not too many of one source, so that the report has more than one voice."""
    found: list[Section] = []
    rest = [section for section in ranked if section.coverage >= MIN_COVERAGE]
    while rest and len(found) < MAX_SECTIONS:
        best = max(rest, key=lambda section: section.score * 0.85 ** _of(section.source, found))
        if found and best.score < 0.55 * found[0].score:
            break
        if _of(best.source, found) < (4 if question.coverage(question.bag(best.source.title)) > 0.99 else 2):
            rest.remove(best)
            found.append(best)
        else:
            rest = [section for section in rest if section.source.url != best.source.url]
    return found


def _of(source: Source, found: list[Section]) -> int:
    return sum(section.source.url == source.url for section in found)


def opening(question: Question, chosen: list[Section]) -> list[tuple[Section, Sentence]]:
    """The sentences that answer best, from the first sections, to stand at the top; items where no prose answers."""
    return (
        _best(question, chosen, items=False)
        or _best(question, chosen, items=True)
        # Under a heading that says all that is asked, what answers need not say it again.
        or _best(question, [one for one in chosen if one.about and one.headed], items=False, said=False)
        or _best(question, [one for one in chosen if one.about and one.headed], items=True, said=False)
    )


def closest(question: Question, ranked: list[Section]) -> list[tuple[Section, Sentence]]:
    """What comes nearest to a question that nothing answers: sentences that touch a good part of it, best first.

    None where what is asked about is not named at all.
    """
    scored: list[tuple[float, int, int]] = []
    for rank, section in enumerate(ranked):
        around = question.bag(" ".join((section.source.title, *section.headings)))
        for at, one in enumerate(section.sentences):
            own = question.bag(one.text)
            touched = own + around
            if one.lead or not stands(one, None) or leans(one) or question.naming.isdisjoint(touched):
                continue
            if (coverage := question.coverage(touched)) >= NEAR and (own or at == 0):
                scored.append((coverage + question.coverage(own), rank, at))
    found: list[tuple[Section, Sentence]] = []
    for _, rank, at in sorted(scored, key=lambda item: (-item[0], item[1], item[2])):
        section, one = ranked[rank], ranked[rank].sentences[at]
        alone = _of(section.source, [taken for taken, _ in found]) < CLOSEST_OF_SOURCE
        if len(found) < CLOSEST and alone and not any(alike(one.text, other.text) for _, other in found):
            found.append((section, one))
    return found


def _best(
    question: Question, chosen: list[Section], *, items: bool, said: bool = True
) -> list[tuple[Section, Sentence]]:
    scored: list[tuple[float, int, int]] = []
    for rank, section in enumerate(chosen[:4]):
        title = question.coverage(question.bag(section.source.title))
        for at, one in enumerate(section.sentences):
            if bool(one.marker) != items or one.lead or not stands(one, None) or leans(one):
                continue
            if items and said and question.coverage(question.bag(one.text)) < MIN_COVERAGE:
                continue
            if (3 if items else 5) <= length(one.text) <= 45 and (not said or question.bag(one.text)):
                first = 0.5 * title if at == 0 and not section.headings else 0.0
                scored.append((weight(question, section.sentences, at) * section.score + first, rank, at))
    found: list[tuple[int, int]] = []
    for _, rank, at in sorted(scored, key=lambda item: (-item[0], item[1], item[2])):
        text = chosen[rank].sentences[at].text
        if len(found) < INTRO_SENTENCES and not any(alike(text, chosen[r].sentences[a].text) for r, a in found):
            found.append((rank, at))
    return [(chosen[rank], chosen[rank].sentences[at]) for rank, at in sorted(found)]
