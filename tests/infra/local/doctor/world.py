"""A healthy deployment as Google's APIs describe it, to be spoilt one thing at a time."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import httpx

from infra.local.doctor import cloud, expected
from infra.local.doctor.context import Cloud
from infra.local.doctor.credentials import Identity
from infra.local.doctor.finding import Finding, examine
from infra.local.doctor.google import Google
from infra.local.doctor.machine import file_of

PROJECT, REGION, NUMBER = "memex-test", "europe-west1", "123456789012"
NAMES = expected.Names(PROJECT, REGION, NUMBER)
P, L = f"projects/{PROJECT}", f"projects/{PROJECT}/locations/{REGION}"
DATABASE = f"{P}/databases/(default)"

RESOURCES = "https://cloudresourcemanager.googleapis.com/v3"
FIRESTORE = f"https://firestore.googleapis.com/v1/{DATABASE}"
RUN = f"https://run.googleapis.com/v2/{L}/services"
PUBSUB = f"https://pubsub.googleapis.com/v1/{P}"
SECRETS = f"https://secretmanager.googleapis.com/v1/{P}/secrets"
TRIGGERS = "https://eventarc.googleapis.com/v1"
WORKFLOWS = {
    name: f"https://workflows.googleapis.com/v1/{L}/workflows/{name}" for name in ("research", "agent_task", "memory")
}
JOBS = f"https://cloudscheduler.googleapis.com/v1/{L}/jobs/tick"
APIS = f"https://serviceusage.googleapis.com/v1/{P}/services"
ACCOUNTS = f"https://iam.googleapis.com/v1/{P}/serviceAccounts"
BILLING = f"https://cloudbilling.googleapis.com/v1/{P}/billingInfo"
MONITORING = f"https://monitoring.googleapis.com/v3/{P}/timeSeries"
USERINFO = "https://openidconnect.googleapis.com/v1/userinfo"

Answer = dict[str, Any] | httpx.Response | Exception


def error(status: int, word: str, **more: Any) -> httpx.Response:
    """An error in Google's form."""
    return httpx.Response(status, json={"error": {"code": status, "message": f"{word} it is", "status": word, **more}})


NOT_FOUND = error(404, "NOT_FOUND")
FORBIDDEN = error(403, "PERMISSION_DENIED")


def disabled(service: str) -> httpx.Response:
    """What an API answers that is not enabled."""
    detail = {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "SERVICE_DISABLED",
        "domain": "googleapis.com",
        "metadata": {"service": service, "consumer": f"projects/{NUMBER}"},
    }
    return error(403, "PERMISSION_DENIED", details=[detail])


def health(function: str) -> str:
    """Where a function says that it lives."""
    return f"{NAMES.address(function)}/api/v1/health"


class World:
    """Answers by address, and who asks."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = dict(_healthy())
        for name, function in expected.FUNCTIONS.items():
            if not function.public:
                self.answers[health(name)] = httpx.Response(403, text="<html>Forbidden</html>")
        self.fetch: Callable[[], Identity] = lambda: Identity("token", personal=True)
        self.asked: list[httpx.Request] = []

    def json(self, url: str) -> dict[str, Any]:
        """An answer, to be changed."""
        answer = self.answers[url]
        assert isinstance(answer, dict)
        return answer

    def service(self, name: str) -> dict[str, Any]:
        """A function's Cloud Run service."""
        (found,) = [one for one in self.json(RUN)["services"] if one["name"].endswith(f"/{name}")]
        assert isinstance(found, dict)
        return found

    def env(self, name: str) -> list[dict[str, Any]]:
        """A function's variables."""
        env: list[dict[str, Any]] = self.service(name)["template"]["containers"][0]["env"]
        return env

    def revoke(self, url: str, member: str) -> None:
        """Take an account out of a policy."""
        for binding in self.json(url)["bindings"]:
            binding["members"] = [one for one in binding["members"] if member not in one]

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self.answers.get(str(request.url.copy_with(query=None)), NOT_FOUND)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)

    async def findings(self, section: str = "") -> dict[str, Finding]:
        """What the doctor finds in the project (or in one section), by section and check."""
        async with httpx.AsyncClient(transport=httpx.MockTransport(self._answer)) as http:
            seen = Cloud(PROJECT, REGION, Google(http, PROJECT, self.fetch), http)
            wanted = [one for one in cloud.sections(seen)[1:] if section in ("", one.title)]
            found = await examine(wanted)
        return {f"{one.section} / {one.check}": one.finding for one in found}


def _healthy() -> Iterator[tuple[str, Answer]]:
    # Fresh objects each time: a test may change them.
    for part in (_ground, _firestore, _functions, _messages, _secrets, _policies):
        yield from json.loads(json.dumps(part())).items()


def _ground() -> dict[str, Any]:
    enabled = [
        {"name": f"projects/{NUMBER}/services/{api}", "config": {"name": api, "title": "An API"}, "state": "ENABLED"}
        for api in (*expected.APIS, "serviceusage.googleapis.com")
    ]
    return {
        USERINFO: {"sub": "1", "email": "me@example.org", "email_verified": True},
        f"{RESOURCES}/{P}": {
            "name": f"projects/{NUMBER}",
            "projectId": PROJECT,
            "state": "ACTIVE",
            "displayName": "Memex",
            "createTime": "2026-11-01T10:00:00Z",
        },
        BILLING: {
            "name": f"{P}/billingInfo",
            "projectId": PROJECT,
            "billingAccountName": "billingAccounts/01A2B3-C4D5E6-F7A8B9",
            "billingEnabled": True,
        },
        APIS: {"services": enabled},
        ACCOUNTS: {
            "accounts": [
                {
                    "name": f"{P}/serviceAccounts/{NAMES.email(account)}",
                    "projectId": PROJECT,
                    "uniqueId": "1",
                    "email": NAMES.email(account),
                    "displayName": f"Memex {account}",
                }
                for account in expected.ACCOUNTS
            ]
        },
    }


def _way(kept: str) -> dict[str, str]:
    return {"arrayConfig": kept} if kept == "CONTAINS" else {"order": kept}


def _firestore() -> dict[str, Any]:
    groups = f"{DATABASE}/collectionGroups"
    composite = [
        {
            "name": f"{groups}/{index.collection}/indexes/CICAgO{at}",
            "queryScope": index.scope,
            "fields": [
                *({"fieldPath": field.path, **_way(field.kept)} for field in index.fields),
                {"fieldPath": "__name__", "order": "DESCENDING"},
            ],
            "state": "READY",
        }
        for at, index in enumerate(expected.indexes())
    ]
    fields = [
        {
            "name": f"{groups}/{collection}/fields/{field}",
            "indexConfig": {
                "indexes": [
                    {"queryScope": scope, "fields": [{"fieldPath": field, **_way(kept)}], "state": "READY"}
                    for scope, kept in sorted(ways)
                ]
            }
            if ways
            else {},
        }
        for (collection, field), ways in expected.overrides().items()
    ]
    ends = [
        {"name": f"{groups}/{collection}/fields/{field}", "indexConfig": {}, "ttlConfig": {"state": "ACTIVE"}}
        for collection, field in expected.TTL
    ]
    default = {"name": f"{groups}/__default__/fields/*", "indexConfig": {"indexes": []}}
    return {
        FIRESTORE: {
            "name": DATABASE,
            "uid": "1",
            "locationId": REGION,
            "type": "FIRESTORE_NATIVE",
            "concurrencyMode": "PESSIMISTIC",
            "deleteProtectionState": "DELETE_PROTECTION_ENABLED",
        },
        f"{FIRESTORE}/collectionGroups/-/indexes": {"indexes": composite},
        f"{FIRESTORE}/collectionGroups/-/fields": {"fields": [default, *fields, *ends]},
    }


def _functions() -> dict[str, Any]:
    return {
        RUN: {"services": [_service(name) for name in expected.FUNCTIONS]},
        **{health(name): {"status": "ok"} for name in expected.FUNCTIONS},
    }


def _service(name: str) -> dict[str, Any]:
    env = [{"name": key, "value": value} for key, value in NAMES.environment(name).items()]
    env.append({"name": "MEMEX_VERTEX_PROJECT", "value": PROJECT})
    public = expected.FUNCTIONS[name].public
    return {
        "name": f"{L}/services/{name}",
        "uid": "1",
        "generation": "1",
        "ingress": "INGRESS_TRAFFIC_ALL" if public else "INGRESS_TRAFFIC_INTERNAL_ONLY",
        "template": {
            "serviceAccount": NAMES.email(name),
            "timeout": "60s",
            "containers": [{"name": "worker", "image": "europe-west1-docker.pkg.dev/x", "env": env}],
        },
        "latestReadyRevision": f"{L}/services/{name}/revisions/{name}-00001-abc",
        "terminalCondition": {"type": "Ready", "state": "CONDITION_SUCCEEDED"},
        "uri": f"https://{name}-abcdefghij-ew.a.run.app",
        "urls": [NAMES.address(name)],
    }


def _messages() -> dict[str, Any]:
    pushes = [
        {
            "name": f"{P}/subscriptions/{name}",
            "topic": f"{P}/topics/{heard.topic}",
            "pushConfig": {
                "pushEndpoint": f"{NAMES.address(name)}/",
                "oidcToken": {"serviceAccountEmail": NAMES.email("push"), "audience": NAMES.address(name)},
            },
            "ackDeadlineSeconds": 300,
            "messageRetentionDuration": "604800s",
            "expirationPolicy": {},
            **({"filter": heard.filter} if heard.filter else {}),
            "deadLetterPolicy": {"deadLetterTopic": f"{P}/topics/{heard.topic}-dead", "maxDeliveryAttempts": 10},
            "retryPolicy": {"minimumBackoff": "10s", "maximumBackoff": "600s"},
            "state": "ACTIVE",
        }
        for name, heard in expected.SUBSCRIPTIONS.items()
    ]
    dead = [
        {"name": f"{P}/subscriptions/{topic}-dead", "topic": f"{P}/topics/{topic}-dead", "state": "ACTIVE"}
        for topic in expected.TOPICS
    ]
    told = [
        {
            "name": f"{P}/subscriptions/{topic}-told",
            "topic": f"{P}/topics/{topic}-dead",
            "pushConfig": {
                "pushEndpoint": f"{NAMES.address('dispatch')}/dead",
                "oidcToken": {"serviceAccountEmail": NAMES.email("push"), "audience": NAMES.address("dispatch")},
            },
            "ackDeadlineSeconds": 60,
            "state": "ACTIVE",
        }
        for topic in expected.TOPICS
    ]
    count = {
        "metric": {"type": "pubsub.googleapis.com/subscription/num_undelivered_messages"},
        "resource": {"type": "pubsub_subscription", "labels": {"project_id": PROJECT}},
        "metricKind": "GAUGE",
        "valueType": "INT64",
        "points": [
            {
                "interval": {"startTime": "2026-11-30T10:00:00Z", "endTime": "2026-11-30T10:00:00Z"},
                "value": {"int64Value": "0"},
            }
        ],
    }
    call = {"serviceAccountEmail": NAMES.email("scheduler"), "audience": NAMES.address("tick")}
    return {
        f"{PUBSUB}/topics": {
            "topics": [{"name": f"{P}/topics/{name}{end}"} for name in expected.TOPICS for end in ("", "-dead")]
        },
        f"{PUBSUB}/subscriptions": {"subscriptions": [*pushes, *told, *dead]},
        MONITORING: {"timeSeries": [count], "unit": "1"},
        f"{TRIGGERS}/{L}/triggers/notes": trigger(REGION),
        f"{TRIGGERS}/{P}/locations/-/triggers": {"triggers": [trigger(REGION)]},
        **{WORKFLOWS[name]: _workflow(name) for name in expected.WORKFLOWS},
        JOBS: {
            "name": f"{L}/jobs/tick",
            "httpTarget": {"uri": f"{NAMES.address('tick')}/", "httpMethod": "POST", "oidcToken": call},
            "state": "ENABLED",
            "status": {},
            "schedule": "*/15 * * * *",
            "timeZone": "Etc/UTC",
            "lastAttemptTime": "2026-11-30T10:00:00Z",
            "attemptDeadline": "600s",
        },
    }


def _workflow(name: str) -> dict[str, Any]:
    return {
        "name": f"{L}/workflows/{name}",
        "state": "ACTIVE",
        "revisionId": "000001-abc",
        "serviceAccount": f"{P}/serviceAccounts/{NAMES.email('workflow')}",
        "sourceContents": file_of(name).read_text(),
        "callLogLevel": "LOG_ERRORS_ONLY",
        "userEnvVars": NAMES.variables(name),
    }


def trigger(region: str) -> dict[str, Any]:
    """The trigger, somewhere."""
    return {
        "name": f"{P}/locations/{region}/triggers/notes",
        "uid": "1",
        "eventFilters": [
            {
                "attribute": name,
                "value": value,
                **({"operator": "match-path-pattern"} if name == "document" else {}),
            }
            for name, value in expected.FILTERS.items()
        ],
        "serviceAccount": NAMES.email("eventarc"),
        "destination": {"cloudRun": {"service": "fanout", "path": "/", "region": region}},
        "transport": {"pubsub": {"topic": f"{P}/topics/eventarc-x", "subscription": f"{P}/subscriptions/eventarc-x"}},
        "eventDataContentType": "application/protobuf",
    }


def versions(name: str, *states: str) -> dict[str, Any]:
    """Versions of a secret, the first first; the API lists the newest first."""
    told = [
        {"name": f"projects/{NUMBER}/secrets/{name}/versions/{at}", "state": state}
        for at, state in enumerate(states, 1)
    ]
    return {"versions": told[::-1], "totalSize": len(told)}


def _secrets() -> dict[str, Any]:
    return {f"{SECRETS}/memex-device-keys/versions": versions("memex-device-keys", "DESTROYED", "ENABLED")}


def policy_url(kind: str, name: str) -> str:
    """Where the policy of a thing is read."""
    return {
        "project": f"{RESOURCES}/{P}:getIamPolicy",
        "function": f"{RUN}/{name}:getIamPolicy",
        "topic": f"{PUBSUB}/topics/{name}:getIamPolicy",
        "subscription": f"{PUBSUB}/subscriptions/{name}:getIamPolicy",
        "secret": f"{SECRETS}/{name}:getIamPolicy",
        "bucket": f"https://storage.googleapis.com/storage/v1/b/{name}/iam",
        "repository": f"https://artifactregistry.googleapis.com/v1/{L}/repositories/{name}:getIamPolicy",
    }[kind]


def _policies() -> dict[str, Any]:
    given: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for grant in sorted(NAMES.grants):
        given[policy_url(grant.kind, grant.name)][grant.role].append(grant.member)
    return {
        url: {
            "version": 1,
            "etag": "BwX=",
            "bindings": [{"role": role, "members": members} for role, members in roles.items()],
        }
        for url, roles in given.items()
    }
