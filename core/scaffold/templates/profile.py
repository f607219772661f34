"""Exports @CLASS@, runs it, and saves the three files that etlens reads: model.pte, model.etrecord and model.etdp.

Made by `etlens init`; ExecuTorch 1.0 or later. Fill in what is `...`, then run it: python @SCRIPT@
"""
import sys
from pathlib import Path

import torch
@PARTITIONER_IMPORT@from executorch.exir import to_edge_transform_and_lower

@SEARCH_PATH@from @MODULE@ import @IMPORTED@

FOLDER = Path(__file__).resolve().parent
EXECUTIONS = 50  # of one execution nobody can say how sure its times are


def make_model() -> torch.nn.Module:
@CONSTRUCTION@


def example_inputs() -> tuple:
    # As the device gets them: sizes decide what is hot. For example torch.randn(1, 3, 224, 224).
@INPUTS@


def export(model: torch.nn.Module, inputs: tuple) -> None:
    # strict=True keeps the lines of helper functions. Where it fails, strict=False does for most of them, too.
    program = torch.export.export(model, inputs, strict=True)
    edge = to_edge_transform_and_lower(program, partitioner=[@PARTITIONER@], generate_etrecord=True)
    executorch = edge.to_executorch()
    executorch.save(str(FOLDER / "model.pte"))
    executorch.get_etrecord().save(str(FOLDER / "model.etrecord"))


@RUN@def main() -> None:
    inputs = example_inputs()
    if any(given is ... for given in inputs):
        sys.exit("Fill in example_inputs() first")
    torch.manual_seed(0)
    with torch.no_grad():
        export(make_model().eval(), inputs)
@RUN_CALL@

if __name__ == "__main__":
    main()
