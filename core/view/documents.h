// SPDX-License-Identifier: Apache-2.0
// The JSON documents whose schemas are made from what writes them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace etlens {

struct DocumentKind {
  std::string_view name;    // "etlens/lines@2", as in the field `schema`
  std::string (*schema)();  // JSON Schema 2020-12
};

std::span<const DocumentKind> document_kinds();
// "etlens/lines@2", or "lines" for short; null if there is none.
const DocumentKind* find_document_kind(std::string_view name);

}  // namespace etlens
