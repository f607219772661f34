// SPDX-License-Identifier: Apache-2.0
// Mutations (tests/support/mutation.h) -> a whole pair of artifacts -> the load, the facts and a
// report. What cannot be loaded gives one sentence.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/facts/headline.h"
#include "core/facts/hints.h"
#include "core/render/report_json.h"
#include "core/workspace/load.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/mutation.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace etlens;
  using namespace etlens::test;
  static const ArtifactParts kSound = parts_of(sound_pair());
  constexpr size_t kMaxMutations = 64;
  ArtifactParts parts = kSound;
  mutate(parts, {data, std::min(size, kMaxMutations * kMutationBytes)});
  const HostilePair pair = pair_of(parts);
  MemoryFileSystem files;
  files.put("/w/a.etdp", pair.etdump);
  files.put("/w/a.etrecord", pair.etrecord);
  files.put("/w/a.py", "class A:\n    def forward(self, x):\n        x = x + 1\n");
  LoadRequest request;
  request.etdump = "/w/a.etdp";
  request.etrecord = "/w/a.etrecord";
  request.roots = {"/w"};
  const auto study = load_study(files, request);
  if (!study) {
    if (study.error().message.empty() || study.error().message.find('\n') != std::string::npos)
      std::abort();
    return 0;
  }
  const Facts facts(*study);
  (void)headline(facts);
  const std::vector<AnchoredSource> sources =
      read_and_anchor(files, (*study)->code(), (*study)->sources);
  for (const AnchoredSource& source : sources) (void)hints(facts, source, {});
  (void)lines_json(facts, sources, TimeScale::Milliseconds);
  (void)events_json(facts, sources, TimeScale::Milliseconds);
  (void)partitions_json(facts, TimeScale::Milliseconds);
  return 0;
}
