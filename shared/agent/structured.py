"""An answer in a given shape from any model, or none: bounded, and never half right."""

import json
import re
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from shared.agent.model import Answer, Message, Model, ModelFailed, Question
from shared.gateway import schema
from shared.gateway.size import size
from shared.models import base
from shared.models.base import JsonDict

T = TypeVar("T", bound=base.Model)

MAX_CHARACTERS = 400_000
"""Of an answer that is read at all."""
_SHOWN = 8_000
"""Characters of a wrong answer that the model is shown again."""
_FENCE = re.compile(r"\A\s*```[a-zA-Z]*\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)
_REPAIR = (
    "That does not fit the form: {problems}. Answer again with the whole form as one JSON object and nothing else."
)


async def structured(model: Model, question: Question, schema_model: type[T], attempts: int = 2) -> T:
    """The model's answer to `question` as `schema_model`; asked again with what was wrong, at most `attempts` times.

    Raises ModelFailed `model_malformed` where no answer fits, and what the model itself raises.
    """
    question = replace(question, schema=form_of(schema_model), tools=())
    problems: list[str] = []
    for _ in range(max(1, attempts)):
        said = await _asked(model, question)
        try:
            return schema_model.model_validate(_object(said))
        except ValidationError as wrong:
            problems = schema.explained(wrong)[:8]
        except (ValueError, RecursionError):
            problems = ["it is no JSON object"]
        again = Message("user", _REPAIR.format(problems="; ".join(problems)))
        question = replace(question, messages=(*question.messages, Message("model", said[:_SHOWN] or "{}"), again))
    raise ModelFailed(
        f"The model's answer does not fit the form that was asked for ({'; '.join(problems)[:300]}).",
        code="model_malformed",
        next="Start it anew, or choose another model in Settings.",
    )


async def _asked(model: Model, question: Question) -> str:
    """The text of the one answer; a model that answers otherwise has answered nothing."""
    said = ""
    async for piece in model.stream(question):
        if isinstance(piece, Answer):
            said = piece.text
    return said


def _object(said: str) -> JsonDict:
    """The JSON object in an answer, whatever a model puts around it; ValueError where there is none."""
    if len(said) > MAX_CHARACTERS:
        raise ValueError("too long")
    fenced = _FENCE.match(said)
    parsed: JsonValue = json.loads(fenced[1] if fenced else said)
    if not isinstance(parsed, dict):
        raise ValueError("no object")
    # JSON can spell half a character and a number that is none; no store takes either.
    size(parsed)
    return parsed


def form_of(model: type[BaseModel]) -> JsonDict:
    """The model's schema as services with strict schemas take it: closed, and every field named."""
    assert issubclass(model, base.Model)
    return _strict(schema.of_model(model))


def _strict(part: JsonDict) -> JsonDict:
    kept: JsonDict = {}
    for key, value in part.items():
        if key == "properties" and isinstance(value, dict):
            kept[key] = {name: _strict(one) if isinstance(one, dict) else one for name, one in value.items()}
            kept["required"] = list(value)
            kept["additionalProperties"] = False
        elif isinstance(value, dict):
            kept[key] = _strict(value)
        elif isinstance(value, list) and key in ("anyOf", "oneOf", "allOf"):
            kept[key] = [_strict(one) if isinstance(one, dict) else one for one in value]
        elif key not in ("default", "required", "additionalProperties"):
            kept[key] = value
    return kept
