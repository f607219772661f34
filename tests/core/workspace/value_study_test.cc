// SPDX-License-Identifier: Apache-2.0
// Values, gaps and origins of error of real dumps, against what ExecuTorch's own Inspector says.
#include "core/workspace/value_study.h"
#include "core/workspace/discovery.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/base/path.h"
#include "core/formats/scalar_type.h"
#include "core/measure/values/value_statistics.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"

namespace etlens::value_study_test {

using namespace etlens::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string kMlp = ETLENS_TEST_DATA "/values/mlp";

json json_of(const std::string& path) { return json::parse(read_file(path), nullptr, false); }

double number_of(const json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (!value.is_string()) return value.get<double>();
  const std::string text = value.get<std::string>();
  return text == "NaN" ? NAN : text == "Infinity" ? INFINITY : -INFINITY;
}

// As the Inspector's own arithmetic has it, summed in another order.
bool is_close(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b));
}

LoadRequest request_for(const std::string& etdump, const std::string& etrecord) {
  LoadRequest request;
  request.etdump = etdump;
  request.etrecord = etrecord;
  return request;
}

ValueStudy values_of(const LoadRequest& load, const ValuesRequest& request) {
  const auto study = load_study(real_file_system(), load);
  INFO((study ? std::string() : study.error().message));
  REQUIRE(study);
  auto values = load_values(real_file_system(), **study, load, request);
  INFO((values ? std::string() : values.error().message));
  REQUIRE(values);
  return std::move(*values);
}

std::vector<InspectorGapRow> gaps_of(const ValueStudy& values, GapMetric metric) {
  return inspector_gaps(values.side(), arrays_by_handle(values.arrays), metric);
}

void check_gaps(const ValueStudy& values, const std::string& oracle, GapMetric metric) {
  const json expected = json_of(oracle);
  const std::vector<InspectorGapRow> rows = gaps_of(values, metric);
  CAPTURE(oracle);
  REQUIRE(rows.size() == expected.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i].note.empty());
    json handles = json::array();
    for (const DebugHandle handle : rows[i].handles) handles.push_back(handle.value);
    CHECK(handles == expected[i]["runtime_debug_handle"]);
    CHECK(json(rows[i].ops) == expected[i]["runtime_ops"]);
    REQUIRE(rows[i].gap.size() == expected[i]["gap"].size());
    for (size_t g = 0; g < rows[i].gap.size(); ++g)
      CHECK(is_close(rows[i].gap[g], number_of(expected[i]["gap"][g])));
  }
}

// Type, shape, first values and sum of a tensor.
void check_value(const LoggedValue& value, const json& expected) {
  CHECK("torch." + std::string(scalar_type_name(value.scalar_type)) == expected["dtype"]);
  CHECK(json(value.sizes) == expected["shape"]);
  REQUIRE(value.tensor);
  const auto first = first_values(*value.tensor, 8);
  REQUIRE(first);
  REQUIRE(first->size() == expected["first"].size());
  for (size_t i = 0; i < first->size(); ++i)
    CHECK(is_close((*first)[i], number_of(expected["first"][i])));
  const auto statistics = value_statistics(*value.tensor);
  REQUIRE(statistics);
  if (!std::isfinite(number_of(expected["sum"]))) return;
  CHECK(std::abs(statistics->sum - number_of(expected["sum"])) <=
        1e-9 * std::max(1.0, std::abs(number_of(expected["sum"]))) +
            1e-6 * std::abs(statistics->sum));
}

// Every tensor that an event of the oracle has. Returns how many there were.
size_t check_events(const ValueStudy& values, const json& events) {
  size_t checked = 0;
  const Join& join = *values.join;
  for (const json& event : events) {
    if (event["name"] == "OPERATOR_CALL" || event["debug_data"].empty()) continue;
    const json& instruction =
        event.contains("instruction_id") ? event["instruction_id"] : event["instruction"];
    std::vector<const LoggedValue*> logged;
    for (const LoggedValue& value : values.values) {
      if (value.execution == 0 && value.event.valid() &&
          value.instruction == instruction.get<int32_t>() &&
          join.logged_name(value.event) == event["name"])
        logged.push_back(&value);
    }
    CAPTURE(event["name"].dump(), instruction.dump());
    REQUIRE(logged.size() >= event["debug_data"].size());
    for (size_t i = 0; i < event["debug_data"].size(); ++i) {
      const json& expected = event["debug_data"][i];
      if (!expected.is_object() || !expected.contains("shape")) continue;
      check_value(*logged[i], expected);
      ++checked;
    }
  }
  return checked;
}

std::string line_of(const ValueStudy& values, LineId id) {
  const Code& code = values.join->code();
  const CodeLine& line = code.lines[id.value];
  return std::string(code.recorded_path(line.file)) + ":" + std::to_string(line.number);
}

std::string corpus(const std::string& folder) {
  const char* root = std::getenv("ETLENS_CORPUS");
  return root == nullptr || *root == '\0' ? "" : std::string(root) + "/" + folder;
}

// The buffer, unpacked.
std::string buffer_of(const std::string& folder) {
  const std::string path = folder + "/debug.bin";
  return fs::exists(path) ? path : unpacked(path + ".gz");
}

}  // namespace

TEST_CASE("value study: a planted fault is first, on its line", "[values]") {
  const LoadRequest load = request_for(kMlp + "/fault.etdp", kMlp + "/model.etrecord");
  ValuesRequest request;
  // The host's values, and a sound dump.
  request.reference = kMlp + GENERATE("/aot.npz", "/sound.etdp");
  const ValueStudy values = values_of(load, request);
  CHECK(values.debug_buffer == kMlp + "/fault.bin");
  CHECK(values.buffer_problem.empty());
  REQUIRE(!values.origins.empty());
  CHECK(line_of(values, values.origins.front().line) == "/home/user/edge-models/mlp.py:16");
  CHECK(values.origins.front().made > 0.99);
}

TEST_CASE("value study: the Inspector's numeric gaps", "[values]") {
  const LoadRequest load = request_for(kMlp + "/fault.etdp", kMlp + "/model.etrecord");
  ValuesRequest request;
  request.reference = kMlp + "/aot.npz";
  const ValueStudy values = values_of(load, request);
  for (const GapMetric metric : {GapMetric::Mse, GapMetric::L1, GapMetric::Snr})
    check_gaps(values, kMlp + "/gap." + std::string(name_of(metric)) + ".json.gz", metric);
}

TEST_CASE("value study: each output of a call has a numeric gap", "[values]") {
  const std::string folder = ETLENS_TEST_DATA "/values/two-outputs";
  const LoadRequest load = request_for(folder + "/model.etdp", folder + "/model.etrecord");
  ValuesRequest request;
  request.reference = folder + "/reference.npz";
  const ValueStudy values = values_of(load, request);
  for (const GapMetric metric : {GapMetric::Mse, GapMetric::L1, GapMetric::Snr})
    check_gaps(values, folder + "/gap." + std::string(name_of(metric)) + ".json.gz", metric);
}

TEST_CASE("value study: a buffer that is cut keeps the values before the end", "[values]") {
  MemoryFileSystem files;
  for (const char* name : {"fault.etdp", "model.etrecord"})
    files.put(std::string("/w/") + name, read_file(kMlp + "/" + name));
  const std::string whole = read_file(kMlp + "/fault.bin");
  const LoadRequest load = request_for("/w/fault.etdp", "/w/model.etrecord");
  const auto study = load_study(files, load);
  REQUIRE(study);
  for (size_t length = 0; length <= whole.size(); length += 97) {
    files.put("/w/fault.bin", whole.substr(0, length));
    const auto values = load_values(files, **study, load, {});
    REQUIRE(values);
    CHECK(values->buffer_problem.find("are cut") != std::string::npos);
    for (const LoggedValue& value : values->values)
      CHECK(value.tensor.has_value() == value.problem.empty());
  }
}

TEST_CASE("value study: what cannot be compared is said", "[values]") {
  const LoadRequest load = request_for(kMlp + "/fault.etdp", kMlp + "/model.etrecord");
  const auto study = load_study(real_file_system(), load);
  REQUIRE(study);
  const auto error_of = [&](ValuesRequest request) {
    const auto values = load_values(real_file_system(), **study, load, request);
    return values ? std::string() : values.error().message;
  };
  CHECK(error_of({"", kMlp + "/fault.bin", "", ""}).find("nothing to compare values with") !=
        std::string::npos);
  CHECK(error_of({"", "/no/such.npz", "", ""}).find("/no/such.npz") != std::string::npos);
  CHECK(error_of({"/no/such.bin", "", "", ""}).find("/no/such.bin") != std::string::npos);
}

namespace {

// The folder of the planted fault, with nothing beside the dump but its record.
MemoryFileSystem fault_alone() {
  MemoryFileSystem files;
  for (const char* name : {"fault.etdp", "fault.bin", "model.etrecord"})
    files.put(std::string("/w/") + name, read_file(kMlp + "/" + name));
  return files;
}

std::shared_ptr<const Study> study_with_values(const FileSystem& files, ValuesRequest values = {}) {
  DiscoveryOptions search;
  search.roots = {"/w"};
  LoadRequest load = request_for("/w/fault.etdp", "/w/model.etrecord");
  if (values.reference.empty())
    values.candidates =
        reference_candidates(find_artifacts(files, search), load.etdump, load.etrecord);
  load.values = std::move(values);
  const auto study = load_study(files, load);
  REQUIRE(study);
  return *study;
}

bool has_error(const Study& study) {
  return std::any_of(study.measures.begin(), study.measures.end(),
                     [](const Measure& measure) { return measure.quantity.id == "error"; });
}

}  // namespace

TEST_CASE("value study: what lies beside the dump is compared with, if it fits", "[values]") {
  MemoryFileSystem files = fault_alone();
  // The record has what the method should return: of that alone nobody can tell a line.
  auto study = study_with_values(files);
  REQUIRE(study->values);
  CHECK(study->values->reference == "/w/model.etrecord");
  CHECK(study->values->origins.empty());
  CHECK_FALSE(has_error(*study));
  CHECK(study->report.find(Oddity::ValuesReferenceUnfit) == nullptr);

  files.put("/w/aot.npz", read_file(kMlp + "/aot.npz"));
  study = study_with_values(files);
  CHECK(study->values->reference == "/w/aot.npz");
  REQUIRE(has_error(*study));
  const Measure& error = study->measures.back();
  CHECK(error.total.typical().value == Approx(error.quantity.per_unit).epsilon(1e-6));
  CHECK(error.shown(error.total.typical()) == Approx(1));
  CHECK(error.labels.size() == error.self.size());
  CHECK(error.levels.size() == error.self.size());

  // Below the dump's folder it belongs to something else.
  files.remove("/w/aot.npz");
  files.put("/w/other/aot.npz", read_file(kMlp + "/aot.npz"));
  CHECK_FALSE(has_error(*study_with_values(files)));
}

TEST_CASE("value study: references that do not fit, and values that are too many, are said",
          "[values]") {
  MemoryFileSystem files = fault_alone();
  const std::string arrays = read_file(kMlp + "/aot.npz");
  files.put("/w/aot.npz", arrays.substr(0, arrays.size() / 2));
  auto study = study_with_values(files);
  CHECK_FALSE(has_error(*study));
  REQUIRE(study->report.find(Oddity::ValuesReferenceUnfit) != nullptr);
  CHECK(study->report.find(Oddity::ValuesReferenceUnfit)->first.find("/w/aot.npz") !=
        std::string::npos);

  ValuesRequest named;
  named.reference = "/w/fault.bin";
  study = study_with_values(files, named);
  CHECK(study->values);  // without a reference
  CHECK(study->report.find(Oddity::ValuesReferenceUnfit) != nullptr);

  files.put("/w/aot.npz", arrays);
  ValuesRequest few;
  few.most_bytes = 100;
  study = study_with_values(files, few);
  CHECK_FALSE(has_error(*study));
  CHECK(study->report.find(Oddity::ValuesLarge) != nullptr);

  files.remove("/w/fault.bin");
  study = study_with_values(files);
  REQUIRE(study->report.find(Oddity::ValuesUnreadable) != nullptr);
  CHECK(study->report.find(Oddity::ValuesUnreadable)->first.find("no debug buffer") !=
        std::string::npos);
}

TEST_CASE("value study: every tensor of the numeric corpus, its gaps and its faults",
          "[values][needs:corpus/measures/numeric]") {
  const std::string root = corpus("measures/numeric");
  size_t tensors = 0;
  for (const auto& entry : fs::directory_iterator(root)) {
    if (!entry.is_directory()) continue;
    const std::string folder = entry.path().string();
    CAPTURE(folder);
    const json meta = json_of(folder + "/meta.json");
    const std::string record = normal_path(folder + "/" + meta["record"].get<std::string>());
    const LoadRequest load = request_for(folder + "/debug.etdp", record);
    tensors += check_events(values_of(load, {buffer_of(folder), "", "", ""}),
                            json_of(folder + "/inspector/debug.events.json.gz"));
    for (const std::string graph : {"default", "aten", "edge"}) {
      const std::string own =
          folder + "/inspector/aot." + (graph == "edge" ? graph : "default") + ".npz";
      std::string arrays = fs::exists(own) ? own : "";
      if (arrays.empty() && graph != "edge" && meta.contains("aot_values")) {
        const std::string other = meta["aot_values"];
        arrays = normal_path(folder + "/" + other.substr(0, other.find(' ')));
      }
      if (arrays.empty()) continue;
      const ValueStudy values = values_of(load, {buffer_of(folder), arrays, "", ""});
      for (const GapMetric metric : {GapMetric::Mse, GapMetric::L1, GapMetric::Snr}) {
        const std::string oracle =
            folder + "/inspector/gap." + graph + "." + std::string(name_of(metric)) + ".json.gz";
        if (fs::exists(oracle)) {
          check_gaps(values, oracle, metric);
        } else {  // where the Inspector raised
          const auto rows = gaps_of(values, metric);
          CHECK(!rows.empty());
          for (const InspectorGapRow& row : rows) CHECK(!row.gap.empty());
        }
      }
      if (!meta["truth"].is_object() || !meta["truth"].contains("line")) continue;
      REQUIRE(!values.origins.empty());
      const std::string line = meta["truth"]["line"];
      CHECK(line_of(values, values.origins.front().line).ends_with("/" + line));
      CHECK(values.origins.front().made > 0.5);
    }
  }
  CHECK(tensors > 700);
}

TEST_CASE("value study: every tensor of the other debug dumps", "[values][corpus]") {
  size_t tensors = 0;
  for (const std::string& folder : case_folders()) {
    json pairs = json::array();
    if (fs::exists(folder + "/pairs.json")) pairs = json_of(folder + "/pairs.json");
    else if (fs::exists(folder + "/debug.etdp") && fs::exists(folder + "/oracle/debug.json.gz"))
      pairs.push_back({{"name", "debug"}, {"etdump", "debug.etdp"}, {"debug", "debug.bin"}});
    for (const json& pair : pairs) {
      if (!pair.contains("debug") || !pair["debug"].is_string()) continue;
      const std::string name = pair["name"];
      const json oracle = json_of(folder + "/oracle/" + name + ".json.gz");
      if (!oracle.is_object() || !oracle.contains("event_blocks")) continue;
      CAPTURE(folder, name);
      LoadRequest load =
          request_for(folder + "/" + pair["etdump"].get<std::string>(), folder + "/model.etrecord");
      size_t executions = 0;
      for (const json& block : oracle["event_blocks"]) {
        if (block["name"] != "Execute") continue;
        load.selection.block =
            ++executions == 1 ? "Execute" : "Execute #" + std::to_string(executions);
        const ValueStudy values =
            values_of(load, {folder + "/" + pair["debug"].get<std::string>(), "", "", ""});
        tensors += check_events(values, block["events"]);
      }
    }
  }
  CHECK(tensors > (fs::exists(corpus("release-1.5")) ? 1500 : 30));
}

TEST_CASE("value study: what the method returned is the nearest test case",
          "[values][needs:corpus/release-1.5]") {
  const std::string folder = corpus("release-1.5/mlp-portable-fp32");
  const LoadRequest load = request_for(folder + "/outputs-multi.etdp", folder + "/model.etrecord");
  for (const std::string reference : {"/model.bpte", "/model.etrecord"}) {
    const ValueStudy values = values_of(load, {"", folder + reference, "", ""});
    CHECK(values.test_cases == std::vector<std::optional<uint32_t>>{0, 1, 2});
    for (const ValueComparison& row : values.comparisons) {
      REQUIRE(row.gap);
      CHECK(row.gap->max_abs < 1e-6);
    }
  }
}

}  // namespace etlens::value_study_test
