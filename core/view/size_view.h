// SPDX-License-Identifier: Apache-2.0
// What every byte of a program's file is for: the document of `etlens size`.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/facts/size_facts.h"
#include "core/view/place_view.h"
#include "core/view/row_choice.h"

namespace etlens {

struct SizePartView {
  std::string_view kind;
  std::string_view name;
  uint64_t bytes = 0;
  Nullable<std::string_view> module;  // "" is the root
  Nullable<PlaceView> line;
  Nullable<uint32_t> partition;  // the number of the delegate call
};
FIELDS(SizePartView, kind, name, bytes, module, line, partition)

// All parts but those of kind "external" add up to `file_bytes`.
struct SizeView {
  Literal<"etlens/size@1"> schema;
  uint64_t file_bytes = 0;
  Rows<SizePartView> parts;
};
FIELDS(SizeView, schema, file_bytes, parts)

// The facts must outlive the view.
SizeView size_view(const SizeFacts& facts, const RowChoice& rows);

}  // namespace etlens
