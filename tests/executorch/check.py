# SPDX-License-Identifier: Apache-2.0
"""Exports, runs and checks public models with the real ExecuTorch: check.py ETLENS [--all] [MODEL...]

etlens is compared with what ExecuTorch itself reports: the Inspector's table, get_delegation_info, the exporter's memory
plan, and the Inspector's numeric gaps. Every difference is one line. The last line has the counts.
"""

import csv
import io
import json
import math
import os
import subprocess
import sys
import tempfile
import traceback
import warnings
from importlib import metadata
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "python")]
warnings.simplefilter("ignore")

LINES_GOAL = 0.97
METRICS = ("MSE", "L1", "SNR")


class Refused(Exception):
    """ExecuTorch itself cannot do this with the model."""


def etlens(*arguments):
    """What etlens prints."""
    done = subprocess.run([ETLENS, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"etlens {' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done.stdout


def one_line(error):
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"


def is_same(one, other, relative):
    if one == other:
        return True
    try:
        one, other = float(one), float(other)
    except ValueError:
        return False
    return math.isclose(one, other, rel_tol=relative, abs_tol=1e-12) or (math.isnan(one) and math.isnan(other))


def table_differences(name, ours, theirs, relative=1e-9):
    """The first differences of two tables of text."""
    rows = [list(csv.reader(io.StringIO(text), delimiter="\t")) for text in (ours, theirs)]
    if len(rows[0]) != len(rows[1]):
        return [f"{name}: {len(rows[0])} rows, the Inspector has {len(rows[1])}"]
    found = []
    for number, (mine, its) in enumerate(zip(*rows)):
        if len(mine) != len(its) or not all(is_same(a, b, relative) for a, b in zip(mine, its)):
            found.append(f"{name}, row {number}: {mine}, the Inspector has {its}")
    return found[:3]


class Case:
    """One model: exported and run in a folder."""

    def __init__(self, name, folder):
        self.name = name
        self.folder = Path(folder)

    def make(self):
        import models
        import torch

        torch.manual_seed(0)
        try:
            self.model, self.inputs = getattr(models, self.name)()
            self._export()
        except Exception as error:
            raise Refused(one_line(error)) from error

    def _export(self):
        import torch
        from etlens.export import recording
        from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
        from executorch.devtools.backend_debug import get_delegation_info
        from executorch.exir import to_edge_transform_and_lower

        with torch.no_grad(), recording(self.folder, reference=True) as self.recorded:
            program = torch.export.export(self.model, self.inputs)
            edge = to_edge_transform_and_lower(program, partitioner=[XnnpackPartitioner()])
            info = get_delegation_info(edge.exported_program().graph_module)
            self.delegation = {key: (row.delegated, row.non_delegated) for key, row in info.delegation_by_operator.items()}
            self.manager = edge.to_executorch()
            # For the Inspector's own numeric gaps.
            self.manager.get_etrecord().update_representative_inputs(list(self.inputs))
        self.record = self.recorded.programs[0].etrecord

    def run(self):
        from etlens.capture import profile

        with profile(self.recorded, self.inputs, limit="1 s") as run:
            self.dump = run.dump

    def inspector(self, dump, **more):
        from executorch.devtools import Inspector

        return Inspector(etdump_path=str(dump), etrecord=str(self.record), **more)

    def table(self):
        theirs = self.folder / "inspector.tsv"
        with open(theirs, "w") as file:
            self.inspector(self.dump).save_data_to_tsv(file)
        mine = etlens("inspect", "--compat", "--format", "tsv", "--etdump", self.dump, "--etrecord", self.record)
        return table_differences("table", mine, theirs.read_text())

    def delegated_operators(self):
        listing = json.loads(etlens("delegation", self.folder, "--format", "json", "--top", "0"))
        mine = {row["op"]: (row["delegated"], row["cpu"]) for row in listing["operators"]}
        theirs = {name: row for name, row in self.delegation.items() if name != "getitem"}
        mine.pop("getitem", None)
        names = sorted({*mine, *theirs})
        return [
            f"delegation of {name}: {mine.get(name)}, get_delegation_info has {theirs.get(name)}"
            for name in names
            if mine.get(name) != theirs.get(name)
        ]

    def lines(self):
        report = json.loads(etlens("check", self.folder, "--format", "json"))
        parts = report["reconciliation"]
        # Time of the runtime itself (dispatch, framework) belongs to no operator.
        operators = ("lines_ticks", "opaque_partition_ticks", "sizes_ticks", "unattributed_ticks")
        total = sum(parts[part] for part in operators)
        share = parts["lines_ticks"] / total if total else 0
        return [] if share >= LINES_GOAL else [f"lines: {share:.1%} of the operators' time is on lines"]

    def memory(self):
        listing = json.loads(etlens("memory", "--pte", self.folder / "model.pte", "--format", "json"))
        mine = [buffer["size"] for buffer in listing["buffers"]]
        # The first buffer is that of constants and has no size.
        theirs = list(self.manager.executorch_program.execution_plan[0].non_const_buffer_sizes)[1:]
        return [] if mine == theirs else [f"memory plan: {mine}, the exporter has {theirs}"]

    def frames(self):
        from frames import compare

        (right, known, wrong, _), _ = compare(self.model, self.inputs)
        text = f"frames: {right} of {known} operators have the innermost line of the user's code"
        return [] if known and right == known else [text, *wrong]

    def gaps(self):
        from executorch.runtime import Runtime

        dump, buffer = self.folder / "values" / "debug.etdp", self.folder / "values" / "debug.bin"
        dump.parent.mkdir()
        program = Runtime.get().load_program(
            self.folder / "model.pte", enable_etdump=True, debug_buffer_size=256 << 20
        )
        program.load_method("forward").execute(self.inputs)
        program.write_etdump_result_to_file(str(dump), str(buffer))
        found = []
        for metric in METRICS:
            found += self._gap(metric, dump, buffer)
        return found

    def _gap(self, metric, dump, buffer):
        inspector = self.inspector(dump, debug_buffer_path=str(buffer))
        try:
            theirs = inspector.calculate_numeric_gap(metric, reference_graph="edge_dialect_exported_program")
        except Exception as error:
            # It also raises where it has paired values of different operators (docs/values.md).
            print(f"{self.name}: {metric} is not compared, the Inspector raises {one_line(error)}", flush=True)
            return []
        from etlens.inspector import Inspector as WithoutTorch

        ours = WithoutTorch(dump, etrecord=self.record, debug_buffer_path=buffer)
        mine = ours.calculate_numeric_gap(metric, reference=self.folder / "reference.npz")
        rows = [[(list(handles), float(gap[0])) for handles, gap in zip(table["aot_debug_handle"], table["gap"])]
                for table in (mine, theirs)]
        if [handles for handles, _ in rows[0]] != [handles for handles, _ in rows[1]]:
            return [f"gaps {metric}: the rows are {rows[0]}, the Inspector has {rows[1]}"]
        pairs = [(a, b) for (_, a), (_, b) in zip(*rows) if not is_same(a, b, 1e-4)]
        return [f"gaps {metric}: {a}, the Inspector has {b}" for a, b in pairs[:2]]


CHECKS = ("table", "delegated_operators", "lines", "memory", "frames", "gaps")


def check(name, folder):
    """The differences of one model."""
    case = Case(name, folder)
    case.make()
    case.run()
    found = []
    for part in CHECKS:
        try:
            found += [f"{name}: {text}" for text in getattr(case, part)()]
        except Exception as error:
            traceback.print_exc()
            found.append(f"{name}: {part}: {one_line(error)}")
    return found


def main(arguments):
    import models

    wanted = [name for name in arguments if not name.startswith("--")]
    chosen = models.ALL if "--all" in arguments else models.QUICK
    names = wanted or [make.__name__ for make in chosen]
    checked = differences = skipped = 0
    for name in names:
        with tempfile.TemporaryDirectory(prefix="etlens-executorch-") as folder:
            try:
                found = check(name, folder)
            except Refused as error:
                print(f"{name}: skipped: ExecuTorch refuses it ({error})", flush=True)
                skipped += 1
                continue
            print(*found or [f"{name}: no difference"], sep="\n", flush=True)
            checked += 1
            differences += len(found)
    releases = [metadata.version(package) for package in ("executorch", "torch")]
    counts = f"{checked} models, {differences} differences, {skipped} skipped"
    print(f"executorch {releases[0]}, torch {releases[1]}: {counts}")
    return 0 if checked and not differences else 1


if __name__ == "__main__":
    ETLENS = os.environ["ETLENS_EXECUTABLE"] = os.path.abspath(sys.argv[1])
    sys.exit(main(sys.argv[2:]))
