// SPDX-License-Identifier: Apache-2.0
// What features share: places and numbers as the protocol writes them.
#include "core/base/text.h"
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

std::optional<lsp::DocumentUri> uri_in(const SourceView* view) {
  return view == nullptr ? std::nullopt : std::optional(view->uri);
}

const Anchor& anchor_in(const SourceView* view, const Code& code, LineId line) {
  static const Anchor kLost;
  return view == nullptr ? kLost : view->anchor_of(code, line);
}

extensions::SourceLine source_line(const Code& code, LineId line, const Anchor& anchor,
                                   std::optional<lsp::DocumentUri> uri) {
  const CodeLine& row = code.lines[line.value];
  extensions::SourceLine source;
  source.recorded_path = code.recorded_path(row.file);
  source.line = row.number;
  if (anchor.line > 0) source.current_line = anchor.line;
  source.anchor = name_of(anchor.verdict);
  source.text = code.text(row.text);
  source.uri = std::move(uri);
  return source;
}

extensions::SourceLine source_line(Session& session, const Facts& facts, LineId line) {
  const Code& code = facts.code();
  const SourceView* view = session.sources_of(facts).view(code.lines[line.value].file);
  return source_line(code, line, anchor_in(view, code, line), uri_in(view));
}

Scale scale_of(const Facts& facts) {
  return {facts, facts.quantity().ticks == TimeScale::Cycles ? TimeScale::Cycles
                                                             : TimeScale::Milliseconds};
}

extensions::ListHead list_head(const Session& session, const Facts* facts) {
  return {session.generation(), facts == nullptr ? "" : scale_of(*facts).unit()};
}

std::string value_words(const Session& session, const Facts& facts, double value) {
  return format_value(facts, value, session.config.show.unit);
}

std::string spread_words(const Session& session, const Facts& facts, const Cost& cost,
                         const std::optional<Interval>& interval) {
  std::vector<std::string> words;
  if (interval) {
    words.push_back(value_words(session, facts, interval->low) + "–" +
                    value_words(session, facts, interval->high) + " with 95% confidence");
  }
  if (const double noise = facts.cost(cost.disturbance).value; noise != 0) {
    words.push_back((noise > 0 ? "noise +" : "noise ") + value_words(session, facts, noise) +
                    " per execution");
  }
  return join(words, ", ");
}

extensions::Time amount_value(const Session& session, const Facts& facts, double value) {
  const Scale scale = scale_of(facts);
  return {scale.of(value), std::string(scale.unit()), value_words(session, facts, value)};
}

extensions::Time time_value(const Session& session, TimeScale ticks, double value) {
  extensions::Time time;
  time.text = format_time(value, {ticks, session.config.show.unit});
  time.unit = ticks == TimeScale::Cycles ? "cycles" : "ms";
  time.value =
      ticks == TimeScale::Cycles ? value : value / scale_factor(ticks, TimeScale::Milliseconds);
  return time;
}

}  // namespace etlens
