"""What wind and water do to a buoy, as functions."""
import functools
import operator

import torch


def lever(axis, force):
    return torch.linalg.cross(axis, force)


def drag(speed, height, width, density):
    return speed * (height * width * density)


def summed(pieces):
    """Each piece is made when the sum asks for it."""
    return sum(piece.abs() for piece in pieces)


def multiplied(pieces):
    return functools.reduce(operator.mul, (piece + 1 for piece in pieces))


def energy(pieces):
    return [(piece * piece).sum(-1) for piece in pieces]
