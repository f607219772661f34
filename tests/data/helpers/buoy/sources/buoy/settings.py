"""What a buoy is delivered with; a constructor keeps what it was given under `settings`."""
import functools


class Settings(dict):
    __getattr__ = dict.__getitem__


def keeps_settings(init):
    """The module gets an attribute per setting before its own constructor runs."""

    @functools.wraps(init)
    def around(self, **given):
        values = Settings({**self.defaults, **given})
        init(self, **values)
        self.settings = values
        self.band_edges = values.edges

    return around
