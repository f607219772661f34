"""python export.py fp32|int8: writes into the folder of that name model.pte, model.etrecord, and model.bpte:
the program with inputs to run it on."""
import sys
from pathlib import Path

import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import XNNPACKQuantizer, get_symmetric_quantization_config
from executorch.devtools import BundledProgram
from executorch.devtools.bundled_program.config import MethodTestCase, MethodTestSuite
from executorch.devtools.bundled_program.serialize import serialize_from_bundled_program_to_flatbuffer
from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

from model import LeafNet


def images(count, seed):
    generator = torch.Generator().manual_seed(seed)
    return [(torch.rand(1, 1, 224, 224, generator=generator),) for _ in range(count)]


def quantize(model):
    quantizer = XNNPACKQuantizer().set_global(get_symmetric_quantization_config(is_per_channel=True))
    inputs = images(4, seed=6)
    prepared = prepare_pt2e(torch.export.export(model, inputs[0], strict=True).module(), quantizer)
    for image in inputs:
        prepared(*image)
    return convert_pt2e(prepared)


def main(variant):
    torch.manual_seed(3)
    model, inputs = LeafNet().eval(), images(1, seed=5)[0]
    if variant == "int8":
        model = quantize(model)
    program = torch.export.export(model, inputs, strict=True)
    edge = to_edge_transform_and_lower(
        program,
        partitioner=[XnnpackPartitioner()],
        compile_config=EdgeCompileConfig(_check_ir_validity=variant == "fp32"),
        generate_etrecord=True,
    )
    executorch = edge.to_executorch()
    folder = Path(variant)
    folder.mkdir(exist_ok=True)
    executorch.save(str(folder / "model.pte"))
    executorch.get_etrecord().save(str(folder / "model.etrecord"))

    # the runner takes its inputs from the bundled program
    suite = MethodTestSuite("forward", [MethodTestCase(inputs, (model(*inputs),))])
    with open(folder / "model.bpte", "wb") as file:
        file.write(serialize_from_bundled_program_to_flatbuffer(BundledProgram(executorch, [suite])))


if __name__ == "__main__":
    with torch.no_grad():
        main(sys.argv[1])
