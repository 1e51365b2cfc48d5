"""What Terraform plans, brought to this machine: every value as it is planned, but for the addresses in it."""

import functools
from collections.abc import Iterator
from typing import Any

from infra.gcp.proof import terraform
from tests.infra.gcp.plan import Plan


def missing() -> str:
    """Why nothing can be planned here; empty where it can."""
    return "" if terraform.installed() else "terraform is not installed"


@functools.cache
def planned() -> Plan:
    """The plan with nothing but the required variables, made once in a process."""
    result = terraform.prove()
    assert not result.problems, result.problems
    return Plan(result.plans["defaults"])


class Deployment:
    """A plan, with the functions' addresses below `origin`/run instead of at run.app."""

    def __init__(self, plan: Plan, origin: str) -> None:
        self._plan = plan
        self._addresses = {plan.address(name): f"{origin}/run/{name}" for name in plan.functions}
        template = plan.environment("api")["MEMEX_FUNCTIONS_URL"]
        self._addresses[template] = f"{origin}/run/{{name}}"
        self.functions = list(plan.functions)
        self.project = plan.environment("api")["MEMEX_PROJECT"]
        self.region = plan.environment("api")["MEMEX_REGION"]

    def here(self, text: str) -> str:
        """A planned text with the addresses of this machine."""
        for planned_address, ours in self._addresses.items():
            text = text.replace(planned_address, ours)
        return text

    def address(self, function: str) -> str:
        """Where a function is, and the audience of calls to it."""
        return self.here(self._plan.address(function))

    def environment(self, function: str) -> dict[str, str]:
        """The variables that a function starts with."""
        return {name: self.here(value) for name, value in self._plan.environment(function).items()}

    def seconds(self, function: str) -> int:
        """How long it may take for a request."""
        return int(self._plan.functions[function]["service_config"][0]["timeout_seconds"])

    def source(self, function: str) -> str:
        """The file that it is built from."""
        variables: dict[str, str] = self._plan.functions[function]["build_config"][0]["environment_variables"]
        return variables["GOOGLE_FUNCTION_SOURCE"]

    def callers(self, function: str) -> list[str]:
        """The accounts that may call it; none where it is public."""
        return [one for one in self.environment(function).get("MEMEX_CALLERS", "").split(",") if one]

    @property
    def private(self) -> list[str]:
        """The functions that nobody outside may call."""
        return [name for name in self.functions if self.callers(name)]

    @property
    def account_of_the_workflow(self) -> str:
        """Who calls the steps of research, and those of agent."""
        (account,) = [name for name in self.callers("research") if "workflow" in name]
        return account

    @property
    def workflows(self) -> list[dict[str, Any]]:
        """The workflows, each with its variables."""
        found = [values for _, values in self._plan.items("workflows_workflow")]
        return [
            {**one, "user_env_vars": {name: self.here(value) for name, value in one["user_env_vars"].items()}}
            for one in found
        ]

    @property
    def trigger(self) -> dict[str, Any]:
        """The trigger of notes."""
        return self._plan.one("eventarc_trigger")

    @property
    def job(self) -> dict[str, Any]:
        """What the scheduler calls: address and token."""
        target = self._plan.one("cloud_scheduler_job")["http_target"][0]
        token = target["oidc_token"][0]
        return {"account": token["service_account_email"], "audience": self.here(token["audience"])}

    @property
    def topics(self) -> list[str]:
        """Names of the topics, those for dead letters among them."""
        return [values["name"] for _, values in self._plan.items("pubsub_topic")]

    @property
    def subscriptions(self) -> Iterator[dict[str, Any]]:
        """The subscriptions, as planned."""
        for _, values in self._plan.items("pubsub_subscription"):
            yield values
