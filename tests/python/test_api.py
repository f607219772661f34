# SPDX-License-Identifier: Apache-2.0
"""The process that keeps studies open: the same bytes as the command line, and whatever happens to it, one clear error
and nothing left running."""
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import etlens
from etlens import _api, _process
from support import EXAMPLES, fake_executable, is_running, variable

STORYTELLER = str(EXAMPLES / "storyteller")
COMMANDS = (["lines"], ["modules"], ["events"], ["events", "--by", "line"], ["partitions"], ["advise"], ["delegation"], ["memory"],
            ["size"], ["graph"], ["check"])


def child_id():
    return _api._child.process.pid if _api._child is not None else None


def error_from(call):
    try:
        call()
    except etlens.Error as error:
        return error
    raise AssertionError("no etlens.Error")


def wait_until_gone(process_id):
    while is_running(process_id):
        time.sleep(0.01)


class Documents(unittest.TestCase):
    def test_same_bytes(self):
        for example in ("storyteller", "pricer"):
            for number, command in enumerate(COMMANDS):
                words = [*command, "--format", "json", str(EXAMPLES / example)]
                with self.subTest(words):
                    alone = _process.run(words, accepts=(0, 1))
                    self.assertEqual(_process.run(words, accepts=(0, 1), study="same"), alone)

    def test_errors_are_the_same(self):
        for words in (["lines", "/no/such"], ["lines", "--executions", "9999", STORYTELLER]):
            with self.subTest(words):
                alone = error_from(lambda: _process.run(words))
                self.assertEqual(str(error_from(lambda: _process.run(words, study="errors"))), str(alone))

    def test_one_process_and_one_load(self):
        said = []
        study = etlens.load(STORYTELLER, progress=said.append)
        first = child_id()
        self.assertTrue(study.modules and study.events and study.delegate_calls and study.headline)
        self.assertEqual(child_id(), first)
        self.assertTrue(is_running(first))
        self.assertEqual([sentence for sentence in said if sentence.startswith("reading ")],
                         ["reading model.etdp with model.etrecord with model.pte"])
        self.assertEqual(said[-1], study.headline)

    def test_working_folder_and_environment_of_the_call(self):
        before = os.getcwd()
        try:
            os.chdir(STORYTELLER)
            self.assertEqual(len(etlens.load().lines), len(etlens.load(STORYTELLER).lines))
        finally:
            os.chdir(before)
        first = child_id()
        with variable("ETLENS_BUDGET", "2"):
            etlens.load(STORYTELLER)
            self.assertNotEqual(child_id(), first)
        wait_until_gone(first)

    def test_names_that_are_not_utf8_and_long_requests(self):
        for words in (["lines", os.fsdecode(b"/no/\xff")], ["lines", "/no/such/" + "x" * 100_000]):
            self.assertIsNone(_api.ask(lambda command: self.fail(), "etlens", "s", words, 1.0))
            self.assertTrue(error_from(lambda: _process.run(words, study="s")).problem)

    def test_busy(self):
        """While it answers somebody, others get a process of their own."""
        with _api._lock:
            answer = _process.run(["--version"], study="busy")
        self.assertTrue(answer.out.startswith(b"etlens "))

    def test_threads(self):
        found = []
        threads = [threading.Thread(target=lambda: found.append(len(etlens.load(STORYTELLER).events))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 6)
        self.assertEqual(len(set(found)), 1)


@unittest.skipIf(os.name == "nt", "shell scripts")
class Failures(unittest.TestCase):
    """`api` of a script in place of the executable; its other commands fail."""

    def fails(self, script, sentence, timeout=30):
        with fake_executable(f'[ "$1" = api ] || exit 7\necho $$ > "$(dirname "$0")/id"\nread line\n{script}\n') as folder:
            problem = str(error_from(lambda: _process.document("etlens/lines@2", ["lines"], study="s", timeout=timeout)))
            process_id = int((folder / "id").read_text())
        self.assertIn(sentence, problem)
        self.assertFalse(is_running(process_id))
        self.assertIsNone(child_id())

    def test_it_writes_something_else(self):
        identity = """id=$(echo "$line" | sed 's/.*"id": \\([0-9]*\\),.*/\\1/')\n"""
        for script in ("echo no JSON", "echo '[1]'", "printf '\\377\\376\\n'", "echo '{}'", 'echo \'{"id":-1,"status":0}\'',
                       identity + 'echo "{\\"id\\":$id,\\"status\\":\\"x\\"}"', identity + 'echo "{\\"id\\":$id,\\"other\\":1}"',
                       identity + 'echo "{\\"id\\":$id,\\"bytes\\":-5}"', identity + 'echo "{\\"id\\":$id,\\"bytes\\":99}"; exit 0',
                       "head -c 70000000 /dev/zero", "printf '{\"id\":1'"):
            with self.subTest(script):
                self.fails(script, "did not write a document")

    def test_it_ends(self):
        for script, sentence in (("exit 0", "did not write a document"), ("exit 1", "status 1 and no message"),
                                 ("kill -9 $$", "SIGKILL"), ("echo 'etlens: it takes too long; write it again' >&2; exit 1",
                                                             "it takes too long; write it again")):
            with self.subTest(script):
                self.fails(script, sentence)

    def test_it_hangs(self):
        self.fails("exec sleep 1000", "no answer after 1 s", timeout=1)

    def test_it_floods_stderr_and_answers(self):
        script = ("head -c 3000000 /dev/zero | tr '\\0' x >&2\n"
                  "id=$(echo \"$line\" | sed 's/.*\"id\": \\([0-9]*\\),.*/\\1/')\n"
                  "printf '{\"id\":%s,\"bytes\":3}\\nabc{\"id\":%s,\"message\":\"etlens: a note\\\\n\"}\\n{\"id\":%s,\"status\":0}\\n' $id $id $id\n"
                  "read line\n")
        with fake_executable(f'read line\n{script}'):
            answer = _process.run(["lines"], study="s", timeout=60)
        self.assertEqual((answer.out, answer.notes), (b"abc", ["a note"]))

    def test_progress_without_end(self):
        self.fails("id=$(echo \"$line\" | sed 's/.*\"id\": \\([0-9]*\\),.*/\\1/')\n"
                   "while echo \"{\\\"id\\\":$id,\\\"progress\\\":\\\"x\\\"}\"; do :; done", "no answer after 1 s", timeout=1)

    def test_a_progress_callback_that_fails(self):
        def fail(sentence):
            raise KeyError(sentence)

        with self.assertRaises(KeyError):
            etlens.load(STORYTELLER, progress=fail)
        self.assertTrue(etlens.load(STORYTELLER).lines)

    def test_an_executable_of_another_release(self):
        with fake_executable('[ "$1" = api ] && exit 2\necho "{}"'):
            self.assertEqual(_process.run(["lines"], study="s").out, b"{}\n")

    def test_it_was_ended_in_between(self):
        study = etlens.load(STORYTELLER)
        os.kill(child_id(), signal.SIGKILL)
        wait_until_gone(child_id())
        self.assertTrue(study.modules)

    def test_fork(self):
        """The forked process asks one of its own; that of the other goes on."""
        code = ("import etlens, os\nfrom etlens import _api\n"
                f"study = etlens.load({STORYTELLER!r})\nfirst = _api._child.process.pid\n"
                "child = os.fork()\n"
                "if child == 0: os._exit(0 if study.modules and _api._child.process.pid != first else 1)\n"
                "assert os.waitpid(child, 0)[1] == 0\nassert study.events and _api._child.process.pid == first\n")
        subprocess.run([sys.executable, "-c", code], check=True, timeout=120)

    def test_the_interpreter_ends(self):
        for end in ("", "os._exit(0)", "os.kill(os.getpid(), 9)", "raise SystemExit", "1 / 0"):
            with self.subTest(end):
                code = (f"import etlens, os\nfrom etlens import _api\netlens.load({STORYTELLER!r})\n"
                        f"print(_api._child.process.pid, flush=True)\n{end}\n")
                done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
                self.assertNotIn(b"Fatal", done.stderr)
                wait_until_gone(int(done.stdout))


if __name__ == "__main__":
    unittest.main()
