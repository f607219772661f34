// SPDX-License-Identifier: Apache-2.0
// Reads an ETDump of any release (0.1 and later) into an EventLog.
#pragma once

#include <string_view>

#include "core/base/bytes.h"
#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/formats/etdump/event_log.h"

namespace etlens {

// True if the bytes (the first 16 are enough) carry ETDump's identifier `ED00`: at offset 8 behind
// a size prefix, as the runtime writes it, at offset 4 where a tool re-encoded it without one, or
// at offset 12 where a second size stands in front.
bool looks_like_etdump(std::span<const uint8_t> bytes);

// All of the file, which a load is granted for. Unsupported for one that is larger than an ETDump
// can be, before anything of it is read; Io and NotFound as FileSystem.
Result<Bytes> read_etdump_file(const FileSystem& files, const std::string& path);

// Every offset is verified before anything is read. Errors (Corrupt, Unsupported) are one sentence
// that does not name the file: the caller knows it. A dump without events is a value, not an error.
Result<EventLog> read_etdump(const Bytes& file, const CancelToken& cancel = {});

}  // namespace etlens
