// SPDX-License-Identifier: Apache-2.0
// Reads the FlatBuffer of an ETDump into an EventLog and verifies it on the way. For the reader
// alone.
#pragma once

#include "core/base/cancellation.h"
#include "core/base/result.h"
#include "core/formats/etdump/dump_schema.h"
#include "core/formats/etdump/envelope.h"
#include "core/formats/etdump/event_log.h"

namespace etlens {

// What a walk in one schema found: no sound dump, one without any event, or one with some.
enum class WalkVerdict : uint8_t { Unsound, Empty, Events };

struct WalkedDump {
  WalkVerdict verdict = WalkVerdict::Unsound;
  size_t longest_name = 0;  // bytes; of one over LogBuilder::kMaxNameBytes nothing is kept
};

// `log` is empty but for its report; after Unsound it holds rows of no worth. Error: Cancelled.
Result<WalkedDump> walk_dump(const Envelope& envelope, dump_schema::Release release, EventLog& log,
                             const CancelToken& cancel);

}  // namespace etlens
