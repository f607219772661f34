// SPDX-License-Identifier: Apache-2.0
// LoadStatus: where the client trusts the workspace and wants it, the run that is shown is stored, and the status tells
// what changed since the one before.
#include <algorithm>

#include "core/base/path.h"
#include "server/load_status.h"

namespace etlens {
namespace {

constexpr double kBytesPerMegabyte = 1e6;

bool is_below_any(const std::vector<std::string>& roots, const std::string& path) {
  return std::ranges::any_of(roots, [&](const std::string& root) { return is_below(root, path); });
}

}  // namespace

// Totals compare only if the same was asked for: what the user narrowed down is not stored. Nor is a dump whose record is of
// the next export: its own is gone.
void LoadStatus::keep_run(const std::shared_ptr<const OpenStudy>& open) {
  workers_.runs.drop();
  session_.last_run.reset();
  session_.earlier_runs.clear();
  const RunSettings& settings = session_.config.runs;
  const Study& study = open->study();
  const LoadSettings& wish = workers_.study.settings();
  const bool is_whole = wish.time == TimeOptions() && wish.selection == SelectionRequest();
  if (!settings.is_kept || study.etdump_path.empty() || study.is_of_export() || !is_whole) return;
  if (!open->record_problem.empty() || !open->used.stamp() || open->time().headline.used.empty())
    return;
  if (!is_below_any(session_.roots, study.etdump_path) || is_stored_file(study.etdump_path)) return;
  RunLimits limits;
  limits.bytes = static_cast<uint64_t>(settings.megabytes * kBytesPerMegabyte);
  workers_.runs.keep(open, limits, [this](const RunKeeper::Kept& kept) {
    if (!base_.is_running()) return;
    if (!kept.problem.empty()) {
      base_.log.warning("the run is not stored: " + kept.problem);
      return;
    }
    session_.last_run = kept.last;
    session_.earlier_runs = kept.earlier;
    if (kept.last) publisher_.notify_profile_changed();
  });
}

}  // namespace etlens
