"""What connects the functions: the trigger, the topics and who hears them, what was given up, the clock's job."""

from datetime import UTC, datetime, timedelta

from infra.local.command.answers import Json, child, children, text
from infra.local.doctor.context import Cloud, name_of
from infra.local.doctor.expected import (
    FILTERS,
    JOB,
    RECORDED_AT,
    RECORDER,
    SCHEDULE,
    SUBSCRIPTIONS,
    TOLD,
    TOPICS,
    TRIGGER,
    Names,
    email,
)
from infra.local.doctor.finding import Finding, ok, problem, unknown, warning
from infra.local.doctor.google import NotThere


async def trigger(cloud: Cloud) -> Finding:
    """Whether writes of notes reach fanout: the trigger is in the region, active, and aims there."""
    path = "v1/projects/{project}/locations/{region}/triggers/" + TRIGGER
    try:
        found = await cloud.google.get(cloud.at("eventarc", path))
    except NotThere:
        return await _elsewhere(cloud)
    look = f"gcloud eventarc triggers describe {TRIGGER} --location={cloud.region} --project={cloud.project}"
    if conditions := child(found, "conditions"):
        told = "; ".join(
            text(one, "message") or text(one, "code") or key
            for key, one in ((key, child(conditions, key)) for key in conditions)
        )
        return problem(f"not active: {told[:200]}", f"{look}\n{cloud.deploy}")
    filters = {text(one, "attribute"): text(one, "value") for one in children(found, "eventFilters")}
    if other := [name for name, value in FILTERS.items() if filters.get(name) != value]:
        return problem(f"listens to something else ({', '.join(other)})", cloud.deploy)
    aim = child(child(found, "destination"), "cloudRun")
    if (text(aim, "service"), text(aim, "region")) != ("fanout", cloud.region):
        return problem(f"brings events to {text(aim, 'service') or 'nowhere'}, not to fanout", cloud.deploy)
    if text(found, "serviceAccount") != email(cloud.project, "eventarc"):
        return problem("calls fanout as somebody whom it does not let in", cloud.deploy)
    return ok(f"active in {cloud.region}")


async def _elsewhere(cloud: Cloud) -> Finding:
    everywhere = await cloud.google.list(cloud.at("eventarc", "v1/projects/{project}/locations/-/triggers"), "triggers")
    places = [
        text(one, "name").split("/locations/")[-1].partition("/")[0] for one in everywhere if name_of(one) == TRIGGER
    ]
    if places:
        where = places[0]
        delete = f"gcloud eventarc triggers delete {TRIGGER} --location={where} --project={cloud.project}"
        return problem(
            f"it is in {where}, and the database's events are in {cloud.region}", f"{delete}\n{cloud.deploy}"
        )
    return problem("there is none, so no note is ever enriched or researched by itself", cloud.deploy)


async def topics(cloud: Cloud) -> Finding:
    """Whether the topics are there, and those for what is given up."""
    url = cloud.at("pubsub", "v1/projects/{project}/topics")
    found = {name_of(one) for one in await cloud.google.list(url, "topics", pageSize="100")}
    wanted = [*TOPICS, *(f"{topic}-dead" for topic in TOPICS)]
    if missing := [topic for topic in wanted if topic not in found]:
        return problem(f"missing: {', '.join(missing)}", cloud.deploy)
    return ok(", ".join(wanted))


async def subscriptions(cloud: Cloud) -> Finding:
    """Whether each function hears what it should, and what it can't take is kept."""
    url = cloud.at("pubsub", "v1/projects/{project}/subscriptions")
    found = {name_of(one): one for one in await cloud.google.list(url, "subscriptions", pageSize="100")}
    names = await cloud.names()
    faults = [fault for name in SUBSCRIPTIONS for fault in _faults(name, found.get(name), names)]
    for topic in TOPICS:
        kept = found.get(f"{topic}-dead")
        if kept is None or text(kept, "topic").rpartition("/")[2] != f"{topic}-dead":
            faults.append(f"nothing keeps what {topic} gives up")
    faults += [fault for name in TOLD for fault in _untold(name, found.get(name), names)]
    if faults:
        return problem("; ".join(faults), cloud.deploy)
    return ok(", ".join([*SUBSCRIPTIONS, *(f"{topic}-dead" for topic in TOPICS), *TOLD]))


def _faults(name: str, told: Json | None, names: Names) -> list[str]:
    """What is wrong with the subscription of a function."""
    if told is None:
        return [f"{name} hears nothing"]
    heard = SUBSCRIPTIONS[name]
    dead = text(child(told, "deadLetterPolicy"), "deadLetterTopic").rpartition("/")[2]
    faults = _brought(name, told, names, heard.topic, name)
    if text(told, "filter") != heard.filter:
        faults.append(f"{name} has another filter")
    if dead != f"{heard.topic}-dead":
        faults.append(f"{name} keeps nothing that it gives up")
    return faults


def _untold(name: str, told: Json | None, names: Names) -> list[str]:
    """What is wrong with a subscription that brings to record what was given up."""
    if told is None:
        return [f"nobody is told what {TOLD[name].removesuffix('-dead')} gives up ({name} is missing)"]
    faults = _brought(name, told, names, TOLD[name], RECORDER, RECORDED_AT)
    return [*faults, f"{name} has a filter"] if text(told, "filter") else faults


def _brought(name: str, told: Json, names: Names, topic: str, function: str, path: str = "") -> list[str]:
    """Whether it hears that topic, and brings all to that function, as somebody whom it lets in."""
    push = child(told, "pushConfig")
    token = child(push, "oidcToken")
    called = (text(token, "serviceAccountEmail"), text(token, "audience"))
    elsewhere = text(told, "topic").rpartition("/")[2] != topic or bool(told.get("detached"))
    faults = {
        f"{name} hears another topic": elsewhere,
        f"{name} is brought elsewhere": text(push, "pushEndpoint").rstrip("/") != names.address(function) + path,
        f"{name} is called as somebody whom it does not let in": called
        != (names.email("push"), names.address(function)),
        f"{name} is not active": text(told, "state") not in ("ACTIVE", ""),
    }
    return [fault for fault, there in faults.items() if there]


async def dead_letters(cloud: Cloud) -> Finding:
    """Whether a message was given up, by the count of Cloud Monitoring."""
    now = datetime.now(UTC).replace(second=0, microsecond=0)
    waiting: dict[str, int] = {}
    for topic in TOPICS:
        metric = "pubsub.googleapis.com/subscription/num_undelivered_messages"
        told = await cloud.google.list(
            cloud.at("monitoring", "v3/projects/{project}/timeSeries"),
            "timeSeries",
            filter=f'metric.type="{metric}" AND resource.labels.subscription_id="{topic}-dead"',
            **{
                "interval.startTime": f"{now - timedelta(minutes=15):%Y-%m-%dT%H:%M:%SZ}",
                "interval.endTime": f"{now:%Y-%m-%dT%H:%M:%SZ}",
            },
        )
        points = [point for series in told for point in children(series, "points")]
        if not points:
            look = f"gcloud pubsub subscriptions pull {topic}-dead --limit=10 --project={cloud.project}"
            return unknown(f"Cloud Monitoring has not counted {topic}-dead lately", look)
        waiting[topic] = int(text(child(points[0], "value"), "int64Value") or 0)
    if found := {topic: count for topic, count in waiting.items() if count}:
        return warning(
            f"{', '.join(f'{count} in {topic}-dead' for topic, count in found.items())};"
            " tick does again what they asked for",
            "\n".join(
                f"gcloud pubsub subscriptions pull {topic}-dead --limit=10 --project={cloud.project}" for topic in found
            ),
        )
    return ok("none")


async def job(cloud: Cloud) -> Finding:
    """Whether tick is called, every quarter of an hour."""
    try:
        found = await cloud.google.get(
            cloud.at("cloudscheduler", "v1/projects/{project}/locations/{region}/jobs/" + JOB)
        )
    except NotThere:
        return problem(f"there is no job {JOB} in {cloud.region}", cloud.deploy)
    at = f"--location={cloud.region} --project={cloud.project}"
    if text(found, "state") != "ENABLED":
        return problem(
            f"{text(found, 'state').lower() or 'not enabled'}, so what a lost message asked for is never found",
            f"gcloud scheduler jobs resume {JOB} {at}",
        )
    names = await cloud.names()
    target = child(found, "httpTarget")
    token = child(target, "oidcToken")
    if text(target, "uri").rstrip("/") != names.address("tick") or text(token, "audience") != names.address("tick"):
        return problem("calls another address than tick's", cloud.deploy)
    if text(token, "serviceAccountEmail") != names.email("scheduler"):
        return problem("calls tick as somebody whom it does not let in", cloud.deploy)
    if text(found, "schedule") != SCHEDULE:
        return warning(f"comes at {text(found, 'schedule')}, not at {SCHEDULE}", cloud.deploy)
    if code := child(found, "status").get("code"):
        return warning(
            f"enabled, and the last call failed (code {code})",
            f"gcloud run services logs read tick --region={cloud.region} --project={cloud.project} --limit=50\n"
            f"gcloud scheduler jobs run {JOB} {at}",
        )
    return ok(f"enabled, {SCHEDULE}")
