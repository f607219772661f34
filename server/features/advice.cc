// SPDX-License-Identifier: Apache-2.0
// etlens/advice: findings that were worked out while loading, in words.
#include "core/render/advice_text.h"
#include "server/features/features.h"

namespace etlens {

extensions::AdviceResult list_advice(Session& session) {
  extensions::AdviceResult result;
  result.generation = session.generation();
  if (session.study() == nullptr) return result;
  const OpenMeasure& time = session.study()->time();
  for (const Advice& row : session.study()->advice) {
    AdviceWords words = words_of(time.facts, time.headline, row, session.config.show.unit);
    extensions::AdviceItem item;
    item.kind = name_of(row.kind);
    item.title = std::move(words.title);
    item.won = std::move(words.won);
    if (!item.won.empty()) item.at_most = amount_value(session, time.facts, row.at_most.value);
    item.share = row.at_most.share;
    item.arithmetic = std::move(words.arithmetic);
    item.action = std::move(words.action);
    item.page = std::move(words.page);
    for (const LineId line : row.lines)
      item.lines.push_back(source_line(session, time.facts, line));
    result.advice.push_back(std::move(item));
  }
  return result;
}

}  // namespace etlens
