# SPDX-License-Identifier: Apache-2.0
"""Executes two variants of one program by turns until their time is known well enough."""

import hashlib
import math
import time
from typing import Callable, Dict, List, NamedTuple, Optional, Sequence

from etlens._errors import Error

MIN_TURNS = 5
MAX_EXECUTIONS = 2_000  # of the traced variant: every execution makes the dump larger
_SECONDS_OF_TURN = 0.02
_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "min": 60.0}
# 97.5 % quantiles of Student's t for 1, 2, … degrees of freedom.
_T = (
    12.71,
    4.30,
    3.18,
    2.78,
    2.57,
    2.45,
    2.36,
    2.31,
    2.26,
    2.23,
    2.20,
    2.18,
    2.16,
    2.14,
    2.13,
    2.12,
    2.11,
    2.10,
    2.09,
)


class Amount(NamedTuple):
    """Seconds of one execution: the typical value and its interval of 95 %."""

    typical: float
    low: float
    high: float

    @property
    def share(self) -> float:
        """Half the interval, as a share of the typical value."""
        return (self.high - self.low) / 2 / self.typical if self.typical else math.inf


class Measured(NamedTuple):
    """What the turns showed."""

    traced: Amount
    untraced: Optional[Amount]
    executions: int
    ended: str
    pace: List[float]


def seconds_of(limit: object) -> float:
    """`10`, `"10 s"`, `"500 ms"` in seconds."""
    text = str(limit).strip()
    number = text.rstrip("abcdefghijklmnopqrstuvwxyz ")
    unit = text[len(number) :].strip() or "s"
    try:
        seconds = float(number) * _UNITS[unit]
    except (ValueError, KeyError):
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise Error("", f"{text!r} is not a duration", "write limit='10 s', or a number of seconds")
    return seconds


def typical_of(values: Sequence[float]) -> float:
    """The mean without interruptions, by the rule of docs/statistic.md."""
    ordered = sorted(values)
    faster = ordered[: (len(ordered) + 1) // 2]
    centre = sum(faster) / len(faster)
    kept = [value for value in ordered if value <= max(centre * 1.25, centre + 2e-7)]
    return sum(kept) / len(kept)


def amount_of(turns: Sequence[Sequence[float]]) -> Amount:
    """The typical time over all turns. The interval comes from how turns differ: executions in a row are too alike."""
    typical = typical_of([value for turn in turns for value in turn])
    means = [typical_of(turn) for turn in turns]
    middle = typical_of(means)
    kept = [mean for mean in means if mean <= middle * 1.25]
    if len(kept) < 2:
        return Amount(typical, 0.0, 2 * typical)
    mean = sum(kept) / len(kept)
    error = math.sqrt(sum((value - mean) ** 2 for value in kept) / (len(kept) - 1) / len(kept))
    half = error * (_T[len(kept) - 2] if len(kept) - 2 < len(_T) else 1.98)
    return Amount(typical, max(0.0, typical - half), typical + half)


_BLOCK = bytes(1 << 20)


def fixed_calculation() -> None:
    """The calculation whose time shows the machine speed: SHA-256 of 1 MiB."""
    hashlib.sha256(_BLOCK).digest()


def _timed(execute: Callable[[], object], clock: Callable[[], float]) -> float:
    started = clock()
    execute()
    return clock() - started


def measure(
    traced: Callable[[], object],
    untraced: Optional[Callable[[], object]],
    warmup: int,
    until: float,
    limit: float,
    clock: Callable[[], float] = time.perf_counter,
    calculate: Callable[[], object] = fixed_calculation,
    wanted: Optional[int] = None,
) -> Measured:
    """Takes turns of both variants until both intervals are within `until`, or `limit` seconds have passed.

    With `wanted`, after exactly so many executions of each variant, not counting the warm-up.
    """
    variants = {"traced": traced, **({"untraced": untraced} if untraced else {})}
    started = clock()
    for execute in variants.values():
        for _ in range(warmup):
            execute()
    turns: Dict[str, List[List[float]]] = {name: [] for name in variants}
    pace: List[float] = []
    ended = "limit"
    count, executions = 1, warmup
    while True:
        pace.append(_timed(calculate, clock))
        # The order changes with each turn, so that neither variant always runs first.
        for name in sorted(variants, reverse=len(pace) % 2 == 0):
            turns[name].append([_timed(variants[name], clock) for _ in range(count)])
        executions += count
        amounts = {name: amount_of(rows) for name, rows in turns.items()}
        left = None if wanted is None else warmup + wanted - executions
        if left == 0:
            ended = "executions"
            break
        is_known = len(pace) >= MIN_TURNS and all(amount.share <= until for amount in amounts.values())
        if left is None and is_known:
            ended = "interval"
            break
        count = max(1, min(100, int(_SECONDS_OF_TURN / max(amounts["traced"].typical, 1e-9))))
        if left is not None:
            count = min(count, left)
        elif clock() - started >= limit or executions + count > MAX_EXECUTIONS:
            break
    return Measured(amounts["traced"], amounts.get("untraced"), executions, ended, pace)
