"""The floor for a turn of the chat; `adk api_server` wants the module `agent` to be loaded with its package."""

from . import agent as agent  # noqa: TID252  # the server imports this package as `bare`, without a parent
