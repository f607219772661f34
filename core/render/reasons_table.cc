// SPDX-License-Identifier: Apache-2.0
#include "core/render/reasons_table.h"

#include "core/facts/reasons.h"
#include "core/render/cells.h"

namespace etlens {

Table reasons_table(const Facts& facts, const TableOptions& options) {
  const Cells cells(facts, options);
  Table table;
  table.columns = {{"operator"},
                   {"time", Align::Right},
                   {"share", Align::Right},
                   {.name = "lines", .is_place = true},
                   {.name = "because", .is_prose = true},
                   {.name = "what to do", .is_prose = true}};
  for (const OperatorReason& row : all_reasons(facts))
    table.rows.push_back({row.op, cells.cost(row.cost), cells.share(row.cost.share),
                          cells.lines(distinct_lines(facts, row.contributions)), row.reason->text,
                          row.reason->remedy});
  return table;
}

}  // namespace etlens
