# SPDX-License-Identifier: Apache-2.0
"""Makes the programs, records and dumps of this folder with the ExecuTorch that is installed (1.5.1, torch 2.13.0).

    python make.py OUT

Then the records lost their weights, constants and inputs, paths were moved to /home/dev, and dumps were packed with gzip.
"""

import os
import sys

import loops
import torch
from executorch.exir import EdgeCompileConfig, to_edge
from executorch.extension.pybindings import portable_lib


def make(folder, model, runs, strict=True):
    program = torch.export.export(model.eval(), runs[0], strict=strict)
    config = EdgeCompileConfig(_check_ir_validity=False)
    executorch = to_edge(program, generate_etrecord=True, compile_config=config).to_executorch()
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/model.pte", "wb") as file:
        file.write(executorch.buffer)
    executorch.get_etrecord().save(f"{folder}/model.etrecord")
    module = portable_lib._load_for_executorch_from_buffer(executorch.buffer, enable_etdump=True)
    for inputs in runs:
        module.forward(inputs)
    module.write_etdump_result_to_file(f"{folder}/model.etdp")


def main(out):
    torch.manual_seed(1)
    x = torch.linspace(0, 1, 32).reshape(2, 16)
    # Five of the eight rows have a positive sum.
    rows = torch.rand(8, 4, 16) * torch.tensor([1.0, -1, 1, 1, -1, 1, -1, 1]).reshape(8, 1, 1)
    make(f"{out}/cond", loops.Cond(), [(x,)] * 6 + [(-x,)] * 3 + [(x,)])
    make(f"{out}/map", loops.Map(), [(rows,)] * 6)
    make(f"{out}/scan", loops.Scan(), [(rows,)] * 6)
    make(f"{out}/nested", loops.Nested(), [(rows,)] * 6 + [(-rows,)] * 4)
    make(f"{out}/nested-default", loops.Nested(), [(rows,)] * 6 + [(-rows,)] * 4, strict=False)


main(sys.argv[1])
