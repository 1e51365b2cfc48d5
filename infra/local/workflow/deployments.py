"""The workflows that can be executed, with their environment. It runs none of them."""

from collections.abc import Callable, Collection, Mapping, Sequence

from infra.local.workflow.errors import NotFound
from infra.local.workflow.loader import load
from infra.local.workflow.machine import Machine
from infra.local.workflow.program import Workflow
from infra.local.workflow.records import Deployment
from infra.local.workflow.store import Store

_RESERVED_PREFIXES = ("GOOGLE_", "WORKFLOWS_")


class Deployments:
    """Definitions by name, and the older ones that running executions began with."""

    def __init__(
        self,
        definitions: Mapping[str, str],
        environment: Mapping[str, Mapping[str, str]],
        connectors: Collection[str],
        project: str,
        location: str,
    ) -> None:
        """Load everything; raises LoadError, and ValueError for a reserved variable."""
        self._parent = f"projects/{project}/locations/{location}/workflows"
        self._project = project
        self._location = location
        self._connectors = connectors
        self._environment = {name: dict(variables) for name, variables in environment.items()}
        for variables in self._environment.values():
            for name in variables:
                if name.startswith(_RESERVED_PREFIXES):
                    raise ValueError(f"the environment variable {name} has a reserved prefix")
        self._workflows = {name: load(source, name, connectors=connectors) for name, source in definitions.items()}
        self._created: dict[str, float] = {}

    def register(self, store: Store, now: float) -> None:
        """Note since when each definition is known."""
        for name, workflow in self._workflows.items():
            self._created[name] = store.keep_revision(name, workflow.revision, workflow.source, now)

    def find(self, name: str) -> Workflow:
        """Return a workflow; raises NotFound."""
        if name not in self._workflows:
            raise NotFound(f"workflow {name} not found")
        return self._workflows[name]

    def show(self, name: str) -> Deployment:
        """Return what the API shows of a workflow; raises NotFound."""
        workflow = self.find(name)
        return Deployment(self.full_name(name), name, workflow.revision, workflow.source, self._created[name])

    def list(self) -> Sequence[Deployment]:
        """Return all, by name."""
        return [self.show(name) for name in sorted(self._workflows)]

    def older(self, name: str, revision: str, store: Store) -> Workflow:
        """Return the definition that an execution began with; raises NotFound or LoadError."""
        current = self._workflows.get(name)
        if current is not None and current.revision == revision:
            return current
        return load(store.revision(name, revision), name, connectors=self._connectors)

    def full_name(self, name: str) -> str:
        """Return the resource name of a workflow."""
        return f"{self._parent}/{name}"

    def environment(self, name: str) -> Mapping[str, str]:
        """Return a workflow's user environment variables."""
        return self._environment.get(name, {})

    def machine(self, workflow: Workflow, execution_id: str, now: Callable[[], float]) -> Machine:
        """Prepare the machine for one execution."""
        built_in = {
            "GOOGLE_CLOUD_LOCATION": self._location,
            "GOOGLE_CLOUD_PROJECT_ID": self._project,
            "GOOGLE_CLOUD_PROJECT_NUMBER": "0",
            "GOOGLE_CLOUD_SERVICE_ACCOUNT_NAME": f"workflows@{self._project}.iam.gserviceaccount.com",
            "GOOGLE_CLOUD_WORKFLOW_EXECUTION_ATTEMPT": "1",
            "GOOGLE_CLOUD_WORKFLOW_EXECUTION_ID": execution_id,
            "GOOGLE_CLOUD_WORKFLOW_ID": workflow.name,
            "GOOGLE_CLOUD_WORKFLOW_REVISION_ID": workflow.revision,
        }
        return Machine(workflow, now, {**self.environment(workflow.name), **built_in})
