# SPDX-License-Identifier: Apache-2.0
"""How well groups of executions are found: right, nothing said, or wrong, over dumps whose sizes are known.

    python measure.py ETLENS FOLDER… [--all]

Each folder holds what make.py made (sizes.json), or real cases (groups.json). Right: the same executions are together as in truth, and
decode is of one token. Nothing said: one group, though the sizes differ. Wrong: everything else, and so is a lower bound above the size.
"""

import collections
import glob
import gzip
import json
import os
import subprocess
import sys
import tempfile


def cases(folders):
    for folder in folders:
        for path in sorted(glob.glob(f"{folder}/**/sizes.json", recursive=True)):
            truth = json.load(open(path))
            for dump, sizes in truth["dumps"].items():
                yield os.path.dirname(path), dump, truth["record"], sizes
        for path in sorted(glob.glob(f"{folder}/**/groups.json", recursive=True)):
            at = os.path.dirname(path)
            for dump, row in json.load(open(path)).items():
                yield at, dump, f"{at}/model.etrecord", row["sizes"]


def groups_of(etlens, dump, record):
    if dump.endswith(".gz"):
        with tempfile.NamedTemporaryFile(suffix=".etdp") as unpacked:
            unpacked.write(gzip.open(dump).read())
            unpacked.flush()
            return groups_of(etlens, unpacked.name, record)
    command = [etlens, "check", "--etdump", dump, "--etrecord", record, "--format", "json"]
    answer = subprocess.run(command, capture_output=True, text=True)
    return json.loads(answer.stdout)["groups"]


def verdict(groups, sizes):
    """The outcome, and a text about it."""
    told = [{sizes[e - 1] for e in group["executions"]} for group in groups]
    text = " · ".join(f"{g['name']} ×{len(g['executions'])} {sorted(t)} work {g['work'] or 0:.1f}" for g, t in zip(groups, told))
    if not groups:
        return ("right" if len(set(sizes)) == 1 else "nothing said"), text
    if any(len(of) > 1 for of in told) or len(groups) != len(set(sizes)):
        return "wrong", text
    least = min(sizes)
    for group, of in zip(groups, told):
        size = of.pop()
        if group["name"] == "decode" and size != 1:
            return "wrong", text + " — not decode"
        if group["name"].startswith("prefill") and group["work"] and group["work"] * least > 1.001 * size:
            return "wrong", text + f" — more than {size}"
    return "right", text


def main(etlens, folders, shows_all):
    table = collections.defaultdict(collections.Counter)
    for folder, dump, record, sizes in cases(folders):
        path = next(p for p in (f"{folder}/{dump}.etdp", f"{folder}/{dump}.etdp.gz") if os.path.exists(p))
        outcome, text = verdict(groups_of(etlens, path, record), sizes)
        name = os.path.basename(folder)
        kind = dump.rpartition("-")[2]
        for row in {name, kind, "all"}:
            table[row][outcome] += 1
        if shows_all or outcome != "right":
            print(f"{outcome:12} {name} {dump}: {text}")
    print(f"\n{'':24}{'right':>8}{'nothing':>9}{'wrong':>7}")
    for row, counts in sorted(table.items()):
        print(f"{row:24}{counts['right']:8}{counts['nothing said']:9}{counts['wrong']:7}")


main(sys.argv[1], [a for a in sys.argv[2:] if a != "--all"], "--all" in sys.argv)
