"""Whose memories are meant: the scope, made once from who signed in, and the opaque references that stand for names.

Nothing a model wrote, and nothing out of a request's body, ever becomes part of a scope.
"""

import hmac
import json
from collections.abc import Mapping
from hashlib import sha256
from urllib.parse import quote

Scope = Mapping[str, str]

APP = "memex"
CANARY = "memex-canary"
"""The canary's own app: no person's scope has this key set with this value."""


def scope_of(tenant: str, subject: str) -> Scope:
    """The scope of one person. Different people never share one: what the service forbids in it is escaped."""
    # The service takes no asterisk. Nothing is folded (case, forms of a letter): two people would become one.
    return {"app_name": APP, "tenant": tenant, "user_id": quote(subject, safe="@ ")}


def canary_scope(run: str) -> Scope:
    """The scope of one run of the canary, which is nobody's."""
    return {"app_name": CANARY, "user_id": f"canary-{run}"}


def canonical(scope: Scope) -> str:
    """The scope as text, whatever the order of its keys."""
    return json.dumps(dict(scope), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class References:
    """Salted hashes of a tenant's names. They say what is the same, and to nobody without the salt what it is.

    A hash makes a weak name no stronger: whoever has the salt can try all names. So the salt stays in the store.
    """

    def __init__(self, salt: str) -> None:
        self._salt = bytes.fromhex(salt)

    def scope(self, scope: Scope) -> str:
        """Of a scope."""
        return self._of("scope", canonical(scope))

    def memory(self, name: str) -> str:
        """Of a memory's full name."""
        return self._of("memory", name)

    def operation(self, name: str) -> str:
        """Of the full name of the service's operation."""
        return self._of("operation", name)

    def _of(self, kind: str, text: str) -> str:
        return hmac.new(self._salt, f"{kind}\x1f{text}".encode(errors="surrogatepass"), sha256).hexdigest()[:32]
