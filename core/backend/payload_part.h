// SPDX-License-Identifier: Apache-2.0
// The part of a delegate's payload that describes operators: the weights behind it are never read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/file_system.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "core/formats/pte/pte_reader.h"

namespace etlens {

// For reading records, whose payloads are base64. `backends` must outlive what is returned.
PayloadDecoder payload_decoder(const Backends& backends);

// Of a payload of the program, from its file; empty if it cannot be read, or if the backend's
// payloads never are.
std::vector<uint8_t> read_payload_part(const FileSystem& files, const EtProgram& program,
                                       const ProgramDelegate& delegate, const Backends& backends);

}  // namespace etlens
