# SPDX-License-Identifier: Apache-2.0
"""Tables of rows, without pandas, and ways from them to pandas, polars and Arrow."""
import importlib
import json
import unicodedata
from typing import (Any, Callable, Dict, Generic, Iterator, List, Optional, Sequence, TypeVar, Union,
                    overload)

from etlens._errors import Error

R = TypeVar("R")
_SCALARS = (bool, int, float, str)
_SHOWN_ROWS = 60
_SHOWN_WIDTH = 60


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Table):
        return f"{len(value)} rows"
    if isinstance(value, (list, tuple)):
        return ", ".join(_text(one) for one in value)
    # No control characters, no change of the writing direction: the text may come from an artifact.
    text = "".join(" " if unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp", "Cs") else sign
                   for sign in str(value))
    return text if len(text) <= _SHOWN_WIDTH else text[:_SHOWN_WIDTH - 1] + "…"


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as why:
        raise Error("", f"{name} is not installed", f"pip install {name}, or use to_dicts()") from why


def _kind(value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, bool):
        return bool
    if isinstance(value, (int, float)):
        return float
    return str if isinstance(value, str) else object


def _of_one_type(values: List[Any]) -> List[Any]:
    """`values` as they are if a typed column can hold them, else each as JSON text."""
    lists = [value for value in values if isinstance(value, list)]
    single = [one for value in lists for one in value] if lists else values
    kinds = {_kind(one) for one in single} - {None}
    is_mixed = lists and any(value is not None and not isinstance(value, list) for value in values)
    if len(kinds) > 1 or object in kinds or is_mixed:
        return [None if value is None else json.dumps(value, ensure_ascii=False) for value in values]
    if kinds == {float} and any(isinstance(one, float) for one in single):
        return [None if value is None else
                [None if one is None else float(one) for one in value] if isinstance(value, list)
                else float(value) for value in values]
    return values


class Table(Generic[R], Sequence[R]):
    """Rows of one kind.

    A table is a sequence of rows: it has a length, can be iterated, indexed and sliced. Every
    method that chooses or orders rows returns another table.

    Attributes
    ----------
    name : str
        What the rows are, such as ``"lines"``.
    unit : str or None
        The unit of ``self``, ``total`` and the like: ``"ms"``, ``"count"``, …
    """

    def __init__(self, rows: Sequence[R], *, name: str = "rows", unit: Optional[str] = None,
                 shown: Sequence[str] = ()) -> None:
        self._rows: List[R] = list(rows)
        self._shown = tuple(shown)
        self.name = name
        self.unit = unit

    def _with(self, rows: Sequence[R]) -> "Table[R]":
        return type(self)(rows, name=self.name, unit=self.unit, shown=self._shown)

    @overload
    def __getitem__(self, index: int) -> R: ...

    @overload
    def __getitem__(self, index: slice) -> "Table[R]": ...

    def __getitem__(self, index: Union[int, slice]) -> "Union[R, Table[R]]":
        return self._with(self._rows[index]) if isinstance(index, slice) else self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[R]:
        return iter(self._rows)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Table):
            return self._rows == other._rows
        return self._rows == other if isinstance(other, list) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    @property
    def columns(self) -> List[str]:
        """The names of the columns."""
        names: Dict[str, None] = {}
        for row in self._rows:
            names.update(dict.fromkeys(row.keys()))  # type: ignore[attr-defined]
        return list(names)

    def column(self, name: str) -> List[Any]:
        """Return the values of one column, one for each row."""
        if self._rows and name not in self.columns:
            raise Error("", f"the table {self.name} has no column {name}",
                        f"choose one of: {', '.join(self.columns)}")
        return [self._value(row, name) for row in self._rows]

    @staticmethod
    def _value(row: R, name: str) -> Any:
        try:
            return row[name]  # type: ignore[index]
        except KeyError:
            return None

    def filter(self, keep: Optional[Callable[[R], bool]] = None, **equal: Any) -> "Table[R]":
        """Return the rows for which `keep` is true and whose columns are `equal`.

        Examples
        --------
        >>> study.lines.filter(lambda line: line.share > 0.1, confidence="exact")
        """
        for name in equal:
            self.column(name)
        return self._with([row for row in self._rows
                           if (keep is None or keep(row))
                           and all(self._value(row, name) == value for name, value in equal.items())])

    def sort(self, by: Union[str, Callable[[R], Any]], reverse: bool = False) -> "Table[R]":
        """Return the rows in the order of a column: numbers from the greatest, names from the first.

        Parameters
        ----------
        by : str or callable
            A column, or a function of a row.
        reverse : bool
            Turn the order round. Rows without a value stay last.
        """
        values = self.column(by) if isinstance(by, str) else [by(row) for row in self._rows]
        known = [place for place, value in enumerate(values) if value is not None]
        is_number = all(isinstance(values[place], (int, float)) for place in known)
        known.sort(key=lambda place: values[place], reverse=is_number != reverse)
        unknown = [place for place, value in enumerate(values) if value is None]
        return self._with([self._rows[place] for place in known + unknown])

    def top(self, count: int = 10, by: "Union[str, Callable[[R], Any], None]" = None) -> "Table[R]":
        """Return the first `count` rows, sorted by `by` if that is given."""
        return (self if by is None else self.sort(by))[:max(0, count)]

    def to_dicts(self) -> List[Dict[str, Any]]:
        """Return every row as a dictionary, as in JSON."""
        return [row.to_dict() for row in self._rows]  # type: ignore[attr-defined]

    def _json_columns(self) -> Dict[str, List[Any]]:
        rows = self.to_dicts()
        return {name: [row.get(name) for row in rows] for name in self.columns}

    def to_pandas(self) -> Any:
        """Return a ``pandas.DataFrame`` with a row for each row; lists stay lists.

        ``attrs["unit"]`` is the unit of the table.
        """
        frame = _library("pandas").DataFrame(self._json_columns())
        if self.unit:
            frame.attrs["unit"] = self.unit
        return frame

    def to_polars(self) -> Any:
        """Return a ``polars.DataFrame``. A column of things with fields of their own is JSON text."""
        columns = {name: _of_one_type(values) for name, values in self._json_columns().items()}
        return _library("polars").DataFrame(columns)

    def to_arrow(self) -> Any:
        """Return a ``pyarrow.Table``. A column of things with fields of their own is JSON text."""
        columns = {name: _of_one_type(values) for name, values in self._json_columns().items()}
        return _library("pyarrow").table(columns)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _cells(self, rows: Sequence[R]) -> "tuple[List[str], List[bool], List[List[str]]]":
        names = [name for name in self._shown if name in self.columns] or [
            name for name in self.columns
            if any(isinstance(self._value(row, name), _SCALARS) for row in rows)]
        values = [[self._value(row, name) for name in names] for row in rows]
        is_number = [any(isinstance(row[c], (int, float)) for row in values)
                     and all(row[c] is None or isinstance(row[c], (int, float)) for row in values)
                     for c in range(len(names))]
        return names, is_number, [[_text(value) for value in row] for row in values]

    def __str__(self) -> str:
        rows = self._rows[:_SHOWN_ROWS]
        names, is_number, cells = self._cells(rows)
        heads = [f"{name} ({self.unit})" if self.unit and name in ("self", "total") else name
                 for name in names]
        widths = [max([len(head)] + [len(row[c]) for row in cells]) for c, head in enumerate(heads)]

        def line(texts: Sequence[str]) -> str:
            return "  ".join(text.rjust(width) if number else text.ljust(width)
                             for text, width, number in zip(texts, widths, is_number)).rstrip()

        lines = [line(heads)] + [line(row) for row in cells] if names else [f"no {self.name}"]
        if len(self._rows) > len(rows):
            lines.append(f"and {len(self._rows) - len(rows)} more rows")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from etlens._html import table_html

        rows = self._rows[:_SHOWN_ROWS]
        names, is_number, cells = self._cells(rows)
        shares = [self._value(row, "share") for row in rows] if "share" in self.columns else []
        return table_html(names, is_number, cells, shares, len(self._rows) - len(rows))
