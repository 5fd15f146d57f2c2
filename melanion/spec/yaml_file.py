# SPDX-License-Identifier: Apache-2.0
"""A YAML file as plain values, with the line of every key: what strict loaders need to say where
an error is.

Duplicate keys, keys that are not text, anchors, aliases and tags are errors: a file must mean what
it seems to mean.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

KeyPath = tuple[str | int, ...]

_SCALARS: dict[str, Callable[[str], Any]] = {
    "str": str,
    "int": lambda text: int(text.replace("_", ""), 0),
    "float": float,
    "bool": lambda text: text.lower() == "true",
    "null": lambda _: None,
}


@dataclass
class YamlFile:
    """`name` is how messages call the file; `problems` are (line, path, sentence part)."""

    name: str
    value: Any = None
    lines: dict[KeyPath, int] = field(default_factory=dict)
    problems: list[tuple[int, KeyPath, str]] = field(default_factory=list)

    def line(self, path: KeyPath) -> int:
        """The line of a key, or of the nearest key around it; 1 for the file itself."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def key_text(path: KeyPath) -> str:
    """`commands.task_create.status[0]`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def read(path: Path, name: str) -> YamlFile:
    """Read one file.

    A file that is no YAML, or cannot be read, has one problem and the value None.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except IsADirectoryError:
        return YamlFile(
            name, problems=[(1, (), "cannot be read: this is a folder; name a .yaml file")]
        )
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        remedy = "restore the file"
        if isinstance(error, FileNotFoundError):
            remedy = "correct its path, or restore the file"
        return YamlFile(name, problems=[(1, (), f"cannot be read ({reason}); {remedy}")])
    file = _parsed(text, name)
    return YamlFile(name, _copied(file.value), dict(file.lines), list(file.problems))


def _copied(value: Any) -> Any:
    """Plain values that a caller may change; copy.deepcopy takes 19 times as long."""
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


@functools.cache
def _parsed(text: str, name: str) -> YamlFile:
    """One text once: a page reads the same definitions for many tables."""
    file = YamlFile(name)
    try:
        root = YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        line = mark.line + 1 if mark else 1
        file.problems.append((line, (), f"is not YAML ({error.problem}); correct the text there"))
        return file
    except YAMLError as error:
        file.problems.append(
            (1, (), f"is not YAML ({str(error).splitlines()[0]}); correct the text")
        )
        return file
    if root is None:
        file.problems.append((1, (), "is empty; a mapping of keys is needed"))
        return file
    file.value = _convert(file, root, (), set())
    return file


def _convert(file: YamlFile, node: Node, path: KeyPath, seen: set[int]) -> Any:
    line = node.start_mark.line + 1
    file.lines.setdefault(path, line)
    if node.anchor is not None or id(node) in seen:
        file.problems.append(
            (line, path, "uses an anchor or alias, which is not allowed; write the value out")
        )
        return None
    if isinstance(node, MappingNode):
        return _convert_mapping(file, node, path, seen | {id(node)})
    if isinstance(node, SequenceNode):
        inside = seen | {id(node)}
        return [_convert(file, child, (*path, i), inside) for i, child in enumerate(node.value)]
    assert isinstance(node, ScalarNode)
    kind = str(node.tag).rsplit(":", 1)[-1]
    if kind not in _SCALARS:
        file.problems.append(
            (line, path, f"has the tag {kind!r}; write a plain text, number or true/false")
        )
        return None
    return _SCALARS[kind](node.value)


def _convert_mapping(
    file: YamlFile, node: MappingNode, path: KeyPath, seen: set[int]
) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key_node, value_node in node.value:
        key = key_node.value
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, ScalarNode) or not str(key_node.tag).endswith(":str"):
            file.problems.append(
                (line, path, f"has the key {key!r}, which is not text; use a name as key")
            )
            continue
        here = (*path, key)
        if key in result:
            first = file.lines[here]
            file.problems.append(
                (line, here, f"is there twice (first in line {first}); remove one of the two")
            )
            continue
        file.lines[here] = line
        result[key] = _convert(file, value_node, here, seen)
    return result
