// SPDX-License-Identifier: Apache-2.0
// Reads the record's maps from runtime ids to debug handles:
//   debug_handle_map  {method: {instruction: handle | [handle, …]}}
//   delegate_map      {method: {instruction: {"name": backend,
//                                             "delegate_map": {id: [handles]} | null}}}
#pragma once

#include "core/base/bytes.h"
#include "core/base/result.h"
#include "core/formats/etrecord/etrecord.h"

namespace etlens {

// Fill EtRecord::maps. An entry that is not of the form above is skipped and counted in the
// record's report; text that is not JSON at all is an error (Corrupt).
Result<void> read_debug_handle_map(const Bytes& json, EtRecord& record);
Result<void> read_delegate_map(const Bytes& json, EtRecord& record);

}  // namespace etlens
