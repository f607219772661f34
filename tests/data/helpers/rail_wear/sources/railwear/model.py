"""Wear of both rails of a track per zone, from one cross-section scan of each."""
import torch
from torch import nn

from . import InspectionOrder, Zone
from .gauges import Bench
from .nominal import NominalRail, SampleTable
from .sweep import TwoWaySweep

#: millimetres of wear at which a part has to be replaced
LIMITS = {"head": 14.0, "web": 4.0, "foot": 3.0}


class Model(nn.Module):
    def __init__(self, order=InspectionOrder()):
        super().__init__()
        self.order = order
        self.zones = [Zone(name) for name in order.zones]
        self.rolled = NominalRail(order.rail, order.samples, Zone(order.datum))
        self.table = SampleTable(order.channels, order.samples)
        self.lift = nn.Conv1d(1, order.channels, 5, padding=2)
        self.sweep = TwoWaySweep(order.channels, order.passes)
        self.bench = Bench(self.zones, order.channels)
        self.by_class = nn.Embedding(6, 1)
        self.by_tonnage = nn.Linear(1, 1)

    def severity(self, traffic):
        """Either the class of a line (a whole number) or the tonnage that it has carried."""
        scale = self.by_tonnage(traffic[:, None]) if traffic.is_floating_point() else self.by_class(traffic)
        return torch.exp(scale)

    def one_by_one(self, scan):
        """Rails become rows; a single rail is measured as if it stood twice in the track."""
        if scan.dim() == 2:
            scan = torch.stack((scan, scan), dim=1)
        sections, rails = scan.shape[:2]
        return scan.reshape(sections * rails, -1), (sections, rails)

    def share_of_limit(self, wears):
        return torch.stack([wear / LIMITS[name.split("-")[0]] for name, wear in wears.items()], dim=-1)

    def forward(self, scan, traffic=None):
        flat, track = self.one_by_one(scan)
        loss, (height, lean) = self.rolled.loss(flat)
        line = self.sweep(self.lift(loss.unsqueeze(1)) + self.table(loss))
        extras = [] if traffic is None else [self.severity(traffic).repeat_interleave(track[1], dim=0)]
        wears = dict(self.bench.read(line, (self.order.doubt,), *extras, deepest=3))
        used, zone = self.share_of_limit(wears).max(dim=-1)
        report = {name: wear.depth.view(*track) for name, wear in wears.items()}
        return report, used.view(*track), zone, torch.cat((height, lean), dim=-1)


def example():
    return [(1, 2, 96), ((1,), "int64")]
