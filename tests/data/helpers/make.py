#!/usr/bin/env python3
# Makes a case of this folder from an export of one model both ways (README.md):
#   make.py FOLDER_WITH_ETRECORD_AND_TRUTH_JSON SOURCES CASE
# The strict record goes with it where the folder has strict.etrecord.
# Of the record only what a reader of lines reads is kept, deflated; of the truth the project's frames.
import json
import os
import shutil
import sys
import zipfile

folder, sources, case = sys.argv[1:]
os.makedirs(case, exist_ok=True)


def copy_record(name):
    with zipfile.ZipFile(f"{folder}/{name}") as record, zipfile.ZipFile(f"{case}/{name}", "w") as out:
        for info in record.infolist():
            member = info.filename
            if member.startswith("exported_program") or member.endswith(("_state_dict", "_constants", "_example_inputs")):
                continue
            kept = zipfile.ZipInfo(member, (2026, 1, 1, 0, 0, 0))
            kept.compress_type = zipfile.ZIP_DEFLATED if info.file_size else zipfile.ZIP_STORED
            out.writestr(kept, record.read(member))


for name in ("model.etrecord", "strict.etrecord"):
    if os.path.exists(f"{folder}/{name}"):
        copy_record(name)
truth = json.load(open(f"{folder}/truth.json"))
table = truth["files_frames"]


def frames(node, key):
    rows = [table[i] for i in node.get(key) or []]
    return [r for r in rows if "dist-packages" not in r[0] and not r[0].startswith("<") and "export" not in r[0]]


with open(f"{case}/truth.tsv", "w") as out:
    for node in truth["edge"]:
        real = frames(node, "frames") or frames(node, "full")
        own = frames(node, "own")
        if real:
            text = ";".join(f"{f}:{line}:{function}" for f, line, function in real)
            out.write(f"{node['name']}\t{len(own)}\t{int(own[-1:] != real[-1:])}\t{text}\n")
shutil.rmtree(f"{case}/sources", ignore_errors=True)
shutil.copytree(sources, f"{case}/sources")
