from . import heads, hrnet  # noqa: F401  (fills the registries)
