"""Where sentences end. It knows abbreviations and dates, and no grammar."""

import re

END = re.compile(r"[.!?…]+[\"'’”»)\]*]*(?=\s)|[。！？]+[」』”）]*|[؟۔।]+")
ENDED = re.compile(r"[.!?…؟۔।][\"'’”»)\]]*$")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"“„])(?:[A-Za-zÄÖÜ]|[a-z]\.[a-z]|z\.\s?B|d\.\s?h|u\.\s?a|e\.g|i\.e|etc|vs|cf|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|No"
    r"|Nr|ca|bzw|usw|ggf|evtl|inkl|exkl|zzgl|sog|vgl|resp|approx|incl|excl|avg|figs?|Figs?|Abb|Stk|Stck"
    r"|al|Mme|Sra|\w*[Ss]tr|Tel|Abs|Art|Mio|Mrd|\d{1,2})$"
)
_BEFORE_A_NUMBER = re.compile(
    r"(?:^|[\s(])(?:tab|vol|ch|sec|kap|bd|pp|min|max|est|(?:order|item|part|room|model|invoice) no)$", re.IGNORECASE
)
"""Words of their own, too: short for something only where a number follows."""


def spans(text: str) -> list[tuple[int, int]]:
    """Start and end of each sentence of a paragraph, without the space around it."""
    found: list[tuple[int, int]] = []
    start = 0
    for end in (*END.finditer(text), None):
        stop = end.end() if end else len(text)
        if end and end[0].startswith("."):
            after = text[stop : stop + 20].lstrip()[:1]
            before = text[max(start, end.start() - 12) : end.start()]
            if after.islower() or _ABBREVIATION.search(before):
                continue
            if after.isdigit() and _BEFORE_A_NUMBER.search(before):
                continue
        said = text[start:stop]
        if bare := said.strip():
            first = start + said.index(bare[0])
            found.append((first, first + len(bare)))
        start = stop
    return found


def split(text: str) -> list[str]:
    """The sentences of a paragraph."""
    return [text[start:end] for start, end in spans(text)]
