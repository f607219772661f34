# SPDX-License-Identifier: Apache-2.0
"""What a study tells is what the command line prints."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import etlens
from etlens import _process
from etlens._options import COMMANDS
from support import EXAMPLES, ROOT


def printed(*arguments):
    return json.loads(_process.run([*arguments, "--format", "json", str(EXAMPLES / "storyteller")]).out)


class WithDump(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.study = etlens.load(EXAMPLES / "storyteller")

    def test_whole(self):
        document = printed("lines")
        self.assertEqual(self.study.total, document["total"])
        self.assertEqual(self.study.executions, 50)
        self.assertEqual((self.study.unit, self.study.measure, self.study.method), ("ms", "time", "forward"))
        self.assertEqual(self.study.cold_start.load, document["cold_start"]["load"])
        self.assertTrue(self.study.headline.startswith("method forward, block Execute"), self.study.headline)
        self.assertIn("ms typical", self.study.headline)
        self.assertIn("= Method::execute", self.study.summary)

    def test_lines(self):
        lines = self.study.lines
        self.assertEqual(len(lines), 24)
        self.assertEqual((lines[0].file, lines[0].line, lines[0].text), ("layers.py", 43, "return weights @ v"))
        self.assertEqual([line.self_ticks for line in lines], sorted((line.self_ticks for line in lines), reverse=True))
        self.assertEqual(sum(line.self_ticks for line in lines), printed("lines")["reconciliation"]["lines_ticks"])
        self.assertEqual(self.study.line("layers.py", 43), lines[0])
        self.assertEqual(self.study.line(EXAMPLES / "storyteller" / "layers.py", 43), lines[0])
        self.assertEqual(lines[0].operators[0].op, "aten.expand_copy.default")

    def test_line_that_is_not_there(self):
        for file, line in (("layers.py", 1), ("ayers.py", 43), ("nothing.py", 43)):
            with self.assertRaises(etlens.Error) as caught:
                self.study.line(file, line)
            self.assertEqual(caught.exception.file, file)

    def test_modules(self):
        modules = self.study.modules
        rows = {row["path"]: row for row in printed("modules")["modules"]}
        self.assertEqual(modules["blocks.0.attn"].inclusive, rows["blocks.0.attn"]["inclusive"])
        self.assertEqual(len(modules), len(rows))
        self.assertEqual(modules[0].path, modules[:1][0].path)
        with self.assertRaises(etlens.Error):
            modules["blocks.9"]

    def test_other_tables(self):
        self.assertEqual([row.to_dict() for row in self.study.events], printed("events")["events"])
        self.assertEqual(len(self.study.events_by("operator")), len(printed("events", "--by", "operator")["groups"]))
        self.assertEqual(self.study.delegate_calls.to_dicts(), printed("partitions")["partitions"])
        self.assertEqual(self.study.advice.to_dicts(), printed("advise")["advice"])
        self.assertEqual(self.study.memory.buffers[0].peak, printed("memory")["buffers"][0]["peak"])
        self.assertEqual(self.study.memory.tensors[0].shape, [8, 256])
        self.assertEqual(self.study.size.file_bytes, printed("size")["file_bytes"])
        self.assertEqual(len(self.study.delegation.nodes), len(printed("delegation")["nodes"]))
        self.assertEqual(self.study.graph.edges[0].from_, printed("graph")["edges"][0]["from"])
        self.assertEqual(pathlib.Path(self.study.check.etdump).name, "model.etdp")

    def test_no_values(self):
        with self.assertRaises(etlens.Error) as caught:
            self.study.values
        self.assertEqual(pathlib.Path(caught.exception.file).name, "model.etdp")
        self.assertIn("holds no values", caught.exception.problem)

    def test_parameters(self):
        study = etlens.load(EXAMPLES / "storyteller" / "model.etdp", etrecord=False, statistic="mean", executions="2-50",
                            target_time_scale="us")
        self.assertEqual((study.unit, study.statistic, len(study.lines)), ("us", "mean", 0))
        self.assertGreater(study.total, 10000)

    def test_program_is_searched_for_beside_the_files(self):
        folder = EXAMPLES / "storyteller"
        for files in ({"path": folder / "model.etdp"}, {"etdump": folder / "model.etdp", "etrecord": folder / "model.etrecord"},
                      {"path": folder / "model.etrecord"}, {"path": folder / "model.pte"}):
            with self.subTest(str(files)):
                study = etlens.load(**files)
                self.assertEqual(study.measure, "time")
                self.assertEqual(study.memory.buffers[0].peak, self.study.memory.buffers[0].peak)
                self.assertEqual(study.size.file_bytes, (folder / "model.pte").stat().st_size)
                self.assertEqual(study.delegation.delegate_calls, 14)

    def test_wrong_parameter(self):
        with self.assertRaises(etlens.Error) as caught:
            etlens.load(EXAMPLES / "storyteller", etdmp="x")
        self.assertIn("no parameter etdmp", str(caught.exception))
        with self.assertRaises(etlens.Error) as caught:
            etlens.load(EXAMPLES / "storyteller", statistic="average")
        self.assertIn("statistic", str(caught.exception))

    def test_commands_have_their_options(self):
        for command, names in COMMANDS.items():
            text = _process.run([command, "--help"]).out.decode()
            for name in names:
                from etlens._options import arguments_of
                value = {"recover": False, "path_maps": {"/a": "/b"}, "raw": True}.get(name, "x")
                with self.subTest(command=command, name=name):
                    self.assertIn(arguments_of(name, value)[0], text)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.html"
            trace = pathlib.Path(folder) / "trace.json"
            self.study.report(report)
            self.study.export("speedscope", trace)
            self.assertIn("return weights @ v", report.read_text(encoding="utf-8"))
            json.loads(trace.read_text(encoding="utf-8"))
        with self.assertRaises(etlens.Error):
            self.study.export("speedscope", "/no/such/folder/trace.json")

    def test_notebook(self):
        page = self.study._repr_html_()
        self.assertIn("return weights @ v", page)
        self.assertIn("data:image/svg+xml", page)
        self.assertNotIn("<script", page)

    def test_summary_is_the_text_below_the_lines(self):
        for example, options in (("storyteller", {}), ("pricer", {}), ("leafnet", {}),
                                 ("storyteller", {"etdump": EXAMPLES / "storyteller/model.etdp", "etrecord": False})):
            with self.subTest(example, options=options):
                study = etlens.load(*([] if options else [EXAMPLES / example]), **options)
                words = [*study._options.of("lines"), "--top", "1", "--color", "never"]
                text = _process.run(words).out.decode().strip("\n")
                self.assertTrue(text.endswith("\n\n" + study.summary), text)
                self.assertIn("= Method::execute", study.summary)

    def test_progress(self):
        said = []
        etlens.load(EXAMPLES / "storyteller", progress=said.append)
        self.assertEqual(len(said), 3)  # where it looks, what it reads, and the headline
        self.assertEqual(said[2], self.study.headline)


class WithoutDump(unittest.TestCase):
    def test_operators_in_place_of_time(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("model.etrecord", "model.pte", "model.py", "features.py"):
                shutil.copy(EXAMPLES / "pricer" / name, folder)
            study = etlens.load(folder)
            self.assertEqual((study.measure, study.unit, study.total), ("operators", "count", 44))
            self.assertTrue(study.headline.startswith("forward: not run yet"), study.headline)
            self.assertEqual(study.lines[0].self, 14)
            self.assertEqual(study.delegation.cpu_nodes, 44)
            self.assertTrue(any("no ETDump is here" in note for note in study.notes), study.notes)
            self.assertNotIn("<img", study._repr_html_())
            with self.assertRaises(etlens.Error) as caught:
                study.events
            self.assertIn("etdump=", caught.exception.remedy)


class Compare(unittest.TestCase):
    def test_paths_and_studies(self):
        base, new = EXAMPLES / "storyteller", EXAMPLES / "storyteller-after"
        comparison = etlens.compare(base, new)
        self.assertEqual(comparison.verdict, "faster")
        self.assertTrue(comparison.total.likely)
        self.assertLess(comparison.total.change, -0.3)
        self.assertEqual(len(comparison.slower), 0)
        self.assertEqual(comparison.lines.filter(verdict="gone")[0].where, "layers.py:38")
        again = etlens.compare(etlens.load(base), etlens.load(new))
        self.assertEqual(again.total, comparison.total)
        self.assertIn("faster, -4", repr(comparison))

    def test_no_dumps(self):
        with self.assertRaises(etlens.Error):
            etlens.compare([], EXAMPLES / "storyteller")
        with self.assertRaises(etlens.Error):
            etlens.compare(EXAMPLES / "storyteller", EXAMPLES / "storyteller", colour=1)


class Package(unittest.TestCase):
    def test_imports_little(self):
        """Neither heavy packages nor the parts that are used later."""
        code = ("import sys, etlens; late = {'torch', 'numpy', 'pandas', 'asyncio', 'etlens.inspector', 'etlens.export'};"
                "print(sorted(late & set(sys.modules)))")
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout
        self.assertEqual(out.strip(), "[]")

    def test_unknown_name(self):
        with self.assertRaises(AttributeError):
            etlens.nothing

    def test_syntax_of_python_3_9(self):
        import ast
        for path in sorted((ROOT / "python").rglob("*.py")):
            ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, 9))

    def test_version(self):
        self.assertRegex(etlens.__version__, r"^\d+\.\d+\.\d+$")


if __name__ == "__main__":
    unittest.main()
