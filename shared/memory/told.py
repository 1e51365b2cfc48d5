"""What of a person's words a memory service is told: nothing that holds a secret. What it never hears it can't keep."""

import re

from shared.enrichment.sentences import split
from shared.gateway.redact import holds_a_secret

_CLAUSE = re.compile(r";\s+|,?\s+(?:and|but|und|aber)\s+(?=(?:I|I['’]m|my|we|our|ich|wir|mein\w*)\b)", re.IGNORECASE)
# A name whose value stands in the next line.
_BROKEN = re.compile(r"(:|\b(?:is|ist|lautet))[ \t]*\n\s*", re.IGNORECASE)


def told(text: str) -> str:
    """A text without the sentences that hold a secret; of such a sentence the clauses before it stay."""
    if not holds_a_secret(joined := _BROKEN.sub(r"\1 ", text)):
        return text
    if "PRIVATE KEY-----" in joined:
        return ""  # it has many lines, and none of them shows it alone
    lines = [" ".join(kept for sentence in split(line) if (kept := _clean(sentence))) for line in joined.splitlines()]
    found = "\n".join(line for line in lines if line)
    # What only shows over several sentences can't be cut out.
    return "" if holds_a_secret(found) else found


def _clean(sentence: str) -> str:
    if not holds_a_secret(sentence):
        return sentence
    # What follows a secret may be a part of it.
    ends = [joint.start() for joint in _CLAUSE.finditer(sentence)]
    return next((sentence[:end] for end in reversed(ends) if not holds_a_secret(sentence[:end])), "")
