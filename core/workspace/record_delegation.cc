// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/record_delegation.h"

#include <utility>

#include "core/base/optional_part.h"
#include "core/formats/etrecord/node_arguments.h"

namespace etlens {

std::shared_ptr<const Delegation> delegation_of(const FileSystem& files, const std::string& path,
                                                const std::shared_ptr<const EtRecord>& record,
                                                const RecordMethod& method,
                                                const ProgramMethod* planned, LoadReport& report,
                                                const CancelToken& cancel) {
  NodeArguments arguments;
  optional_part(&report, Oddity::MeasureExpensive, cancel, [&] {
    Result<NodeArguments> read = read_node_arguments(files, path, record->text(method.name));
    if (read) arguments = std::move(*read);
    else report.add(Oddity::RecordGraphUnreadable, std::move(read).error().about(path).message);
    return true;
  });
  return std::make_shared<const Delegation>(find_delegation({record, method, arguments, planned}));
}

}  // namespace etlens
