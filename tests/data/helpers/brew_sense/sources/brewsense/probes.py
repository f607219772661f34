"""The probes of a fermenter, and layers that can be folded before they go to the cellar."""
from enum import Flag, auto
from functools import partial
from typing import List, Optional

import torch
import torch.nn as nn
import torch.nn.functional as F


class Probe(Flag):
    HYDROMETER = auto()
    THERMOMETER = auto()
    GAS_METER = auto()
    ACIDITY = auto()
    BASIC = HYDROMETER | THERMOMETER
    FULL = BASIC | GAS_METER | ACIDITY


def curve_named(name: str):
    """The response curve that a recipe file asks for by name."""
    if name == "rectified":
        return F.relu
    elif name == "leaking":
        return partial(F.leaky_relu, negative_slope=0.1)
    elif name == "saturating":
        return lambda signal: signal / (1.0 + signal.abs())
    elif name == "smooth":
        return nn.Softplus
    raise LookupError(f"the cellar knows no curve {name!r}")


def as_curve(curve):
    curve = curve_named(curve) if isinstance(curve, str) else curve
    return curve() if isinstance(curve, type) else curve


class Foldable:
    def deploy(self):
        self.fold()
        self.forward = self.forward_folded
        return self


class BatchSteadied(Foldable, nn.Module):
    """Affine map, drift taken out by batch statistics; folded they are a single affine map."""

    def __init__(self, incoming: int, outgoing: int, curve="rectified"):
        super().__init__()
        self.mix = nn.Linear(incoming, outgoing)
        self.steady = nn.BatchNorm1d(outgoing)
        self.curve = as_curve(curve)

    def fold(self):
        gain = self.steady.weight / torch.sqrt(self.steady.running_var + self.steady.eps)
        self.register_buffer("whole_weight", self.mix.weight * gain[:, None])
        self.register_buffer("whole_bias", (self.mix.bias - self.steady.running_mean) * gain + self.steady.bias)
        del self.mix, self.steady

    def forward(self, signal):
        return self.curve(self.steady(self.mix(signal)))

    def forward_folded(self, signal):
        return self.curve(F.linear(signal, self.whole_weight, self.whole_bias))


class UnitLinear(Foldable, nn.Linear):
    """Rows of length one and a separate strength: probes of every make weigh the same."""

    def __init__(self, incoming: int, outgoing: int):
        super().__init__(incoming, outgoing)
        self.strength = nn.Parameter(torch.ones(outgoing, 1))

    def unit_rows(self):
        length = torch.sqrt((self.weight * self.weight).sum(dim=1, keepdim=True))
        return self.strength * self.weight / (length + 1e-6)

    def fold(self):
        self.register_buffer("fixed_rows", self.unit_rows())

    def forward(self, signal):
        return F.linear(signal, self.unit_rows(), self.bias)

    def forward_folded(self, signal):
        return F.linear(signal, self.fixed_rows, self.bias)


class DipTable:
    """Factory calibration of the probes; kept outside of the trained weights."""

    def __init__(self, fitted: Probe):
        self.fitted = [probe for probe in Probe.FULL if probe in fitted]
        self.zero_points = {probe: torch.zeros(1) for probe in self.fitted}
        self.curvature: List[torch.Tensor] = [torch.full((1,), 0.02) for _ in self.fitted]

    def corrected(self, raw, probe: Probe) -> Optional[torch.Tensor]:
        try:
            zero_point = self.zero_points[probe]
        except KeyError:
            return None
        place = self.fitted.index(probe)
        deviation = raw[..., place] - zero_point
        return deviation + self.curvature[place] * deviation.square()
