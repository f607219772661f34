// SPDX-License-Identifier: Apache-2.0
// What features share: places and times as the protocol writes them.
#include "core/render/format.h"
#include "server/convert.h"
#include "server/features/features.h"

namespace etlens {

std::optional<lsp::Location> location_of(Session& session, LineId line) {
  const Facts* facts = session.facts();
  if (facts == nullptr || !line.valid()) return std::nullopt;
  return location_in(session.sources.view(facts->code().lines[line.value].file), session, line);
}

std::optional<lsp::Location> location_in(const SourceView* view, const Session& session,
                                         LineId line) {
  if (view == nullptr) return std::nullopt;
  const Anchor& anchor = view->anchor_of(session.facts()->code(), line);
  // Of a line that changed too much its function is the best place that is known.
  const uint32_t number = anchor.line > 0 ? anchor.line : anchor.function_line;
  if (number == 0) return std::nullopt;
  return lsp::Location{view->uri, line_range(*view->document, number - 1, session.client.encoding)};
}

extensions::SourceLine source_line(Session& session, LineId line) {
  const Code& code = session.facts()->code();
  const CodeLine& row = code.lines[line.value];
  extensions::SourceLine source;
  source.recordedPath = code.recorded_path(row.file);
  source.recordedLine = row.number;
  source.text = code.text(row.text);
  const SourceView* view = session.sources.view(row.file);
  if (view == nullptr) {
    source.anchor = name_of(AnchorVerdict::Lost);
    return source;
  }
  const Anchor& anchor = view->anchor_of(code, line);
  source.uri = view->uri;
  if (anchor.line > 0) source.line = anchor.line - 1;
  source.anchor = name_of(anchor.verdict);
  return source;
}

extensions::Time time_value(const Session& session, double ticks) {
  const TimeScale scale = session.facts()->quantity().ticks;
  extensions::Time time;
  time.text = format_time(ticks, {scale, session.config.show.unit});
  if (scale == TimeScale::Cycles) {
    time.value = ticks;
    time.unit = "cycles";
  } else {
    time.value = ticks / scale_factor(scale, TimeScale::Milliseconds);
    time.unit = "ms";
  }
  return time;
}

extensions::Time disturbance_of(const Session& session, const Cost& cost) {
  return time_value(session, session.facts()->cost(cost.disturbance).value);
}

}  // namespace etlens
