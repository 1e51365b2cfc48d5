"""What a copied page says of itself: links of its edge, names of its parts. It takes nothing out of a note's text."""

import re

_PART = (
    r"(?:paragraphs?|sections?|chapters?|fig(?:ure)?s?\.?|tables?|pages?|slides?|appendix|footnotes?|absatz|abschnitt"
    r"|kapitel|abb(?:ildung|\.)?|tab(?:elle|\.)?|seite|folie|anhang|fußnote|paragraphe|chapitre|page|párrafo|capítulo)"
)
_LABEL = re.compile(rf"{_PART}\s+(?:\d{{1,3}}(?:\.\d{{1,3}}){{0,3}}[a-z]?|[ivx]{{1,5}})\s*(?:[:–—-]\s+|[.:]?$)", re.I)
"""`Section 4: ` before a sentence, or all of a line."""
_EDGE = re.compile(
    r"(?:jump|skip|go|back) (?:to )?(?:the )?(?:main )?(?:content|navigation|search|top)"
    r"|zum inhalt springen|(?:zurück )?nach oben"
    r"|(?:privacy|cookies?|legal|copyright|accessibility)"
    r"(?: (?:policy|notice|settings|preferences|statement|information))?"
    r"|terms(?: of (?:use|service)| (?:and|&) (?:conditions|privacy))?|disclaimer|all rights reserved"
    r"|(?:©|\(c\)|copyright\b).{0,120}"
    r"|(?:accept|manage|reject)(?: all)? cookies"
    r"|(?:we|this (?:web)?site|this page|diese (?:web)?seite)\b.{0,40}\bcookies\b.{0,200}"
    r"|(?:sign|log) ?(?:in|up|out|off)|register|create (?:an )?account|subscribe(?: (?:now|to|for)\b.{0,60})?"
    r"|(?:our )?newsletter|(?:main )?(?:menu|navigation)|home(?:page)?|search|share(?: (?:this|on)\b.{0,40})?|print"
    r"|follow us.{0,40}|(?:read|load|show|see|learn) more|see also|advertisements?|sponsored|loading|contents|edit"
    r"|\d{1,3}[ -]min(?:ute)?s?(?: read)?|from wikipedia, the free encyclopedia|view (?:source|history)"
    r"|impressum|datenschutz(?:erklärung)?|agb|kontakt|an- ?/ ?abmelden|(?:an|ab)melden|alle rechte vorbehalten"
    r"|mentions légales|aviso legal|se connecter|s['’]abonner|iniciar sesión",
    re.I,
)
_BARE = " \t\n.!|·•›»>«<[](){}*_:"
_LONGEST = 300


def is_furniture(text: str) -> bool:
    """Whether a sentence or a line is a link of a page's edge, a notice about it, or only the name of a part."""
    bare = text[: _LONGEST + 1].strip(_BARE)
    return len(bare) <= _LONGEST and bool(_EDGE.fullmatch(bare) or ((part := _LABEL.match(bare)) and part[0] == bare))


def unlabelled(text: str) -> str:
    """A sentence without the name of the part that it begins."""
    return text[found.end() :] if (found := _LABEL.match(text)) and found.end() < len(text) else text
