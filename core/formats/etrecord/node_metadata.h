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
  // The text that was read last, and what it says: the next node mostly has the same.
  template <typename Said>
  struct Last {
    std::string_view token;  // as it stands in the JSON
    StringId text;
    Said said;
  };

  // Takes a text into `last`. `read_text`: what one says that differs from it. False, where the
  // value is no string.
  template <typename Said, typename ReadText>
  simdjson::simdjson_result<bool> update(simdjson::ondemand::value value, Last<Said>& last,
                                         const ReadText& read_text);
  simdjson::error_code read_trace(simdjson::ondemand::value value, Node& node);
  simdjson::error_code read_modules(simdjson::ondemand::value value, Node& node);
  void read_origin(std::string_view token, const Sought* exported_graph, Node& node);
  void read_handle(std::string_view text, Node& node);

  EtRecord& record_;
  ProvenanceTables& provenance_;
  Last<StackId> trace_;
  Last<ModuleStackId> modules_;
};

}  // namespace etlens
