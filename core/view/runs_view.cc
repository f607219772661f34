// SPDX-License-Identifier: Apache-2.0
#include "core/view/runs_view.h"

#include "core/base/budget.h"
#include "core/runs/choose_run.h"

namespace etlens {
namespace {

template <typename T>
Nullable<T> unless_empty(T text) {
  return text.empty() ? Nullable<T>() : Nullable<T>(std::move(text));
}

StoredRunView stored_run_view(const StoredRuns& stored, const StoredRun& run) {
  StoredRunView view;
  view.run = run.number;
  view.time = run.time_ms;
  if (run.total) {
    view.total = run.total->value;
    view.unit = std::string_view(run.total->unit);
    view.statistic = std::string_view(run.total->statistic);
    view.executions = run.total->executions;
    if (run.total->group) view.group = std::string_view(run.total->group->name);
  }
  if (const StoredRun* before = run_before(stored, run)) {
    if (const std::optional<double> change = change_since(*before, run)) view.change = *change;
    view.since = before->number;
  }
  view.method = unless_empty(std::string_view(run.method));
  view.dump = run.dump_path;
  view.branch = unless_empty(std::string_view(run.branch));
  view.commit = unless_empty(std::string_view(run.commit));
  view.pinned = run.is_pinned;
  RunFiles files = files_of(stored, run);
  view.etdump = std::move(files.etdump);
  view.etrecord = unless_empty(std::move(files.etrecord));
  view.pte = unless_empty(std::move(files.pte));
  view.left_out = unless_empty(std::string_view(run.left_out));
  return view;
}

}  // namespace

RunsView runs_view(const StoredRuns& stored, const RowChoice& rows) {
  RunsView view;
  view.folder = stored.folder;
  view.bytes = stored.bytes;
  view.damaged = stored.damaged;
  view.runs = Rows<StoredRunView>([&stored, rows](const auto& take) {
    const size_t count = stored.runs.size();
    for (const size_t row : chosen_rows(rows, count)) {
      go_on();
      take(stored_run_view(stored, stored.runs[count - 1 - row]));
    }
  });
  return view;
}

}  // namespace etlens
