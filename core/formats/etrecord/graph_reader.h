// SPDX-License-Identifier: Apache-2.0
// Reads the JSON of an exported program into an EtRecord's node tables. The text is walked on
// demand: what nobody asks for (signatures, ranges, base64) is skipped, never built.
#pragma once

#include <memory>
#include <string>

#include "core/base/bytes.h"
#include "core/base/cancellation.h"
#include "core/base/result.h"
#include "core/formats/etrecord/etrecord.h"
#include "core/formats/etrecord/payload_decoder.h"
#include "core/formats/etrecord/provenance_tables.h"

namespace etlens {

class GraphReader {
 public:
  // Without a decoder no payload is kept.
  explicit GraphReader(EtRecord& record, CancelToken cancel = {}, PayloadDecoder decoder = {});
  ~GraphReader();

  // Appends the program's graph, its branches and the original modules of its delegate calls. On an
  // error (Corrupt, Cancelled) the tables are as they were before.
  Result<GraphId> read(const Bytes& json, GraphKind kind, StringId name);

  // The number of the exported program's graph: nodes of edge programs that are read from now on
  // know their Node::exported_name.
  void trace_to(std::string exported_graph);
  // For further traces of the same record.
  ProvenanceTables& provenance();

 private:
  class Walker;
  std::unique_ptr<Walker> walker_;
};

}  // namespace etlens
