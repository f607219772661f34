// SPDX-License-Identifier: Apache-2.0
// Structured mutations of whole pairs of artifacts: what is changed are the FlatBuffers and the
// JSON inside, and the ZIP around them stays sound, so that readers and joins see the damage.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/hostile.h"

namespace etlens::test {

struct ArtifactParts {
  std::string etdump;
  std::vector<std::pair<std::string, std::string>> members;  // of the record: name, content
};

// Fails the program if the record is no ZIP.
ArtifactParts parts_of(const HostilePair& pair);
HostilePair pair_of(const ArtifactParts& parts);

// One mutation for every kMutationBytes of the script.
inline constexpr size_t kMutationBytes = 8;
void mutate(ArtifactParts& parts, std::span<const uint8_t> script);

// A small pair that has something of everything: operators, a delegate with a map, a control-flow
// branch, frames, modules, logged values. Its only source is /w/a.py.
HostilePair sound_pair();

}  // namespace etlens::test
