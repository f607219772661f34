// SPDX-License-Identifier: Apache-2.0
#include "tests/support/truth.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/formats/pte/pte_reader.h"
#include "test_paths.h"
#include "tests/support/corpus.h"

namespace etlens::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

TruthCall call_of(const json& data, const char* name) {
  TruthCall call;
  call.method = data["method"];
  call.instruction = data["instruction_id"];
  for (const json& row : data["events"]) {
    TruthEvent event;
    event.name = row[name];
    event.origin = row["origin"];
    if (!row["xnode"].is_null()) {
      event.op = row["xnode"].get<uint32_t>();
      event.kind = row["xnode_type"];
      event.handle = row["debug_handle"];
    }
    call.events.push_back(std::move(event));
  }
  for (const json& row : data["xnodes"]) {
    if (row["fate"] == "event") continue;
    TruthCall::Absorbed absorbed{row["xnode"], {}};
    for (const json& position : row["fused_into"]) {
      const TruthEvent& event = call.events[position.get<size_t>()];
      if (event.op) absorbed.by.push_back(*event.op);
    }
    std::sort(absorbed.by.begin(), absorbed.by.end());
    absorbed.by.erase(std::unique(absorbed.by.begin(), absorbed.by.end()), absorbed.by.end());
    call.absorbed.push_back(std::move(absorbed));
  }
  return call;
}

TruthCase case_of(const std::string& name, const fs::path& truth, const fs::path& folder) {
  TruthCase result;
  result.name = name;
  result.pte = (folder / "model.pte").string();
  for (const Pair& pair : pairs_of(folder.string())) {
    // Values logged while running are another matter, and bundled records repeat the others.
    if (pair.etrecord.find("bundled") != std::string::npos) continue;
    if (result.records.empty() || result.records.back() != pair.etrecord)
      result.records.push_back(pair.etrecord);
    if (std::find(result.dumps.begin(), result.dumps.end(), pair.etdump) == result.dumps.end()) {
      result.dumps.push_back(pair.etdump);
    }
  }
  const json data = json::parse(read_file(truth.string()));
  for (const json& call : data["delegate_calls"]) {
    result.calls.push_back(call_of(call, "name"));
    const json& events = call["events"];
    if (!events.empty() && events[0].contains("name_in_v0.5_dump")) {
      result.old_calls.push_back(call_of(call, "name_in_v0.5_dump"));
    }
  }
  return result;
}

// `releases` are the folders with the cases of release 1.5 and of 0.5.
void collect(const fs::path& truth, const fs::path& now, const fs::path& old,
             std::vector<TruthCase>& cases) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(truth)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    const std::string name = path.stem().string();
    if (fs::exists(path / "truth.json")) {
      cases.push_back(case_of(name, path / "truth.json", path));
    } else if (path.extension() == ".json") {
      const bool is_old = name.starts_with("v0.5-");
      cases.push_back(case_of(name, path, is_old ? old / name.substr(5) : now / name));
    }
  }
}

}  // namespace

std::vector<std::string_view> TruthCall::names() const {
  std::vector<std::string_view> names;
  for (const TruthEvent& event : events) names.push_back(event.name);
  return names;
}

std::vector<TruthCase> truth_cases() {
  std::vector<TruthCase> cases;
  const fs::path data(ETLENS_TEST_DATA);
  collect(data / "xnnpack", {}, {}, cases);
  collect(data / "xnnpack" / "existing", data / "release-1.5", data / "v0.5", cases);
  if (const char* corpus = std::getenv("ETLENS_CORPUS"); corpus != nullptr && *corpus != '\0') {
    const fs::path root(corpus);
    const fs::path now = root / "release-1.5";
    const fs::path old = root / "releases-0.4-to-1.4" / "v0.5";
    collect(root / "xnnpack-truth" / "open", {}, {}, cases);
    collect(root / "xnnpack-truth" / "existing", now, old, cases);
  }
  return cases;
}

XnnpackPayload payload_of(const std::string& pte, const std::string& method, int32_t instruction) {
  const FileSystem& files = real_file_system();
  const Result<EtProgram> program = read_program(files, pte);
  if (!program) return {};
  const ProgramMethod* found = program->find(method);
  const ProgramInstruction* row = found == nullptr ? nullptr : found->find(instruction);
  const ProgramDelegate* delegate = row == nullptr ? nullptr : found->delegate_of(*row);
  if (delegate == nullptr) return {};
  const Result<Bytes> bytes = files.read_range(pte, delegate->offset, delegate->size);
  if (!bytes) return {};
  return read_xnnpack_payload(bytes->span()).value_or(XnnpackPayload());
}

}  // namespace etlens::test
