"""Makes holdfast/operations.pyi from the output of `holdfast api --json` on standard input."""

from __future__ import annotations

import json
import keyword
import sys
from typing import Any

_SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None", "array": "list[Any]",
           "object": "dict[str, Any]"}

_HEAD = '''# Generated from the table of operations by bindings/python/tools/stubs.py.
"""The operations of docs/api.md as types. There is no such module at run time: import it if TYPE_CHECKING."""

from typing import Any, Iterator, Literal, NotRequired, Protocol, TypedDict, overload

from . import Stream

'''


def _camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.replace(".", "_").replace("-", "_").split("_"))


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)


class _Module:
    """Collects the classes that the types of the table need."""

    def __init__(self) -> None:
        self.classes: list[str] = []

    def type(self, schema: dict[str, Any], name: str) -> str:
        """The type of a schema. An object with properties becomes a class with this name."""
        if "$ref" in schema:
            return _camel(schema["$ref"].rsplit("/", 1)[-1])
        if "anyOf" in schema:
            return " | ".join(dict.fromkeys(self.type(one, f"{name}{at or ''}") for at, one in enumerate(schema["anyOf"])))
        if "enum" in schema:
            return f"Literal[{', '.join(json.dumps(one) for one in schema['enum'])}]"
        kind = schema.get("type")
        if isinstance(kind, list):
            return " | ".join(self.type({**schema, "type": one}, name) for one in kind)
        if kind == "array" and "items" in schema:
            return f"list[{self.type(schema['items'], name)}]"
        if kind == "object" and "properties" in schema:
            self.add(name, schema)
            return name
        return _SIMPLE.get(kind or "", "Any")

    def add(self, name: str, schema: dict[str, Any]) -> None:
        required = set(schema.get("required", []))
        fields = {}
        for key, one in schema["properties"].items():
            inner = self.type(one, name + _camel(key))
            fields[key] = inner if key in required else f"NotRequired[{inner}]"
        if all(map(_is_name, fields)):
            body = "".join(f"    {key}: {one}\n" for key, one in fields.items()) or "    pass\n"
            self.classes.append(f"class {name}(TypedDict):\n{body}")
        else:
            body = ", ".join(f"{json.dumps(key)}: {one}" for key, one in fields.items())
            self.classes.append(f"{name} = TypedDict({json.dumps(name)}, {{{body}}})\n")

    def parameters(self, schema: dict[str, Any], name: str) -> str:
        """The parameters of a call. None counts as absent, so every optional one may be None."""
        required, given, more = set(schema.get("required", [])), [], schema.get("additionalProperties") is True
        for key, one in schema.get("properties", {}).items():
            inner = self.type(one, name + _camel(key))
            if not _is_name(key):
                more = True
            elif key in required:
                given.append(f"{key}: {inner}")
            else:
                given.append(f"{key}: {inner}{'' if inner.endswith('None') else ' | None'} = ...")
        return (", *, " + ", ".join(given) if given else "") + (", **more: Any" if more else "")


def _rows(result: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(key, one["items"]) for key, one in result.get("properties", {}).items() if "items" in one]


def stubs(api: dict[str, Any]) -> str:
    module = _Module()
    shapes = []
    for key, schema in api["$defs"].items():
        if "properties" in schema:
            module.add(_camel(key), schema)
        else:
            shapes.append(f"{_camel(key)} = {module.type(schema, _camel(key))}\n")
    calls, pages, streams = [], [], []

    def declare(to: list[str], words: list[str], params: str, result: str, summary: str) -> None:
        names = "".join(f", _{at}: Literal[{json.dumps(word)}]" for at, word in enumerate(words))
        to.append(f"    @overload\n    def __call__(self{names}, /{params}) -> {result}:\n        {summary!r}\n")

    for one in api["methods"]:
        name, method, summary = _camel(one["method"]), one["method"], one["summary"]
        params = module.parameters(one["params"], name + "Params")
        if one["kind"] == "stream":
            declare(streams, [method], params, f"Stream[{module.type(one['item'], name + 'Item')}]", summary)
            continue
        declare(calls, [method], params, module.type(one["result"], name + "Result"), summary)
        if one["kind"] == "list":
            for key, row in _rows(one["result"]):
                declare(pages, [method, key], params, f"Iterator[{module.type(row, name + 'Result' + _camel(key))}]", summary)
    codes = [one["code"] if isinstance(one, dict) else one for one in api["errors"]]
    return _HEAD + "\n".join([
        f"ErrorCode = Literal[{', '.join(map(json.dumps, codes))}]\n",
        *dict.fromkeys(module.classes), *shapes,
        *(f"class {name}(Protocol):\n{''.join(declared)}" for name, declared in (("Call", calls), ("Pages", pages), ("Streams", streams)))])


if __name__ == "__main__":
    sys.stdout.write(stubs(json.load(sys.stdin)))
