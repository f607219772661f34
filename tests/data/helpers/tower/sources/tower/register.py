"""Makers by name: whoever imports this package finds them all."""


class Register(dict):
    def makes(self, name=None):
        def entered(maker):
            self[name or maker.__name__.lower()] = maker
            return maker

        return entered

    def build(self, plan):
        plan = dict(plan)
        return self[plan.pop("kind")](**plan)


CLAPPERS = Register()
ROPES = Register()
