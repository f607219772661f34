# SPDX-License-Identifier: Apache-2.0
"""The drop-in Inspector against what ExecuTorch's own printed for the same artifacts: tests/data, and ETLENS_CORPUS."""
import csv
import gzip
import importlib.util
import io
import json
import math
import os
import pathlib
import re
import tempfile
import unittest
import warnings

import etlens
from etlens._perf_data import elapsed, end_of, fits_32_bits
from etlens.inspector import Inspector, PerfData, TimeScale
from support import DATA, EXAMPLES

HAS_PANDAS = importlib.util.find_spec("pandas") is not None
MLP = DATA / "release-1.5" / "mlp-portable-fp32"


def close(a, b):
    return a is b is None or (a is not None and b is not None and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12))


def release_of(folder):
    for part in reversed(folder.parts):
        found = re.fullmatch(r"(?:release-|v)(\d+\.\d+)", part)
        if found:
            return found[1]
    return "1.5"


def existing(folder, *names):
    return next((folder / name for name in names if name and (folder / name).exists()), None)


def read(path):
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


class Case:
    """One dump, its record, and what ExecuTorch's Inspector of a release printed."""

    def __init__(self, folder, path, oracle):
        stem = path.name.split(".json")[0]
        pair = stem.split(".")[0]
        self.name = f"{folder.name}/{path.name}"
        self.oracle = oracle
        self.release = release_of(folder)
        self.tsv = existing(path.parent, stem + ".tsv")
        if "etdump" in oracle:
            self.etdump = existing(folder, oracle["etdump"])
            self.etrecord = existing(folder, oracle["etrecord"], "model.etrecord", "bundled.etrecord") if oracle["etrecord"] else None
            self.debug_buffer = existing(folder, oracle["debug_buffer"])
        else:
            self.etdump = existing(folder, pair + ".etdp", pair + ".etdump", pair + ".etdp.gz")
            self.etrecord = None if "no-etrecord" in path.name else existing(folder, "model.etrecord")
            self.debug_buffer = existing(folder, pair + ".bin")

    def open(self):
        files = {"etdump_data": read(self.etdump)} if self.etdump.suffix == ".gz" else {"etdump_path": str(self.etdump)}
        return Inspector(**files, etrecord=str(self.etrecord) if self.etrecord else None,
                         debug_buffer_path=self.debug_buffer, release=self.release)

    def text(self, value):
        return self.oracle["table"][value] if isinstance(value, int) and "table" in self.oracle else value


def cases():
    roots = [DATA] + [pathlib.Path(root) for root in [os.environ.get("ETLENS_CORPUS")] if root]
    for root in roots:
        for path in sorted(root.rglob("oracle/*.json*")):
            if path.name == "nodes.json" or "numeric_gap" in path.name or "as-forward" in path.name:
                continue
            oracle = json.loads(read(path))
            case = Case(path.parent.parent, path, oracle) if oracle.get("event_blocks") else None
            if case and case.etdump:
                yield case


def difference_of_event(event, want, case):
    """What differs; "" if nothing does."""
    perf = want.get("perf_data")
    if (perf is None) != (event.perf_data is None):
        return "perf_data"
    if perf:
        raw = event.perf_data.raw
        if perf.get("raw") is not None and not (len(raw) == len(perf["raw"]) and all(map(close, raw, perf["raw"]))):
            return "raw"
        for name in ("p10", "p50", "p90", "avg", "min", "max"):
            if name in perf and perf[name] is not None and not close(getattr(event.perf_data, name), perf[name]):
                return name
            computed = PerfData(raw)
            if name in perf and perf[name] is not None and not close(getattr(computed, name), perf[name]):
                return name + ", computed here"
    for name in ("name", "op_types", "is_delegated_op", "delegate_debug_identifier", "delegate_backend_name"):
        if getattr(event, name) != want[name]:
            return name
    handles = want["debug_handles"]
    if event.debug_handles != ([handles] if isinstance(handles, int) else handles):
        return "debug_handles"
    if want.get("start_time") is not None and event.start_time != want["start_time"]:
        return "start_time"
    traces = want["stack_traces"] or {}
    if set(event.stack_traces) != set(traces):
        return "stack_traces"
    if isinstance(traces, dict) and any(case.text(text) is not None and event.stack_traces[node] != case.text(text)
                                        for node, text in traces.items()):
        return "text of stack_traces"
    modules = want["module_hierarchy"] or {}
    if set(event.module_hierarchy) != set(modules):
        return "module_hierarchy"
    for node, value in modules.items() if isinstance(modules, dict) else ():
        value = case.text(value)
        if isinstance(value, dict) and list(value) == ["_empty_nn_module_stack_from_metadata_hook"]:
            value = {}  # what torch writes for "no modules"; etlens has None (docs/python.md)
        if isinstance(value, dict) and {key: list(pair) for key, pair in (event.module_hierarchy[node] or {}).items()} != \
                {key: list(pair) for key, pair in value.items()}:
            return "module_hierarchy of " + node
    return ""


def same_cell(a, b):
    if a == b:
        return True
    try:
        return close(float(a), float(b))
    except ValueError:
        return False


class Oracle(unittest.TestCase):
    def test_every_case(self):
        compared = tables = totals = 0
        for case in cases():
            with self.subTest(case.name), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                inspector = case.open()
                want = case.oracle["event_blocks"]
                self.assertEqual([block.name for block in inspector.event_blocks], [block["name"] for block in want])
                for block, one in zip(inspector.event_blocks, want):
                    self.assertEqual(len(block.events), len(one["events"]))
                    for place, event in enumerate(block.events):
                        self.assertEqual(difference_of_event(event, one["events"][place], case), "",
                                         f"{block.name} event {place} {event.name}")
                compared += 1
                if case.tsv:
                    tables += 1
                    out = io.StringIO()
                    inspector.save_data_to_tsv(out)
                    got = list(csv.reader(io.StringIO(out.getvalue()), delimiter="\t"))
                    expected = list(csv.reader(io.StringIO(case.tsv.read_text()), delimiter="\t"))
                    self.assertEqual((got[0], len(got)), (expected[0], len(expected)))
                    for row, row_expected in zip(got, expected):
                        self.assertTrue(len(row) == len(row_expected) and all(map(same_cell, row, row_expected)), (row, row_expected))
                for module, total in (case.oracle.get("find_total_for_module") or {}).items():
                    if isinstance(total, (int, float)):
                        self.assertTrue(close(inspector.find_total_for_module(module), total), module)
                        totals += 1
                if HAS_PANDAS:
                    self.check_frame(inspector, want, case)
        self.assertGreaterEqual(compared, 15)
        self.assertGreaterEqual(tables, 5)
        self.assertGreaterEqual(totals, 20)

    def check_frame(self, inspector, want, case):
        table = inspector.to_dataframe()
        events = [event for block in want for event in block["events"]]
        columns = ["event_block_name", "event_name", "raw", "p10 (ms)", "p50 (ms)", "p90 (ms)", "avg (ms)", "min (ms)", "max (ms)",
                   "op_types", "delegate_debug_identifier", "stack_traces", "module_hierarchy", "is_delegated_op",
                   "delegate_backend_name", "debug_data"] + \
            (["start_time"] if tuple(map(int, case.release.split("."))) >= (0, 7) else [])
        self.assertEqual(list(table.columns), columns)
        self.assertEqual(list(table["event_name"]), [event["name"] for event in events])
        self.assertEqual(list(table["event_block_name"]), [block["name"] for block in want for _ in block["events"]])
        self.assertEqual(list(table["delegate_debug_identifier"]), [event["delegate_debug_identifier"] for event in events])
        for name in ("p10", "p50", "p90", "avg", "min", "max"):
            for got, event in zip(table[f"{name} (ms)"], events):
                perf = event.get("perf_data") or {}
                if name in perf:
                    self.assertTrue(close(got, perf[name]))


class Calls(unittest.TestCase):
    def open(self, **more):
        return Inspector(str(MLP / "run10.etdp"), etrecord=str(MLP / "model.etrecord"), **more)

    def test_bytes_are_as_a_file(self):
        data = Inspector(etdump_data=(MLP / "run10.etdp").read_bytes(), etrecord=MLP / "model.etrecord")
        self.assertEqual(data.event_blocks, self.open().event_blocks)

    def test_record_object(self):
        class Record:
            def save(self, path):
                pathlib.Path(path).write_bytes((MLP / "model.etrecord").read_bytes())
        self.assertEqual(Inspector(MLP / "run10.etdp", etrecord=Record()).event_blocks, self.open().event_blocks)

    def test_without_record(self):
        # One lies next to the dump; ExecuTorch's Inspector would not find it either.
        self.assertTrue(all(not event.op_types for block in Inspector(MLP / "run10.etdp").event_blocks for event in block.events))

    def test_wrong_calls(self):
        with self.assertRaises(ValueError):
            Inspector()
        with self.assertRaises(ValueError):
            Inspector("a", b"b")
        with self.assertRaises(RuntimeError):
            self.open(source_time_scale=TimeScale.CYCLES)
        with self.assertRaises(TypeError):
            Inspector("a", etrecord=1)
        with self.assertRaises(etlens.Error) as caught:
            Inspector("/no/such.etdp")
        self.assertEqual(caught.exception.file, "/no/such.etdp")
        with self.assertRaises(etlens.Error):
            self.open(release="newest")
        with self.assertRaises(etlens.Error) as caught:
            self.open().get_exported_program()
        self.assertIn("torch", str(caught.exception))

    def test_scales(self):
        slow = self.open(target_time_scale=TimeScale.US).event_blocks[1].events[0].perf_data.avg
        self.assertTrue(close(slow, self.open().event_blocks[1].events[0].perf_data.avg * 1000))
        cycles = self.open(source_time_scale=TimeScale.CYCLES, target_time_scale=TimeScale.CYCLES)
        self.assertTrue(all(raw == int(raw) for raw in cycles.event_blocks[1].events[0].perf_data.raw))

    def test_grid_is_the_printed_one(self):
        folder = DATA / "release-1.5" / "mlp-portable-strict"
        out = io.StringIO()
        Inspector(folder / "run1.etdp", etrecord=folder / "model.etrecord", release="1.5").print_data_tabular(out)
        self.assertEqual(out.getvalue(), gzip.decompress((folder / "oracle" / "run1.txt.gz").read_bytes()).decode())

    def test_converter(self):
        """A converter that does what the default one does changes nothing."""
        folder = DATA / "release-1.5" / "groesse-xnnpack-fp32"
        calls = []

        def convert(name, time):
            calls.append(name)
            return time / 1e6
        files = {"etdump_path": folder / "run10.etdp", "etrecord": folder / "model.etrecord"}
        plain, converted = Inspector(**files), Inspector(**files, delegate_time_scale_converter=convert)
        self.assertGreater(len(calls), 10)
        for a, b in zip(plain.event_blocks, converted.event_blocks):
            for one, other in zip(a.events, b.events):
                self.assertTrue(one.perf_data is other.perf_data is None or all(map(close, one.perf_data.raw, other.perf_data.raw)))
        doubled = Inspector(**files, delegate_time_scale_converter=lambda name, time: time * 2)
        ours, theirs = [[event for block in one.event_blocks for event in block.events if event.is_delegated_op]
                        for one in (doubled, plain)]
        self.assertTrue(close(ours[0].perf_data.raw[0], theirs[0].perf_data.raw[0] * 2e6))

    def test_clock_of_32_bits(self):
        last = 2 ** 32 - 1
        for start, end in ((5, 9), (last - 5, 7), (0, 0)):
            self.assertEqual(end_of(start, elapsed(start, end), fits_32_bits([start])), end)
        self.assertEqual(end_of(last - 5, 20, fits_32_bits([last + 1])), last + 15)
        with self.assertRaises(ValueError):
            elapsed(2 ** 33, 1)

    def test_percentiles(self):
        perf = PerfData([1, 2, 3, 10])
        self.assertTrue(close(perf.p10, 1.3) and close(perf.p50, 2.5) and close(perf.p90, 7.9) and close(perf.avg, 4))
        self.assertEqual(PerfData([7.0]).p90, 7.0)

    def test_own_joins(self):
        folder = DATA / "release-1.5" / "methods-forward-portable"
        files = {"etdump_path": folder / "interleaved.etdp", "etrecord": folder / "model.etrecord"}
        with self.assertWarnsRegex(UserWarning, "several methods"):
            refused = Inspector(**files, release="1.5")
        own = Inspector(**files, compat=False)
        self.assertEqual(refused.event_blocks, own.event_blocks)
        self.assertTrue(any(event.stack_traces for block in own.event_blocks for event in block.events))
        self.assertEqual(Inspector(**files, compat=False).get_op_list("nothing"), {})

    def test_right_total_of_a_module(self):
        files = {"etdump_path": EXAMPLES / "storyteller" / "model.etdp", "etrecord": EXAMPLES / "storyteller" / "model.etrecord"}
        own = Inspector(**files, compat=False)
        study = etlens.load(EXAMPLES / "storyteller")
        self.assertEqual(own.find_total_for_module("blocks.0.attn"), study.modules["blocks.0.attn"].inclusive)
        with self.assertRaises(etlens.Error):
            own.find_total_for_module("blocks.9")
        block = next(block.name for block in own.event_blocks if block.name.startswith("Execute"))
        self.assertIn("aten.bmm.default", own.get_op_list(block))

    @unittest.skipUnless(HAS_PANDAS, "pandas is not installed")
    def test_metadata(self):
        seen = []

        def parse(metadata):
            seen.append(metadata)
            return {"count": len(metadata)}
        folder = EXAMPLES / "storyteller"
        table = Inspector(folder / "model.etdp", delegate_metadata_parser=parse).to_dataframe(include_delegate_debug_data=True)
        self.assertEqual("count" in table.columns, bool(seen))

    def test_without_pandas(self):
        if not HAS_PANDAS:
            with self.assertRaises(etlens.Error) as caught:
                self.open().to_dataframe()
            self.assertIn("pip install pandas", caught.exception.remedy)

    def test_temporary_files_are_removed(self):
        before = set(pathlib.Path(tempfile.gettempdir()).glob("etlens-*"))
        inspector = Inspector(etdump_data=(MLP / "run10.etdp").read_bytes())
        folder = inspector._folder
        self.assertTrue(folder.exists())
        del inspector
        self.assertFalse(folder.exists())
        self.assertLessEqual(set(pathlib.Path(tempfile.gettempdir()).glob("etlens-*")) - before, set())


if __name__ == "__main__":
    unittest.main()
