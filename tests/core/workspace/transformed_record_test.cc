// SPDX-License-Identifier: Apache-2.0
// A program beside the record of an export that ran passes of the user's (transform_passes): its
// kernels are those of the graph behind the passes.
#include "core/workspace/load_program.h"

#include "test_paths.h"

namespace etlens::transformed_record_test {

TEST_CASE("a program belongs to the record of its export, whatever passes it ran", "[workspace]") {
  const auto [name, other] = GENERATE(table<const char*, const char*>({
      {"mix-xnnpack-passes", "mix-xnnpack-onlypass"},
      {"mix-xnnpack-bare", "mix-xnnpack-passes"},
      {"mix-xnnpack-onlypass", "own.gated-xnnpack"},
  }));
  CAPTURE(name);
  const std::string folder = std::string(ETLENS_TEST_DATA) + "/delegation/";
  const std::string pte = folder + name + "/model.pte";
  const auto loaded = load_program(real_file_system(), pte, folder + name + "/model.etrecord");
  INFO((loaded ? std::string() : loaded.error().message));
  REQUIRE(loaded);
  CHECK(loaded->record != nullptr);
  const auto foreign = load_program(real_file_system(), pte, folder + other + "/model.etrecord");
  CHECK_FALSE(foreign);
}

}  // namespace etlens::transformed_record_test
