#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/ledger finds a command that takes more, names the function that grew, and counts the same twice.

    tests/ledger/ledger_test.py EXECUTABLE      ends with 77 on a machine without valgrind
"""
import copy
import importlib.machinery
import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from contextlib import redirect_stdout

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "bench", "ledger")
EXECUTABLE = os.path.abspath(sys.argv.pop(1))
NAME = "version"

loader = importlib.machinery.SourceFileLoader("ledger", SCRIPT)
sys.dont_write_bytecode = True
ledger = importlib.util.module_from_spec(importlib.util.spec_from_loader("ledger", loader))
loader.exec_module(ledger)

CALLGRIND = """\
# callgrind format
events: Ir
summary: 1000

ob=(1) /w/etlens
fl=(1) ???
fn=(1) _start
0 5
cob=(2) /lib/libc.so.6
cfi=(2) ???
cfn=(2) __libc_start_main
calls=1 0
0 900

fn=(3) etlens::read(int)
0 100
+3 20
cob=(2)
cfn=(4) malloc
calls=2 0
* 60
cfn=(5) etlens::inner() [clone .isra.0]'2
calls=1 0
0 400

ob=(2)
fn=(4)
0 60
"""


def run(*arguments):
    return subprocess.run([sys.executable, SCRIPT, "--etlens", EXECUTABLE, *arguments], capture_output=True, text=True, check=False)


class Compare(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "ledger.json")
        written = run("--ledger", cls.path, "--update", NAME)
        assert written.returncode == 0, written.stderr
        with open(cls.path, encoding="utf-8") as file:
            cls.counted = json.load(file)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def changed(self, share):
        """The ledger as if one function took so much of all less."""
        changed = copy.deepcopy(self.counted)
        row = changed["commands"][NAME]
        less = round(row["instructions"] * share)
        function = max((f for f in row["functions"] if f != ledger.LIBRARIES), key=row["functions"].get)
        row["instructions"] -= less
        row["functions"][function] -= less
        return changed, function, less

    def compared(self, changed):
        path = os.path.join(self.folder.name, "changed.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(changed, file)
        return run("--ledger", path, NAME)

    def test_counts_the_same_again(self):
        row = self.counted["commands"][NAME]
        folder_names = 0.0005  # hashes and comparisons of what is called otherwise each time
        again, _ = ledger.count_all(EXECUTABLE, [NAME])
        self.assertGreater(row["instructions"], 1_000_000)
        self.assertAlmostEqual(again[NAME]["instructions"] / row["instructions"], 1, delta=folder_names)
        # A function has at most all; what no function has, libraries took.
        self.assertGreaterEqual(min(row["functions"].values()), 0)
        self.assertLessEqual(sum(row["functions"].values()), row["instructions"])
        self.assertIn(ledger.LIBRARIES, row["functions"])

    def test_three_percent_more_fails_and_names_the_function(self):
        changed, function, less = self.changed(0.03)
        compared = self.compared(changed)
        self.assertEqual(compared.returncode, 1, compared.stderr)
        rows = compared.stdout.splitlines()
        self.assertRegex(rows[0], r"^version .*\+3\.\d\d%  FAILED$")
        self.assertIn(function, rows[1])
        self.assertAlmostEqual(float(rows[1].split()[0]), less / 1e6, delta=0.05 * less / 1e6)
        self.assertIn("--update", rows[-1])

    def test_one_percent_more_passes(self):
        compared = self.compared(self.changed(0.01)[0])
        self.assertEqual(compared.returncode, 0, compared.stdout)
        self.assertNotIn("FAILED", compared.stdout)

    def test_three_percent_less_is_a_gain(self):
        compared = self.compared(self.changed(-0.03)[0])
        self.assertEqual(compared.returncode, 0, compared.stdout)
        self.assertIn("a gain", compared.stdout)
        self.assertIn("--update", compared.stdout)

    def test_a_command_without_a_row_fails(self):
        empty = {"compilers": self.counted["compilers"], "commands": {}}
        self.assertEqual(self.compared(empty).returncode, 1)


class Parts(unittest.TestCase):
    def test_the_repository_s_ledger_has_every_command_and_its_table_is_in_the_results(self):
        with open(ledger.LEDGER, encoding="utf-8") as file:
            listed = json.load(file)
        self.assertEqual(set(listed["commands"]), set(ledger.COMMANDS))
        with open(ledger.RESULTS, encoding="utf-8") as file:
            page = file.read()
        self.assertIn(ledger.table(listed), page)
        other = {"commands": {name: {"instructions": 12_340_000} for name in ledger.COMMANDS}}
        self.assertEqual(ledger.with_table(page, other), page.replace(ledger.table(listed), ledger.table(other)))

    def test_a_function_s_cost_has_that_of_the_libraries_it_calls(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "callgrind.out")
            for start in ledger.CALLED_BACK:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(CALLGRIND.replace("_start\n", start + "\n", 1))
                total, costs = ledger.functions_of(path, "/w/etlens")
                self.assertEqual(total, 1000)
                # 400 of an inner function of its own are not read's.
                self.assertEqual(costs, {start: 5, "etlens::read(int)": 180, ledger.LIBRARIES: 815})

    def test_a_session_counts_what_its_requests_take_beyond_its_start(self):
        sessions = {20: (150, {"hints()": 90, "load()": 60}), 0: (70, {"load()": 60, "hints()": 10})}
        with unittest.mock.patch.object(ledger, "run_session", lambda *given: sessions[given[-1]]):
            self.assertEqual(ledger.count_session("etlens", "lsp hints", "/w", "/w/out"), (80, {"hints()": 80}))

    def test_every_session_of_the_server_says_how_often_it_asks(self):
        self.assertEqual({command for command in ledger.COMMANDS.values() if command.startswith("lsp")}, set(ledger.ASKED))

    def test_names_have_no_numbers_of_the_compiler(self):
        self.assertEqual(ledger.plain("a::b(int)::$_12::operator()(int).constprop.0'2"), "a::b(int)::::operator()(int)")

    def outcome(self, before, now, compilers):
        row = lambda took: {"instructions": took, "functions": {"f()": took}}
        listed = {"compilers": ["one"], "commands": {name: row(took) for name, took in before.items()}}
        with redirect_stdout(io.StringIO()) as printed:
            counts = ledger.compare(listed, {name: row(took) for name, took in now.items()}, compilers)
        return counts, printed.getvalue()

    def test_another_compiler_is_compared_with_the_median(self):
        before = {"a": 100, "b": 100, "c": 100}
        now = {"a": 150, "b": 151, "c": 149}
        self.assertEqual(self.outcome(before, now, ["one"])[0], (3, 0))
        self.assertEqual(self.outcome(before, now, ["two"])[0], (0, 0))
        counts, printed = self.outcome(before, {**now, "b": 170}, ["two"])
        self.assertEqual(counts, (1, 0))
        self.assertIn("1.500 times", printed)
        self.assertRegex(printed, r"b .*\+13\.33%  FAILED\n +\+0\.00 M  f\(\)")


if __name__ == "__main__":
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed")
        sys.exit(77)
    unittest.main()
