// SPDX-License-Identifier: Apache-2.0
// Advice in words: what was found, how its number was worked out, what one can do, and where the
// documentation says more. And the whole of `etlens advise`, of which `rows` are chosen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/time_scale.h"
#include "core/facts/advice.h"
#include "core/render/arrange.h"
#include "core/render/tables.h"
#include "core/workspace/anchored_source.h"

namespace etlens {

struct AdviceWords {
  std::string title;       // without the number; holds Advice::subject and `backend` as they are
  std::string backend;     // that the title names; "" for none
  std::string won;         // "up to 30 µs 4.4%"; "" where no time follows
  std::string arithmetic;  // "27 µs in topk + 3 µs …"; "" likewise
  std::string action;      // a sentence
  std::string page;        // "docs/advice.md#fallback"
};
AdviceWords words_of(const Facts& facts, const Headline& head, const Advice& advice,
                     std::optional<TimeScale> unit);

std::string advice_text(const Facts& facts, const std::vector<AnchoredSource>& sources,
                        std::optional<TimeScale> unit, const RowChoice& rows = {});
Table advice_table(const Facts& facts, const TableOptions& options);

}  // namespace etlens
