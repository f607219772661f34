// SPDX-License-Identifier: Apache-2.0
// Reads an ETRecord of any release into an EtRecord. Weights, pickles and example inputs are never
// read: of the file only the directory, the maps and the graphs are.
#pragma once

#include <string_view>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/formats/etrecord/etrecord.h"
#include "core/formats/etrecord/payload_decoder.h"

namespace etlens {

// True if the bytes start like a ZIP whose first member is the empty `ETRECORD_V0`, as every
// release writes it. (A re-packed record with another order is only found by reading its
// directory.)
bool looks_like_etrecord(std::span<const uint8_t> front);

// Which graph a method has where the export ran passes between two that it recorded.
enum class EdgeGraphs : uint8_t {
  AsExported,
  AsPartitioned,  // behind the passes
};

// Without a decoder no payload is kept. Errors (Io, NotFound, Unsupported, Corrupt) are one
// sentence that does not name the file. A graph that cannot be read is a row of the report as long
// as others can.
Result<EtRecord> read_etrecord(const FileSystem& files, std::string_view path,
                               const CancelToken& cancel = {}, const PayloadDecoder& decoder = {},
                               EdgeGraphs graphs = EdgeGraphs::AsExported);

// The maps name no instruction of any method: release 0.1 could write a record before the program
// was emitted. Such a record places nothing, and contradicts no dump and no program.
bool maps_nothing(const EtRecord& record);

}  // namespace etlens
