// SPDX-License-Identifier: Apache-2.0
#include "core/export/report_json.h"

#include <algorithm>
#include <set>

#include "core/export/json_writer.h"
#include "core/present/hotspots.h"

namespace etlens {
namespace {

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
    return event.node.valid() ? profile_.record->text(profile_.record->nodes[event.node.value].target)
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
    json_.key("delegates").begin_array();
    for (const std::string_view backend : delegates_of(row)) json_.value(backend);
    json_.end_array();
    json_.key("ops").begin_array();
    for (const EventId event : row.events) op(profile_.events[event.value]);
    json_.end_array();
    json_.key("fused_into").begin_array();
    for (const LineId target : row.fused_into) json_.value(profile_.lines[target.value].line);
    json_.end_array();
    json_.key("partitions").begin_array();
    for (const PartitionId p : row.partitions) json_.value(profile_.partitions[p.value].number);
    json_.end_array().end_object();
  }

  std::set<std::string_view> delegates_of(const LineRow& row) const {
    std::set<std::string_view> delegates;
    for (const EventId id : row.events) {
      const std::string_view backend = profile_.backend_of(profile_.events[id.value]);
      if (!backend.empty()) delegates.insert(backend);
    }
    for (const PartitionId id : row.partitions) {
      const StringId backend = profile_.partitions[id.value].backend;
      if (backend.valid()) delegates.insert(profile_.record->text(backend));
    }
    return delegates;
  }

  void op(const EventRow& event) {
    json_.begin_object().field("op", target_of(event));
    json_.field("event", std::string_view(profile_.event_name(event)));
    json_.field("module", std::string_view(profile_.modules[event.module.value].path));
    time("self", event.self_ticks).field("self_ticks", event.self_ticks);
    per_execution("occurrences", event.occurrences);
    instruction(event);
    handles(event);
    json_.field("confidence", name_of(event.confidence));
    json_.end_object();
  }

  void partition(const PartitionRow& row) {
    json_.begin_object().field("id", row.number).field("instruction_id", row.instruction);
    nullable("backend", row.backend.valid() ? profile_.record->text(row.backend) : std::string_view());
    time("total", row.total_ticks).field("total_ticks", row.total_ticks);
    time("explained", row.explained_ticks).field("explained_ticks", row.explained_ticks);
    time("opaque", row.opaque_ticks);
    time("overhead", row.overhead_ticks);
    json_.key("lines").begin_array();
    for (const LineId id : row.lines) {
      const LineRow& line = profile_.lines[id.value];
      json_.begin_array().value(snapshot_.recorded_path(line.file)).value(line.line).end_array();
    }
    json_.end_array().end_object();
  }

  void event(const EventRow& row, const std::vector<AnchoredSource>& sources, const PerfData& perf) {
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
    json_.field("p10", perf.p10 / factor_).field("p50", perf.p50 / factor_);
    json_.field("p90", perf.p90 / factor_).field("min", perf.min / factor_).field("max", perf.max / factor_);
    nullable("module", row.module.valid() ? std::string_view(profile_.modules[row.module.value].path)
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

}  // namespace

std::string lines_json(const ProfileSnapshot& snapshot, const std::vector<AnchoredSource>& sources,
                       TimeScale target) {
  const Profile& profile = snapshot.profile;
  ReportWriter writer(snapshot, target);
  writer.head("etlens/lines@1");
  writer.reconciliation();
  JsonWriter& json = writer.json();
  json.key("files").begin_array();
  for (size_t f = 0; f < profile.files.size(); ++f) {
    const FileRow& file = profile.files[f];
    json.begin_object().field("recorded_path", snapshot.recorded_path(FileId(f))).key("path");
    if (snapshot.sources[f].path.empty()) json.null();
    else json.value(std::string_view(snapshot.sources[f].path));
    json.key("lines").begin_array();
    for (uint32_t i = 0; i < file.line_count; ++i) {
      writer.line(LineId(file.first_line + i), sources[f]);
    }
    json.end_array().end_object();
  }
  json.end_array().key("partitions").begin_array();
  for (const PartitionRow& row : profile.partitions) writer.partition(row);
  json.end_array().end_object();
  return json.take();
}

std::string modules_json(const ProfileSnapshot& snapshot, std::string_view root, TimeScale target) {
  const Profile& profile = snapshot.profile;
  ReportWriter writer(snapshot, target);
  writer.head("etlens/modules@1");
  JsonWriter& json = writer.json();
  json.key("modules").begin_array();
  for (const ModuleRow& row : profile.modules) {
    if (!is_module_below(root, row.path)) continue;
    json.begin_object().field("path", std::string_view(row.path));
    writer.nullable("type", row.type.valid() ? profile.record->text(row.type) : std::string_view());
    writer.time("self", row.self_ticks).field("self_ticks", row.self_ticks);
    writer.time("inclusive", row.inclusive_ticks).field("inclusive_ticks", row.inclusive_ticks);
    json.field("share", profile.share(row.inclusive_ticks)).field("calls", row.calls).end_object();
  }
  json.end_array().end_object();
  return json.take();
}

std::string events_json(const ProfileSnapshot& snapshot, const std::vector<AnchoredSource>& sources,
                        TimeScale target) {
  const Profile& profile = snapshot.profile;
  ReportWriter writer(snapshot, target);
  writer.head("etlens/events@1");
  writer.reconciliation();
  JsonWriter& json = writer.json();
  json.key("events").begin_array();
  const std::vector<EventId> ranked = ranked_events(profile);
  const std::vector<PerfData> perf = event_statistics(profile);
  for (const EventId id : ranked) {
    writer.event(profile.events[id.value], sources, perf[id.value]);
  }
  json.end_array().end_object();
  return json.take();
}

std::string check_json(const CheckResult& check) {
  JsonWriter json;
  const auto text = [&](std::string_view name, std::string_view value) {
    json.key(name);
    if (value.empty()) json.null();
    else json.value(value);
  };
  json.begin_object().field("schema", "etlens/check@1");
  text("etdump", check.etdump);
  text("etrecord", check.etrecord);
  text("error", check.error);
  json.key("pair");
  if (check.fit) {
    json.begin_object().field("score", check.fit->score);
    json.field("verdict", name_of(check.fit->verdict())).key("reasons").begin_array();
    for (const std::string& reason : check.fit->reasons) json.value(std::string_view(reason));
    json.end_array().end_object();
  } else {
    json.null();
  }
  json.key("coverage");
  if (check.snapshot != nullptr) {
    const Profile& profile = check.snapshot->profile;
    json.begin_object().field("lines", profile.share(profile.total[TimePart::Line]));
    json.field("modules", profile.share(profile.in_modules_ticks));
    json.field("delegated", profile.share(profile.delegated_ticks)).end_object();
  } else {
    json.null();
  }
  json.key("report").begin_array();
  for (const ReportRow& row : check.report.rows()) {
    const OddityInfo& info = info_of(row.oddity);
    json.begin_object().field("id", info.id).field("severity", name_of(info.severity));
    json.field("count", row.count).field("first", std::string_view(row.first));
    json.field("advice", info.advice).end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace etlens
