// SPDX-License-Identifier: Apache-2.0
#include "core/render/report_writer.h"

#include <array>
#include <cmath>

#include "core/render/findings.h"
#include "core/render/format.h"

namespace etlens {
namespace {

// The members of `reconciliation`, in the order of Part.
constexpr std::array<std::string_view, kParts> kPartKeys{"lines_ticks",
                                                         "opaque_partition_ticks",
                                                         "delegate_overhead_ticks",
                                                         "dispatch_overhead_ticks",
                                                         "framework_ticks",
                                                         "sizes_ticks",
                                                         "unattributed_ticks"};

}  // namespace

ReportWriter::ReportWriter(const Facts& facts, TimeScale target)
    : facts_(facts),
      headline_(etlens::headline(facts)),
      factor_(facts.quantity().dimension == Dimension::Time
                  ? scale_factor(facts.quantity().ticks, target)
                  : 1),
      target_(target) {}

void ReportWriter::head(std::string_view schema) {
  json_.begin_object().field("schema", schema).field("measure", facts_.quantity().id);
  const bool is_time = facts_.quantity().dimension == Dimension::Time;
  json_.field(is_time ? "time_unit" : "unit", unit_of(facts_, target_));
  nullable("method", headline_.method);
  json_.field("block", headline_.block).field("executions", headline_.samples);
  json_.field("executions_used", headline_.used.size());
  json_.field("executions_shown", headline_.used_text);
  json_.field("statistic", name_of(headline_.statistic)).field("raw", headline_.is_raw);
  time("total", headline_.total.value);
  json_.field("total_ticks", (headline_.total.amount + headline_.total.disturbance).value);
  time("mean", headline_.mean);
  other_blocks();
  cold_start();
  json_.key("odd_executions").begin_array();
  for (const OddSample& odd : headline_.odd) {
    json_.begin_object().field("execution", odd.sample + 1);
    json_.field("total_ticks", static_cast<int64_t>(odd.total)).end_object();
  }
  json_.end_array().key("findings").begin_array();
  for (const std::string& finding : finding_texts(headline_, facts_, std::nullopt))
    json_.value(finding);
  json_.end_array().key("kinds").begin_array();
  for (const auto& [executions, median] : headline_.kinds) {
    json_.begin_object().field("executions", executions);
    time("median", median).end_object();
  }
  json_.end_array();
}

void ReportWriter::other_blocks() {
  json_.key("also").begin_array();
  for (const OtherBlock& other : facts_.study().others) {
    json_.begin_object();
    nullable("method", other.method);
    json_.field("block", std::string_view(other.block)).field("executions", other.executions);
    time("total", other.total).end_object();
  }
  json_.end_array();
}

void ReportWriter::cold_start() {
  json_.key("cold_start");
  write_cold_start(json_, headline_.cold, factor_);
}

void ReportWriter::reconciliation() {
  std::array<Amount, kParts> amounts;
  for (const PartFacts& part : headline_.parts)
    amounts[static_cast<size_t>(part.part)] = part.cost.amount;
  json_.key("reconciliation").begin_object();
  for (size_t p = 0; p < kParts; ++p) json_.field(kPartKeys[p], amounts[p].value);
  json_.field("disturbance_ticks", headline_.total.disturbance.value).end_object();
}

JsonWriter& ReportWriter::time(std::string_view name, double ticks) {
  return json_.field(name, ticks / factor_);
}

JsonWriter& ReportWriter::cost(std::string_view name, const Cost& cost) {
  return time(name, cost.value).field(std::string(name) + "_ticks", cost.amount.value);
}

void ReportWriter::interval(std::span<const ContributionId> contributions) {
  const std::optional<Interval> known =
      contributions.empty() ? std::nullopt : facts_.interval(contributions);
  if (known) {
    time("low", known->low);
    time("high", known->high);
  } else {
    json_.key("low").null().key("high").null();
  }
}

void ReportWriter::partition_numbers(std::span<const PartitionId> partitions) {
  json_.key("partitions").begin_array();
  for (const PartitionId p : partitions) json_.value(facts_.code().partitions[p.value].number);
  json_.end_array();
}

void ReportWriter::backends(std::string_view name, const BackendIds& backends) {
  json_.key(name).begin_array();
  for (const std::string_view backend : backends) json_.value(backend);
  json_.end_array();
}

BackendIds ReportWriter::backends_of(std::span<const PartitionId> partitions) const {
  BackendIds backends;
  for (const PartitionId id : partitions) {
    const StringId backend = facts_.code().partitions[id.value].backend;
    if (backend.valid()) backends.insert(facts_.code().text(backend));
  }
  return backends;
}

void ReportWriter::op(ContributionId id) {
  if (facts_.has_events()) {
    const EventFacts event = facts_.event(id);
    op(event, event.logged_name);
    instruction(event);
    handles(event);
    json_.field("confidence", name_of(event.confidence));
    return;
  }
  const ContributionFacts row = facts_.contribution(id);
  op(row, row.name);
  json_.field("remark", std::string_view(row.remark));
  if (row.level && std::isfinite(*row.level)) json_.field("level", *row.level);
  json_.field("confidence", name_of(row.confidence));
}

void ReportWriter::op(const ContributionFacts& event, std::string_view name) {
  json_.field("op", event.op).field("event", name);
  json_.field("module", event.module_path.value_or(std::string_view()));
  cost("self", event.self);
  interval(std::span(&event.id, 1));
  json_.field("disturbance_ticks", event.self.disturbance.value);
  json_.field("occurrences", event.occurrences);
}

void ReportWriter::instruction(const EventFacts& event) {
  json_.key("instruction_id");
  if (event.instruction) json_.value(event.instruction->value);
  else json_.null();
}

void ReportWriter::handles(const EventFacts& event) {
  json_.key("debug_handles").begin_array();
  for (const DebugHandle handle : facts_.join().handles_of(event.id)) json_.value(handle.value);
  json_.end_array();
}

void ReportWriter::partition(const PartitionFacts& partition) {
  json_.field("id", partition.number).field("instruction_id", partition.instruction.value);
  nullable("backend", partition.backend);
  cost("total", partition.total);
  cost("explained", partition.explained);
  cost("opaque", partition.opaque);
  cost("overhead", partition.overhead);
  json_.key("init");
  if (partition.init) json_.value(*partition.init / factor_);
  else json_.null();
  json_.key("lines").begin_array();
  for (const LineId id : partition.lines) place(id);
  json_.end_array();
}

double fraction_of(Amount part, Amount whole) {
  return whole.value == 0 ? 0 : static_cast<double>(part.value) / static_cast<double>(whole.value);
}

}  // namespace etlens
