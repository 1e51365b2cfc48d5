"""A planned deployment, as Terraform tells it: resources by type and key, with every value that is known before."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Plan:
    """The `test_plan` of one run of `terraform test`."""

    told: dict[str, Any]

    def items(self, kind: str, name: str | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
        """Key (where there is one) and values of the resources of one type."""
        for change in self.told["resource_changes"]:
            if change["type"] == f"google_{kind}" and change["mode"] == "managed" and name in (None, change["name"]):
                yield str(change.get("index", change["name"])), change["change"]["after"]

    def one(self, kind: str, name: str | None = None) -> dict[str, Any]:
        """The only resource of a type."""
        ((_, values),) = self.items(kind, name)
        return values

    @property
    def functions(self) -> dict[str, dict[str, Any]]:
        """The functions by name."""
        return dict(self.items("cloudfunctions2_function"))

    def environment(self, function: str) -> dict[str, str]:
        """The variables that a function starts with, secrets among them by name."""
        config = self.functions[function]["service_config"][0]
        secret = {entry["key"]: "" for entry in config["secret_environment_variables"]}
        return {**config["environment_variables"], **secret}

    def address(self, function: str) -> str:
        """What the others call it by."""
        return self.environment(function)["MEMEX_FUNCTIONS_URL"].replace("{name}", function)

    def function_at(self, url: str) -> str:
        """The function that an address belongs to."""
        (found,) = [name for name in self.functions if url.rstrip("/") == self.address(name)]
        return found

    def roles(self) -> Iterator[tuple[str, str]]:
        """Every role that is given, and to whom."""
        for change in self.told["resource_changes"]:
            if change["type"].endswith("_iam_member"):
                yield change["change"]["after"]["role"], change["change"]["after"]["member"]
