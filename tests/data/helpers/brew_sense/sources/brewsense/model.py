"""A fermenter with its probes: sugar, alcohol and a warning for the brewer."""
from dataclasses import dataclass
from typing import Tuple

import torch
import torch.nn as nn

from .alarms import night_watch, read_rule
from .probes import BatchSteadied, DipTable, Foldable, Probe, UnitLinear
from .vat import Fermentation


@dataclass(frozen=True)
class CellarPlan:
    probes: Probe = Probe.BASIC | Probe.GAS_METER
    strain: str = "lager"
    senses: int = 8
    curves: Tuple[object, ...] = ("leaking", "saturating", nn.Softplus)
    rules: Tuple[tuple, ...] = (("stuck", 3), ("weak", 4.5), ("runaway", 0.8))


class Nose(nn.Module):
    """All probes of one hour become what the yeast is thought to feel."""

    def __init__(self, plan: CellarPlan):
        super().__init__()
        self.table = DipTable(plan.probes)
        widths = [len(self.table.fitted)] + [plan.senses] * len(plan.curves)
        self.stages = nn.ModuleList([BatchSteadied(a, b, c) for a, b, c in zip(widths, widths[1:], plan.curves)])

    def _dip(self, raw):
        read = [self.table.corrected(raw, probe) for probe in Probe.FULL]
        return torch.stack([signal for signal in read if signal is not None], dim=-1)

    def forward(self, raw):
        felt = self._dip(raw).flatten(0, 1)
        for stage in self.stages:
            felt = stage(felt)
        return felt.unflatten(0, raw.shape[:2])


class Fermenter(nn.Module):
    def __init__(self, plan: CellarPlan = CellarPlan()):
        super().__init__()
        self.nose = Nose(plan)
        self.fermentation = Fermentation(plan.strain, plan.senses)
        self.blend = UnitLinear(len(plan.rules), 1)
        self.alarms = [read_rule(line) for line in plan.rules]

    @torch.no_grad()
    def deploy(self):
        for layer in self.modules():
            if isinstance(layer, Foldable):
                layer.deploy()
        return self

    def forward(self, raw, pitch=None):
        told = self.fermentation(self.nose(raw), pitch)
        curve, _ = told["curve"]
        state = told["vat"]["state"]
        vigour = torch.stack(told["vat"]["yeast"], dim=1).mean(dim=1)
        warning = torch.sigmoid(self.blend(night_watch(self.alarms, state, curve)))
        return {"sugar": curve, "alcohol": state.alcohol, "yeast": vigour, "warning": warning}


class Model(Fermenter):
    """The form that runs beside the vat."""

    def __init__(self):
        super().__init__()
        self.deploy()


def example():
    return [(2, 5, 3), (2, 1)]
