// SPDX-License-Identifier: Apache-2.0
#include "protocol/json_text.h"

#include "core/base/shown_text.h"

namespace etlens::lsp {

void write_tree(JsonWriter& out, const Json& json) {
  constexpr bool kIsAscii = true;  // nothing invisible stands in it, and no string is another
  out.raw(json.dump(-1, ' ', kIsAscii, Json::error_handler_t::replace));
}

void put_back(Json& json) {
  if (json.is_string()) {
    auto& text = json.get_ref<std::string&>();
    if (text.find("<U+") != std::string::npos) text = text_behind(text);
  }
  if (!json.is_structured()) return;
  for (Json& each : json) put_back(each);
}

}  // namespace etlens::lsp
