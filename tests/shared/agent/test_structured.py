"""An answer in a given shape, or none at all."""

import json

import pytest
from pydantic import Field

from shared.agent.model import Message, ModelBusy, ModelFailed, Question
from shared.agent.structured import form_of, structured
from shared.models.base import JsonDict, Model
from shared.models.result import Form
from tests.fakes.scripted import ScriptedModel, calls, says


class Verdict(Model):
    """A verdict."""

    word: str = Field(min_length=2)
    score: int | None = Field(default=None, ge=0, le=10)


QUESTION = Question("Judge.", (Message("user", "This."),))


async def asked(*answers: object, attempts: int = 2) -> tuple[Verdict, ScriptedModel]:
    model = ScriptedModel(list(answers))  # type: ignore[arg-type]  # steps
    return await structured(model, QUESTION, Verdict, attempts), model


@pytest.mark.parametrize(
    "said",
    ['{"word": "pass", "score": 3}', '```json\n{"word": "pass", "score": 3}\n```', '\n {"word": "pass", "score": 3} '],
)
async def test_a_form_is_taken_with_what_models_put_around_it(said: str) -> None:
    verdict, model = await asked(says(said))
    assert verdict == Verdict(word="pass", score=3)
    assert model.questions[0].schema == form_of(Verdict)
    assert model.questions[0].tools == ()


async def test_a_form_that_does_not_fit_is_asked_for_again_with_what_was_wrong() -> None:
    verdict, model = await asked(says('{"word": "x", "secret": "pear"}'), says('{"word": "pass"}'))
    assert verdict.word == "pass"
    repair = model.questions[1].messages[-1].text
    assert "word" in repair
    assert "no such argument" in repair
    assert model.questions[1].messages[-2].role == "model"


HOPELESS = [
    "",
    "pass",
    "[]",
    '"pass"',
    "{",
    "[" * 100_000,
    '{"word": "\\ud800x"}',
    '{"word": "pass", "score": NaN}',
    '{"word": "pass", "score": 11}',
    '{"word": ' + '"' + "x" * 500_000 + '"}',
    '{"word": "pass"} {"word": "fail"}',
]


@pytest.mark.parametrize("said", HOPELESS, ids=range(len(HOPELESS)))
async def test_what_fits_never_is_a_failure_after_two_attempts(said: str) -> None:
    model = ScriptedModel([says(said), says(said)])
    with pytest.raises(ModelFailed) as caught:
        await structured(model, QUESTION, Verdict)
    assert caught.value.code == "model_malformed"
    assert caught.value.next
    assert len(model.questions) == 2


async def test_one_attempt_is_one_question() -> None:
    model = ScriptedModel([says("no"), says('{"word": "pass"}')])
    with pytest.raises(ModelFailed):
        await structured(model, QUESTION, Verdict, attempts=1)
    assert len(model.questions) == 1


async def test_a_model_that_calls_tools_instead_has_answered_nothing() -> None:
    with pytest.raises(ModelFailed):
        await asked(calls(("x", {})), calls(("x", {})))


async def test_what_the_model_raises_is_not_asked_again() -> None:
    model = ScriptedModel([ModelBusy(3)])
    with pytest.raises(ModelBusy):
        await structured(model, QUESTION, Verdict)
    assert len(model.questions) == 1


@pytest.mark.parametrize("model", [Verdict, Form])
def test_a_schema_is_closed_and_names_every_field(model: type[Model]) -> None:
    def check(part: JsonDict) -> None:
        if "properties" in part:
            assert isinstance(part["properties"], dict)
            assert part["required"] == list(part["properties"])
            assert part["additionalProperties"] is False
        for value in part.values():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, dict):
                    check(one)

    told = form_of(model)
    check(told)
    assert "$ref" not in json.dumps(told)
    assert '"default"' not in json.dumps(told)
