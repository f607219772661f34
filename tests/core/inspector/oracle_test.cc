// SPDX-License-Identifier: Apache-2.0
// `inspect --compat` against what ExecuTorch's own Inspector printed for the same artifacts: the
// same blocks, events and values (relative 1e-9), the same TSV cells.
#include <cmath>

#include "core/base/fields_json.h"
#include "core/base/text.h"
#include "core/inspector/inspect_view.h"
#include "core/workspace/load.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/oracle_cases.h"

namespace etlens::oracle_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

bool close(double a, double b) {
  const double size = std::max(std::fabs(a), std::fabs(b));
  return std::fabs(a - b) <= std::max(1e-9 * size, 1e-12);
}

std::optional<double> number(const json& value) {
  return value.is_number() ? std::optional<double>(value.get<double>()) : std::nullopt;
}

json handles(const json& value) {
  if (value.is_number()) return json::array({value});
  return value.is_array() ? value : json();
}

// Node names with their texts; the oracles keep texts in a table, or only the names.
std::map<std::string, json> named(const json& value, const json& table) {
  std::map<std::string, json> names;
  if (value.is_array()) {
    for (const json& name : value) names[name.get<std::string>()] = nullptr;
  } else if (value.is_object()) {
    for (const auto& [name, text] : value.items()) {
      names[name] = text.is_number() ? table.at(text.get<size_t>()) : text;
    }
  }
  return names;
}

class Comparison {
 public:
  explicit Comparison(const json& oracle) : table_(oracle.value("table", json::array())) {}

  std::string compare(const json& got, const json& want) {
    if (got.size() != want.size()) return "number of blocks";
    for (size_t b = 0; b < want.size(); ++b) {
      const std::string where = "block " + std::to_string(b);
      if (got[b]["name"] != want[b]["name"]) return where + " name";
      if (got[b]["events"].size() != want[b]["events"].size()) return where + " number of events";
      for (size_t e = 0; e < want[b]["events"].size(); ++e) {
        const std::string what = compare_event(got[b]["events"][e], want[b]["events"][e]);
        if (!what.empty()) return where + " event " + std::to_string(e) + " " + what;
      }
    }
    return "";
  }

 private:
  std::string compare_event(const json& got, const json& want) {
    if (got["name"] != want["name"]) return "name";
    const json perf = want.value("perf_data", json());
    if (perf.is_null()) {
      if (!got["raw"].empty()) return "has times where the Inspector has none";
    } else {
      if (!perf["raw"].is_null()) {
        if (got["raw"].size() != perf["raw"].size()) return "number of values";
        for (size_t i = 0; i < perf["raw"].size(); ++i) {
          if (!close(got["raw"][i], perf["raw"][i])) return "raw";
        }
      }
      for (const char* key : {"p10", "p50", "p90", "avg", "min", "max"}) {
        const auto a = number(got[key]);
        const auto b = number(perf[key]);
        if (a.has_value() != b.has_value() || (a && !close(*a, *b))) return key;
      }
    }
    if (got["op_types"] != want["op_types"]) return "op_types";
    if (got["is_delegated_op"] != want["is_delegated_op"]) return "is_delegated_op";
    if (got["delegate_debug_identifier"] != want["delegate_debug_identifier"]) return "delegate id";
    const json id = want["instruction_id"].is_null() ? json(-1) : want["instruction_id"];
    if (got["instruction_id"] != id) return "instruction_id";
    if (got["delegate_backend_name"] != want["delegate_backend_name"]) return "backend";
    if (handles(got["debug_handles"]) != handles(want["debug_handles"])) return "debug_handles";
    const auto traces = named(want.value("stack_traces", json()), table_);
    const auto own = named(got["stack_traces"], table_);
    if (traces.size() != own.size()) return "stack_traces";
    for (const auto& [name, text] : traces) {
      const auto at = own.find(name);
      if (at == own.end()) return "stack_traces " + name;
      if (text.is_string() && at->second != text) return "stack trace of " + name;
    }
    const auto modules = named(want.value("module_hierarchy", json()), table_);
    const auto own_modules = named(got["module_hierarchy"], table_);
    if (modules.size() != own_modules.size()) return "module_hierarchy";
    return "";
  }

  json table_;
};

bool same_cell(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto x = parse_double(a);
  const auto y = parse_double(b);
  return x && y && close(*x, *y);
}

// "" if the tables agree, else the first cell that does not.
std::string compare_tables(const std::string& got, const std::string& want) {
  const auto rows = split_lines(got);
  const auto expected = split_lines(want);
  if (rows.size() != expected.size()) return "number of rows";
  for (size_t r = 0; r < rows.size(); ++r) {
    const auto cells = split(rows[r], '\t');
    const auto cells_expected = split(expected[r], '\t');
    if (cells.size() != cells_expected.size()) return "number of cells in row " + std::to_string(r);
    for (size_t c = 0; c < cells.size(); ++c) {
      if (!same_cell(cells[c], cells_expected[c])) {
        return "row " + std::to_string(r) + ": " + std::string(cells[c]) + " instead of " +
               std::string(cells_expected[c]);
      }
    }
  }
  return "";
}

}  // namespace

TEST_CASE("oracle: the Inspector's own output", "[oracle]") {
  size_t compared = 0;
  for (const std::string& folder : case_folders()) {
    for (const OracleCase& row : oracle_cases(folder)) {
      CAPTURE(row.name);
      LoadRequest load;
      load.etdump = unpacked(row.etdump);
      load.etrecord = row.etrecord;
      const auto artifacts = load_artifacts(real_file_system(), load);
      REQUIRE(artifacts);
      InspectorRequest request;
      request.log = artifacts->log.get();
      request.record = artifacts->record.get();
      request.files = &real_file_system();
      request.debug_buffer = row.debug_buffer;
      const auto blocks = inspect_compat(request, row.release);
      REQUIRE(blocks);
      InspectorFormat format;
      format.release = row.release;
      const json oracle = json::parse(read_file(row.oracle));
      const json got = json::parse(json_text(inspect_view(*blocks, request.record, format)));
      const std::string difference =
          Comparison(oracle).compare(got["blocks"], oracle["event_blocks"]);
      CHECK(difference == "");
      if (!row.tsv.empty())
        CHECK(compare_tables(inspector_tsv(*blocks, format), read_file(row.tsv)) == "");
      ++compared;
    }
  }
  CHECK(compared >= 15);
}

TEST_CASE("oracle: the printed grid, byte for byte", "[oracle]") {
  const std::string folder = ETLENS_TEST_DATA "/release-1.5/mlp-portable-strict";
  LoadRequest load;
  load.etdump = folder + "/run1.etdp";
  load.etrecord = folder + "/model.etrecord";
  const auto artifacts = load_artifacts(real_file_system(), load);
  REQUIRE(artifacts);
  InspectorRequest request;
  request.log = artifacts->log.get();
  request.record = artifacts->record.get();
  const auto blocks = inspect_compat(request, kNewestRelease);
  REQUIRE(blocks);
  CHECK(inspector_grid(*blocks, InspectorFormat{}) == read_file(folder + "/oracle/run1.txt.gz"));
}

TEST_CASE("oracle: pairs that the Inspector refuses get etlens's own joins", "[oracle]") {
  const std::string folder = ETLENS_TEST_DATA "/release-1.5/methods-forward-portable";
  LoadRequest load;
  load.etdump = folder + "/interleaved.etdp";
  load.etrecord = folder + "/model.etrecord";
  const auto artifacts = load_artifacts(real_file_system(), load);
  REQUIRE(artifacts);
  InspectorRequest request;
  request.log = artifacts->log.get();
  request.record = artifacts->record.get();
  const auto refused = inspect_compat(request, kNewestRelease);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("several methods") != std::string::npos);
  const std::vector<InspectorBlock> blocks =
      inspect_own(real_file_system(), request, *artifacts, load);
  size_t joined = 0;
  for (const InspectorBlock& block : blocks) {
    for (const InspectorEvent& event : block.events) joined += !event.op_types.empty();
  }
  CHECK(blocks.size() >= 4);  // loading, and three methods
  CHECK(joined > 50);
}

}  // namespace etlens::oracle_test
