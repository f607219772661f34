// SPDX-License-Identifier: Apache-2.0
// The Inspector's table with etlens's own joins is joined as everything else is.
#include "core/inspector/inspector.h"
#include "core/workspace/load.h"
#include "test_paths.h"

namespace etlens::own_test {

namespace {

const std::string kGate = ETLENS_TEST_DATA "/release-1.5/gate-portable-fp32/";

std::vector<InspectorBlock> inspect(const std::string& pte) {
  LoadRequest load;
  load.etdump = kGate + "run10.etdp";
  load.etrecord = kGate + "model.etrecord";
  load.pte = pte;
  const Result<Artifacts> artifacts = load_artifacts(real_file_system(), load);
  if (!artifacts) FAIL(artifacts.error().message);
  InspectorRequest request;
  request.log = artifacts->log.get();
  request.record = artifacts->record.get();
  return inspect_own(real_file_system(), request, *artifacts, load);
}

// Kernels, and those of them that have no operator.
std::pair<size_t, size_t> kernels_of(const std::vector<InspectorBlock>& blocks) {
  size_t kernels = 0;
  size_t unplaced = 0;
  for (const InspectorBlock& block : blocks) {
    for (const InspectorEvent& event : block.events) {
      if (!event.name.starts_with("native_call_")) continue;
      ++kernels;
      unplaced += event.op_types.empty() ? 1 : 0;
    }
  }
  return {kernels, unplaced};
}

}  // namespace

TEST_CASE("inspect: a program tells of the instructions inside branches", "[inspect]") {
  const auto [kernels, unplaced] = kernels_of(inspect(""));
  CHECK(kernels >= 3);
  CHECK(unplaced >= 1);
  CHECK(kernels_of(inspect(kGate + "model.pte")) == std::pair<size_t, size_t>(kernels, 0));
}

}  // namespace etlens::own_test
