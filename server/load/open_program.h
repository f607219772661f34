// SPDX-License-Identifier: Apache-2.0
// OpenProgram: a program with the facts about its memory and its size, and its sources as they were
// on disk when it was read. Needs no dump. Immutable and shared.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/file_system.h"
#include "core/facts/memory_facts.h"
#include "core/facts/size_facts.h"
#include "core/workspace/anchored_source.h"
#include "core/workspace/load_program.h"

namespace etlens {

struct ProgramSource {
  std::string path;  // absolute; "" if it was not found
  FileStamp stamp;
  AnchoredSource anchored;
};

struct OpenProgram {
  std::string pte;                                  // absolute
  std::string etrecord;                             // "" without one
  std::vector<std::shared_ptr<const Code>> codes;   // one per method of the program
  std::vector<MemoryFacts> memory;                  // likewise
  std::vector<std::vector<ProgramSource>> sources;  // likewise, one per Code::files
  SizeFacts size;

  const EtProgram& program() const { return size.program(); }
};

}  // namespace etlens
