// SPDX-License-Identifier: Apache-2.0
// What the JSON reports of one profile have in common: head, times, events, lines, delegate calls.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/workspace/anchored_source.h"
#include "core/base/json_writer.h"
#include "core/facts/hotspots.h"
#include "core/facts/delegation.h"
#include "core/workspace/snapshot.h"

namespace etlens {

class ReportWriter {
 public:
  ReportWriter(const ProfileSnapshot& snapshot, TimeScale target)
      : snapshot_(snapshot),
        profile_(snapshot.profile),
        factor_(scale_factor(snapshot.time_scale, target)),
        target_(target) {}

  void head(std::string_view schema) {
    json_.begin_object().field("schema", schema).field("time_unit", name_of(target_));
    json_.key("method");
    if (profile_.method) json_.value(snapshot_.method_name());
    else json_.null();
    json_.field("block", std::string_view(profile_.selected().name));
    json_.field("executions", profile_.execution_count());
    time("total", profile_.total.total).field("total_ticks", profile_.total.total);
  }

  JsonWriter& time(std::string_view name, uint64_t ticks) {
    return json_.field(name, snapshot_.average(ticks) / factor_);
  }

  JsonWriter& per_execution(std::string_view name, uint64_t count) {
    return json_.field(name, snapshot_.average(count));
  }

  void reconciliation() {
    const Reconciliation& total = profile_.total;
    json_.key("reconciliation").begin_object();
    json_.field("lines_ticks", total[TimePart::Line]);
    json_.field("opaque_partition_ticks", total[TimePart::OpaquePartition]);
    json_.field("delegate_overhead_ticks", total[TimePart::DelegateOverhead]);
    json_.field("dispatch_overhead_ticks", total[TimePart::Dispatch]);
    json_.field("framework_ticks", total[TimePart::Framework]);
    json_.field("unattributed_ticks", total[TimePart::Unattributed]);
    json_.end_object();
  }

  void handles(const EventRow& event) {
    json_.key("debug_handles").begin_array();
    for (const DebugHandle handle : profile_.handles_of(event)) json_.value(handle);
    json_.end_array();
  }

  void instruction(const EventRow& event) {
    json_.key("instruction_id");
    if (event.key.in_instruction()) json_.value(event.key.instruction);
    else json_.null();
  }

  std::string_view target_of(const EventRow& event) const {
    return event.node.valid()
               ? profile_.record->text(profile_.record->nodes[event.node.value].target)
               : std::string_view();
  }

  void nullable(std::string_view name, std::string_view text) {
    json_.key(name);
    if (text.empty()) json_.null();
    else json_.value(text);
  }

  void line(LineId id, const AnchoredSource& source) {
    const LineRow& row = profile_.lines[id.value];
    const Frame& frame = profile_.record->frames[row.frame.value];
    const Anchor& anchor = source.of(profile_, id);
    json_.begin_object().field("line", row.line).key("current_line");
    if (anchor.line == 0) json_.null();
    else json_.value(anchor.line);
    json_.field("anchor", name_of(anchor.verdict)).field("edited", anchor.edited);
    json_.field("function", profile_.record->text(frame.function));
    json_.field("text", profile_.record->text(frame.text));
    time("self", row.self_ticks).field("self_ticks", row.self_ticks);
    time("inclusive", row.inclusive_ticks).field("inclusive_ticks", row.inclusive_ticks);
    json_.field("share", profile_.share(row.self_ticks));
    per_execution("occurrences", row.occurrences).field("calls", row.calls);
    json_.field("confidence", name_of(row.confidence));
    const uint64_t delegated = delegated_ticks(profile_, id);
    json_.field("delegated", fraction(delegated, row.self_ticks))
        .field("delegated_ticks", delegated);
    backends("delegates", delegates_of(row));
    json_.key("ops").begin_array();
    for (const EventId event : row.events) {
      json_.begin_object();
      op(profile_.events[event.value]);
      json_.end_object();
    }
    json_.end_array();
    json_.key("fused_into").begin_array();
    for (const LineId target : row.fused_into) json_.value(profile_.lines[target.value].line);
    json_.end_array();
    partition_numbers(row.partitions);
    json_.end_object();
  }

  void partition_numbers(const std::vector<PartitionId>& partitions) {
    json_.key("partitions").begin_array();
    for (const PartitionId p : partitions) json_.value(profile_.partitions[p.value].number);
    json_.end_array();
  }

  static double fraction(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }

  std::set<std::string_view> delegates_of(const LineRow& row) const {
    std::set<std::string_view> delegates;
    for (const EventId id : row.events) {
      const std::string_view backend = profile_.backend_of(profile_.events[id.value]);
      if (!backend.empty()) delegates.insert(backend);
    }
    delegates.merge(backends_of(row.partitions));
    return delegates;
  }

  std::set<std::string_view> backends_of(const std::vector<PartitionId>& partitions) const {
    std::set<std::string_view> backends;
    for (const PartitionId id : partitions) {
      const StringId backend = profile_.partitions[id.value].backend;
      if (backend.valid()) backends.insert(profile_.record->text(backend));
    }
    return backends;
  }

  void backends(std::string_view name, const std::set<std::string_view>& backends) {
    json_.key(name).begin_array();
    for (const std::string_view backend : backends) json_.value(backend);
    json_.end_array();
  }

  // The fields of an object.
  void op(const EventRow& event) {
    json_.field("op", target_of(event));
    json_.field("event", std::string_view(profile_.event_name(event)));
    json_.field("module", module_path(event.module));
    time("self", event.self_ticks).field("self_ticks", event.self_ticks);
    per_execution("occurrences", event.occurrences);
    instruction(event);
    handles(event);
    json_.field("confidence", name_of(event.confidence));
  }

  std::string_view module_path(ModuleId module) const {
    return module.valid() ? std::string_view(profile_.modules[module.value].path)
                          : std::string_view();
  }

  // Leaves the object open.
  void partition(const PartitionRow& row) {
    json_.begin_object().field("id", row.number).field("instruction_id", row.instruction);
    nullable("backend",
             row.backend.valid() ? profile_.record->text(row.backend) : std::string_view());
    time("total", row.total_ticks).field("total_ticks", row.total_ticks);
    time("explained", row.explained_ticks).field("explained_ticks", row.explained_ticks);
    time("opaque", row.opaque_ticks).field("opaque_ticks", row.opaque_ticks);
    time("overhead", row.overhead_ticks).field("overhead_ticks", row.overhead_ticks);
    json_.key("lines").begin_array();
    for (const LineId id : row.lines) place(id);
    json_.end_array();
  }

  // [path, line], or null.
  void place(LineId id) {
    if (!id.valid()) {
      json_.null();
      return;
    }
    const LineRow& line = profile_.lines[id.value];
    json_.begin_array().value(snapshot_.recorded_path(line.file)).value(line.line).end_array();
  }

  // null where a value has no length in time of its own.
  void statistics(const EventRow& row, const PerfData& perf) {
    const bool is_known = has_statistics(row);
    const auto value = [&](std::string_view name, double ticks) {
      json_.key(name);
      if (is_known) json_.value(ticks / factor_);
      else json_.null();
    };
    value("p10", perf.p10);
    value("p50", perf.p50);
    value("p90", perf.p90);
    value("min", perf.min);
    value("max", perf.max);
  }

  // What the backend itself logged: its value per execution in its own unit, and its metadata.
  void reported(const EventRow& row, std::string_view metadata) {
    json_.key("reported");
    if (row.unit == DelegateUnit::Ticks) {
      json_.null();
    } else {
      json_.begin_object()
          .field("value", snapshot_.average(row.reported))
          .field("unit", name_of(row.unit))
          .end_object();
    }
    json_.key("metadata").begin_object();
    for (const auto& [name, value] :
         profile_.backends.read_metadata(profile_.backend_of(row), metadata)) {
      json_.field(name, std::string_view(value));
    }
    json_.end_object();
  }

  void event(const EventRow& row, const std::vector<AnchoredSource>& sources, const PerfData& perf,
             std::string_view metadata) {
    json_.begin_object().field("event", std::string_view(profile_.event_name(row)));
    nullable("op", target_of(row));
    instruction(row);
    json_.field("chain_index", row.key.chain);
    nullable("backend", profile_.backend_of(row));
    json_.key("partition");
    if (row.partition.valid()) json_.value(profile_.partitions[row.partition.value].number);
    else json_.null();
    json_.field("part", name_of(row.part));
    time("self", row.self_ticks).field("self_ticks", row.self_ticks);
    time("total", row.total_ticks).field("total_ticks", row.total_ticks);
    json_.field("share", profile_.share(row.self_ticks));
    per_execution("occurrences", row.occurrences);
    statistics(row, perf);
    nullable("module", row.module.valid()
                           ? std::string_view(profile_.modules[row.module.value].path)
                           : std::string_view());
    json_.key("recorded_path");
    if (row.line.valid()) {
      const LineRow& line = profile_.lines[row.line.value];
      const Anchor& anchor = sources[line.file.value].of(profile_, row.line);
      json_.value(snapshot_.recorded_path(line.file)).field("line", line.line).key("current_line");
      if (anchor.line == 0) json_.null();
      else json_.value(anchor.line);
    } else {
      json_.null().key("line").null().key("current_line").null();
    }
    json_.field("confidence", name_of(row.confidence)).field("candidates", row.candidates);
    json_.field("rescaled", row.rescaled);
    reported(row, metadata);
    handles(row);
    json_.end_object();
  }

  JsonWriter& json() { return json_; }

 private:
  const ProfileSnapshot& snapshot_;
  const Profile& profile_;
  double factor_;
  TimeScale target_;
  JsonWriter json_;
};

}  // namespace etlens
