// SPDX-License-Identifier: Apache-2.0
// Where the commands jumpToEvent, nextHotLine and previousHotLine lead to.
#include <algorithm>

#include "server/features/features.h"

namespace etlens {
namespace {

Error nothing_shown(const Session& session) { return {ErrorCode::NotFound, session.message}; }

// Ranks of hot lines that are in the text, in the order of their cost.
std::vector<LineId> reachable_lines(Session& session,
                                    const extensions::HotLineArguments& arguments) {
  const Facts& facts = *session.facts();
  std::vector<LineId> lines;
  for (const LineId id : facts.hot_lines()) {
    const uint32_t line = session.sources.current_line(id);
    if (line == 0) continue;
    if (arguments.within) {
      const SourceView* view = session.sources.view(facts.code().lines[id.value].file);
      const bool is_inside = arguments.uri && view->uri == *arguments.uri &&
                             arguments.within->start.line < line &&
                             line <= arguments.within->end.line + 1;
      if (!is_inside) continue;
    }
    lines.push_back(id);
  }
  return lines;
}

}  // namespace

Result<lsp::Location> event_location(Session& session,
                                     const extensions::JumpToEventArguments& arguments) {
  if (session.study() == nullptr) return nothing_shown(session);
  if (arguments.generation && *arguments.generation != session.generation()) {
    return Error{ErrorCode::NotFound, "another profile was loaded since; ask for the events again"};
  }
  const Facts& facts = *session.facts();
  if (arguments.event >= facts.contribution_count()) {
    return Error{ErrorCode::NotFound,
                 "the profile has no event " + std::to_string(arguments.event)};
  }
  const ContributionFacts event = facts.contribution(ContributionId(arguments.event));
  LineId line = event.line;
  if (!line.valid() && event.partition.valid()) {
    const std::vector<LineId>& lines = facts.code().partitions[event.partition.value].lines;
    if (!lines.empty()) line = lines.front();
  }
  if (!line.valid()) {
    return Error{ErrorCode::NotFound, event.name + " belongs to no source line"};
  }
  std::optional<lsp::Location> location = location_of(session, facts, line);
  if (!location) {
    const extensions::SourceLine source = source_line(session, facts, line);
    const std::string path(source.recorded_path);
    return Error{
        ErrorCode::NotFound,
        source.uri ? "line " + std::to_string(source.line) + " of " + path + " is not here any more"
                   : path +
                         " was not found here; map its path with the setting "
                         "etlens.pathMappings"};
  }
  return *location;
}

// The line at the position decides where in the ranking we are; from anywhere else the way starts
// at its hot end (forward) or its cold end (backward).
Result<HotLineTarget> hot_line(Session& session, const extensions::HotLineArguments& arguments,
                               int step) {
  if (session.study() == nullptr) return nothing_shown(session);
  const std::vector<LineId> lines = reachable_lines(session, arguments);
  if (lines.empty()) return Error{ErrorCode::NotFound, "no line here has a cost of its own"};
  const auto count = static_cast<ptrdiff_t>(lines.size());
  ptrdiff_t next = step > 0 ? 0 : count - 1;
  if (arguments.uri && arguments.position) {
    const SourceView* view = session.sources.view(*arguments.uri);
    const std::vector<LineId> here =
        view == nullptr ? std::vector<LineId>() : view->lines_at(arguments.position->line);
    const auto at = std::find_first_of(lines.begin(), lines.end(), here.begin(), here.end());
    if (at != lines.end()) next = (at - lines.begin() + step + count) % count;
  }
  const LineId id = lines[static_cast<size_t>(next)];
  std::optional<lsp::Location> location = location_of(session, *session.facts(), id);
  if (!location) return Error{ErrorCode::NotFound, "the line is not here any more"};
  size_t elsewhere = 0;
  if (!arguments.within) {
    elsewhere =
        static_cast<size_t>(std::ranges::count_if(session.facts()->hot_lines(), [&](LineId hot) {
          return session.sources.current_line(hot) == 0;
        }));
  }
  return HotLineTarget{std::move(*location), static_cast<size_t>(next), lines.size(), elsewhere};
}

}  // namespace etlens
