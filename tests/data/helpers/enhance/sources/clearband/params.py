from typing import Any, Callable, Dict


class Config:
    """Options with defaults and overrides. `config("KEY", default, cast)` reads one and remembers it."""

    def __init__(self):
        self._overrides: Dict[str, Any] = {}
        self._used: Dict[str, Any] = {}

    def use(self, **overrides: Any) -> "Config":
        self._overrides.update({k.upper(): v for k, v in overrides.items()})
        return self

    def __call__(self, key: str, default: Any, cast: Callable = str) -> Any:
        value = self._overrides.get(key, default)
        self._used[key] = cast(value)
        return self._used[key]


config = Config()


class ModelParams:
    def __init__(self):
        self.sr = config("SR", 16000, int)
        self.n_freqs = config("N_FREQS", 64, int)
        self.nb_erb = config("NB_ERB", 16, int)
        self.nb_df = config("NB_DF", 24, int)
        self.df_order = config("DF_ORDER", 3, int)
        self.df_lookahead = config("DF_LOOKAHEAD", 1, int)
        self.conv_ch = config("CONV_CH", 8, int)
        self.conv_kt = config("CONV_KT", 2, int)
        self.emb_dim = config("EMB_DIM", 32, int)
        self.lin_groups = config("LIN_GROUPS", 4, int)
        self.norm_tau = config("NORM_TAU", 0.9, float)
        self.mask_pf = config("MASK_PF", True, bool)
