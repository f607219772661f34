// SPDX-License-Identifier: Apache-2.0
// JSON as a tree, and as text that nobody takes apart.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace etlens::lsp {

using Json = nlohmann::json;

// A value that is JSON text already: of a field of type LSPAny that is written far more often than
// read.
struct JsonText {
  std::string text = "null";
};

}  // namespace etlens::lsp
