// SPDX-License-Identifier: Apache-2.0
#include "mcp/tools/line_rows.h"

#include <algorithm>

#include "core/base/text.h"

namespace etlens::mcp {

std::vector<OpRow> op_rows(const Asked& asked, std::span<const ContributionId> rows, size_t limit) {
  std::vector<OpRow> ops;
  for (const ContributionId id : rows.first(std::min(limit, rows.size()))) {
    const ContributionFacts row = asked.facts.contribution(id);
    OpRow op;
    op.op = clipped(row.op);
    op.event = clipped(row.name);
    op.module = clipped(row.module_path.value_or(std::string_view()));
    op.self = asked.units.of(row.self);
    op.share = rounded(row.self.share);
    op.occurrences = rounded(row.occurrences);
    op.where = row.where.empty() ? "CPU" : clipped(row.where);
    op.confidence = name_of(row.confidence);
    ops.push_back(std::move(op));
  }
  return ops;
}

Result<FileId> find_file(const Asked& asked, const Workspace& workspace, const std::string& path) {
  const Result<std::string> real = workspace.files().resolve(path);
  if (!real) return real.error();
  const FileId file = asked.facts.find_source(*real);
  if (file.valid()) return file;
  std::vector<std::string> known;
  constexpr size_t kMaxNamed = 8;
  for (const SourceLocation& source : asked.facts.sources()) {
    if (!source.path.empty() && known.size() < kMaxNamed) known.push_back(clipped(source.path));
  }
  return Error{ErrorCode::NotFound,
               clipped(path) + " has no line of this profile" +
                   (known.empty() ? "" : "; these have: " + join(known, ", "))};
}

}  // namespace etlens::mcp
