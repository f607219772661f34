// SPDX-License-Identifier: Apache-2.0
// The metadata of a node of a graph: stack trace, module stack, debug handle, origin.
#pragma once

#include <simdjson.h>

#include <optional>
#include <string_view>

#include "core/formats/etrecord/call_details.h"
#include "core/formats/etrecord/etrecord.h"
#include "core/formats/etrecord/provenance_tables.h"

namespace etlens {

class MetadataReader {
 public:
  // Both outlive this.
  MetadataReader(EtRecord& record, ProvenanceTables& provenance)
      : record_(record), provenance_(provenance) {}

  // {"stack_trace": …, "nn_module_stack": …, "debug_handle": …, …} into `node`; other keys are
  // skipped. `keeps_calls`: the origin and the Python function, too. `exported_graph`: the number of
  // the exported program's graph, null if it is not known.
  simdjson::error_code read(simdjson::ondemand::value value, bool keeps_calls,
                            const Sought* exported_graph, Node& node);

  // The JSON that was read until now may be gone.
  void forget_json() { trace_.token = modules_.token = {}; }

 private:
  // What was read last: the next node mostly has the same text. `token`: as it stands in the JSON.
  struct LastTrace {
    std::string_view token;
    StringId text;
    StackId stack;
  };
  struct LastModules {
    std::string_view token;
    StringId text;
    ModuleStackId modules;
  };

  simdjson::error_code read_trace(simdjson::ondemand::value value, Node& node);
  simdjson::error_code read_modules(simdjson::ondemand::value value, Node& node);
  void read_origin(std::string_view token, const Sought* exported_graph, Node& node);
  void read_handle(std::string_view text, Node& node);

  EtRecord& record_;
  ProvenanceTables& provenance_;
  LastTrace trace_;
  LastModules modules_;
};

}  // namespace etlens
