// SPDX-License-Identifier: Apache-2.0
#include "core/export/labels.h"

#include <fmt/format.h>

#include "core/base/path.h"
#include "core/render/format.h"
#include "core/render/summary.h"

namespace etlens {

SourcePlace source_place(const ExportInput& input, LineId line) {
  const Facts& facts = input.facts;
  const CodeLine& row = facts.code().lines[line.value];
  const std::string& here = facts.sources()[row.file.value].path;
  const uint32_t now = input.sources[row.file.value].of(facts.code(), line).line;
  if (here.empty() || now == 0)
    return {std::string(here.empty() ? facts.code().recorded_path(row.file) : here), row.number};
  return {here, now};
}

std::string function_name(const Facts& facts, LineId line, uint32_t definition) {
  const CodeLine& row = facts.code().lines[line.value];
  const std::string_view file = base_name(facts.code().recorded_path(row.file));
  return fmt::format("{} ({}:{})", facts.code().text(row.function), file, definition);
}

std::vector<Label> labels_of(const ExportInput& input, ContributionId id) {
  const Facts& facts = input.facts;
  const EventFacts event = facts.event(id);
  std::vector<Label> labels;
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) labels.push_back({name, std::string(value)});
  };
  if (event.line.valid()) {
    const SourcePlace place = source_place(input, event.line);
    add("source", fmt::format("{}:{}", place.path, place.line));
    add("function", facts.code().text(facts.code().lines[event.line.value].function));
    add("text", facts.code().text(facts.code().lines[event.line.value].text));
  }
  if (event.module_path && !event.module_path->empty()) {
    add("module", *event.module_path);
    add("module type", facts.module(event.module).type);
  }
  add("operator", event.op);
  if (event.has_place()) add("confidence", name_of(event.confidence));
  add("part", name_of(event.part));
  if (event.instruction) labels.push_back({"instruction", int64_t{event.instruction->value}});
  add("delegate", event.where);
  if (event.partition.valid())
    labels.push_back(
        {"delegate call", int64_t{facts.code().partitions[event.partition.value].number}});
  return labels;
}

Label in_order_label(const ExportInput& input, double step) {
  std::string why = "not known: drawn in order";
  if (step > 0) {
    why += fmt::format("; durations are whole multiples of {}",
                       format_value(input.facts, step, std::nullopt));
  }
  return {"start", std::move(why)};
}

std::string_view category_of(const Facts& facts, ContributionId id) {
  switch (facts.join().event(id).role) {
    case EventRole::Execute:
      return "execution";
    case EventRole::OperatorCall:
    case EventRole::DelegateCall:
    case EventRole::Control:
      return "instruction";
    case EventRole::Kernel:
      return "kernel";
    case EventRole::DelegateEvent:
    case EventRole::HostPhase:
    case EventRole::DelegateTotal:
      return "delegate";
    case EventRole::Framework:
    case EventRole::None:
      break;
  }
  return "framework";
}

}  // namespace etlens
