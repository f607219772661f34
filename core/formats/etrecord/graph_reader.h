// SPDX-License-Identifier: Apache-2.0
// Reads the JSON of an exported program into an EtRecord's node tables. The text is walked on
// demand: what nobody asks for (signatures, ranges, base64) is skipped, never built.
#pragma once

#include <memory>

#include "core/base/bytes.h"
#include "core/base/cancellation.h"
#include "core/base/result.h"
#include "core/formats/etrecord/etrecord.h"
#include "core/formats/etrecord/payload_decoder.h"

namespace etlens {

class GraphReader {
 public:
  // Without a decoder no payload is kept.
  explicit GraphReader(EtRecord& record, CancelToken cancel = {}, PayloadDecoder decoder = {});
  ~GraphReader();

  // Appends the program's graph, its branches and the original modules of its delegate calls. On an
  // error (Corrupt, Cancelled) the tables are as they were before.
  Result<GraphId> read(const Bytes& json, GraphKind kind, StringId name);

 private:
  class Walker;
  std::unique_ptr<Walker> walker_;
};

}  // namespace etlens
