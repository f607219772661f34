# SPDX-License-Identifier: Apache-2.0
"""``python -m etlens`` is the command line."""
import sys

from etlens._process import main

if __name__ == "__main__":
    sys.exit(main())
