// SPDX-License-Identifier: Apache-2.0
#include "core/render/report_json.h"

#include "core/base/fields_json.h"
#include "core/render/advice_text.h"
#include "core/render/findings.h"
#include "core/view/advice_view.h"
#include "core/view/event_group_view.h"
#include "core/view/event_view.h"
#include "core/view/line_view.h"
#include "core/view/module_view.h"
#include "core/view/partition_view.h"

namespace etlens {
namespace {

// The sentences of the head are those for people.
HeadView head_of(const Facts& facts, const Headline& headline, const Scale& scale) {
  return head_view(facts, headline, scale, finding_texts(headline, facts, std::nullopt));
}

ReportView report_of(const Facts& facts, const Headline& headline, const Scale& scale) {
  return {head_of(facts, headline, scale), reconciliation_view(headline)};
}

}  // namespace

std::string lines_json(const Facts& facts, const std::vector<AnchoredSource>& sources,
                       TimeScale target, const RowChoice& rows) {
  const Scale scale(facts, target);
  return json_text(
      lines_view(facts, sources, scale, report_of(facts, headline(facts), scale), rows));
}

std::string modules_json(const Facts& facts, std::string_view root, TimeScale target,
                         const RowChoice& rows) {
  const Scale scale(facts, target);
  return json_text(modules_view(facts, root, scale, head_of(facts, headline(facts), scale), rows));
}

std::string events_json(const Facts& facts, const std::vector<AnchoredSource>& sources,
                        TimeScale target, const RowChoice& rows) {
  const Scale scale(facts, target);
  return json_text(
      events_view(facts, sources, scale, report_of(facts, headline(facts), scale), rows));
}

std::string partitions_json(const Facts& facts, TimeScale target, const RowChoice& rows) {
  const Scale scale(facts, target);
  const Headline head = headline(facts);
  return json_text(
      partitions_view(facts, scale, report_of(facts, head, scale), head.in_delegates, rows));
}

std::string event_groups_json(const Facts& facts, EventGrouping grouping, TimeScale target,
                              const RowChoice& rows) {
  const Scale scale(facts, target);
  return json_text(
      event_groups_view(facts, grouping, scale, report_of(facts, headline(facts), scale), rows));
}

std::string advice_json(const Facts& facts, TimeScale target, const RowChoice& rows) {
  const Scale scale(facts, target);
  const Headline head = headline(facts);
  AdviceView view{{}, report_of(facts, head, scale), {}};
  const std::vector<Advice> advice = advise(facts, head);
  for (const size_t row : chosen_rows(rows, advice.size())) {
    AdviceWords words = words_of(facts, head, advice[row], std::nullopt);
    view.advice.push_back(finding_view(facts, scale, advice[row],
                                       {std::move(words.title), std::move(words.arithmetic),
                                        std::move(words.action), std::move(words.page)}));
  }
  return json_text(view);
}

std::string check_json(const CheckResult& check, TimeScale target) {
  if (check.facts == nullptr) return json_text(check_view(check));
  const Scale scale(*check.facts, target);
  return json_text(check_view(check, scale, report_of(*check.facts, check.headline, scale)));
}

}  // namespace etlens
