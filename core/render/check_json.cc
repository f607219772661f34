// SPDX-License-Identifier: Apache-2.0
// The JSON of `etlens check`.
#include "core/facts/recovery_facts.h"
#include "core/render/json_parts.h"
#include "core/render/report_json.h"
#include "core/render/report_writer.h"

namespace etlens {
namespace {

void write_fit(const std::optional<MethodFit>& fit, JsonWriter& json) {
  json.key("pair");
  if (!fit) {
    json.null();
    return;
  }
  json.begin_object().field("score", fit->score).field("verdict", name_of(fit->verdict()));
  json.key("reasons").begin_array();
  for (const std::string& reason : fit->reasons) json.value(std::string_view(reason));
  json.end_array().end_object();
}

void write_report(const LoadReport& report, JsonWriter& json) {
  json.key("report").begin_array();
  for (const ReportRow& row : report.rows()) {
    const OddityInfo& info = info_of(row.oddity);
    json.begin_object().field("id", info.id).field("severity", name_of(info.severity));
    json.field("count", row.count).field("first", std::string_view(row.first));
    json.field("advice", advice_of(row.oddity)).end_object();
  }
  json.end_array();
}

// What became of lines that the record lost; null where nothing was looked for.
void write_recovery(const Facts& facts, ReportWriter& out) {
  JsonWriter& json = out.json();
  json.key("recovery");
  const std::optional<RecoveryFacts> recovery = recovery_of(facts);
  if (!recovery) {
    json.null();
    return;
  }
  json.begin_object();
  out.cost("recovered", recovery->recovered);
  json.field("recovered_share", recovery->recovered.share);
  out.cost("lost", recovery->lost);
  json.field("lost_share", recovery->lost.share).key("calls").begin_array();
  for (const UnrecoveredFacts& call : recovery->calls) {
    json.begin_object().field("module", call.module_path).field("type", call.type);
    json.field("why", name_of(call.why));
    out.nullable("recorded_path", call.file);
    json.key("line");
    if (call.line == 0) json.null();
    else json.value(call.line);
    out.cost("self", call.cost);
    json.end_object();
  }
  json.end_array().end_object();
}

}  // namespace

std::string check_json(const CheckResult& check, TimeScale target) {
  std::optional<ReportWriter> out;
  JsonWriter without_facts;
  JsonWriter& json =
      check.facts != nullptr ? out.emplace(*check.facts, target).json() : without_facts;
  constexpr std::string_view kSchema = "etlens/check@2";
  if (out) out->head(kSchema);
  else json.begin_object().field("schema", kSchema);
  write_nullable(json, "etdump", check.etdump);
  write_nullable(json, "etrecord", check.etrecord);
  write_nullable(json, "error", check.error);
  write_fit(check.fit, json);
  json.key("coverage");
  if (out) {
    json.begin_object().field("lines", out->headline().on_lines);
    json.field("modules", out->headline().in_modules);
    json.field("delegated", out->headline().delegated).end_object();
    out->reconciliation();
    write_recovery(*check.facts, *out);
  } else {
    json.null();
    json.key("recovery").null();
  }
  json.key("other_models").begin_array();
  for (const std::string& path : check.other_models) json.value(std::string_view(path));
  json.end_array();
  write_report(check.report, json);
  json.end_object();
  return json.take();
}

}  // namespace etlens
