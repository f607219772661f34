#!/usr/bin/env bash
# One type, one definition: no two types of namespace etlens may have the same name unless a file keeps
# its own to itself. The linker takes either one's code for both, and no compiler warns.
set -euo pipefail
cd "$(dirname "$0")/.."
duplicates=$(find core rpc server cli -name '*.h' -o -name '*.cc' | sort | xargs awk '
  FNR == 1 { depth = 0 }
  /^namespace [a-z_:]*(_schema|test|bench|lsp|uv|payload) \{/ || /^namespace \{/ { if (!/^namespace etlens \{/) ++depth }
  /^}  \/\/ namespace( |$)/ && !/^}  \/\/ namespace etlens$/ { if (depth > 0) --depth }
  depth == 0 && /^(struct|class|enum class|union) [A-Z][A-Za-z0-9]*[^;]*(\{|$)/ && !/;$/ {
    name = $1 == "enum" ? $3 : $2
    if (name ~ /::/) next  # of a type that another file names
    sub(/[^A-Za-z0-9].*/, "", name)
    if (!(name in first)) first[name] = FILENAME
    else if (first[name] != FILENAME) print name ": " first[name] " and " FILENAME
  }')
if [ -n "$duplicates" ]; then
  printf 'types with two definitions:\n%s\n' "$duplicates" >&2
  exit 1
fi
