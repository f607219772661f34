// SPDX-License-Identifier: Apache-2.0
// What to look at first: the document of `etlens advise`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts/advice.h"
#include "core/view/place_view.h"

namespace etlens {

// A finding as sentences.
struct AdviceTextsView {
  std::string title;
  std::string arithmetic;  // how the number was worked out
  std::string action;
  std::string page;  // of the documentation
};
FIELDS(AdviceTextsView, title, arithmetic, action, page)

struct FindingView {
  std::string_view kind;
  Nullable<std::string_view> subject;
  Spread<AdviceTextsView> texts;
  double at_most = 0;  // that could be won
  int64_t at_most_ticks = 0;
  double share = 0;
  double work = 0;
  int64_t work_ticks = 0;
  double overhead = 0;
  int64_t overhead_ticks = 0;
  uint32_t count = 0;
  double occurrences = 0;
  std::vector<Nullable<PlaceView>> lines;
  std::vector<uint32_t> partitions;
};
FIELDS(FindingView, kind, subject, texts, at_most, at_most_ticks, share, work, work_ticks, overhead,
       overhead_ticks, count, occurrences, lines, partitions)

struct AdviceView {
  Literal<"etlens/advice@1"> schema;
  Spread<ReportView> report;
  std::vector<FindingView> advice;
};
FIELDS(AdviceView, schema, report, advice)

// `advice` must outlive the view.
FindingView finding_view(const Facts& facts, const Scale& scale, const Advice& advice,
                         AdviceTextsView texts);

}  // namespace etlens
