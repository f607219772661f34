// SPDX-License-Identifier: Apache-2.0
// LoadStatus: states that look like an error and are none, because a file is still to come. Each is
// reported once, with what to do.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/path.h"
#include "server/load_status.h"

namespace etlens {
namespace {

// "/work/model.etdp is cut off: 5 of 9 bytes are here; copy it …"
constexpr std::string_view kCutOff = " is cut off";

}  // namespace

void LoadStatus::stop_waiting() {
  receiving_timer_.cancel();
  session_.waiting.clear();
  session_.waiting_details.clear();
}

// What fails with the dump that is shown, because a newer record took the place of the one that it
// belongs to.
bool LoadStatus::is_exported_again(const Error& error) const {
  if (error.code != ErrorCode::Mismatch || session_.study() == nullptr) return false;
  const LoadKey& used = session_.study()->used;
  const std::string& dump = used.settings.etdump;
  const std::optional<FileStamp> stamp = used.stamp();
  if (dump.empty() || !stamp || stamp_of(session_.files, dump) != stamp) return false;
  return std::ranges::any_of(partners(workers_.study.found(), dump, FileKind::EtRecord),
                             [&, ran = stamp->modified_ns](const FoundArtifact* record) {
                               const Result<FileStamp> now = session_.files.stat(record->path);
                               return now && now->modified_ns > ran;
                             });
}

// The state between an export and its first run: nothing is wrong.
void LoadStatus::wait_for_run(std::string details) {
  const std::string_view name = base_name(session_.study()->study().etdump_path);
  const bool has_lines = !session_.study()->study().etrecord_path.empty();
  session_.state = StudyState::Ready;
  session_.waiting = "exported again, not run yet";
  session_.waiting_details = std::move(details);
  session_.message = fmt::format(
      "exported again, not run yet: the ETRecord is newer than {}; run the model and save its "
      "ETDump, {}",
      name,
      has_lines ? "until then the numbers are of the run before"
                : "until then no time can be placed on lines");
}

// Whether what is cut off changed a moment ago: what has lain there for longer is damaged.
bool LoadStatus::is_growing(const Error& error) const {
  if (error.code != ErrorCode::Incomplete) return false;
  const std::string path = error.message.substr(0, error.message.find(kCutOff));
  const Result<FileStamp> stamp = session_.files.stat(path);
  return stamp && wall_clock_ns() - stamp->modified_ns <
                      std::chrono::nanoseconds(base_.timing.receiving).count();
}

// A dump that is written or copied at this moment is no broken one, unless it grows no more.
void LoadStatus::wait_for_rest(const Error& error) {
  session_.state = session_.study() == nullptr ? StudyState::Loading : StudyState::Ready;
  const std::string_view message = error.message;
  const size_t at = message.find(kCutOff);
  session_.waiting = fmt::format("receiving {}", base_name(message.substr(0, at)));
  session_.message = session_.waiting;
  if (at != std::string_view::npos) {
    const std::string_view rest = message.substr(at + kCutOff.size());
    session_.message += rest.substr(0, rest.find(';'));
  }
  receiving_timer_ = base_.loop.after(base_.timing.receiving, [this, error] {
    load_failed({ErrorCode::Corrupt, error.message});
  });
}

}  // namespace etlens
