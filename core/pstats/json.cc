// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_writer.h"
#include "core/pstats/print.h"
#include "core/pstats/stats.h"

namespace etlens::pstats {
namespace {

void write_name(JsonWriter& json, const PythonProfile& profile, PythonFunctionId id) {
  json.field("file", plain_bytes(profile.file(id)));
  json.field("line", profile.row(id).key.line);
  json.field("function", plain_bytes(profile.name(id)));
}

void write_cost(JsonWriter& json, const CallCost& cost) {
  json.field("calls", cost.calls).field("primitive_calls", cost.primitive);
  json.field("own", cost.own).field("cumulative", cost.cumulative);
}

// `Call`: PythonCaller or Callee.
template <typename Call>
void write_calls(JsonWriter& json, std::string_view name, const PythonProfile& profile,
                 const std::vector<Call>& calls) {
  json.key(name).begin_array();
  for (const Call& call : calls) {
    json.begin_object();
    write_name(json, profile, call.function);
    if (call.has_times) write_cost(json, call.cost);
    else json.field("calls", call.cost.calls);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string stats_json(const PythonProfile& profile, const std::vector<std::string>& paths,
                       const FunctionList& list) {
  JsonWriter json;
  json.begin_object().field("schema", "etlens/pstats@1").field("time_unit", "s");
  json.key("profiles").begin_array();
  for (const std::string& path : paths) json.value(path);
  json.end_array();
  json.field("calls", profile.total.calls).field("primitive_calls", profile.total.primitive);
  json.field("total", profile.total.own);
  const std::vector<std::vector<Callee>> callees = callees_of_all(profile);
  json.key("functions").begin_array();
  for (const PythonFunctionId id : list.functions) {
    json.begin_object();
    write_name(json, profile, id);
    write_cost(json, profile.row(id).cost);
    write_calls(json, "callers", profile, sorted_callers(profile, id));
    write_calls(json, "callees", profile, callees[id.value]);
    json.end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace etlens::pstats
