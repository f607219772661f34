// SPDX-License-Identifier: Apache-2.0
// One row more is all that a new backend takes: the sample's events come through the ordinary
// readers, the ordinary join and the ordinary facts.
#include "core/facts/headline.h"
#include "tests/core/backend/sample/sample.h"
#include "tests/support/program_builder.h"
#include "tests/support/studies.h"
#include "tests/support/times.h"

namespace etlens::new_backend_test {

using namespace etlens::test;

namespace {

constexpr const char* kSample = "SampleBackend";
const std::string kPayload = "SAMPLE221" + std::string(1000, 'w');  // handles 2 and 1, then weights

Backends with_sample() { return built_in_backends().with(sample_backend()); }

RecordNode node(std::string name, std::string target, uint32_t handle, uint32_t line) {
  return {std::move(name), "aten." + target, handle, trace_at(line), "", {"x"}};
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

Facts load(const RecordBuilder& record, const Backends& backends, const std::string& pte = {}) {
  LoadRequest request = mean_raw_request();
  request.backends = backends;
  return Facts(study_of(dump_of_steps(), record, request, pte));
}

EventFacts event(const Facts& facts, std::string_view logged_name) {
  return facts.event(find_event(facts.join(), logged_name));
}

double on_line(const Facts& facts, uint32_t line) {
  const LineId id = find_line(facts.join(), line);
  return id.valid() ? facts.line(id).self.value : 0;
}

}  // namespace

TEST_CASE("new backend: one more row places its events", "[backends]") {
  const Facts facts = load(lowered_record(), with_sample());
  CHECK(facts.join().record->lowered.at(0).payload.size() == 9);  // without the weights
  CHECK(on_line(facts, 4) == 30'000);
  CHECK(on_line(facts, 3) == 20'000);
  const EventFacts step = event(facts, "step 0 (us)");
  CHECK(step.confidence == Confidence::Exact);
  CHECK(step.unit == DelegateUnit::Microseconds);
  CHECK(step.name == "step number 0");
  CHECK(step.where == "The Sample");
  CHECK(facts.join().backend_of(step.id).read_metadata(facts.metadata(step.id)) ==
        MetadataFields{{"lane", "7"}});
  const ContributionId wait = find_event(facts.join(), "SAMPLE_WAIT");
  CHECK(facts.join().event(wait).role == EventRole::HostPhase);
  REQUIRE(facts.study().fit);
  CHECK(facts.study().fit->score == 1);
}

TEST_CASE("new backend: without its row it is an unknown one", "[backends]") {
  const Facts facts = load(lowered_record(), built_in_backends());
  CHECK(facts.join().record->lowered.at(0).payload.empty());
  CHECK(on_line(facts, 4) == 0);
  const EventFacts step = event(facts, "step 0 (us)");
  CHECK(step.part == Part::OpaquePartition);
  CHECK(step.name == "step 0 (us)");
  CHECK(step.where == "Sample");
  const ContributionId wait = find_event(facts.join(), "SAMPLE_WAIT");
  CHECK(facts.join().event(wait).role == EventRole::DelegateEvent);
}

TEST_CASE("new backend: its payload comes from the program as well", "[backends]") {
  RecordBuilder record;  // before lowering: no payload in it
  for (const RecordNode& row : kNodes) record.node(row);
  record.map(0, {1, 2}).delegate(0, kSample);
  ProgramBuilder program;
  program.method("forward", {{'d', kSample, 0, kPayload}});
  const Facts with_program = load(record, with_sample(), program.build());
  CHECK(on_line(with_program, 4) == 30'000);
  CHECK(on_line(with_program, 3) == 20'000);
  CHECK(on_line(load(record, with_sample()), 4) == 0);
}

TEST_CASE("new backend: events that contradict the payload tell another model", "[backends]") {
  RecordBuilder record;
  record.map(0, {1, 2}).delegate(0, kSample).lowered("call", kSample, kNodes, "SAMPLE9212121212");
  LoadRequest request;
  CHECK(try_study_of(dump_of_steps(), record, request));
  request.backends = with_sample();
  CHECK_FALSE(try_study_of(dump_of_steps(), record, request));
}

TEST_CASE("new backend: its rounding bounds what its events lack", "[backends]") {
  const auto rounding = [](const Facts& facts) {
    double bound = 0;
    for (const PartFacts& part : headline(facts).parts) bound += part.rounding;
    return bound;
  };
  // Two steps of 2 µs each; the call's overhead is 9.9 µs.
  CHECK(rounding(load(lowered_record(), with_sample())) == Approx(4000));
  CHECK(rounding(load(lowered_record(), built_in_backends())) == 0);
}

}  // namespace etlens::new_backend_test
