// SPDX-License-Identifier: Apache-2.0
// Makes artifacts of any size, shaped like real ones: a transformer's instructions, executed again
// and again, every name stored anew as the runtime does; node metadata as long as the exporter's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace etlens::bench {

struct SyntheticSize {
  uint32_t nodes = 1000;      // operator nodes; one instruction each
  uint32_t executions = 100;  // each has 2 * nodes + 1 events
  uint32_t layers = 32;       // module instances that share their source lines
  bool delegated = false;     // all nodes are one call of XNNPACK, which reports an event for each
  // Lines of a source file in which every node has a line of its own, written beside the artifacts;
  // 0: no file is written, and nodes share 200 lines.
  uint32_t source_lines = 0;
  uint64_t events() const {
    return uint64_t{executions} * (delegated ? nodes + 2 : 2 * uint64_t{nodes} + 1);
  }
};

struct SyntheticFiles {
  std::string folder;
  std::string etdump;
  std::string etrecord;
  std::string source;  // "" if there is none
};

// What XNNPACK would report in one execution of a delegated model, in order.
std::vector<std::string> delegate_event_names(uint32_t nodes);

// Writes the artifacts below the system's folder for temporary files, unless they are there
// already.
SyntheticFiles make_artifacts(const SyntheticSize& size);

}  // namespace etlens::bench
