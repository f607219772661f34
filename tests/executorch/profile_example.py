# SPDX-License-Identifier: Apache-2.0
"""`etlens profile` with the real ExecuTorch on the examples of this repository: profile_example.py ETLENS

The probe's guess, a run with and without quantization, and what is known of each dump. Every difference is one line.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# (example, guess of its input, options)
CASES = (
    ("leafnet/model.py", "1x1x224x224:float32", ("--executions", "20", "--values")),
    ("leafnet/model.py", "1x1x224x224:float32", ("--executions", "20", "--quantize", "int8")),
)
LINES_GOAL = 0.97


def etlens(*arguments):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    done = subprocess.run([ETLENS, *map(str, arguments)], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise RuntimeError(f"etlens {arguments[0]}: {done.stderr.strip()[-2000:]}")
    return done.stdout


def differences(example, guess, options, folder):
    model = ROOT / "examples" / example
    command = ("profile", model, "--python", sys.executable, "-o", folder)
    probe = json.loads(etlens(*command, "--probe", "--json"))
    found = [f"the probe has {problem['text']}" for problem in probe["problems"] if problem["stops"]]
    if [one["guess"] for one in probe["inputs"]] != [guess]:
        found.append(f"the probe guesses {probe['inputs']}")
    shown = etlens(*command, *options, "--yes")
    if model.name not in shown and "def forward" not in shown:
        found.append("annotate does not show the model")
    if probe["dump"] != str(folder / "model.etdp") or not (folder / "model.etdp").is_file():
        found.append(f"the dump is not where the probe has it: {probe['dump']}")
    check = json.loads(etlens("check", folder, "--format", "json", "--etdump", folder / "model.etdp"))
    if check["pair"]["confidence"] != "certain":
        found.append(f"the pair is {check['pair']}")
    run = json.loads((folder / "model.etdp.json").read_text())
    if (run["executions"], run["ended"]) != (23, "executions"):  # with the warm-up
        found.append(f"the file about the run has {run['executions']} executions, ended by {run['ended']}")
    parts = check["reconciliation"]
    operators = sum(parts[part] for part in ("lines_ticks", "opaque_partition_ticks", "sizes_ticks", "unattributed_ticks"))
    if not operators or parts["lines_ticks"] < LINES_GOAL * operators:
        found.append(f"{parts['lines_ticks']} of {operators} ticks are on lines")
    if "--values" in options:
        values = ("values", "--etdump", folder / "values" / "model.etdp", "--etrecord", folder / "model.etrecord")
        table = json.loads(etlens(*values, "--reference", folder / "reference.npz", "--format", "json"))
        if not table["values"]:
            found.append("no value was logged")
    left = [file.name for file in folder.iterdir() if file.name.startswith(".etlens-profile")]
    return found + [f"{name} is left" for name in left]


def main():
    failed = False
    for example, guess, options in CASES:
        with tempfile.TemporaryDirectory(prefix="etlens-profile-") as folder:
            try:
                found = differences(example, guess, options, Path(folder).resolve())
            except Exception as error:
                found = [str(error)]
        name = " ".join(("profile", example, *options))
        print(*([f"{name}: {text}" for text in found] or [f"{name}: no difference"]), sep="\n", flush=True)
        failed |= bool(found)
    return 1 if failed else 0


if __name__ == "__main__":
    ETLENS = os.path.abspath(sys.argv[1])
    sys.exit(main())
