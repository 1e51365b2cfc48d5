"""Text with its citations. Whatever notes and pages say comes into a report here, and only as `inert` gives it."""

from shared.research.extract import inert
from shared.research.extract.sentence import Sentence
from shared.research.extract.source import Source
from shared.research.interaction import Annotation, Part


class Writer:
    """A report as far as it is written; sources are numbered as they are first cited."""

    def __init__(self) -> None:
        self.text = ""
        self._numbers: dict[str, int] = {}
        self._sources: list[Source] = []
        self._annotations: list[Annotation] = []

    def heading(self, level: int, text: str) -> None:
        """A heading of that level."""
        self.text += f"{'#' * level} {inert.heading(text)}\n\n"

    def cite(self, source: Source, sentence: Sentence) -> None:
        """A sentence of a source, with the mark that names it."""
        number = self._numbers.get(source.url)
        if number is None:
            number = self._numbers[source.url] = len(self._numbers) + 1
            self._sources.append(source)
        start = len(self.text.encode())
        self.text += inert.sentence(sentence.text)
        end = len(self.text.encode())
        self._annotations.append(Annotation(source.url, source.title, sentence.quote, start, end))
        self.text += f" [cite: {number}]"

    def remark(self, what: str, text: str) -> None:
        """A line after a fixed label."""
        self.text += f"{what}: {inert.sentence(text)}\n\n"

    def list_sources(self) -> None:
        """What was cited, by number."""
        self.text += "**Sources:**\n"
        for number, source in enumerate(self._sources, start=1):
            self.text += f"{number}. [{inert.label(source.title) or source.url}]({source.url})\n"

    def part(self) -> Part:
        """What was written since the last part."""
        made = Part("text", self.text, tuple(self._annotations))
        self.text, self._annotations = "", []
        return made
