// SPDX-License-Identifier: Apache-2.0
#include "core/render/report_json.h"

#include "core/base/fields_json.h"
#include "core/render/report_writer.h"
#include "core/view/event_view.h"
#include "core/view/line_view.h"
#include "core/view/module_view.h"
#include "core/view/partition_view.h"

namespace etlens {

std::string lines_json(const Facts& facts, const std::vector<AnchoredSource>& sources,
                       TimeScale target, const RowChoice& rows) {
  const Scale scale(facts, target);
  return json_text(
      lines_view(facts, sources, scale, report_view(facts, headline(facts), scale), rows));
}

std::string modules_json(const Facts& facts, std::string_view root, TimeScale target,
                         const RowChoice& rows) {
  const Scale scale(facts, target);
  return json_text(
      modules_view(facts, root, scale, head_view(facts, headline(facts), scale), rows));
}

std::string events_json(const Facts& facts, const std::vector<AnchoredSource>& sources,
                        TimeScale target, const RowChoice& rows) {
  const Scale scale(facts, target);
  return json_text(
      events_view(facts, sources, scale, report_view(facts, headline(facts), scale), rows));
}

std::string partitions_json(const Facts& facts, TimeScale target, const RowChoice& rows) {
  const Scale scale(facts, target);
  const Headline head = headline(facts);
  return json_text(
      partitions_view(facts, scale, report_view(facts, head, scale), head.in_delegates, rows));
}

}  // namespace etlens
