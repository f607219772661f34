// SPDX-License-Identifier: Apache-2.0
#include "core/view/program_diff_view.h"

namespace etlens {
namespace {

OwnerChangeView owner_change_view(const OwnerChange& row) {
  OwnerChangeView view;
  view.kind = row.owner.kind;
  view.name = text_or_null(row.owner.name);
  view.module = text_or_null(row.owner.module);
  if (row.line > 0) view.line = PlaceView(row.recorded_path, row.line);
  view.text = text_or_null(row.owner.text);
  view.bytes = BaseAndNew<uint64_t>{row.before, row.after};
  view.change = row.change();
  return view;
}

}  // namespace

ProgramDiffView program_diff_view(const ProgramDiff& diff, std::string_view measure,
                                  const BaseAndNew<std::string_view>& paths,
                                  const RowChoice& rows) {
  ProgramDiffView view;
  view.measure = measure;
  view.programs =
      BaseAndNew<ComparedProgramView>{{paths.base, diff.before}, {paths.fresh, diff.after}};
  view.change = static_cast<int64_t>(diff.after - diff.before);
  view.unchanged_bytes = diff.same;
  for (const size_t row : chosen_rows(rows, diff.owners.size()))
    view.owners.push_back(owner_change_view(diff.owners[row]));
  for (const RepeatedData& row : diff.repeated)
    view.repeated.push_back({row.name, row.bytes, row.times, row.is_new});
  return view;
}

}  // namespace etlens
