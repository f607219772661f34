import torch


def dimmed(ships, fog):
    if fog is not None:
        return torch.tanh(ships)
    return torch.tanh(ships)


def drifted(ships, tide, pilot):
    if isinstance(tide, (torch.Tensor, list)):
        return torch.relu(ships) + 1
    if pilot is None:
        return torch.relu(ships) + 1
    return torch.relu(ships) + 1


def shaded(ships, shade, fog):
    if fog is None and shade is not None:
        return torch.sigmoid(ships * shade)
    return torch.sigmoid(ships * shade)
