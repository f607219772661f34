# SPDX-License-Identifier: Apache-2.0
"""A notebook that opens a study and shows it: its outputs, and every table in three libraries."""

import base64
import re
import sys
import unittest
from pathlib import Path
from xml.etree import ElementTree

import nbclient
import nbconvert
import nbformat
import pandas
import polars
import pyarrow

import etlens

ROOT = Path(__file__).resolve().parents[2]
CELLS = (
    "import etlens\nstudy = etlens.load('examples/storyteller')",
    "study",
    "study.lines.top(5)",
    "study.modules",
    "study.delegation.nodes.top(5)",
    "etlens.compare('examples/storyteller', 'examples/storyteller-after').lines",
    "print(study.headline)",
)
PAGE = []


def executed():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()
    return notebook


def tables(study):
    """Every table that a study has."""
    named = {name: getattr(study, name) for name in ("lines", "modules", "events", "delegate_calls", "advice")}
    named.update({f"events by {what}": study.events_by(what) for what in ("operator", "line", "module", "delegate", "partition")})
    for name in ("memory", "size", "delegation", "graph", "check"):
        document = getattr(study, name)
        for field in document.keys():
            if isinstance(document[field], etlens.Table):
                named[f"{name}.{field}"] = document[field]
    return named


class Notebook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.notebook = executed()
        cls.page = nbconvert.HTMLExporter().from_notebook_node(cls.notebook)[0]
        for path in PAGE:
            Path(path).write_text(cls.page, encoding="utf-8")

    def html(self, cell):
        return "".join(out["data"]["text/html"] for out in self.notebook.cells[cell].outputs if "data" in out)

    def test_a_study_has_its_hot_lines_and_a_flame_graph(self):
        html = self.html(1)
        self.assertIn("return weights @ v", html)
        pictures = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
        self.assertEqual(len(pictures), 1)
        svg = base64.b64decode(pictures[0])
        self.assertTrue(ElementTree.fromstring(svg).tag.endswith("svg"))
        self.assertIn(b"layers.py", svg)

    def test_tables(self):
        for cell, text in ((2, "layers.py"), (3, "blocks.0.attn"), (5, "layers.py")):
            self.assertIn('<table class="etlens">', self.html(cell))
            self.assertIn(text, self.html(cell))

    def test_nothing_runs(self):
        for cell in range(1, 6):
            self.assertNotRegex(self.html(cell).lower(), r"<script|javascript:|\son\w+=")

    def test_text(self):
        self.assertIn("19.7 ms typical", self.notebook.cells[6].outputs[0]["text"])


class Tables(unittest.TestCase):
    def test_three_libraries_read_every_table(self):
        read = 0
        for example in ("storyteller", "int8net"):
            for name, table in tables(etlens.load(ROOT / "examples" / example)).items():
                with self.subTest(f"{example}, {name}"):
                    columns = table.columns
                    frames = table.to_pandas(), table.to_polars(), table.to_arrow(), pyarrow.table(table)
                    for frame in frames:
                        self.assertEqual(len(frame), len(table))
                        names = frame.column_names if isinstance(frame, pyarrow.Table) else list(frame.columns)
                        self.assertEqual(names, columns)
                    self.assertIsInstance(frames[0], pandas.DataFrame)
                    if "share" in columns:
                        shares = [frames[0]["share"].tolist(), frames[1]["share"].to_list(), frames[2]["share"].to_pylist()]
                        self.assertEqual(shares, [table.column("share")] * 3)
                    read += bool(len(table))
        self.assertGreaterEqual(read, 20)


if __name__ == "__main__":
    PAGE += sys.argv[1:]
    result = unittest.main(argv=sys.argv[:1], exit=False).result
    print(f"notebook: {result.testsRun} tests, {len(result.failures) + len(result.errors)} failures", flush=True)
    sys.exit(not result.wasSuccessful())
