// SPDX-License-Identifier: Apache-2.0
// What features share: places and times as the protocol writes them.
#include "core/render/format.h"
#include "core/view/scale.h"
#include "server/convert.h"
#include "server/features/features.h"

namespace etlens {

std::optional<lsp::Location> location_of(Session& session, const Facts& facts, LineId line) {
  if (!line.valid()) return std::nullopt;
  const FileId file = facts.code().lines[line.value].file;
  return location_in(session.sources_of(facts).view(file), session, facts, line);
}

std::optional<lsp::Location> location_in(const SourceView* view, const Session& session,
                                         const Facts& facts, LineId line) {
  if (view == nullptr) return std::nullopt;
  const Anchor& anchor = view->anchor_of(facts.code(), line);
  // Of a line that changed too much its function is the best place that is known.
  const uint32_t number = anchor.line > 0 ? anchor.line : anchor.function_line;
  if (number == 0) return std::nullopt;
  return lsp::Location{view->uri, line_range(*view->document, number - 1, session.client.encoding)};
}

extensions::SourceLine source_line(Session& session, const Facts& facts, LineId line) {
  const Code& code = facts.code();
  const CodeLine& row = code.lines[line.value];
  extensions::SourceLine source;
  source.recordedPath = code.recorded_path(row.file);
  source.recordedLine = row.number;
  source.text = code.text(row.text);
  const SourceView* view = session.sources_of(facts).view(row.file);
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

extensions::Time amount_value(const Session& session, const Facts& facts, double value) {
  const Quantity& quantity = facts.quantity();
  extensions::Time amount{value, "", format_value(facts, value, session.config.show.unit)};
  if (quantity.dimension == Dimension::Time && quantity.ticks == TimeScale::Cycles) {
    amount.unit = "cycles";
    return amount;
  }
  if (quantity.dimension == Dimension::Time)
    amount.value /= scale_factor(quantity.ticks, TimeScale::Milliseconds);
  amount.unit = unit_of(facts, TimeScale::Milliseconds);
  return amount;
}

extensions::Time time_value(const Session& session, TimeScale ticks, double value) {
  extensions::Time time;
  time.text = format_time(value, {ticks, session.config.show.unit});
  time.unit = ticks == TimeScale::Cycles ? "cycles" : "ms";
  time.value =
      ticks == TimeScale::Cycles ? value : value / scale_factor(ticks, TimeScale::Milliseconds);
  return time;
}

extensions::Time disturbance_of(const Session& session, const Facts& facts, const Cost& cost) {
  return amount_value(session, facts, facts.cost(cost.disturbance).value);
}

}  // namespace etlens
