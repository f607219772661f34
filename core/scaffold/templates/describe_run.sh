#!/usr/bin/env bash
# Writes model.etdp.json: the hashes of the files that ran, so that etlens never pairs the dump with another export. Made by
# `etlens init`. Run it right after the program, next to model.pte, model.etrecord and model.etdp.
set -euo pipefail
cd "$(dirname "$0")"

hash_of() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1
}
identity() {
  if [ -f "$1" ]; then
    printf '{"file": "%s", "sha256": "%s", "bytes": %d}' "$1" "$(hash_of "$1")" "$(wc -c <"$1")"
  else
    printf null
  fi
}
# Whether the export wrote both files: its model.sources.json has their hashes.
paired_by=name
if [ -f model.sources.json ] && [ -f model.etrecord ] && grep -q "$(hash_of model.pte)" model.sources.json &&
  grep -q "$(hash_of model.etrecord)" model.sources.json; then
  paired_by=export
fi
# What is null here, etlens.profile knows: times without the event tracer, and the machine.
unknown=$(printf ', "%s": null' method started warmup executions ended traced untraced pace device processors governors \
  load_before load_after commit versions)
printf '{"schema": "etlens/run@1", "dump": %s, "program": %s, "record": %s, "paired_by": "%s"%s}\n' \
  "$(identity model.etdp)" "$(identity model.pte)" "$(identity model.etrecord)" "$paired_by" "$unknown" >model.etdp.json
