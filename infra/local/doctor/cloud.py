"""Everything that there is to look at in a Google Cloud project, first what the rest stands on."""

from collections.abc import Awaitable, Callable
from functools import partial

from infra.local.doctor import accounts, database, deployed_workflow, functions, machine, messages, project, research
from infra.local.doctor.context import Cloud
from infra.local.doctor.expected import FUNCTIONS, WORKFLOWS
from infra.local.doctor.finding import Check, Finding, Section

Look = Callable[[Cloud], Awaitable[Finding]]


def sections(cloud: Cloud) -> list[Section]:
    """All checks of a deployment."""

    def section(title: str, **looks: Look) -> Section:
        return Section(title, [Check(name.replace("_", " "), partial(look, cloud)) for name, look in looks.items()])

    return [
        machine.section(machine.GCLOUD, machine.TERRAFORM),
        section(
            "Project",
            Credentials=project.credentials,
            Project=project.exists,
            Billing=project.billing,
            APIs=project.apis,
        ),
        section(
            "Firestore",
            Database=database.database,
            Indexes=database.composite,
            Single_fields=database.single,
            TTL=database.ends,
        ),
        section(
            "Accounts and secrets",
            Accounts=accounts.accounts,
            Roles=partial(accounts.roles, kinds=("project",)),
            Callers=partial(accounts.roles, kinds=("function",)),
            Publishers=partial(accounts.roles, kinds=("topic", "subscription")),
            Secret_readers=partial(accounts.roles, kinds=("secret",)),
            Builder=partial(accounts.roles, kinds=("bucket", "repository")),
            Device_keys=accounts.keys,
            Gemini_key=accounts.gemini,
        ),
        section("Functions", **{name: partial(functions.deployed, name=name) for name in FUNCTIONS}),
        section("Research", Who_does_it=research.of_deployment),
        section("From outside", **{name: partial(functions.answers, name=name) for name in FUNCTIONS}),
        section(
            "Events and work",
            Trigger=messages.trigger,
            Topics=messages.topics,
            Subscriptions=messages.subscriptions,
            Dead_letters=messages.dead_letters,
            **{f"Workflow_{name}": partial(deployed_workflow.workflow, name=name) for name in WORKFLOWS},
            Scheduler=messages.job,
        ),
    ]
