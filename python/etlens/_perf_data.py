# SPDX-License-Identifier: Apache-2.0
"""The Inspector's times of one event, and its arithmetic."""
import math
from typing import Any, Dict, List, Optional

_LAST_OF_32_BITS = 2 ** 32 - 1


class PerfData:
    """Times of one event, one for each execution.

    Attributes
    ----------
    raw : list of float
        In the target time scale.
    p10, p50, p90, avg, min, max : float
        Of `raw`; percentiles are interpolated linearly, as NumPy does.
    """

    def __init__(self, raw: List[float], _known: Optional[Dict[str, Any]] = None) -> None:
        self.raw = raw
        self._known = _known or {}

    def _percentile(self, share: float) -> float:
        values = sorted(self.raw)
        position = (len(values) - 1) * share
        below = math.floor(position)
        above = min(below + 1, len(values) - 1)
        part = position - below
        step = values[above] - values[below]
        return values[above] - step * (1 - part) if part >= 0.5 else values[below] + step * part

    def _value(self, name: str) -> Optional[float]:
        value = self._known.get(name)
        return None if value is None else float(value)

    @property
    def p10(self) -> float:
        known = self._value("p10")
        return self._percentile(0.1) if known is None else known

    @property
    def p50(self) -> float:
        known = self._value("p50")
        return self._percentile(0.5) if known is None else known

    @property
    def p90(self) -> float:
        known = self._value("p90")
        return self._percentile(0.9) if known is None else known

    @property
    def avg(self) -> float:
        known = self._value("avg")
        return math.fsum(self.raw) / len(self.raw) if known is None else known

    @property
    def min(self) -> float:
        return min(self.raw)

    @property
    def max(self) -> float:
        return max(self.raw)

    def __repr__(self) -> str:
        return f"PerfData(raw={self.raw!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PerfData) and self.raw == other.raw

    __hash__ = None  # type: ignore[assignment]


def elapsed(start: float, end: float) -> float:
    """From `start` to `end` as the Inspector calculates: a clock of 32 bits may begin again once."""
    if start <= end:
        return end - start
    if start > _LAST_OF_32_BITS or end > _LAST_OF_32_BITS:
        raise ValueError(f"Expected start_time ({start}) and end_time ({end}) to be less than {_LAST_OF_32_BITS} "
                         "for cases where there is wrap-around of time values.")
    return (_LAST_OF_32_BITS - start) + end


def end_of(start: int, ticks: int, is_of_32_bits: bool) -> int:
    """The end of an event from its start and duration in ticks; the reverse of `elapsed`."""
    end = start + ticks
    return end - _LAST_OF_32_BITS if is_of_32_bits and end > _LAST_OF_32_BITS else end


def fits_32_bits(starts: List[int]) -> bool:
    """Whether no event of the dump starts later than a clock of 32 bits can tell."""
    return all(start <= _LAST_OF_32_BITS for start in starts)
