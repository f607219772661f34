# SPDX-License-Identifier: Apache-2.0
"""Makes python/etlens/_rows.py, classes with attributes, from the TypedDicts of _types.py."""
import ast
import keyword
import pathlib
from typing import Dict, List, NamedTuple, Tuple

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "python" / "etlens"

HEAD = '''\
# SPDX-License-Identifier: Apache-2.0
# What `etlens … --format json` prints, as rows with attributes. Written by
# tests/python/test_rows.py (ETLENS_UPDATE=1) from _types.py.
from typing import Dict, List, Literal, Optional, Tuple, Union

from etlens._row import Row
from etlens._table import Table
'''


class Type(NamedTuple):
    fields: List[Tuple[str, ast.expr]]
    is_whole: bool  # no field may be missing


def class_name(name: str) -> str:
    name = name.lstrip("_")
    return name[:-len("View")] if name.endswith("View") else name


def types_of(tree: ast.Module) -> Dict[str, Type]:
    types: Dict[str, Type] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            fields = [(one.target.id, one.annotation) for one in node.body if isinstance(one, ast.AnnAssign)]
            types[node.name] = Type(fields, not node.keywords)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            table = node.value.args[1]
            types[node.targets[0].id] = Type([(key.value, value) for key, value in zip(table.keys, table.values)], True)
    return types


class Names(ast.NodeTransformer):
    """The rows' names in place of the types'; remembers which it met."""

    def __init__(self, types: Dict[str, Type]) -> None:
        self.types = types
        self.met: List[str] = []

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id not in self.types:
            return node
        self.met.append(class_name(node.id))
        return ast.Name(class_name(node.id))

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        before = len(self.met)
        node = self.generic_visit(node)
        if node.value.id == "List" and len(self.met) > before and isinstance(node.slice, ast.Name):
            node.value = ast.Name("Table")
        return node


def class_text(name: str, types: Dict[str, Type]) -> str:
    lines: List[str] = []
    for part in ("_" + name, name):
        for field, annotation in types[part].fields if part in types else ():
            text = ast.unparse(Names(types).visit(annotation))
            if not types[part].is_whole and not text.startswith("Optional["):
                text = f"Optional[{text}]"
            lines.append(f"    {field + '_' if keyword.iskeyword(field) else field}: {text}\n")
    return f"\n\nclass {class_name(name)}(Row):\n    __slots__ = ()\n" + "".join(lines)


def rows_text() -> str:
    types = types_of(ast.parse((PACKAGE / "_types.py").read_text(encoding="utf-8")))
    return HEAD + "".join(class_text(name, types) for name in types if not name.startswith("_"))
