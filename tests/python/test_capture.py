# SPDX-License-Identifier: Apache-2.0
"""Capture of a run: the turns with a clock that stands still until the test moves it, and with ExecuTorch the whole way."""

import importlib.util
import itertools
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from etlens import _machine, _turns, capture  # noqa: E402
from etlens._errors import Error  # noqa: E402
from etlens.export._files import sha256_of  # noqa: E402

HAS_TORCH = all(importlib.util.find_spec(name) for name in ("torch", "executorch"))


class Clock:
    def __init__(self):
        self.now = 0.0
        self.log = []

    def __call__(self):
        return self.now

    def takes(self, name, *seconds):
        def execute():
            self.log.append(name)
            self.now += next(durations)

        durations = itertools.cycle(seconds)
        return execute


class Turns(unittest.TestCase):
    def measure(self, traced, untraced, until=0.02, limit=10.0, warmup=3, wanted=None):
        self.clock = clock = Clock()
        untraced = clock.takes("untraced", *untraced) if untraced else None
        traced, pace = clock.takes("traced", *traced), clock.takes("pace", 0.001)
        return _turns.measure(traced, untraced, warmup, until, limit, clock, pace, wanted)

    def test_equal_executions_end_soon(self):
        measured = self.measure([0.0113], [0.0101])
        self.assertEqual(measured.ended, "interval")
        self.assertAlmostEqual(measured.traced.typical, 0.0113)
        self.assertAlmostEqual(measured.untraced.typical, 0.0101)
        self.assertEqual(measured.executions, self.clock.log.count("traced"))
        self.assertEqual(len(measured.pace), _turns.MIN_TURNS)

    def test_both_variants_take_turns_at_being_first(self):
        self.measure([0.05], [0.05])
        firsts = [self.clock.log[i + 1] for i, name in enumerate(self.clock.log[:-1]) if name == "pace"]
        self.assertEqual(set(firsts), {"traced", "untraced"})

    def test_noise_ends_at_the_limit(self):
        measured = self.measure([0.01, 0.012, 0.011, 0.0123, 0.0107], None, until=0.0001, limit=1.0)
        self.assertEqual((measured.ended, measured.untraced), ("limit", None))
        self.assertTrue(1.0 <= self.clock.now < 1.2)

    def test_an_execution_longer_than_the_limit_ends_it(self):
        measured = self.measure([60.0], [60.0], warmup=0)
        self.assertEqual((measured.ended, measured.executions), ("limit", 1))
        self.assertEqual(measured.traced.low, 0.0)

    def test_as_many_executions_as_are_wanted(self):
        for wanted in (1, 7, 350):
            measured = self.measure([0.0001, 0.0002], [0.0001], limit=1e-6, wanted=wanted)
            self.assertEqual((measured.ended, measured.executions), ("executions", 3 + wanted))

    def test_an_interruption_is_not_typical(self):
        measured = self.measure([0.01] * 19 + [0.5], None, until=0.01)
        self.assertAlmostEqual(measured.traced.typical, 0.01)

    def test_executions_that_take_no_time_end(self):
        self.assertLessEqual(self.measure([0.0], [0.0]).executions, _turns.MAX_EXECUTIONS)

    def test_durations(self):
        for text, seconds in (("10 s", 10), ("500ms", 0.5), (2, 2), (0.5, 0.5), ("1 min", 60)):
            self.assertEqual(_turns.seconds_of(text), seconds)
        for text in ("", "s", "-1 s", "0", "nan", "inf", "10 hours", None, "1 2"):
            with self.assertRaises(Error, msg=repr(text)):
                _turns.seconds_of(text)


class Machine(unittest.TestCase):
    def test_a_loaded_machine_is_told(self):
        with mock.patch.object(_machine, "load", lambda: [3.9, 1, 1]), mock.patch.object(
            _machine, "processors", lambda: [0, 1]
        ):
            self.assertEqual(_machine.warning_of_load(), "load 3.9 on 2 processors: results will be noisy")
        with mock.patch.object(_machine, "load", lambda: [0.9, 1, 1]):
            self.assertIsNone(_machine.warning_of_load())

    def test_commits(self):
        with tempfile.TemporaryDirectory() as name:
            git = Path(name) / ".git"
            (git / "refs/heads").mkdir(parents=True)
            inner = Path(name) / "a/b"
            inner.mkdir(parents=True)
            self.assertIsNone(_machine.commit_of(inner))
            (git / "HEAD").write_text("ref: refs/heads/main\n")
            (git / "packed-refs").write_text("# pack-refs\n" + "b" * 40 + " refs/heads/main\n")
            self.assertEqual(_machine.commit_of(inner), "b" * 40)
            (git / "refs/heads/main").write_text("a" * 40 + "\n")
            self.assertEqual(_machine.commit_of(inner), "a" * 40)
            (git / "HEAD").write_text("c" * 40)
            self.assertEqual(_machine.commit_of(inner), "c" * 40)
            for odd in ("ref: ../../../etc/passwd", "nonsense", "", "ref: /etc/passwd"):
                (git / "HEAD").write_text(odd)
                self.assertIsNone(_machine.commit_of(inner))

    def test_a_worktree(self):
        with tempfile.TemporaryDirectory() as name:
            git = Path(name) / "main/.git/worktrees/x"
            git.mkdir(parents=True)
            (git / "HEAD").write_text("ref: refs/heads/x")
            (git / "commondir").write_text("../..\n")
            (git.parents[1] / "refs/heads").mkdir(parents=True)
            (git.parents[1] / "refs/heads/x").write_text("d" * 40)
            tree = Path(name) / "tree"
            tree.mkdir()
            (tree / ".git").write_text(f"gitdir: {git}\n")
            self.assertEqual(_machine.commit_of(tree), "d" * 40)


class Arguments(unittest.TestCase):
    def test_errors_have_a_remedy(self):
        with tempfile.TemporaryDirectory() as name:
            file = Path(name) / "model.pte"
            file.write_text("")
            for call in (
                lambda: capture.profile(Path(name) / "missing.pte"),
                lambda: capture.profile(name),
                lambda: capture.profile(object()),
                lambda: capture.profile(file, until=0),
                lambda: capture.profile(file, warmup=-1),
                lambda: capture.profile(file, limit="soon"),
                lambda: capture.profile(file, executions=0),
                lambda: capture.profile(file, executions=100_000),
                lambda: capture.profile(file, record=Path(name) / "missing"),
            ):
                with self.assertRaises(Error) as caught:
                    call()
                self.assertTrue(caught.exception.remedy)
            self.assertEqual(os.listdir(name), ["model.pte"])

    def test_the_words_of_a_run(self):
        run = capture.Run(Path("a.pte"), (), {"dump": Path("a.etdp"), "record": None})
        self.assertEqual(str(run), "a.pte: not run yet")
        run.traced, run.untraced = _turns.Amount(0.0113, 0, 0), _turns.Amount(0.0101, 0, 0)
        self.assertEqual(str(run), "11.3 ms traced, 10.1 ms untraced: +12 %")

    def test_how_the_record_was_found(self):
        with tempfile.TemporaryDirectory() as name:
            program = Path(name) / "model.pte"
            sidecar = Path(name) / "model.sources.json"
            hashes = {"program": {"sha256": "a"}, "record": {"sha256": "b"}}
            self.assertIsNone(capture._paired_by(program, {**hashes, "record": None}))
            self.assertEqual(capture._paired_by(program, hashes), "name")
            sidecar.write_text(json.dumps(hashes))
            self.assertEqual(capture._paired_by(program, hashes), "export")
            # Of another export, or none at all.
            for text in (json.dumps({**hashes, "record": {"sha256": "c"}}), json.dumps({**hashes, "program": {"sha256": "c"}}),
                         json.dumps({**hashes, "record": None}), "[]", "{", "[" * 100_000, "\udcff"):
                sidecar.write_text(text, errors="surrogateescape")
                self.assertEqual(capture._paired_by(program, hashes), "name")

    @unittest.skipIf(HAS_TORCH, "ExecuTorch is installed")
    def test_without_executorch_one_sentence(self):
        with tempfile.TemporaryDirectory() as name:
            (Path(name) / "model.pte").write_text("")
            with self.assertRaises(Error) as caught:
                with capture.profile(Path(name) / "model.pte"):
                    self.fail()
            self.assertIn("cannot be imported", caught.exception.problem)


@unittest.skipUnless(HAS_TORCH, "torch and executorch are not installed; tests/executorch/run has them")
class WithExecuTorch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import torch
        from executorch.exir import to_edge_transform_and_lower
        from etlens.export import recording

        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = Path(cls.holder.name) / "out"
        cls.inputs = (torch.ones(8, 8),)
        with recording(cls.folder) as cls.recorded:
            program = torch.export.export(torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU()), cls.inputs)
            to_edge_transform_and_lower(program).to_executorch()

    def profile(self, inputs=None, **options):
        return capture.profile(self.recorded, inputs or self.inputs, limit="300 ms", **options)

    def test_a_run(self):
        with self.profile(dump=self.folder / "a.etdp") as run:
            self.assertGreater(run.dump.stat().st_size, 0)
        facts = json.loads(run.sidecar.read_text())
        self.assertEqual(facts["schema"], "etlens/run@1")
        for key, path in (("dump", run.dump), ("program", run.program), ("record", run.record)):
            self.assertEqual(facts[key]["sha256"], sha256_of(path))
        self.assertEqual(facts["paired_by"], "export")
        self.assertEqual(facts["executions"], run.executions)
        self.assertIn(" traced, ", str(run))

    def test_errors_and_interrupts_change_nothing(self):
        import torch

        with self.profile() as run:
            pass
        before = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        with self.assertRaises(Error):
            with self.profile((torch.ones(3, 5, 7),)):
                self.fail()
        with self.assertRaises(Error) as caught:
            with self.profile(method="backward"):
                self.fail()
        self.assertIn("forward", caught.exception.remedy)
        with mock.patch.object(_turns, "amount_of", mock.Mock(side_effect=KeyboardInterrupt)):
            with self.assertRaises(KeyboardInterrupt):
                with self.profile():
                    self.fail()
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir()}, before)
        self.assertTrue(run.dump.exists())

    def test_a_file_that_is_no_program(self):
        path = Path(self.holder.name) / "broken.pte"
        path.write_bytes(b"x" * 1000)
        with self.assertRaises(Error) as caught:
            with capture.profile(path, self.inputs):
                self.fail()
        self.assertEqual(caught.exception.file, str(path))


if __name__ == "__main__":
    unittest.main()
