# SPDX-License-Identifier: Apache-2.0
"""A YAML file against a pydantic model: every error as one sentence with file, line, key, value,
what is allowed, remedy.

What is allowed is read from the model's JSON schema, so that a message can never differ from the
check.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from melanion.errors import meant
from melanion.spec.yaml_file import KeyPath, YamlFile, key_text

Model = TypeVar("Model", bound=BaseModel)

# Meaning of each pattern of a schema, in words. A pattern without words is a defect
# (tests/spec/test_spec.py).
PATTERN_WORDS: dict[str, str] = {}

_TYPE_WORDS = {
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping of keys",
    "null": "nothing",
}


def sentence(file: YamlFile, path: KeyPath, rest: str, line: int | None = None) -> str:
    """`spec/kernels.yaml:7: kernels.sw.unit is …; ….` What is no text of a file has no line."""
    number = file.line(path) if line is None else line
    where = f"{file.name}:{number}" if file.lines or file.value is None else file.name
    return f"{where}: {key_text(path) or 'the file'} {rest}."


def check(model: type[Model], file: YamlFile) -> tuple[Model | None, list[str]]:
    """The file as a model (None when it is wrong), and the sentences about it, in order of line."""
    found = [(line, sentence(file, path, rest, line)) for line, path, rest in file.problems]
    if file.value is None:
        return None, [text for _, text in found]
    value: Model | None = None
    try:
        value = model.model_validate(file.value)
    except ValidationError as error:
        schema = model.model_json_schema(by_alias=True)
        for detail in error.errors(include_url=False):
            path, rest = _explain(schema, detail["loc"], detail["type"], detail["input"])
            found.append((file.line(path), sentence(file, path, rest)))
    # Each once: a value that fits no type of a union is reported once per type.
    found = sorted(dict.fromkeys(found), key=lambda entry: entry[0])
    return (None if found else value), [text for _, text in found]


def _explain(
    schema: dict[str, Any], loc: tuple[str | int, ...], kind: str, value: object
) -> tuple[KeyPath, str]:
    if loc and loc[-1] == "[key]":
        path = loc[:-1]
        words = " or ".join(PATTERN_WORDS[p] for p in _at(schema, path[:-1])["patternProperties"])
        return path, f"is not a name that is allowed here ({words}); rename it"
    if kind == "extra_forbidden":
        known = list(_at(schema, loc[:-1]).get("properties", {}))
        return (
            loc,
            f"is an unknown key; known here are {', '.join(known)}; {_remedy(str(loc[-1]), known)}",
        )
    loc = _without_union_tags(schema, loc)
    node = _at(schema, loc)
    if kind == "missing":
        return loc, f"is missing; add it: {allowed(node)}"
    shown = hex(value) if _is_address(node) and type(value) is int else show(value)
    return loc, f"is {shown}; allowed is {allowed(node)}; correct the value"


def _without_union_tags(schema: dict[str, Any], loc: KeyPath) -> KeyPath:
    """The key path alone: for a union pydantic puts the type that did not fit at its end."""
    for end in range(len(loc)):
        if "anyOf" in _at(schema, loc[:end]):
            return loc[:end]
    return loc


def _remedy(key: str, known: Iterable[str]) -> str:
    return meant(key, known, "remove it")


def show(value: object) -> str:
    """A value as a message shows it."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "an empty list" if not value else "a list"
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value)


def _at(schema: dict[str, Any], path: KeyPath) -> dict[str, Any]:
    node = _resolve(schema, schema)
    for step in path:
        if isinstance(step, int):
            node = node["items"]
        elif step in node.get("properties", {}):
            node = node["properties"][step]
        elif "patternProperties" in node:
            node = next(iter(node["patternProperties"].values()))
        else:
            node = node.get("additionalProperties") or {}
        node = _resolve(schema, node)
    return node


def _resolve(schema: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        node = schema["$defs"][node["$ref"].rsplit("/", 1)[-1]]
    choices = [choice for choice in node.get("anyOf", []) if choice.get("type") != "null"]
    return _resolve(schema, choices[0]) if len(choices) == 1 else node


def allowed(node: dict[str, Any]) -> str:
    """Values that a schema node allows, in words."""
    if "const" in node:
        return show(node["const"]).strip("'")
    if "enum" in node:
        return ", ".join(show(choice).strip("'") for choice in node["enum"])
    if "anyOf" in node:
        return " or ".join(allowed(choice) for choice in node["anyOf"])
    if "pattern" in node:
        return PATTERN_WORDS[node["pattern"]]
    kind = str(node.get("type", "string"))
    if kind == "integer":
        return _allowed_integer(node)
    words = _TYPE_WORDS[kind]
    if node.get("minLength") or node.get("minItems"):
        words += ", not empty"
    if "maxItems" in node:
        words += f", of at most {node['maxItems']}"
    return words


def _is_address(node: dict[str, Any]) -> bool:
    """Numbers with an alignment are addresses and offsets: people write them in hexadecimal."""
    return "multipleOf" in node


def _allowed_integer(node: dict[str, Any]) -> str:
    write = hex if _is_address(node) else str
    low = node.get("minimum")
    high = node["exclusiveMaximum"] - 1 if "exclusiveMaximum" in node else node.get("maximum")
    words = "a whole number"
    if low is not None and high is not None:
        words += f" {write(low)} … {write(high)}"
    elif low is not None:
        words += f", at least {write(low)}"
    elif high is not None:
        words += f", at most {write(high)}"
    if "multipleOf" in node:
        words += f", a multiple of {write(node['multipleOf'])}"
    return words
