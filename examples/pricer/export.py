"""Writes model.pte, model.etrecord, and model.bpte: the program with inputs to run it on."""
import torch
from executorch.devtools import BundledProgram
from executorch.devtools.bundled_program.config import MethodTestCase, MethodTestSuite
from executorch.devtools.bundled_program.serialize import serialize_from_bundled_program_to_flatbuffer
from executorch.exir import to_edge_transform_and_lower

from model import Pricer

ROWS = 128


def rows(seed):
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(ROWS, 12, generator=generator) * 100
    ids = torch.stack([torch.randint(0, n, (ROWS,), generator=generator) for n in (20, 40, 7)], dim=1)
    return x, ids


def main():
    torch.manual_seed(4)
    model, inputs = Pricer().eval(), rows(seed=1)
    # strict=True keeps the lines of helper methods in the stack traces
    program = torch.export.export(model, inputs, strict=True)
    executorch = to_edge_transform_and_lower(program, generate_etrecord=True).to_executorch()
    executorch.save("model.pte")

    cases = [MethodTestCase(i, model(*i)) for i in (inputs, rows(seed=2))]
    bundled = BundledProgram(executorch, [MethodTestSuite("forward", cases)])
    with open("model.bpte", "wb") as file:
        file.write(serialize_from_bundled_program_to_flatbuffer(bundled))

    record = executorch.get_etrecord()
    record.update_representative_inputs(bundled)
    record.update_reference_outputs(bundled)
    record.save("model.etrecord")


if __name__ == "__main__":
    with torch.no_grad():
        main()
