# SPDX-License-Identifier: Apache-2.0
"""python/etlens/_rows.py is what _types.py asks for. ETLENS_UPDATE=1 writes it."""
import os
import unittest

from row_types import PACKAGE, rows_text


class Rows(unittest.TestCase):
    def test_rows_are_those_of_the_types(self):
        path = PACKAGE / "_rows.py"
        text = rows_text()
        if os.environ.get("ETLENS_UPDATE"):
            path.write_text(text, encoding="utf-8")
        self.assertEqual(path.read_text(encoding="utf-8"), text)


if __name__ == "__main__":
    unittest.main()
