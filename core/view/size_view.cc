// SPDX-License-Identifier: Apache-2.0
#include "core/view/size_view.h"

namespace etlens {
namespace {

SizePartView size_part_view(const SizePartFacts& part) {
  SizePartView view;
  view.kind = name_of(part.kind);
  view.name = part.name;
  view.bytes = part.bytes;
  view.module = part.module_path;
  if (part.line > 0) view.line = PlaceView(part.recorded_path, part.line);
  if (part.partition > 0) view.partition = part.partition;
  return view;
}

}  // namespace

SizeView size_view(const SizeFacts& facts, const RowChoice& rows) {
  SizeView view;
  view.file_bytes = facts.file_bytes();
  view.parts = Rows<SizePartView>([&facts, rows](const auto& take) {
    for (const size_t row : chosen_rows(rows, facts.part_count()))
      take(size_part_view(facts.part(row)));
  });
  return view;
}

}  // namespace etlens
