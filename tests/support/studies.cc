// SPDX-License-Identifier: Apache-2.0
#include "tests/support/studies.h"

#include <utility>

#include "tests/support/memory_file_system.h"
#include "tests/support/times.h"

namespace etlens::test {

Result<std::shared_ptr<const Study>> try_study_of(const DumpBuilder& dump,
                                                  const RecordBuilder& record, LoadRequest request,
                                                  const std::string& program) {
  MemoryFileSystem files;
  files.put("/d.etdp", dump.build());
  files.put("/r.etrecord", record.build());
  request.etdump = "/d.etdp";
  request.etrecord = "/r.etrecord";
  if (!program.empty()) {
    files.put("/m.pte", program);
    request.pte = "/m.pte";
  }
  return load_study(files, request);
}

std::shared_ptr<const Study> study_of(const DumpBuilder& dump, const RecordBuilder& record,
                                      LoadRequest request, const std::string& program) {
  auto study = try_study_of(dump, record, std::move(request), program);
  if (!study) FAIL(study.error().message);
  return *study;
}

LoadRequest mean_raw_request() {
  LoadRequest request;
  request.time = mean_raw();
  return request;
}

}  // namespace etlens::test
