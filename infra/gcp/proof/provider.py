"""A stand-in for the Google provider: serves the recorded schema to the real Terraform, and reaches nothing.

It speaks Terraform's provider protocol (https://developer.hashicorp.com/terraform/plugin/terraform-plugin-protocol)
as far as init, validate and test with mocks ask: the schema, and whether a resource's values can be right.
"""

import contextlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import msgpack

from infra.gcp.proof.schema import Attribute, Block, Nested, Schema

Field = tuple[int, int | str | bytes]
NESTING = {"single": 1, "list": 2, "set": 3}


# -- protobuf, as much of it as is needed: numbers, and what has a length --------------------------------------


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def encode(*fields: Field) -> bytes:
    """A message of numbered fields."""
    out = bytearray()
    for number, value in fields:
        if isinstance(value, int):
            out += _varint(number << 3) + _varint(value)
        else:
            raw = value.encode() if isinstance(value, str) else value
            out += _varint(number << 3 | 2) + _varint(len(raw)) + raw
    return bytes(out)


def decode(message: bytes) -> dict[int, bytes]:
    """The fields of a message that have a length; of several with one number the last."""
    found: dict[int, bytes] = {}
    at = 0

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        key = number()
        size = number()
        if key & 7 == 2:
            found[key >> 3] = message[at : at + size]
            at += size
    return found


# -- the schema ------------------------------------------------------------------------------------------------


def _attribute(name: str, attribute: Attribute) -> bytes:
    flags = [(4, "r"), (5, "o"), (6, "c")]
    return encode(
        (1, name), (2, json.dumps(attribute.type)), *((number, 1) for number, flag in flags if flag in attribute.flags)
    )


def _nested(name: str, nested: Nested) -> bytes:
    return encode(
        (1, name), (2, _block(nested.block)), (3, NESTING[nested.nesting]), (4, nested.least), (5, nested.most)
    )


def _block(block: Block) -> bytes:
    return encode(
        *((2, _attribute(name, attribute)) for name, attribute in sorted(block.attributes.items())),
        *((3, _nested(name, nested)) for name, nested in sorted(block.blocks.items())),
    )


def _answer(schema: Schema) -> bytes:
    def entry(name: str, block: Block) -> bytes:
        return encode((1, name), (2, encode((2, _block(block)))))

    return encode(
        (1, encode((2, _block(schema.provider)))),
        *((2, entry(name, block)) for name, block in schema.resources.items()),
        *((3, entry(name, block)) for name, block in schema.data.items()),
    )


# -- what the real provider would refuse, beyond what Terraform finds by itself --------------------------------


def faults(config: Mapping[str, Any], block: Block, where: str = "") -> Iterator[str]:
    """Read-only attributes that are set, and values that the documentation does not list."""
    for name, value in config.items():
        here = f"{where}.{name}" if where else name
        if value is None or isinstance(value, msgpack.ExtType):
            continue
        if nested := block.blocks.get(name):
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, dict):
                    yield from faults(item, nested.block, here)
            continue
        attribute = block.attributes[name]
        if attribute.flags == "c":
            yield f"{here} is set by Google and can't be set here"
        elif attribute.values and isinstance(value, str) and value and value not in attribute.values:
            yield f"{here} is {value!r}; it may be {', '.join(attribute.values)}"


def _validated(request: bytes, schema: Schema) -> bytes:
    fields = decode(request)
    kind = fields[1].decode()
    # strict_map_key: Terraform's own encoder writes text; unknown values come as an extension.
    config = msgpack.unpackb(decode(fields[2])[1], strict_map_key=False)
    return encode(
        *((1, encode((1, 1), (2, f"{kind}: {fault}"))) for fault in faults(config, schema.resources[kind])),
    )


# -- the server ------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def serving(schema: Schema, folder: Path) -> Iterator[dict[str, str]]:
    """Serve from a socket in a folder; the environment in which Terraform takes it for the Google provider."""
    answer = _answer(schema)

    def constant(value: bytes) -> Callable[[bytes, grpc.ServicerContext], bytes]:
        return lambda _request, _context: value

    methods: dict[str, Callable[[bytes, grpc.ServicerContext], bytes]] = {
        "GetProviderSchema": constant(answer),
        "ValidateResourceConfig": lambda request, _context: _validated(request, schema),
        **{
            name: constant(b"")
            for name in ("ValidateProviderConfig", "ConfigureProvider", "StopProvider", "ValidateDataResourceConfig")
        },
    }
    server = grpc.server(ThreadPoolExecutor(4))
    handlers = {name: grpc.unary_unary_rpc_method_handler(method) for name, method in methods.items()}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("tfplugin6.Provider", handlers),))
    socket = folder / "google.sock"
    server.add_insecure_port(f"unix:{socket}")
    server.start()
    attached = {
        "hashicorp/google": {
            "Protocol": "grpc",
            "ProtocolVersion": 6,
            "Pid": os.getpid(),
            "Test": True,
            "Addr": {"Network": "unix", "String": str(socket)},
        }
    }
    try:
        yield {
            "TF_REATTACH_PROVIDERS": json.dumps(attached),
            "TF_DATA_DIR": str(folder / "data"),
            "TF_CLI_CONFIG_FILE": os.devnull,
            "CHECKPOINT_DISABLE": "1",
        }
    finally:
        server.stop(None).wait()
