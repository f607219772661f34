// SPDX-License-Identifier: Apache-2.0
#include "core/render/report_json.h"

#include <algorithm>

#include "core/render/report_writer.h"
#include "core/facts/hotspots.h"
#include "core/facts/rollup.h"

namespace etlens {

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
  for (const PartitionRow& row : profile.partitions) {
    writer.partition(row);
    json.end_object();
  }
  json.end_array().end_object();
  return json.take();
}

std::string modules_json(const ProfileSnapshot& snapshot, std::string_view root, TimeScale target) {
  const Profile& profile = snapshot.profile;
  ReportWriter writer(snapshot, target);
  writer.head("etlens/modules@1");
  JsonWriter& json = writer.json();
  json.key("modules").begin_array();
  const std::vector<ModuleDelegation> delegation = module_delegation(profile);
  for (size_t m = 0; m < profile.modules.size(); ++m) {
    const ModuleRow& row = profile.modules[m];
    if (!is_module_below(root, row.path)) continue;
    json.begin_object().field("path", std::string_view(row.path));
    writer.nullable("type", row.type.valid() ? profile.record->text(row.type) : std::string_view());
    writer.time("self", row.self_ticks).field("self_ticks", row.self_ticks);
    writer.time("inclusive", row.inclusive_ticks).field("inclusive_ticks", row.inclusive_ticks);
    json.field("share", profile.share(row.inclusive_ticks)).field("calls", row.calls);
    const uint64_t delegated = delegation[m].delegated_ticks;
    json.field("delegated", writer.fraction(delegated, row.inclusive_ticks))
        .field("delegated_ticks", delegated);
    writer.backends("delegates", writer.backends_of(delegation[m].partitions));
    writer.partition_numbers(delegation[m].partitions);
    json.end_object();
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
  const std::vector<std::string_view> metadata = event_metadata(profile);
  for (const EventId id : ranked) {
    writer.event(profile.events[id.value], sources, perf[id.value],
                 metadata.empty() ? std::string_view() : metadata[id.value]);
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
