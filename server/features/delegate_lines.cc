// SPDX-License-Identifier: Apache-2.0
// etlens/delegateLines: the lines that ran together with this one, in one delegate call or one
// fused event. No textDocument/documentHighlight: editors ask one server for it, and that one is to
// say where else the word at the cursor stands.
#include <fmt/format.h>

#include <set>

#include "core/base/text.h"
#include "core/render/display_width.h"
#include "server/features/features.h"

namespace etlens {
namespace {

struct Group {
  std::set<PartitionId> calls;
  std::set<LineId> lines;
};

void add_line(const Facts& facts, LineId id, Group& group) {
  const LineFacts line = facts.line(id);
  for (const PartitionId call : line.partitions) {
    group.calls.insert(call);
    const std::vector<LineId>& lines = facts.code().partitions[call.value].lines;
    group.lines.insert(lines.begin(), lines.end());
  }
  const auto add_fused = [&](LineId target, const std::vector<LineId>& sources) {
    group.lines.insert(target);
    group.lines.insert(sources.begin(), sources.end());
  };
  for (const LineId target : line.fused_into) add_fused(target, facts.line(target).fused_from);
  if (!line.fused_from.empty()) add_fused(id, line.fused_from);
}

// "XNNPACK #2 ran 5 lines"
std::string group_words(const Facts& facts, const Group& group) {
  const std::string lines = counted(group.lines.size(), "line");
  if (group.calls.empty()) return fmt::format("one fused operation did the work of {}", lines);
  if (group.calls.size() > 1)
    return fmt::format("{} ran {}", counted(group.calls.size(), "delegate call"), lines);
  const PartitionFacts call = facts.partition(*group.calls.begin());
  const std::string name = fmt::format(
      "{} #{}", call.backend.empty() ? "delegate call" : printable(call.label), call.number);
  if (group.lines.size() == 1) return fmt::format("{} ran this line alone", name);
  return fmt::format("{} ran {}", name, lines);
}

}  // namespace

Result<extensions::DelegateLinesResult> list_delegate_lines(
    Session& session, const lsp::TextDocumentPositionParams& params) {
  if (session.study() == nullptr) return Error{ErrorCode::NotFound, session.message};
  const Facts& facts = *session.time_facts();
  Group group;
  const SourceView* view = session.sources_of(facts).view(params.textDocument.uri);
  if (view != nullptr) {
    for (const LineId id : view->lines_at(params.position.line)) add_line(facts, id, group);
  }
  if (group.lines.empty()) {
    return Error{ErrorCode::NotFound, fmt::format("no delegate call is known to have run line {}",
                                                  uint64_t{params.position.line} + 1)};
  }
  extensions::DelegateLinesResult result;
  result.generation = session.generation();
  result.message = group_words(facts, group);
  for (const PartitionId call : group.calls)
    result.partitions.push_back(facts.partition(call).number);
  for (const LineId id : group.lines) result.lines.push_back(source_line(session, facts, id));
  return result;
}

}  // namespace etlens
