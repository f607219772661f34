# SPDX-License-Identifier: Apache-2.0
"""`calculate_numeric_gap` without torch against what ExecuTorch's own Inspector calculated: tests/data, and ETLENS_CORPUS."""

import gzip
import importlib.util
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings
from unittest import mock

import etlens
from etlens.inspector import Inspector
from support import DATA, fake_executable

HAS_PANDAS = importlib.util.find_spec("pandas") is not None
MLP = DATA / "values" / "mlp"
METRICS = ("MSE", "L1", "SNR")


def rows_of(path):
    return json.loads(gzip.decompress(path.read_bytes()))


def is_close(ours, theirs):
    theirs = float(theirs)  # "NaN" and "Infinity" are text in JSON
    return ours == theirs or math.isclose(ours, theirs, rel_tol=1e-3, abs_tol=1e-12) or (ours != ours and theirs != theirs)


def cases():
    """Dump, buffer, record, reference and the Inspector's rows for each metric."""
    yield "mlp", MLP / "fault.etdp", MLP / "fault.bin", MLP / "model.etrecord", MLP / "aot.npz", MLP, "gap.{}.json.gz"
    two = DATA / "values" / "two-outputs"
    yield "two outputs", two / "model.etdp", two / "model.bin", two / "model.etrecord", two / "reference.npz", two, "gap.{}.json.gz"
    for corpus in [pathlib.Path(root) for root in [os.environ.get("ETLENS_CORPUS")] if root]:
        for folder in sorted((corpus / "measures" / "numeric").iterdir()):
            meta = folder / "meta.json"
            record = folder / "model.etrecord"
            if not record.exists():
                record = (folder / json.loads(meta.read_text())["record"]).resolve()
            for graph in ("default", "edge"):
                reference = folder / "inspector" / f"aot.{graph}.npz"
                if reference.exists() and (folder / "debug.bin").exists() and record.is_file():
                    yield (f"{folder.name}, {graph}", folder / "debug.etdp", folder / "debug.bin", record, reference,
                           folder / "inspector", f"gap.{graph}." + "{}.json.gz")


@unittest.skipUnless(HAS_PANDAS, "pandas is not installed")
class Gaps(unittest.TestCase):
    def test_every_case(self):
        compared = 0
        for name, dump, buffer, record, reference, folder, file in cases():
            for metric in METRICS:
                path = folder / file.format(metric)
                if not path.exists():
                    continue
                with self.subTest(name, metric=metric), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    inspector = Inspector(dump, etrecord=record, debug_buffer_path=buffer)
                    self.compare(inspector.calculate_numeric_gap(metric, reference=reference), rows_of(path))
                    compared += 1
        self.assertGreaterEqual(compared, 6)

    def compare(self, table, want):
        self.assertEqual(len(table), len(want))
        for column in ("aot_debug_handle", "runtime_debug_handle", "runtime_ops"):
            self.assertEqual([list(value) for value in table[column]], [row[column] for row in want])
        for ours, row in zip(table["gap"], want):
            self.assertTrue(is_close(ours[0], row["gap"][0]), (ours, row["gap"], row["aot_ops"]))

    def test_the_reference_next_to_the_dump(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, path in (("model.etdp", "fault.etdp"), ("model.bin", "fault.bin"), ("reference.npz", "aot.npz"),
                               ("model.etrecord", "model.etrecord")):
                (pathlib.Path(folder) / name).write_bytes((MLP / path).read_bytes())
            dump = pathlib.Path(folder) / "model.etdp"
            table = Inspector(dump, etrecord=dump.with_suffix(".etrecord")).calculate_numeric_gap("mse ")
        self.compare(table, rows_of(MLP / "gap.MSE.json.gz"))

    def test_torch_is_not_imported(self):
        code = ("import sys; from etlens.inspector import Inspector; "
                f"Inspector({str(MLP / 'sound.etdp')!r}, etrecord={str(MLP / 'model.etrecord')!r}, "
                f"debug_buffer_path={str(MLP / 'sound.bin')!r}).calculate_numeric_gap('L1', reference={str(MLP / 'aot.npz')!r}); "
                "print('torch' in sys.modules, 'executorch' in sys.modules)")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "False False\n")


class Numbers(unittest.TestCase):
    def test_gaps_that_are_not_finite_are_numbers(self):
        row = '{"aot_debug_handle": [1], "runtime_debug_handle": [1], "runtime_ops": ["a"], "gap": [%s]}'
        rows = ", ".join(row % gap for gap in ('"Infinity"', '"-Infinity"', '"NaN"', "2.5"))
        text = 'case $1 in inspect) echo \'{"schema": "etlens/inspect@1", "blocks": []}\';; ' \
            "*) echo '{\"schema\": \"etlens/values@1\", \"rows\": [%s]}';; esac\n" % rows
        frames = []
        with fake_executable(text), mock.patch("etlens.inspector.frame", frames.append):
            Inspector("model.etdp").calculate_numeric_gap("SNR")
        gaps = dict(frames[0])["gap"]
        self.assertEqual([gap[0] for gap in gaps[:2]] + gaps[3], [math.inf, -math.inf, 2.5])
        self.assertTrue(math.isnan(gaps[2][0]))


class Refusals(unittest.TestCase):
    def test_other_distances(self):
        inspector = Inspector(MLP / "sound.etdp", etrecord=MLP / "model.etrecord", debug_buffer_path=MLP / "sound.bin")
        with self.assertRaises(ValueError):
            inspector.calculate_numeric_gap("cosine")
        with self.assertRaises(etlens.Error) as caught:
            inspector.calculate_numeric_gap(max)
        self.assertIn("MSE", caught.exception.remedy)


if __name__ == "__main__":
    unittest.main()
