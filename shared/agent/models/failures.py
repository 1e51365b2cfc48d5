"""The words for a model's answer that is of no use. None of them repeats what the model or its service wrote."""

from shared.agent.model import ModelFailed


def empty() -> ModelFailed:
    """It answered with neither text nor a call."""
    return ModelFailed("The model answered with nothing.", code="model_empty", next="Ask again, or in other words.")


def refused(why: str = "") -> ModelFailed:
    """It, or a filter of its service, declined; `why` is the service's own word for it."""
    return ModelFailed(
        f"The model refused to answer{f' ({why})' if why else ''}.",
        code="model_refused",
        next="Ask in other words, or choose another model.",
    )


def malformed(why: str) -> ModelFailed:
    """Its answer can't be read."""
    return ModelFailed(
        f"The model's answer can't be used: {why}.",
        code="model_malformed",
        next="Ask again; if it stays so, choose another model.",
    )


def cut(why: str = "it reached its limit of tokens") -> ModelFailed:
    """Its answer ended before it was whole: half an answer must not pass for one, and half a call never runs."""
    return ModelFailed(
        f"The model's answer was cut off: {why}.",
        code="model_cut",
        next="Ask for something shorter, or choose another model.",
    )


def rejected(status: int, next: str) -> ModelFailed:
    """Its service does not take our request, and would not take it a second time either."""
    return ModelFailed(
        f"The model's service refused the request (HTTP {status}).",
        code="model_rejected",
        next=next,
        upstream_status=status,
    )
