# SPDX-License-Identifier: Apache-2.0
"""What notebooks show: HTML without a script, every text escaped."""
import base64
from html import escape
from typing import Any, List, Sequence

_BAR = ("background:linear-gradient(to right,rgba(226,115,57,.35) {width:.1f}%,transparent "
        "{width:.1f}%)")


def _cell(text: str, number: bool, style: str = "") -> str:
    align = "right" if number else "left"
    return f'<td style="text-align:{align};white-space:pre;{style}">{escape(text)}</td>'


def _bar(share: Any) -> str:
    if not isinstance(share, (int, float)):
        return ""
    return _BAR.format(width=max(0.0, min(1.0, share)) * 100)


def table_html(names: Sequence[str], is_number: Sequence[bool], cells: Sequence[Sequence[str]],
               shares: Sequence[Any], left_out: int) -> str:
    """A table; the last column has a bar as long as the row's share."""
    head = "".join(f'<th style="text-align:{"right" if number else "left"}">{escape(name)}</th>'
                   for name, number in zip(names, is_number))
    rows: List[str] = []
    for place, row in enumerate(cells):
        bar = _bar(shares[place]) if shares else ""
        rows.append("<tr>" + "".join(
            _cell(text, is_number[c], bar if c == len(row) - 1 else "")
            for c, text in enumerate(row)) + "</tr>")
    more = f"<p>and {left_out} more rows</p>" if left_out > 0 else ""
    return (f'<table class="etlens"><thead><tr>{head}</tr></thead>'
            f'<tbody>{"".join(rows)}</tbody></table>{more}')


def picture_html(svg: bytes, title: str) -> str:
    """A picture in which nothing runs: a browser opens an image without its scripts."""
    data = base64.b64encode(svg).decode("ascii")
    return (f'<img alt="{escape(title, quote=True)}" style="max-width:100%" '
            f'src="data:image/svg+xml;base64,{data}">')
