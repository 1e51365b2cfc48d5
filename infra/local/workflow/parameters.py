"""Reading a routine's `params`. It reads no steps."""

from infra.local.workflow.expression import Literal
from infra.local.workflow.program import Parameter
from infra.local.workflow.reader import Reader
from infra.local.workflow.scopes import Place, Signature
from infra.local.workflow.source import Mapping, Source


def read_parameters(reader: Reader, top: Mapping, routine: str) -> tuple[Parameter, ...]:
    """Read one routine's parameters, and check the routine's keys on the way."""
    place = Place(routine, top.lines[routine])
    body = reader.mapping(top[routine], place, known=("params",), needs=("steps",))
    place = place.at("params", body.lines.get("params", 0))
    params = body.items.get("params") or []
    if not isinstance(params, list):
        reader.fail(place, "must be a list")
    found: dict[str, Parameter] = {}
    for at, item in enumerate(params):
        parameter = _read(reader, item, place, at)
        where = place.at(parameter.name)
        if parameter.name in found:
            reader.fail(where, f"duplicate parameter {parameter.name!r}")
        if parameter.default is None and any(one.default is not None for one in found.values()):
            reader.fail(where, "a required parameter can't follow one with a default")
        found[parameter.name] = parameter
    if routine == "main" and len(found) > 1:
        reader.fail(place, "main takes one parameter: the execution's argument")
    return tuple(found.values())


def signature_of(parameters: tuple[Parameter, ...]) -> Signature:
    """Sum up what a caller must give."""
    return Signature(
        tuple(one.name for one in parameters if one.default is None),
        tuple(one.name for one in parameters if one.default is not None),
    )


def _read(reader: Reader, source: Source, place: Place, at: int) -> Parameter:
    if not isinstance(source, Mapping):
        return Parameter(reader.name(source, place.at(at)), None)
    name, value, line = reader.single(source, place.at(at), "parameter with its default")
    where = place.at(name, line)
    default = reader.template(value, where)
    if not isinstance(default, Literal):
        reader.fail(where, "a default must be a constant")
    return Parameter(reader.name(name, where), default)
