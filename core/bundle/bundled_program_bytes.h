// SPDX-License-Identifier: Apache-2.0
// A program with zeros in the place of its weights.
#pragma once

#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/file_system.h"
#include "core/formats/pte/program.h"

namespace etlens {

struct ProgramBytes {
  std::string bytes;                // as long as the original
  uint64_t table_bytes = 0;         // of the FlatBuffer at the front
  std::vector<ByteRange> payloads;  // what is left of the payloads of delegates: tables
};

// Constants, initial data, named data and all that no table of the program owns is zero; of payloads what describes
// operators stays, if the backend's format is known, else they are zero, which is a note. `path` "" gives nothing. Errors:
// those of read_program().
Result<ProgramBytes> program_without_weights(const FileSystem& files, const std::string& path,
                                             const Backends& backends,
                                             std::vector<std::string>& notes);

// The same of one payload, in place. Returns how many bytes at its front stay.
uint64_t clear_payload(std::span<uint8_t> payload, const Backend& backend);

}  // namespace etlens
