# SPDX-License-Identifier: Apache-2.0
"""What the rows of all tables have in common."""
from typing import (Any, ClassVar, Dict, Iterator, Mapping, Optional, Tuple, Type, TypeVar,
                    get_args)

from etlens._table import Table

_R = TypeVar("_R", bound="Row")


def _row_type(annotation: Any) -> "Optional[Type[Row]]":
    """The class of the rows that a field has, as in Optional[Table[Line]]; None for other values."""
    if isinstance(annotation, type) and issubclass(annotation, Row):
        return annotation
    return next(filter(None, map(_row_type, get_args(annotation))), None)


class Row:
    """A value with named fields, read from JSON.

    A field is an attribute (``row.self``) and an item (``row["self"]``). A name that is a word of
    Python has an underscore as an attribute (``row.from_``). A field that the document left out is
    None. A list of rows is a `Table`.
    """

    __slots__ = ("_values",)
    _nested: ClassVar[Mapping[str, Type["Row"]]] = {}
    _fields: ClassVar[Tuple[str, ...]] = ()
    _values: Dict[str, Any]

    def __init_subclass__(cls) -> None:
        """The fields are the annotations, those of the class in front of those of its base."""
        own = {name.rstrip("_"): annotation for name, annotation in cls.__annotations__.items()
               if not name.startswith("_")}
        rows = {name: _row_type(annotation) for name, annotation in own.items()}
        cls._fields = tuple(dict.fromkeys((*own, *cls._fields)))
        cls._nested = {**cls._nested, **{name: row for name, row in rows.items() if row}}

    def __init__(self, values: Dict[str, Any]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> Any:
        value = self._values.get(name) if name in self._fields else self._values[name]
        nested = self._nested.get(name)
        if nested is None or value is None:
            return value
        if isinstance(value, list):
            return Table([nested(one) for one in value], name=name)
        return nested(value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            pass
        if name.endswith("_") and name[:-1] in self._values:
            return self[name[:-1]]
        raise AttributeError(f"{type(self).__name__} has no field {name}; it has: {', '.join(self)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def keys(self) -> Tuple[str, ...]:
        """The names of the fields."""
        return self._fields + tuple(name for name in self._values if name not in self._fields)

    def to_dict(self) -> Dict[str, Any]:
        """The fields as they are in JSON."""
        return dict(self._values)

    def __dir__(self) -> Any:
        return [*super().__dir__(), *self.keys()]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._values == other._values

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self: _R) -> Tuple[Type[_R], Tuple[Dict[str, Any]]]:
        return type(self), (self._values,)

    def __repr__(self) -> str:
        shown = []
        for name in self.keys():
            value = self._values.get(name)
            if isinstance(value, list) and name in self._nested:
                shown.append(f"{name}=<{len(value)} rows>")
            elif value is not None:
                text = repr(value)
                shown.append(f"{name}={text if len(text) < 80 else text[:76] + '…'}")
        return f"{type(self).__name__}({', '.join(shown)})"
