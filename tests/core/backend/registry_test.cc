// SPDX-License-Identifier: Apache-2.0
// The table of backends, and that one row more is all that a new backend takes: the sample's events
// come through the ordinary readers, the ordinary join and the ordinary tables.
#include <set>

#include "core/backend/backend.h"
#include "core/facts/hotspots.h"
#include "core/render/summary.h"
#include "core/workspace/load.h"
#include "tests/core/backend/sample/sample.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/payload_builder.h"
#include "tests/support/record_builder.h"

using namespace etlens;
using namespace etlens::test;

namespace {

constexpr const char* kSample = "SampleBackend";
const std::string kPayload = "SAMPLE221" + std::string(1000, 'w');  // handles 2 and 1, then weights

Backends with_sample() { return built_in_backends().with(sample_backend()); }

RecordNode node(std::string name, std::string target, uint32_t handle, uint32_t line) {
  return {std::move(name),
          "aten." + target,
          handle,
          stack_trace({{"/m/a.py", line, "forward", "line " + std::to_string(line)}}, true),
          "",
          {"x"}};
}

const std::vector<RecordNode> kNodes{node("lin", "linear.default", 1, 3),
                                     node("act", "relu.default", 2, 4)};

RecordBuilder lowered_record() {
  RecordBuilder record;
  record.map(0, {1, 2}).delegate(0, kSample).lowered("call", kSample, kNodes, kPayload);
  return record;
}

// Steps of 30 and 20 µs and a phase of 100 ns inside a call of 60 µs, in nanoseconds.
DumpBuilder dump_of_steps() {
  DumpBuilder dump;
  dump.block("Execute")
      .delegate("step 0 (us)", 0, 0, 30, "\x07")
      .delegate("step 1 (us)", 0, 30, 50)
      .delegate("SAMPLE_WAIT", 0, 2000, 2100)
      .event("DELEGATE_CALL", 0, 1000, 61'000)
      .framework("Method::execute", 0, 62'000);
  return dump;
}

std::shared_ptr<const ProfileSnapshot> load(const RecordBuilder& record, const Backends& backends,
                                            const std::string& pte = {}) {
  MemoryFileSystem files;
  files.put("/d.etdp", dump_of_steps().build());
  files.put("/r.etrecord", record.build());
  LoadRequest request;
  request.etdump = "/d.etdp";
  request.etrecord = "/r.etrecord";
  request.backends = backends;
  if (!pte.empty()) {
    files.put("/m.pte", pte);
    request.pte = "/m.pte";
  }
  auto snapshot = load_snapshot(files, request);
  if (!snapshot) FAIL(snapshot.error().message);
  return *snapshot;
}

const EventRow& event(const Profile& profile, std::string_view name) {
  for (const EventRow& row : profile.events) {
    if (profile.event_name(row) == name) return row;
  }
  FAIL("no event " << name);
  return profile.events.front();
}

uint64_t on_line(const Profile& profile, uint32_t line) {
  uint64_t ticks = 0;
  for (const LineRow& row : profile.lines) ticks += row.line == line ? row.self_ticks : 0;
  return ticks;
}

}  // namespace

TEST_CASE("backends: every built-in row has an id of its own and a label", "[backends]") {
  std::set<std::string_view> ids;
  for (const Backend& row : built_in_backends().rows()) {
    CAPTURE(row.id);
    CHECK_FALSE(row.id.empty());
    CHECK_FALSE(row.label.empty());
    CHECK(ids.insert(row.id).second);
    CHECK(&built_in_backends().find(row.id) == &row);
    CHECK(built_in_backends().label(row.id) == row.label);
    // Each needs the other.
    CHECK((row.operator_bytes == nullptr) == (row.payload_front_bytes == 0));
    if (row.contradict_payload != nullptr) CHECK(row.operator_bytes != nullptr);
    for (const std::string_view phase : row.host_phases) CHECK_FALSE(phase.empty());
    if (!row.dispatch_phase.empty()) CHECK(built_in_backends().is_host_phase(row.dispatch_phase));
  }
  CHECK(ids.size() >= 8);
}

TEST_CASE("backends: an unknown one is nothing special", "[backends]") {
  for (const char* id : {"", "MyBackend"}) {
    const Backend& row = built_in_backends().find(id);
    CHECK(row.id.empty());
    CHECK(row.open_placer == nullptr);
    CHECK(row.resolution_ns == 0);
  }
  CHECK(built_in_backends().label("XnnpackBackend") == "XNNPACK");
  CHECK(built_in_backends().label("MyBackend") == "My");
  CHECK(built_in_backends().label("Backend") == "Backend");
  CHECK(built_in_backends().label("").empty());
  CHECK_FALSE(built_in_backends().is_dispatch_phase(""));
}

TEST_CASE("backends: one more row places the events of a new backend", "[backends]") {
  const auto snapshot = load(lowered_record(), with_sample());
  const Profile& profile = snapshot->profile;
  CHECK(profile.record->lowered.at(0).payload.size() == 9);  // without the weights
  CHECK(on_line(profile, 4) == 30'000);
  CHECK(on_line(profile, 3) == 20'000);
  const EventRow& step = event(profile, "step 0 (us)");
  CHECK(step.confidence == Confidence::Exact);
  CHECK(step.unit == DelegateUnit::Microseconds);
  CHECK(profile.readable_name(step) == "step number 0");
  CHECK(event(profile, "SAMPLE_WAIT").role == EventRole::HostPhase);
  CHECK(profile.backends.label(profile.backend_of(step)) == "The Sample");
  const auto metadata = event_metadata(profile);
  CHECK(
      profile.backends.read_metadata(
          profile.backend_of(step), metadata[static_cast<size_t>(&step - profile.events.data())]) ==
      MetadataFields{{"lane", "7"}});
  REQUIRE(snapshot->fit);
  CHECK(snapshot->fit->score == 1);
}

TEST_CASE("backends: without its row a backend is an unknown one", "[backends]") {
  const auto snapshot = load(lowered_record(), built_in_backends());
  const Profile& profile = snapshot->profile;
  CHECK(profile.record->lowered.at(0).payload.empty());
  CHECK(on_line(profile, 4) == 0);
  CHECK(event(profile, "step 0 (us)").part == TimePart::OpaquePartition);
  CHECK(profile.readable_name(event(profile, "step 0 (us)")) == "step 0 (us)");
  CHECK(event(profile, "SAMPLE_WAIT").role == EventRole::DelegateEvent);
  CHECK(profile.backends.label(kSample) == "Sample");
}

TEST_CASE("backends: a new backend's payload comes from the program as well", "[backends]") {
  RecordBuilder record;  // before lowering: no payload in it
  for (const RecordNode& row : kNodes) record.node(row);
  record.map(0, {1, 2}).delegate(0, kSample);
  ProgramBuilder program;
  program.method("forward", {{'d', kSample, 0, kPayload}});
  const auto with_program = load(record, with_sample(), program.build());
  CHECK(on_line(with_program->profile, 4) == 30'000);
  CHECK(on_line(with_program->profile, 3) == 20'000);
  CHECK(on_line(load(record, with_sample())->profile, 4) == 0);
}

TEST_CASE("backends: events that contradict the payload tell another model", "[backends]") {
  RecordBuilder record;
  record.map(0, {1, 2}).delegate(0, kSample).lowered("call", kSample, kNodes, "SAMPLE9212121212");
  MemoryFileSystem files;
  files.put("/d.etdp", dump_of_steps().build());
  files.put("/r.etrecord", record.build());
  LoadRequest request;
  request.etdump = "/d.etdp";
  request.etrecord = "/r.etrecord";
  CHECK(load_snapshot(files, request));
  request.backends = with_sample();
  CHECK_FALSE(load_snapshot(files, request));
}

TEST_CASE("backends: the rounding of a new backend bounds what its events lack", "[backends]") {
  const auto note = [](const ProfileSnapshot& snapshot) {
    for (const SummaryRow& row : summary_rows(snapshot)) {
      if (!row.note.empty()) return row.note;
    }
    return std::string();
  };
  // Three events of 2 µs each; the call's overhead is 9.9 µs.
  CHECK(note(*load(lowered_record(), with_sample())) == "up to 6.00 µs of it is rounding");
  CHECK(note(*load(lowered_record(), built_in_backends())).empty());
}
