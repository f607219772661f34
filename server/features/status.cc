// SPDX-License-Identifier: Apache-2.0
// etlens/status and etlens/profiles: what is shown, what else there is, and what is odd.
#include <algorithm>

#include "core/base/path.h"
#include "server/features/features.h"

namespace etlens {
namespace {

constexpr int64_t kNanosecondsPerMillisecond = 1'000'000;

std::string_view name_of(ProfileState state) {
  switch (state) {
    case ProfileState::None:
      return "none";
    case ProfileState::Loading:
      return "loading";
    case ProfileState::Ready:
      return "ready";
    case ProfileState::Failed:
      return "failed";
  }
  return "none";
}

lsp::StatusProfile describe_profile(const Session& session) {
  const ProfileSnapshot& snapshot = *session.prepared()->snapshot;
  const Profile& profile = snapshot.profile;
  lsp::StatusProfile status;
  status.etdump = snapshot.etdump_path;
  if (!snapshot.etrecord_path.empty()) status.etrecord = snapshot.etrecord_path;
  if (!snapshot.pte_path.empty()) status.pte = snapshot.pte_path;
  status.modified =
      session.loaded()->used.stamps.front().second.modified_ns / kNanosecondsPerMillisecond;
  if (profile.method) status.method = snapshot.method_name();
  status.block = profile.selected().name;
  status.executions = profile.execution_count();
  status.total = time_value(session, snapshot.average(profile.total.total));
  status.onLines = profile.share(profile.total[TimePart::Line]);
  status.inModules = profile.share(profile.in_modules_ticks);
  status.delegated = profile.share(profile.delegated_ticks);
  if (snapshot.fit) {
    status.pairScore = snapshot.fit->score;
    status.pairVerdict = etlens::name_of(snapshot.fit->verdict());
    status.pairReasons = snapshot.fit->reasons;
  }
  return status;
}

}  // namespace

lsp::StatusResult status(Session& session) {
  lsp::StatusResult result;
  result.state = name_of(session.state);
  result.message = session.message;
  result.generation = session.generation();
  if (session.prepared() == nullptr) return result;
  result.profile = describe_profile(session);
  for (const ReportRow& row : session.prepared()->snapshot->report.rows()) {
    const OddityInfo& info = info_of(row.oddity);
    result.warnings.push_back({std::string(info.id), std::string(etlens::name_of(info.severity)),
                               row.count, row.first, std::string(info.advice)});
  }
  return result;
}

lsp::ProfilesResult list_profiles(Session& session, const std::vector<FoundArtifact>& found,
                                  bool pinned) {
  lsp::ProfilesResult result;
  result.pinned = pinned;
  const PreparedProfile* prepared = session.prepared();
  for (const FoundArtifact* dump : dumps_by_age(found)) {
    result.dumps.push_back({dump->path, dump->stamp.modified_ns / kNanosecondsPerMillisecond,
                            dump->stamp.size,
                            prepared != nullptr && prepared->snapshot->etdump_path == dump->path});
  }
  for (const FoundArtifact& artifact : found) {
    if (artifact.kind == FileKind::EtRecord) result.records.push_back(artifact.path);
  }
  if (prepared == nullptr) return result;
  const Profile& profile = prepared->profile();
  if (profile.record) {
    for (const RecordMethod& method : profile.record->methods) {
      const std::string name(profile.record->text(method.name));
      result.methods.push_back({name, prepared->snapshot->method_name() == name});
    }
  }
  for (size_t b = 0; b < profile.blocks.size(); ++b) {
    const Block& block = profile.blocks[b];
    if (block.is_execution)
      result.blocks.push_back({block.name, block.runs.size(), BlockId(b) == profile.block});
  }
  return result;
}

}  // namespace etlens
