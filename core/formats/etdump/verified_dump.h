// SPDX-License-Identifier: Apache-2.0
// Finds the FlatBuffer in the bytes of an ETDump and verifies every offset of it. For the reader
// alone.
#pragma once

#include "core/base/bytes.h"
#include "core/base/load_report.h"
#include "core/base/result.h"
#include "core/formats/etdump/schema/etdump_generated.h"
#include "core/formats/etdump/schema/etdump_v01_generated.h"

namespace etlens {

inline constexpr size_t kMaxDumpBytes = FLATBUFFERS_MAX_BUFFER_SIZE - 1;
Error too_large_dump();

// In one of the two schemas.
struct VerifiedDump {
  const etdump_schema::ETDump* dump = nullptr;
  const etdump_v01_schema::ETDump* old = nullptr;  // of release 0.1, with events; goes first
  Bytes copy;  // what they lie in, if not in the file's own bytes
};

// `file` must outlive the result. Errors: Unsupported, Corrupt.
Result<VerifiedDump> verify_dump(const Bytes& file, LoadReport& report);

}  // namespace etlens
