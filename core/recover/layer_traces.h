// SPDX-License-Identifier: Apache-2.0
// LayerTraces: which nodes of a graph bear the name of the call behind theirs. All nodes of one call ran at one place; where a
// call that does nothing follows a layer's view, torch gives the view the name of that call, but not its place.
#pragma once

#include <cstdint>
#include <vector>

#include "core/formats/etrecord/etrecord.h"

namespace etlens::recover {

class LayerTraces {
 public:
  // `is_project_file`: by the StringId of a recorded file. It and the record outlive this.
  LayerTraces(const EtRecord& record, const Graph& graph, const std::vector<bool>& is_project_file);

  // The node ran inside a layer of torch, and other nodes of the call that it is named by did not.
  bool is_named_by_next(const Node& node) const;
  // The innermost frame is the forward of a layer whose source is not the project's.
  bool ends_in_layer(const Node& node) const;

 private:
  // Where nodes ran: bits of traces_.
  static constexpr uint8_t kInLayer = 1;
  static constexpr uint8_t kElsewhere = 2;

  const EtRecord& record_;
  const std::vector<bool>& is_project_file_;
  std::vector<uint8_t> traces_;  // by the StringId of a call: where its nodes ran
};

}  // namespace etlens::recover
