# SPDX-License-Identifier: Apache-2.0
"""Recording of exports: what does not need torch, and with torch installed the whole way."""

import importlib.util
import json
import os
import sys
import tempfile
import unittest
import warnings
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from etlens._errors import Error  # noqa: E402
from etlens.export import recording  # noqa: E402
from etlens.export import _files, _sources  # noqa: E402

HAS_TORCH = all(importlib.util.find_spec(name) for name in ("torch", "executorch"))
needs_torch = unittest.skipUnless(HAS_TORCH, "torch and executorch are not installed; tests/executorch/run has them")


class Folder(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = Path(self.holder.name)


class Files(Folder):
    def write_two(self, files):
        files.write("a", lambda path: path.write_text("new a"))
        files.write("b", lambda path: path.write_text("new b"))

    def test_all_files_take_their_places_together(self):
        with _files.FileSet(self.folder / "deep" / "out") as files:
            self.write_two(files)
            self.assertFalse((self.folder / "deep/out/a").exists())
            files.commit()
        self.assertEqual(sorted(os.listdir(self.folder / "deep/out")), ["a", "b"])

    def test_nothing_remains_without_commit(self):
        with self.assertRaises(KeyboardInterrupt):
            with _files.FileSet(self.folder / "deep" / "out") as files:
                self.write_two(files)
                raise KeyboardInterrupt
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_writer_that_fails_keeps_the_old_files(self):
        (self.folder / "a").write_text("old")
        with self.assertRaises(ValueError):
            with _files.FileSet(self.folder) as files:
                self.write_two(files)
                files.write("c", mock.Mock(side_effect=ValueError))
        self.assertEqual(os.listdir(self.folder), ["a"])
        self.assertEqual((self.folder / "a").read_text(), "old")

    def test_a_folder_in_the_way_is_named(self):
        (self.folder / "b").mkdir()
        with self.assertRaises(Error) as caught:
            with _files.FileSet(self.folder) as files:
                self.write_two(files)
                files.commit()
        self.assertEqual(caught.exception.file, str(self.folder / "b"))
        self.assertEqual(os.listdir(self.folder), ["b"])

    def test_a_folder_that_cannot_be_made_is_an_error(self):
        (self.folder / "file").write_text("")
        with self.assertRaises(Error) as caught:
            with _files.FileSet(self.folder / "file" / "out") as files:
                self.write_two(files)
        self.assertIn("cannot be written", caught.exception.problem)


class Sources(Folder):
    def row(self, data, name="a.py"):
        path = self.folder / name
        path.write_bytes(data)
        (row,) = _sources.source_rows([str(path)])
        return row

    def test_a_text_and_its_hash(self):
        row = self.row(b"x = 1\r\n")
        self.assertEqual(row["text"], "x = 1\r\n")
        self.assertEqual(row["sha256"], _files.sha256_of(self.folder / "a.py"))
        self.assertIsNone(row["left_out"])

    def test_other_encodings(self):
        self.assertEqual(self.row("# coding: latin-1\nä".encode("latin-1"))["text"], "# coding: latin-1\nä")
        self.assertEqual(self.row(b"\xff\xfe\x00")["left_out"], "not text")
        self.assertEqual(self.row(b"# coding: nonsense\n")["left_out"], "not text")

    def test_limits(self):
        self.assertEqual(self.row(b"#" * (_sources.MAX_FILE_BYTES + 1))["left_out"], "too large")
        with mock.patch.object(_sources, "MAX_ALL_BYTES", 3):
            row = self.row(b"1234")
        self.assertEqual((row["left_out"], row["bytes"]), ("no room", 4))
        with mock.patch.object(_sources, "MAX_FILES", 2):
            self.assertEqual(len(_sources.source_rows(["a", "b", "c"])), 2)

    def test_files_that_are_not_there(self):
        self.assertEqual(_sources.source_rows([str(self.folder / "no.py")])[0]["left_out"], "cannot be read")
        self.assertEqual(_sources.source_rows(["nul\0.py"])[0]["left_out"], "cannot be read")
        self.assertEqual(_sources.source_rows(["<eval_with_key>.1"]), [])

    def test_a_cell_of_a_notebook_has_no_file(self):
        import linecache

        linecache.cache["/tmp/ipykernel_1/2.py"] = (3, None, ["x=1"], "/tmp/ipykernel_1/2.py")
        self.addCleanup(linecache.clearcache)
        self.assertEqual(_sources.source_rows(["/tmp/ipykernel_1/2.py"])[0]["text"], "x=1")


class Names(Folder):
    def test_a_name_is_not_a_path(self):
        for name in ("", "a/b", "..", ".x", "/etc/x"):
            with self.assertRaises(Error):
                recording(self.folder, name=name)

    def test_importing_needs_no_torch(self):
        import subprocess

        code = "import sys, etlens.export; sys.exit('torch' in sys.modules or 'numpy' in sys.modules)"
        subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": str(ROOT / "python")})

    @unittest.skipIf(HAS_TORCH, "torch is installed")
    def test_without_torch_one_sentence(self):
        for _ in range(2):  # the second one is not told that the first is open
            with self.assertRaises(Error) as caught:
                with recording(self.folder / "out"):
                    self.fail()
            self.assertIn("cannot be imported", caught.exception.problem)
        self.assertEqual(os.listdir(self.folder), [])


def helper_of_model(x):
    return x.sigmoid() + 1


def model_and_inputs():
    import torch

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(4, 4)

        def forward(self, x):
            return helper_of_model(self.linear(x)).mean()

    return Net().eval(), (torch.ones(2, 4),)


def export(model, inputs, **options):
    import torch
    from executorch.exir import to_edge_transform_and_lower

    program = torch.export.export(model, inputs)
    return to_edge_transform_and_lower(program, **options).to_executorch()


def hooks():
    from executorch.exir.program import _program
    from torch.fx.proxy import TracerBase
    from etlens.export._lowering import _inside

    lower = _inside(_program.to_edge_transform_and_lower)
    return (
        TracerBase._filter_traceback_frames,
        _program.EdgeProgramManager.to_executorch,
        lower.__defaults__,
        lower.__kwdefaults__,
    )


class Generated(unittest.TestCase):
    """Code that torch generated from a graph: the graph's nodes have the lines behind it."""

    def run_generated(self, line_of_nodes, trace='  File "/m/a.py", line 7, in step\n    y = x + 1\n           ^^^^^\n'):
        from types import SimpleNamespace
        from etlens.export._generated import GeneratedCode

        found = []
        code = compile("\n\ndef forward(self, ask):\n    ask()\n", "<eval_with_key>.3", "exec")
        names = {}
        exec(code, names)
        nodes = [SimpleNamespace(meta={}), SimpleNamespace(meta={"stack_trace": trace})]
        module = SimpleNamespace(_lineno_map=line_of_nodes, _prologue_start=2, graph=SimpleNamespace(nodes=nodes))
        generated = GeneratedCode()
        names["forward"](module, lambda: found.extend(generated.frames()))
        return [(frame.filename, frame.lineno, frame.name, frame.line) for frame in found]

    def test_the_lines_of_its_node(self):
        self.assertEqual(self.run_generated({2: 1}), [("/m/a.py", 7, "step", "y = x + 1")])

    def test_nothing_where_nothing_is_known(self):
        for lines in (None, {}, {2: None}, {2: 0}, {2: 9}):
            self.assertEqual(self.run_generated(lines), [])
        self.assertEqual(self.run_generated({2: 1}, "no frames"), [])


@needs_torch
class WithTorch(Folder):
    def test_lines_of_branches_and_loops(self):
        import torch
        import zipfile
        from torch._higher_order_ops.map import map as torch_map

        class Net(torch.nn.Module):
            def forward(self, xs):
                def up(x):
                    return x.sin()  # up

                def row(x):
                    y = torch.cond(x.sum() > 0, up, lambda x: x.cos(), (x,))
                    return y.tanh()  # row

                return torch_map(row, xs).exp()

        with recording(self.folder / "out") as recorded:
            program = torch.export.export(Net(), (torch.ones(3, 4),))
            from executorch.exir import EdgeCompileConfig, to_edge

            to_edge(program, compile_config=EdgeCompileConfig(_check_ir_validity=False)).to_executorch()
        (saved,) = recorded.programs
        with zipfile.ZipFile(saved.etrecord) as record:
            text = record.read("edge_dialect_exported_program/forward").decode()
        self.assertIn("return x.sin()  # up", text)
        self.assertIn("return y.tanh()  # row", text)

    def test_files_and_lines(self):
        before = hooks()
        with recording(self.folder / "out", reference=True) as recorded:
            export(*model_and_inputs())
        self.assertEqual(hooks(), before)
        self.assertTrue(recorded.all_frames)
        names = ["model.etrecord", "model.pte", "model.sources.json", "reference.npz"]
        self.assertEqual(sorted(os.listdir(self.folder / "out")), names)
        (saved,) = recorded.programs
        document = json.loads(saved.sources.read_text())
        self.assertEqual(document["record"]["sha256"], _files.sha256_of(saved.etrecord))
        self.assertEqual(document["program"]["sha256"], _files.sha256_of(saved.pte))
        texts = {row["path"]: row["text"] for row in document["sources"]}
        self.assertEqual(texts[__file__], Path(__file__).read_text())
        import numpy

        values = numpy.load(saved.reference[0])
        self.assertTrue(values.files and all(name.startswith("h") for name in values.files))

    def test_lines_of_helpers(self):
        import torch

        model, inputs = model_and_inputs()
        with recording(self.folder) as recorded:
            program = torch.export.export(model, inputs)
            from executorch.exir import to_edge_transform_and_lower

            to_edge_transform_and_lower(program).to_executorch()
        self.assertTrue(recorded.programs)
        traces = {node.name: node.meta.get("stack_trace", "") for node in program.graph.nodes}
        self.assertIn("in helper_of_model", traces["sigmoid"])
        self.assertIn("in forward", traces["sigmoid"])
        self.assertNotIn("test_lines_of_helpers", traces["sigmoid"])
        self.assertNotIn("in helper_of_model", traces["mean"])

    def test_an_exception_leaves_nothing(self):
        before = hooks()
        for error in (ValueError, KeyboardInterrupt):
            with self.assertRaises(error):
                with recording(self.folder / "out"):
                    export(*model_and_inputs())
                    raise error
            self.assertEqual(os.listdir(self.folder), [])
            self.assertEqual(hooks(), before)

    def test_a_second_recording_is_refused(self):
        before = hooks()
        with self.assertRaises(Error) as caught:
            with recording(self.folder):
                with recording(self.folder):
                    self.fail()
        self.assertIn("another recording is open", caught.exception.problem)
        self.assertEqual(hooks(), before)

    def test_two_programs_have_two_names(self):
        with recording(self.folder, name="net") as recorded:
            export(*model_and_inputs())
            export(*model_and_inputs())
        self.assertEqual([saved.pte.name for saved in recorded.programs], ["net.pte", "net-2.pte"])

    def test_nothing_exported(self):
        with self.assertRaises(Error) as caught:
            with recording(self.folder):
                pass
        self.assertIn("nothing was exported", caught.exception.problem)

    def test_a_reference_that_cannot_be_computed(self):
        with self.assertRaises(Error) as caught:
            with recording(self.folder / "out", reference=(1, 2, 3)):
                export(*model_and_inputs())
        self.assertIn("reference values", caught.exception.problem)
        self.assertEqual(os.listdir(self.folder), [])

    def test_no_record_is_told(self):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            with recording(self.folder) as recorded:
                export(*model_and_inputs(), generate_etrecord=False)
        self.assertIsNone(recorded.programs[0].etrecord)
        self.assertTrue(any("made no record" in str(row.message) for row in told))

    def test_a_torch_without_the_hook(self):
        from torch.fx.proxy import TracerBase
        from etlens.export import _frames

        kept = TracerBase._filter_traceback_frames
        with mock.patch.object(_frames, "_HOOK", "_no_such_method"), mock.patch.object(_frames, "_told", []):
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                for _ in range(2):
                    with recording(self.folder) as recorded:
                        export(*model_and_inputs())
        self.assertFalse(recorded.all_frames)
        self.assertEqual(sum("no way to keep all frames" in str(row.message) for row in told), 1)
        self.assertIs(TracerBase._filter_traceback_frames, kept)


if __name__ == "__main__":
    unittest.main()
