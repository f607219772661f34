#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a large record of a real one: repeats a layer of its edge program until the JSON has a wished size.

    repeat_layers.py model.etrecord layers.3 200 large.etrecord        200 MB of JSON

Each copy has its own names, module paths and debug handles, and reads what the layer before it made. Weights are left out.
"""

import json
import sys
import zipfile

MEMBER = "edge_dialect_exported_program/forward"


def renamed(node, names, old, new, handles):
    """A copy of the node: its outputs have new names, inputs follow `names`."""
    text = json.dumps(node)
    copy = json.loads(text.replace(f",{old}.", f",{new}.").replace(f",{old},", f",{new},"))
    visit(copy, names)
    handle = copy["metadata"].get("debug_handle")
    if handle is not None:
        copy["metadata"]["debug_handle"] = type(handle)(int(handle) + handles)
    return copy


def visit(value, names):
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("name", "as_name") and isinstance(inner, str):
                value[key] = names.get(inner, inner)
            else:
                visit(inner, names)
    elif isinstance(value, list):
        for inner in value:
            visit(inner, names)


def outputs_of(node):
    for output in node["outputs"]:
        for tensor in [output.get("as_tensor"), *(output.get("as_tensors") or [])]:
            if tensor:
                yield tensor["name"]


def main():
    source, layer, megabytes, target = sys.argv[1:]
    with zipfile.ZipFile(source) as record:
        program = json.loads(record.read(MEMBER))
        members = {name: record.read(name) for name in record.namelist() if "/" not in name and "exported" not in name}
    graph = program["graph_module"]["graph"]
    nodes = graph["nodes"]
    layer_nodes = [n for n in nodes if f",{layer}," in n["metadata"].get("nn_module_stack", "")]
    made = [name for n in layer_nodes for name in outputs_of(n)]
    last = nodes.index(layer_nodes[-1])
    after = nodes[last + 1 :]
    result, names = nodes[: last + 1], {}
    values = graph["tensor_values"]
    bytes_of_copy = len(json.dumps(layer_nodes)) + sum(len(json.dumps(values[n])) + len(n) for n in made if n in values)
    copies = max(0, int(float(megabytes) * 1e6 - len(json.dumps(program))) // bytes_of_copy)
    for k in range(copies):
        path = f"{layer.rsplit('.', 1)[0]}.{1000 + k}"
        before = dict(names)
        names = {name: f"{name}_copy{k}" for name in made}
        for name in made:
            if name in values:
                values[names[name]] = values[name]
        # What the layer reads of its own output comes from the copy before.
        for node in layer_nodes:
            result.append(renamed(node, {**before, **names}, layer, path, 100000 * (k + 1)))
    graph["nodes"] = result + after
    with zipfile.ZipFile(target, "w") as record:
        for name, content in members.items():
            record.writestr(name, content)
        record.writestr(MEMBER, json.dumps(program))
    print(f"{copies} copies of {len(layer_nodes)} nodes, {len(json.dumps(program)) / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
