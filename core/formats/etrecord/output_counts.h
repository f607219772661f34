// SPDX-License-Identifier: Apache-2.0
// How many of a delegate call's arguments are its outputs: the record's
// instruction_id_to_num_outs_map, which releases from 1.0 on write. The runtime logs a call's
// inputs and outputs alike, inputs first.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/formats/runtime_ids.h"

namespace etlens {

using OutputCounts = std::map<Instruction, uint32_t>;

// Empty if the record has none for the method. Errors: of ZipArchive; Corrupt if it is no JSON.
Result<OutputCounts> read_output_counts(const FileSystem& files, std::string_view path,
                                        std::string_view method);

}  // namespace etlens
