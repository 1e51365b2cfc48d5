"""An ADK agent with one tool, whose model answers at once: a call of the tool, then words."""

from collections.abc import AsyncGenerator

from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai.types import Content, FunctionCall, Part


class Scripted(BaseLlm):
    """The same script as tests/bench/scripted.py."""

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        parts = llm_request.contents[-1].parts or []
        if parts and parts[-1].function_response:
            for piece in ("It is late, ", "and the pears are ripe."):
                yield LlmResponse(partial=True, content=_said(Part(text=piece)))
            yield LlmResponse(partial=False, turn_complete=True, content=_said(Part(text=TEXT)))
        else:
            call = FunctionCall(name="current_time", args={})
            yield LlmResponse(partial=False, turn_complete=True, content=_said(Part(function_call=call)))


TEXT = "It is late, and the pears are ripe."


def _said(part: Part) -> Content:
    return Content(role="model", parts=[part])


def current_time() -> dict[str, str]:
    """The time."""
    return {"utc": "2026-08-01T12:00:00Z", "weekday": "Saturday"}


root_agent = LlmAgent(name="bare", model=Scripted(model="scripted"), tools=[current_time])
