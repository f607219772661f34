// SPDX-License-Identifier: Apache-2.0
#include "core/render/control_text.h"

#include <fmt/format.h>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/render/cells.h"
#include "core/render/format.h"

namespace etlens {

std::string body_text(const Facts& facts, const BodyRuns& body) {
  const std::string_view operation = operation_of(facts.code(), body);
  const std::string of = fmt::format("{} of {}: ", part_of_body(operation, body.number), operation);
  const std::string executions = counted(body.executions, "execution");
  if (operation == "cond" && body.most <= 1)
    return of + fmt::format("taken in {} of {}", body.taken_in, executions);
  const std::string_view verb = operation == "cond" ? "taken" : "runs";
  std::string text = of + fmt::format("{} {} × per execution", verb, body.shown);
  if (body.least != body.most)
    text += fmt::format(" ({} to {} × in the {} of the dump)", body.least, body.most, executions);
  return text;
}

std::string writes_text(const Facts& facts, LineId line) {
  const std::span<const StateWrite> writes = facts.writes_of(line);
  if (writes.empty()) return "";
  uint64_t bytes = 0;
  for (const StateWrite& write : writes) bytes += write.bytes;
  std::string text = fmt::format("writes {}", writes.front().buffer);
  if (writes.size() > 1) text += fmt::format(" and {} more", writes.size() - 1);
  text += ", " + format_bytes(static_cast<double>(bytes));
  return writes.size() > 1 ? text + " in all" : text;
}

Table control_table(const Facts& facts, const TableOptions& options) {
  Table table;
  table.columns = {kLineColumn, {.name = "what", .is_prose = true}};
  if (!facts.has_events()) return table;
  const Cells cells(facts, options);
  for (size_t l = 0; l < facts.line_count(); ++l) {
    go_on();
    const LineId line(l);
    for (const BodyRuns* body : facts.bodies_of(line))
      table.rows.push_back({cells.line(line), body_text(facts, *body)});
    if (const std::string text = writes_text(facts, line); !text.empty())
      table.rows.push_back({cells.line(line), text});
  }
  return table;
}

}  // namespace etlens
