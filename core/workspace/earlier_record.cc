// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/earlier_record.h"

namespace etlens {

bool take_earlier_record(const FileSystem& files, const LoadRequest& request,
                         Artifacts& artifacts) {
  const Study* earlier = request.earlier.get();
  if (earlier == nullptr || request.source_files || earlier->etrecord_path != request.etrecord ||
      artifacts.record_stamp == FileStamp{} || artifacts.record_stamp != earlier->etrecord_stamp) {
    return false;
  }
  const std::shared_ptr<const EtRecord>& record = earlier->join->record;
  // Without a dump another graph may have been read.
  if (earlier->is_of_export() != request.etdump.empty()) return false;
  const bool is_settled = earlier->recovery ? is_current(*earlier->recovery, files)
                                            : !request.recovers || lost_nothing(*record);
  if (!is_settled) return false;
  artifacts.record = record;
  artifacts.recovery = earlier->recovery;
  return true;
}

}  // namespace etlens
