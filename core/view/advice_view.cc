// SPDX-License-Identifier: Apache-2.0
#include "core/view/advice_view.h"

namespace etlens {

FindingView finding_view(const Facts& facts, const Scale& scale, const Advice& advice,
                         AdviceTextsView texts) {
  FindingView view;
  view.kind = name_of(advice.kind);
  view.subject = text_or_null(advice.subject);
  view.texts = std::move(texts);
  view.at_most = scale.of(advice.at_most);
  view.at_most_ticks = advice.at_most.amount.value;
  view.share = advice.at_most.share;
  view.work = scale.of(advice.work);
  view.work_ticks = advice.work.amount.value;
  view.overhead = scale.of(advice.overhead);
  view.overhead_ticks = advice.overhead.amount.value;
  view.count = advice.count;
  view.occurrences = advice.occurrences;
  view.lines = places_view(facts.code(), advice.lines);
  view.partitions = call_numbers(facts, advice.partitions);
  return view;
}

}  // namespace etlens
