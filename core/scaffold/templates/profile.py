"""Exports @CLASS@, runs it, and saves what etlens reads: model.pte, model.etrecord and model.etdp.

Made by `etlens init`; ExecuTorch 1.0 or later. Fill in what is `...`, then run it: python @SCRIPT@
"""
import sys
from pathlib import Path

import torch
@PARTITIONER_IMPORT@from executorch.exir import to_edge_transform_and_lower

try:
    import etlens.export
except ImportError:  # pip install etlens
    etlens = None

@SEARCH_PATH@from @MODULE@ import @IMPORTED@

FOLDER = Path(__file__).resolve().parent
METHOD = "forward"
EXECUTIONS = 50  # of one execution nobody can say how sure its times are


def make_model() -> torch.nn.Module:
@CONSTRUCTION@


def example_inputs() -> tuple:
    # As the device gets them: sizes decide what is hot. For example torch.randn(1, 3, 224, 224).
@INPUTS@


def lower(model: torch.nn.Module, inputs: tuple, strict: bool):
    program = torch.export.export(model, inputs, strict=strict)
    edge = to_edge_transform_and_lower(program, partitioner=[@PARTITIONER@], generate_etrecord=True)
    return edge.to_executorch()


def export(model: torch.nn.Module, inputs: tuple) -> None:
    if etlens is not None:
        # Keeps the lines of helper functions, and saves the program, the record and the texts of the sources together.
        with etlens.export.recording(FOLDER) as recording:
            lower(model, inputs, strict=not recording.all_frames)
        return
    print("The Python package etlens is not installed: the texts of the sources and the file about the run are left out.")
    # strict=True keeps the lines of helper functions. Where it fails, strict=False does for most of them, too.
    executorch = lower(model, inputs, strict=True)
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
