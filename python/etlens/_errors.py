# SPDX-License-Identifier: Apache-2.0
"""The one exception of this package."""

from typing import Optional


class Error(Exception):
    """What went wrong, in three parts: the file, the problem, and what to do."""

    def __init__(self, problem: str, *, file: Optional[str] = None, remedy: Optional[str] = None):
        self.file = file
        self.problem = problem
        self.remedy = remedy
        where = f"{file}: " if file else ""
        what_to_do = f"; {remedy}" if remedy else ""
        super().__init__(where + problem + what_to_do)
