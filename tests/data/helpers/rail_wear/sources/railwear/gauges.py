"""One gauge per zone: how a length of loss becomes a wear in millimetres."""
import torch
import torch.nn.functional as F
from torch import nn

GAUGES = {}


class Wear:
    """A wear and, for some zones, how much it is to be doubted."""

    def __init__(self, depth, doubt=None):
        self.depth, self.doubt = depth, doubt

    def __sub__(self, shared):
        return Wear(F.softplus(self.depth - shared), self.doubt)

    def __truediv__(self, limit):
        used = self.depth / limit
        return used if self.doubt is None else used * (1.0 + torch.sigmoid(self.doubt))


class Gauge(nn.Module):
    part = None

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        GAUGES[cls.part] = cls

    def __init__(self, zone, channels):
        super().__init__()
        self.zone = zone
        self.feel = nn.Linear(channels, 1)
        self.beside = ()

    def forward(self, line, *extras, **options):
        lo, hi = self.zone.bounds(line.size(-1))
        depth, doubt = self.measure(line[..., lo:hi], *extras, **options)
        wear = Wear(depth, doubt)
        return wear - self.shared_with_neighbour(line) if self.beside else wear

    def shared_with_neighbour(self, line):
        return 0.5 * self.beside[0].project(line)

    def project(self, line):
        """A guess for a neighbour from the edge of this zone, without the full measure."""
        lo, hi = self.zone.bounds(line.size(-1))
        return self.feel(line[..., lo : (lo + hi) // 2].mean(-1)).squeeze(-1)

    def felt(self, patch):
        return self.feel(patch.transpose(1, 2)).squeeze(-1)


class HeadGauge(Gauge):
    """Wear of the head is where it is deepest."""
    part = "head"

    def measure(self, patch, severity=None, *, with_doubt=True, deepest=4):
        depths, at = torch.topk(self.felt(patch), deepest, dim=-1)
        depth = depths.mean(-1)
        if severity is not None:
            depth = depth * severity.squeeze(-1)
        if not with_doubt:
            return depth, None
        away = at.float()
        return depth, (away.max(dim=-1).values - away.min(dim=-1)[0]) / patch.size(-1)


class WebGauge(Gauge):
    """A web only corrodes: evenly, and never less than at its best place."""
    part = "web"

    def measure(self, patch, severity=None, **unused):
        line = self.felt(patch)
        return 0.5 * (line.mean(dim=-1) + line.min(dim=-1).values), None


class FootGauge(Gauge):
    """Ballast knocks pieces off a foot, so that the middle of the sorted depths is taken."""
    part = "foot"

    def measure(self, patch, severity=None, trim=0.25, **unused):
        line = self.felt(patch).sort(dim=-1)[0]
        cut = int(trim * line.shape[-1])
        return line[:, cut : line.shape[-1] - cut].mean(-1), None


class Bench(nn.Module):
    """All gauges of an order. Corners of the head know the crown beside them."""

    def __init__(self, zones, channels):
        super().__init__()
        self.gauges = nn.ModuleDict({z.key: GAUGES[z.part](z, channels) for z in zones})
        crown = [g for g in self.gauges.values() if g.zone.name == "head-crown"]
        for gauge in (g for g in self.gauges.values() if g.zone.is_corner):
            gauge.beside = crown

    def read(self, line, doubted, *extras, **options):
        for gauge in self.gauges.values():
            yield gauge.zone.name, gauge(line, *extras, with_doubt=gauge.zone.part in doubted, **options)
