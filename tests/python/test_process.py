# SPDX-License-Identifier: Apache-2.0
"""The executable fails, hangs, is killed or floods its pipes: one clear error, nothing left running."""
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import time
import unittest

import etlens
from etlens import _process
from etlens._errors import error_of
from etlens._options import Options
from support import EXAMPLES, fake_executable, is_running, variable


def error_from(call):
    try:
        call()
    except etlens.Error as error:
        return error
    raise AssertionError("no etlens.Error")


class Errors(unittest.TestCase):
    def test_three_parts(self):
        error = error_of("no ETDump below /out; give one with --etdump, or run the model", ["/out"])
        self.assertEqual((error.file, error.problem, error.remedy),
                         ("/out", "no ETDump below /out", "give one with etdump=, or run the model"))
        self.assertEqual(str(error), "no ETDump below /out; give one with etdump=, or run the model")

    def test_names_of_parameters(self):
        error = error_of("x; use --no-etrecord, --path-map or --target-time-scale")
        self.assertEqual(error.remedy, "use etrecord=False, path_maps= or target_time_scale=")

    def test_relative_file_is_named(self):
        self.assertEqual(error_of("cannot read out/a.etdp: it ends early", ["out/a.etdp"]).file, "out/a.etdp")
        self.assertEqual(str(etlens.Error("a.pte", "it is empty", "export again")), "a.pte: it is empty; export again")

    def test_error_can_be_pickled(self):
        error = pickle.loads(pickle.dumps(etlens.Error("f", "p", "r")))
        self.assertEqual((error.file, error.problem, error.remedy), ("f", "p", "r"))

    def test_missing_and_broken_files(self):
        error = error_from(lambda: etlens.load("/no/such/folder"))
        self.assertEqual(error.file, "/no/such/folder")
        self.assertTrue(error.remedy)

    def test_no_executable(self):
        with variable("ETLENS_EXECUTABLE", "/no/such/program"):
            error = error_from(lambda: etlens.load(EXAMPLES / "pricer"))
        self.assertEqual(error.file, "/no/such/program")
        self.assertIn("ETLENS_EXECUTABLE", error.problem)


@unittest.skipIf(os.name == "nt", "shell scripts")
class Failures(unittest.TestCase):
    def test_hung(self):
        with fake_executable('echo $$ > "$(dirname "$0")/id"; exec sleep 1000') as folder:
            for limit in (1, 10, 100):  # a busy machine may need long to start it
                error = error_from(lambda: etlens.load("model.etdp", timeout=limit))
                if (folder / "id").exists():
                    break
            process_id = int((folder / "id").read_text())
        self.assertIn(f"no answer after {limit} s", error.problem)
        self.assertIn("timeout=", error.remedy)
        self.assertFalse(is_running(process_id))

    def test_killed(self):
        with fake_executable("kill -9 $$"):
            error = error_from(lambda: etlens.load("model.etdp"))
        self.assertIn("SIGKILL", error.problem)
        self.assertEqual(error.file, "model.etdp")

    def test_silent_failure(self):
        with fake_executable("exit 1"):
            self.assertIn("status 1", error_from(lambda: etlens.load("x")).problem)

    def test_no_document(self):
        for text in ("echo no JSON", "echo '[1]'", "true", "printf '\\377\\376'"):
            with self.subTest(text), fake_executable(text):
                self.assertIn("did not write a document", error_from(lambda: etlens.load("x")).problem)

    def test_another_release(self):
        with fake_executable("""[ "$1" = api ] && exit 2; echo '{"schema": "etlens/lines@9"}'"""):
            error = error_from(lambda: etlens.load("x"))
        self.assertIn("etlens/lines@9", error.problem)
        self.assertIn("one release", error.remedy)

    def test_both_pipes_full(self):
        flood = "head -c 3000000 /dev/zero | tr '\\0' x"
        with fake_executable(f"{flood} >&2; echo >&2; {flood}; exit 0"):
            self.assertEqual(len(_process.run(["lines"]).out), 3000000)

    def test_text_is_no_option(self):
        with fake_executable("""printf '%s ' "$@" >&2; exit 1"""):
            problem = str(error_from(lambda: _process.run(Options.of_call('--help', {}).of('lines'))))
        self.assertIn(" ./--help ", f" {problem} ")

    def test_interrupted(self):
        # Whoever runs the tests may have it ignored, as shells do in the background.
        code = ("import etlens, signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
                "try: etlens.load('x')\nexcept KeyboardInterrupt: print('interrupted')")
        with fake_executable('echo $$ > "$(dirname "$0")/id.new"; mv "$(dirname "$0")/id.new" "$(dirname "$0")/id"; '
                             "exec sleep 1000") as folder:
            process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
            wait_for(folder / "id")
            process.send_signal(2)
            out = process.communicate(timeout=60)[0]
            self.assertEqual(out.strip(), b"interrupted")
            self.assertFalse(is_running(int((folder / "id").read_text())))

    def test_interpreter_ends(self):
        """A thread still waits for an answer when the interpreter ends."""
        code = ("import etlens, threading, os, time\n"
                "threading.Thread(target=lambda: etlens.load('x'), daemon=True).start()\n"
                "while not os.path.exists(os.path.join(os.path.dirname(os.environ['ETLENS_EXECUTABLE']), 'id')): time.sleep(.01)\n")
        with fake_executable('echo $$ > "$(dirname "$0")/id.new"; mv "$(dirname "$0")/id.new" "$(dirname "$0")/id"; '
                             "exec sleep 1000") as folder:
            subprocess.run([sys.executable, "-c", code], check=True, timeout=60, stderr=subprocess.DEVNULL)
            process_id = int((folder / "id").read_text())
            while is_running(process_id):  # killed, not yet gone
                time.sleep(0.01)


def wait_for(path):
    while not pathlib.Path(path).exists():
        time.sleep(0.01)


class AtTheSameTime(unittest.TestCase):
    def test_threads(self):
        study = etlens.load(EXAMPLES / "pricer")
        found = []
        threads = [threading.Thread(target=lambda: found.append((len(study.events), study.advice[0].title)))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 4)
        self.assertEqual(len(set(found)), 1)

    @unittest.skipUnless(hasattr(os, "fork"), "fork")
    def test_fork(self):
        code = ("import etlens, os, sys\n"
                f"study = etlens.load({str(EXAMPLES / 'pricer')!r})\n"
                "child = os.fork()\n"
                "count = len(study.modules)\n"
                "if child == 0: os._exit(0 if count else 1)\n"
                "sys.exit(os.waitpid(child, 0)[1] or not count)\n")
        subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


class CommandLine(unittest.TestCase):
    def test_module(self):
        result = subprocess.run([sys.executable, "-m", "etlens", "--version"], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(result.stdout.startswith("etlens "), result.stdout)
        wrong = subprocess.run([sys.executable, "-m", "etlens", "lines", "/no/such"], capture_output=True, text=True, timeout=60)
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("/no/such", wrong.stderr)


if __name__ == "__main__":
    unittest.main()
