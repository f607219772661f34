// SPDX-License-Identifier: Apache-2.0
// Totals of a file's bytes by module and line.
#include <algorithm>
#include <map>

#include "core/measure/file_bytes.h"

namespace etlens {
namespace {

constexpr size_t kKinds = static_cast<size_t>(FilePartKind::External) + 1;

bool is_constant(const FilePart& part) {
  return part.kind == FilePartKind::Constant || part.kind == FilePartKind::DelegateConstant;
}

struct PathOrder {
  // By components, so that a module's children stand right behind it.
  bool operator()(std::string_view a, std::string_view b) const {
    const auto rank = [](char c) { return c == '.' ? 0 : static_cast<unsigned char>(c) + 1; };
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [&](char x, char y) { return rank(x) < rank(y); });
  }
};

}  // namespace

FileTotals total_file(const FileBytes& bytes,
                      const std::vector<std::shared_ptr<const Code>>& codes) {
  FileTotals totals;
  totals.kinds.resize(kKinds);
  std::map<std::string_view, ModuleBytes, PathOrder> modules;
  modules[""];
  std::map<std::pair<std::string_view, uint32_t>, LineBytes> lines;
  for (const FilePart& part : bytes.parts) {
    totals.kinds[static_cast<size_t>(part.kind)] += part.bytes;
    if (part.kind == FilePartKind::External) continue;
    const Code& code = *codes[part.method];
    const bool is_placed = part.line.valid() || (part.module.valid() && part.module != ModuleId(0));
    if (is_constant(part)) totals.constants += part.bytes;
    if (is_constant(part) && is_placed) totals.placed_constants += part.bytes;
    modules[part.module.valid() ? std::string_view(code.modules[part.module.value].path) : ""]
        .own += part.bytes;
    for (ModuleId at = part.module; at.valid() && at != ModuleId(0);
         at = code.modules[at.value].parent) {
      ModuleBytes& row = modules[code.modules[at.value].path];
      row.inclusive += part.bytes;
      row.depth = code.modules[at.value].depth;
    }
    modules[""].inclusive += part.bytes;
    if (!part.line.valid()) continue;
    const CodeLine& line = code.lines[part.line.value];
    LineBytes& row = lines[{code.recorded_path(line.file), line.number}];
    row.text = code.text(line.text);
    row.bytes += part.bytes;
    ++row.parts;
  }
  for (auto& [path, row] : modules) {
    row.path = path;
    totals.modules.push_back(std::move(row));
  }
  for (auto& [place, row] : lines) {
    row.path = place.first;
    row.number = place.second;
    totals.lines.push_back(std::move(row));
  }
  std::stable_sort(totals.lines.begin(), totals.lines.end(),
                   [](const LineBytes& a, const LineBytes& b) { return a.bytes > b.bytes; });
  return totals;
}

}  // namespace etlens
