// SPDX-License-Identifier: Apache-2.0
#include "protocol/json_text.h"

namespace etlens::lsp {

void write_tree(JsonWriter& out, const Json& json) {
  out.raw(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace etlens::lsp
