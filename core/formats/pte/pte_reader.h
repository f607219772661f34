// SPDX-License-Identifier: Apache-2.0
// Reads an ExecuTorch program (.pte), every release from 0.1 on; also the one inside a bundled
// program (.bpte).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/formats/pte/program.h"

namespace etlens {

// True if the bytes start like a program. 12 bytes are enough.
bool looks_like_program(std::span<const uint8_t> bytes);

// Every index and range in the result is valid. Tensors and constants that cannot be as the file
// has them are rows of its report; a method whose instructions point outside is an error. Errors:
// Unsupported if the file is no program, Corrupt if it contradicts itself, Io and Cancelled.
Result<EtProgram> read_program(const FileSystem& files, const std::string& path,
                               const CancelToken& cancel = {});

}  // namespace etlens
