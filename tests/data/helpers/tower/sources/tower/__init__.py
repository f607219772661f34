from . import clappers, ropes
