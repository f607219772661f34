# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/python.md do what the page shows."""
import doctest
import os
import unittest

from support import ROOT


class Docs(unittest.TestCase):
    maxDiff = None

    def test_examples(self):
        before = os.getcwd()
        os.chdir(ROOT)
        try:
            text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
            text = text.replace("/…/", str(ROOT) + "/")
            test = doctest.DocTestParser().get_doctest(text, {}, "python.md", "docs/python.md", 0)
            failures = []
            runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
            runner.run(test, out=failures.append)
        finally:
            os.chdir(before)
        self.assertEqual("".join(failures), "")
        self.assertGreater(runner.tries, 15)


if __name__ == "__main__":
    unittest.main()
