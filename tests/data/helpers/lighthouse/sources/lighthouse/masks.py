import torch


def later_only(ship, beam, seen, asked):
    return seen <= asked


def all_around(ship, beam, seen, asked):
    return asked >= 0


def both(*rules):
    def kept(ship, beam, seen, asked):
        result = seen.new_ones((), dtype=torch.bool)
        for rule in rules:
            result = result & rule(ship, beam, seen, asked)
        return result

    return kept


def spread(ships, beams, asked, seen):
    ships = ships[:, None, None, None]
    beams = beams[None, :, None, None]
    asked = asked[None, None, :, None]
    seen = seen[None, None, None, :]
    return ships, beams, seen, asked


def mask_of(ships, asked, seen, rule=later_only, padding=None, device="cpu"):
    if padding is not None:
        rule = both(rule, lambda ship, beam, at, to: padding[ship, at])
    ship_numbers = torch.arange(ships, device=device)
    beam_numbers = torch.arange(1, device=device)
    asked_numbers = torch.arange(asked, device=device) + 0
    seen_numbers = torch.arange(seen, device=device) + 0
    mask = rule(*spread(ship_numbers, beam_numbers, asked_numbers, seen_numbers))
    return mask.expand(ships, -1, asked, seen)


def floated(ships, asked, seen, rule=later_only, padding=None, device="cpu"):
    mask = mask_of(ships, asked, seen, rule, padding, device)
    return torch.where(mask, torch.zeros((), device=mask.device), -1e9)


MASKS = {"plain": mask_of, "floated": floated}


def forward_mask(settings, x, padding=None, log=None):
    asked = x.shape[1]
    seen = asked if log is None else log.length(asked)
    return MASKS[settings.kind](x.shape[0], asked, seen, later_only, padding, x.device)


def open_mask(settings, x, padding=None):
    return MASKS[settings.kind](x.shape[0], x.shape[1], x.shape[1], all_around, padding, x.device)
