// SPDX-License-Identifier: Apache-2.0
// A program with zeros in the place of its weights.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/file_system.h"
#include "core/bundle/sparse_bytes.h"

namespace etlens {

// As long as the original. What is set of it are tables: the program's own at the front, with constants inside it at zero; and
// what describes operators of the payloads whose format the backend's row knows. Other payloads are zero, which is a note.
// Weights outside tables are never read. `path` "" gives nothing. Errors: those of read_program().
Result<SparseBytes> program_without_weights(const FileSystem& files, const std::string& path,
                                            const Backends& backends,
                                            std::vector<std::string>& notes);

// How many bytes at the front of a payload describe operators; 0 if the backend's format is not known.
uint64_t operator_bytes_of(std::span<const uint8_t> payload, const Backend& backend);
// Sets constants inside that part to zero.
void clear_payload_constants(std::span<uint8_t> operators, const Backend& backend);

}  // namespace etlens
