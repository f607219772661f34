import copy


class Watch:
    def __init__(self, width=None):
        self.width = width
        self.seen = None

    def length(self, asked):
        return asked if self.seen is None else asked + self.seen.shape[1]


class Night(Watch):
    def __init__(self, width):
        super().__init__(width=width)


KINDS = {"day": Watch, "night": Night}


class Log:
    """What earlier calls saw; how many watches there are and of which kind, the settings say."""

    def __init__(self, settings=None, lends=False):
        watches = []
        if settings is not None:
            settings = settings.of_watch(deep=True)
            for number in range(settings.layers):
                kind = settings.kinds[number] if settings.kinds is not None else "day"
                if kind == "night":
                    watches.append(Night(settings.width))
                elif kind in KINDS:
                    watches.append(KINDS[kind]())
                else:
                    raise ValueError(kind)
            for key, value in copy.deepcopy(settings.__dict__).items():
                if key.startswith("watch_") and value is not None:
                    if isinstance(value, int):
                        watches = watches[:value]
                    elif lends:
                        watches.append(Watch(value))
        self.watches = watches

    def length(self, asked, number=0):
        if number >= len(self.watches):
            return asked
        return self.watches[number].length(asked)
