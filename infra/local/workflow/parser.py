"""From text to expression tree, with the documented order of operations. It evaluates nothing.

https://cloud.google.com/workflows/docs/reference/syntax/datatypes#order-operations
"""

from infra.local.workflow.expression import (
    Binary,
    Index,
    Invoke,
    Items,
    Literal,
    Logical,
    Node,
    Unary,
    Variable,
)
from infra.local.workflow.tokens import ExpressionError, Token, tokenize, unquote
from infra.local.workflow.values import INTEGER_MAX, Value

MAX_LENGTH = 400
_MAX_DEPTH = 60

_CONSTANTS: dict[str, Value] = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
    "null": None,
}
# Either all lower or all upper case, as documented; `in` has one spelling.
_WORDS = {"and": "and", "AND": "and", "or": "or", "OR": "or", "not": "not", "NOT": "not", "in": "in"}
_COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")


def parse(text: str) -> Node:
    """Read one expression, without its `${}`."""
    parser = _Parser(text)
    node = parser.disjunction()
    parser.finish()
    return node


def parse_target(text: str) -> Node:
    """Read the left side of an assignment: a variable, or a place inside one."""
    parser = _Parser(text)
    node = parser.postfix()
    parser.finish()
    root = node
    while isinstance(root, Index):
        root = root.target
    if not isinstance(root, Variable):
        raise ExpressionError("only variables and their elements can be assigned")
    return node


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens = tokenize(text)
        self._at = 0
        self._depth = 0

    def finish(self) -> None:
        if self._token.kind != "end":
            raise ExpressionError(f"unexpected {self._token.text!r} at position {self._token.at}")

    def disjunction(self) -> Node:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ExpressionError("nested too deeply")
        node = self._conjunction()
        while self._takes_word("or"):
            node = Logical("or", node, self._conjunction())
        self._depth -= 1
        return node

    def _conjunction(self) -> Node:
        node = self._comparison()
        while self._takes_word("and"):
            node = Logical("and", node, self._comparison())
        return node

    def _comparison(self) -> Node:
        node = self._sum()
        if self._takes_word("in"):
            return Binary("in", node, self._sum())
        if sign := self._takes(*_COMPARISONS):
            return Binary(sign, node, self._sum())
        return node

    def _sum(self) -> Node:
        node = self._product()
        while sign := self._takes("+", "-"):
            node = Binary(sign, node, self._product())
        return node

    def _product(self) -> Node:
        node = self._unary()
        while sign := self._takes("*", "//", "/", "%"):
            node = Binary(sign, node, self._unary())
        return node

    def _unary(self) -> Node:
        signs: list[str] = []
        while True:
            if self._takes_word("not"):
                signs.append("not")
            elif self._takes("-"):
                signs.append("-")
            else:
                break
        node = self.postfix()
        for sign in reversed(signs):
            node = Unary(sign, node)
        return node

    def postfix(self) -> Node:
        node = self._primary()
        while sign := self._takes(".", "[", "("):
            if sign == ".":
                node = Index(node, Literal(self._name()))
            elif sign == "[":
                node = Index(node, self.disjunction())
                self._expect("]")
            else:
                node = Invoke(_function_name(node), self._list(")"))
        return node

    def _primary(self) -> Node:
        token = self._token
        self._at += 1
        if token.kind == "number":
            return Literal(_number(token))
        if token.kind == "string":
            return Literal(unquote(token.text))
        if token.kind == "name" and token.text in _CONSTANTS:
            return Literal(_CONSTANTS[token.text])
        if token.kind == "name" and token.text not in _WORDS:
            return Variable(token.text)
        if token.text == "(":
            node = self.disjunction()
            self._expect(")")
            return node
        if token.text == "[":
            return Items(self._list("]"))
        self._at -= 1
        what = repr(token.text) if token.text else "the end"
        raise ExpressionError(f"expected a value before {what} at position {token.at}")

    def _list(self, closing: str) -> tuple[Node, ...]:
        items: list[Node] = []
        while not self._takes(closing):
            if items:
                self._expect(",")
            items.append(self.disjunction())
        return tuple(items)

    @property
    def _token(self) -> Token:
        return self._tokens[self._at]

    def _takes(self, *signs: str) -> str:
        token = self._token
        if token.kind == "operator" and token.text in signs:
            self._at += 1
            return token.text
        return ""

    def _takes_word(self, word: str) -> bool:
        token = self._token
        if token.kind == "name" and _WORDS.get(token.text) == word:
            self._at += 1
            return True
        return False

    def _name(self) -> str:
        token = self._token
        if token.kind != "name":
            raise ExpressionError(f"expected a name after '.' at position {token.at}")
        self._at += 1
        return token.text

    def _expect(self, sign: str) -> None:
        if not self._takes(sign):
            found = repr(self._token.text) if self._token.text else "the end"
            raise ExpressionError(f"expected {sign!r} before {found} at position {self._token.at}")


def _number(token: Token) -> int | float:
    if token.text.isdigit():
        value = int(token.text)
        if value > INTEGER_MAX:
            raise ExpressionError(f"integer out of range: {token.text}")
        return value
    return float(token.text)


def _function_name(node: Node) -> str:
    names: list[str] = []
    while isinstance(node, Index) and isinstance(node.key, Literal) and isinstance(node.key.value, str):
        names.append(node.key.value)
        node = node.target
    if not isinstance(node, Variable):
        raise ExpressionError("only functions and subworkflows can be called")
    return ".".join([node.name, *reversed(names)])
