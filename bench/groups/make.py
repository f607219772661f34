# SPDX-License-Identifier: Apache-2.0
"""Makes dumps of known sizes with the ExecuTorch that is installed, and `sizes.json` beside each: the size of every execution.

    python make.py OUT [CASE…]

A case is MODEL-BACKEND: chat-xnnpack, chat-portable, encoder-…, detector-…, static-…, and the models of other_models.py and library_models.py.
`llama=FOLDER` is a model.pte and etrecord.bin of `export_llm` (docs/llm.md). Every run is made three times: as the machine is, with busy loops beside it
from the start ("loaded"), and with busy loops on and off while it runs ("throttled"); KINDS="quiet" makes one of these. What was exported to OUT before is
used again: KINDS="" exports alone, so that a second call runs the programs on a machine that does nothing else.
"""

import json
import os
import random
import subprocess
import sys

import library_models
import models
import other_models
import torch

SEED = int(os.environ.get("SEED", "0"))
KINDS = os.environ.get("KINDS", "quiet loaded throttled").split()
MODELS = models.MODELS | other_models.OTHER_MODELS | library_models.LIBRARY_MODELS
BUSY = [sys.executable, "-c", "while True: pass"]


def chat(prompts, decodes):
    return [size for prompt in prompts for size in [prompt] + [1] * decodes]


def shuffled(sizes, count, seed):
    row = [sizes[i % len(sizes)] for i in range(count)]
    random.Random(SEED + seed).shuffle(row)
    return row


TOKENS = {"chat7": chat([7], 30), "chat32": chat([32], 30), "chats": chat([32, 7, 32], 12), "decode": [1] * 40, "prefill": [32] * 24,
          "mixed": shuffled([1, 7, 32], 48, 3), "pieces": [32, 32, 7] + [1] * 30}
RUNS = {
    # More executions than etlens looks at to find groups.
    "chat": TOKENS | {"long": shuffled([1, 1, 1, 7, 32], 400, 15)},
    "llama": TOKENS,
    "encoder": {"three": shuffled([7, 32, 96], 45, 1), "two": shuffled([16, 64], 40, 2), "one": [32] * 40},
    "detector": {"three": shuffled([64, 96, 160], 45, 1), "blocks": [64] * 15 + [96] * 15 + [160] * 15, "two": shuffled([96, 192], 40, 2),
                 "one": [96] * 40},
    "static": {"warm": [1] * 40},
    "rotary": {"chat7": TOKENS["chat7"], "chat32": TOKENS["chat32"], "mixed": shuffled([1, 7, 32], 48, 5), "decode": [1] * 40},
    "speech": {"three": shuffled([24, 64, 192], 45, 6), "two": shuffled([48, 96], 40, 7), "one": [96] * 40},
    "pyramid": {"three": shuffled([96, 160, 256], 45, 8), "blocks": [128] * 15 + [192] * 15 + [256] * 15, "two": shuffled([128, 256], 40, 9),
                "one": [128] * 40},
    "segments": {"three": shuffled([48, 80, 128], 45, 10), "blocks": [48] * 15 + [80] * 15 + [160] * 15, "one": [96] * 40},
    "mixer": {"warm": [1] * 40},
} | library_models.library_runs(TOKENS, shuffled)


class Load:
    """Busy loops that are there in some executions: all of them, or every other ten."""

    def __init__(self, kind):
        self.kind, self.loops = kind, []

    def before(self, execution):
        wanted = {"quiet": 0, "loaded": 6, "throttled": 3 if execution // 10 % 2 else 0}[self.kind]
        while len(self.loops) < wanted:
            self.loops.append(subprocess.Popen(BUSY))
        while len(self.loops) > wanted:
            loop = self.loops.pop()
            loop.kill()
            loop.wait()

    def end(self):
        self.kind = "quiet"
        self.before(0)


def export(name, backend, folder):
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower
    model = MODELS[name]().eval().requires_grad_(False)
    if os.path.exists(f"{folder}/model.etrecord"):
        return model
    program = torch.export.export(model, model.example(), dynamic_shapes=model.dynamic(torch.export.Dim), strict=getattr(model, "strict", False))
    parts = [XnnpackPartitioner()] if backend == "xnnpack" else []
    lowered = to_edge_transform_and_lower(program, partitioner=parts, generate_etrecord=True,
                                          compile_config=EdgeCompileConfig(_check_ir_validity=False)).to_executorch()
    with open(f"{folder}/model.pte", "wb") as file:
        file.write(lowered.buffer)
    lowered.get_etrecord().save(f"{folder}/model.etrecord")
    return model


class ExportedLlama:
    """The inputs that programs of export_llm take."""

    def inputs(self, size, at=0):
        return torch.randint(0, 512, (1, size)), torch.tensor([at])


def run(program, model, sizes, kind, out):
    from executorch.extension.pybindings import portable_lib
    module = portable_lib._load_for_executorch(program, enable_etdump=True)
    load, at = Load(kind), 0
    try:
        for execution, size in enumerate(sizes):
            load.before(execution)
            at = 0 if size > 1 and execution or at + size > models.LONGEST - 1 else at
            module.forward(model.inputs(size, at))
            at += size
    finally:
        load.end()
    module.write_etdump_result_to_file(out)


def main(out, cases):
    torch.manual_seed(1)
    for case in cases or [f"{name}-{backend}" for name in models.MODELS for backend in ("xnnpack", "portable")]:
        name, _, rest = case.partition("=") if "=" in case else case.partition("-")
        folder = f"{out}/{name}-{os.path.basename(rest)}"
        os.makedirs(folder, exist_ok=True)
        if "=" in case:
            import executorch.extension.llm.custom_ops.custom_ops  # noqa: F401
            import executorch.kernels.quantized  # noqa: F401
            model, program, record = ExportedLlama(), f"{rest}/model.pte", f"{rest}/etrecord.bin"
        else:
            model, program, record = export(name, rest, folder), f"{folder}/model.pte", f"{folder}/model.etrecord"
        truth = {"record": os.path.abspath(record), "dumps": {}}
        for title, sizes in RUNS[name].items():
            for kind in KINDS:
                dump = f"{title}-{kind}"
                run(program, model, sizes, kind, f"{folder}/{dump}.etdp")
                truth["dumps"][dump] = sizes
        with open(f"{folder}/sizes.json", "w") as file:
            json.dump(truth, file)


main(sys.argv[1], sys.argv[2:])
