"""Writes model.pte, model.etrecord, and model.bpte: the program with inputs to run it on."""
import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.devtools import BundledProgram
from executorch.devtools.bundled_program.config import MethodTestCase, MethodTestSuite
from executorch.devtools.bundled_program.serialize import serialize_from_bundled_program_to_flatbuffer
from executorch.exir import to_edge_transform_and_lower

from model import Config, Storyteller


def example_inputs():
    generator = torch.Generator().manual_seed(2)
    return (torch.randint(0, Config.vocab, (8, Config.max_seq), generator=generator),)


def main():
    torch.manual_seed(1)
    model, inputs = Storyteller(Config()).eval(), example_inputs()

    # strict=True keeps the lines of helper methods in the stack traces
    program = torch.export.export(model, inputs, strict=True)
    edge = to_edge_transform_and_lower(program, partitioner=[XnnpackPartitioner()], generate_etrecord=True)
    executorch = edge.to_executorch()
    executorch.save("model.pte")
    executorch.get_etrecord().save("model.etrecord")

    # the runner takes its inputs from the bundled program
    suite = MethodTestSuite("forward", [MethodTestCase(inputs, (model(*inputs),))])
    with open("model.bpte", "wb") as file:
        file.write(serialize_from_bundled_program_to_flatbuffer(BundledProgram(executorch, [suite])))


if __name__ == "__main__":
    with torch.no_grad():
        main()
