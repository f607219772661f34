# SPDX-License-Identifier: Apache-2.0
"""Expectations and the plugin: ETLENS_EXECUTABLE names etlens. The plugin's own tests need pytest."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from etlens._errors import Error  # noqa: E402
from etlens._expect import ExpectedStudy, _lines_of  # noqa: E402

DATA = ROOT / "tests/data"
GATED = DATA / "delegation/own.gated-xnnpack"
OTHER = DATA / "delegation/own.gated-vulkan"
MLP = DATA / "release-1.5/mlp-portable-fp32"


class Expectations(unittest.TestCase):
    def setUp(self):
        self.study = ExpectedStudy(GATED)

    def fails(self, expectation, *texts):
        with self.assertRaises(AssertionError) as caught:
            expectation()
        for text in texts:
            self.assertIn(text, str(caught.exception))
        self.assertFalse(self.study.expect.results[-1].passed)

    def test_delegated(self):
        self.study.expect.delegated("aten.linear.default", "aten.convolution.*", to="XnnpackBackend")
        self.assertTrue(self.study.expect.results[-1].passed)

    def test_not_delegated_names_lines_and_reasons_in_the_words_of_the_gate(self):
        with tempfile.TemporaryDirectory() as folder:
            policy = Path(folder) / "p.toml"
            policy.write_text('[budget]\ncpu_operators = []\n')
            done = subprocess.run(
                [os.environ["ETLENS_EXECUTABLE"], "gate", str(policy), str(GATED)], capture_output=True, text=True
            )
        words = [line.strip() for line in done.stdout.splitlines() if "aten_mean_dim runs on the CPU" in line]
        self.assertTrue(words, done.stdout + done.stderr)
        self.fails(lambda: self.study.expect.delegated("aten.mean.dim"), *(word.split(": ", 1)[1] for word in words))

    def test_delegated_to_another_backend(self):
        self.fails(
            lambda: self.study.expect.delegated("aten.linear.default", to="VulkanBackend"),
            "aten_linear_default is delegated to XnnpackBackend",
            "profile_real.py:",
        )

    def test_an_operator_that_the_model_has_not(self):
        self.fails(lambda: self.study.expect.delegated("aten.lineer.default"), "has no operator aten.lineer.default")
        self.fails(lambda: self.study.expect.delegated("aten.[l]inear.default"), "has no operator")

    def test_on_cpu(self):
        self.study.expect.on_cpu(only=["*"])
        self.fails(lambda: self.study.expect.on_cpu(only=["aten.topk.default"]), "not in the list", "profile_real.py:62")
        self.fails(lambda: self.study.expect.on_cpu(only="aten.topk.default"), "not in the list")
        self.fails(lambda: self.study.expect.on_cpu(only=[]), "not in the list")

    def test_peak_memory(self):
        self.study.expect.peak_memory(below="1 GB").peak_memory(below=10**9)
        self.fails(lambda: self.study.expect.peak_memory(below="1 kB"), "the policy allows 1.00 kB")

    def test_what_cannot_be_checked_fails(self):
        self.fails(lambda: self.study.expect.not_slower_than(GATED), "slower_total")

    def test_a_policy(self):
        with tempfile.TemporaryDirectory() as folder:
            policy = Path(folder) / "etlens.toml"
            policy.write_text('[budget]\ncpu_nodes = 100\npeak_memory = "1 kB"\n')
            self.fails(lambda: self.study.expect.policy(policy), "peak_memory")
            policy.write_text("[budget]\ncpu_nodes = 100\n")
            self.study.expect.policy(policy)
            policy.write_text("[budget]\ncpu_node = 100\n")
            with self.assertRaises(Error):
                self.study.expect.policy(policy)
            with self.assertRaises(Error):
                self.study.expect.policy(Path(folder) / "missing.toml")

    def test_wrong_use_is_an_error(self):
        for make in (
            lambda: ExpectedStudy(),
            lambda: ExpectedStudy(GATED / "missing"),
            lambda: ExpectedStudy(GATED / "model.pte"),
            lambda: ExpectedStudy(GATED, dump="x"),
            lambda: self.study.expect.delegated(),
            lambda: self.study.expect.peak_memory(below="much"),
        ):
            with self.assertRaises(Error):
                make()

    def test_no_executable(self):
        missing = {"ETLENS_EXECUTABLE": "/no/such/etlens"}
        with mock.patch.dict(os.environ, missing), self.assertRaises(Error) as caught:
            self.study.expect.on_cpu(only=["*"])
        self.assertEqual(caught.exception.file, missing["ETLENS_EXECUTABLE"])

    def test_named_files(self):
        files = {"etrecord": GATED / "model.etrecord", "pte": GATED / "model.pte"}
        ExpectedStudy(**files).expect.delegated("aten.linear.default", to="XnnpackBackend")
        ExpectedStudy(**files, etdump=[]).expect.on_cpu(only=["*"])

    def test_many_causes_are_limited(self):
        finding = {"text": "", "line": 1, "path": "a.py", "change": None}
        rows = [{**finding, "text": f"cause {number}"} for number in range(500)]
        budget = {"budget": "b", "status": "violated", "text": "t", "not_checked": None, "findings": rows}
        self.assertEqual(len(_lines_of(budget)), 101)


TESTS = f"""
def test_good(etlens_study):
    etlens_study({str(GATED)!r}).expect.delegated("aten.linear.default")

def test_bad(etlens_study):
    etlens_study({str(GATED)!r}).expect.on_cpu(only=["aten.topk.default"])

def test_dump(etlens_study):
    etlens_study(etdump={str(MLP / "run10.etdp")!r}, etrecord={str(MLP / "model.etrecord")!r})
"""


@unittest.skipUnless(importlib.util.find_spec("pytest"), "pytest is not installed")
class Plugin(unittest.TestCase):
    def run_pytest(self, text, *options):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        (self.folder / "test_it.py").write_text(text)
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", "-p", "etlens.pytest_plugin", "-p", "no:cacheprovider", *options]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_failures_name_lines_and_the_section_follows(self):
        status, text = self.run_pytest(TESTS, "--etlens", "--etlens-report", "report.html")
        self.assertEqual(status, 1, text)
        self.assertIn("1 failed, 2 passed", text)
        self.assertIn("profile_real.py:62: aten_mean_dim runs on the CPU", text)
        section = text.split(" etlens ===")[1]
        self.assertIn(str(GATED), section)
        self.assertIn("line ", section)
        self.assertIn("kept         cpu_operators", section)
        self.assertTrue((self.folder / "report.html").read_text().lstrip().startswith("<!"))
        self.assertTrue((self.folder / "report-2.html").exists())

    def test_without_option_no_section(self):
        status, text = self.run_pytest(TESTS)
        self.assertEqual(status, 1, text)
        self.assertNotIn(" etlens ===", text)

    def test_without_fixture_nothing_is_imported(self):
        code = "import sys\ndef test_it():\n    assert not {'etlens._expect', 'subprocess_', 'torch'} & set(sys.modules)\n"
        self.assertEqual(self.run_pytest(code)[0], 0)
        status, text = self.run_pytest(code, "--etlens")
        self.assertIn("no test opened a study", text)
        self.assertEqual(status, 0)


if __name__ == "__main__":
    if not os.environ.get("ETLENS_EXECUTABLE"):
        sys.exit("ETLENS_EXECUTABLE has to name etlens")
    unittest.main()
