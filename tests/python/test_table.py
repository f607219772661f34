# SPDX-License-Identifier: Apache-2.0
"""Tables without pandas, and with what reads them where it is installed."""
import importlib.util
import json
import pickle
import unittest

import etlens
from etlens import _rows
from support import EXAMPLES


def table(*values):
    return etlens.Table([_rows.SizePart(value) for value in values], name="parts")


def part(name, size, **more):
    return {"kind": "constant", "name": name, "bytes": size, "module": None, "line": None, "partition": None, **more}


class Tables(unittest.TestCase):
    def setUp(self):
        self.table = table(part("b", 2), part("a", 3), part("c", 1, module="m"))

    def test_sequence(self):
        self.assertEqual(len(self.table), 3)
        self.assertEqual([row.name for row in self.table], ["b", "a", "c"])
        self.assertEqual(self.table[-1].name, "c")
        self.assertEqual([row.name for row in self.table[1:]], ["a", "c"])
        self.assertEqual(self.table.column("bytes"), [2, 3, 1])
        self.assertIn(self.table[0], self.table)

    def test_order(self):
        self.assertEqual(self.table.sort("bytes").column("name"), ["a", "b", "c"])
        self.assertEqual(self.table.sort("bytes", reverse=True).column("name"), ["c", "b", "a"])
        self.assertEqual(self.table.sort("name").column("name"), ["a", "b", "c"])
        self.assertEqual(self.table.sort("module").column("name")[0], "c")
        self.assertEqual(self.table.sort("module", reverse=True).column("name")[0], "c")
        self.assertEqual(self.table.top(1, by="bytes").column("name"), ["a"])
        self.assertEqual(len(self.table.top(99)), 3)
        self.assertEqual(len(self.table.top(-1)), 0)

    def test_choice(self):
        self.assertEqual(self.table.filter(module="m").column("name"), ["c"])
        self.assertEqual(self.table.filter(lambda row: row.bytes > 1, name="b").column("name"), ["b"])
        with self.assertRaises(etlens.Error) as caught:
            self.table.filter(colour="red")
        self.assertIn("no column colour", caught.exception.problem)

    def test_fields(self):
        row = self.table[0]
        self.assertEqual((row["bytes"], row.bytes, dict(row)["bytes"]), (2, 2, 2))
        self.assertEqual(pickle.loads(pickle.dumps(row)), row)
        with self.assertRaises(AttributeError):
            row.colour

        class Labelled(_rows.SizePart):
            __slots__ = ()
            label: str

        class Same(Labelled):
            __slots__ = ()

        self.assertEqual(Labelled({}).keys(), ("label", *row.keys()))
        self.assertEqual(Same({}).keys(), Labelled({}).keys())
        self.assertIsNone(Same({"line": None}).line)
        edge = _rows.GraphEdge({"from": 1, "to": 2, "value": 3})
        self.assertEqual((edge.from_, edge["from"], edge.shape), (1, 1, None))
        self.assertEqual(_rows.Value({"added_later": 5}).added_later, 5)

    def test_text(self):
        text = str(table(part("evil\x1b[2J\u202e", 1)))
        self.assertNotIn("\x1b", text)
        self.assertNotIn("\u202e", text)
        self.assertEqual(str(table()), "no parts")
        self.assertIn("and 40 more rows", str(table(*[part("x", 1)] * 100)))

    def test_html_is_escaped(self):
        page = table(part("<script>alert(1)</script>", 1, module='"><img src=x onerror=y>'))._repr_html_()
        self.assertNotIn("<script", page)
        self.assertNotIn("<img", page)
        self.assertIn("&lt;script&gt;", page)

    def test_bars(self):
        page = etlens.load(EXAMPLES / "storyteller").lines.top(3)._repr_html_()
        self.assertIn("linear-gradient(to right,rgba(226,115,57,.35) 39.0%", page)


def tables_of(study):
    return {"lines": study.lines, "modules": study.modules, "events": study.events, "calls": study.delegate_calls,
            "advice": study.advice, "tensors": study.memory.tensors, "parts": study.size.parts,
            "nodes": study.delegation.nodes, "graph": study.graph.nodes, "empty": study.lines[:0]}


class Frames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tables = tables_of(etlens.load(EXAMPLES / "storyteller"))

    def test_without_the_library(self):
        for name in ("pandas", "polars", "pyarrow"):
            if importlib.util.find_spec(name) is None:
                with self.assertRaises(etlens.Error) as caught:
                    getattr(self.tables["lines"], {"pyarrow": "to_arrow"}.get(name, "to_" + name))()
                self.assertIn("pip install " + name, caught.exception.remedy)

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_pandas(self):
        for name, rows in self.tables.items():
            with self.subTest(name):
                frame = rows.to_pandas()
                self.assertEqual((len(frame), list(frame.columns)), (len(rows), rows.columns))
        self.assertEqual(self.tables["lines"].to_pandas()["self"].sum(), sum(self.tables["lines"].column("self")))
        self.assertEqual(self.tables["lines"].to_pandas().attrs["unit"], "ms")

    @unittest.skipUnless(importlib.util.find_spec("polars"), "polars is not installed")
    def test_polars(self):
        for name, rows in self.tables.items():
            with self.subTest(name):
                self.assertEqual(rows.to_polars().height, len(rows))

    @unittest.skipUnless(importlib.util.find_spec("pyarrow"), "pyarrow is not installed")
    def test_arrow(self):
        for name, rows in self.tables.items():
            with self.subTest(name):
                arrow = rows.to_arrow()
                self.assertEqual((arrow.num_rows, arrow.column_names), (len(rows), rows.columns))
        lines = self.tables["lines"]
        self.assertEqual(lines.to_arrow()["self"].to_pylist(), lines.column("self"))
        self.assertEqual(json.loads(lines.to_arrow()["ops"][0].as_py())[0]["op"], lines[0].ops[0].op)


if __name__ == "__main__":
    unittest.main()
