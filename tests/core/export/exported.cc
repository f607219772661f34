// SPDX-License-Identifier: Apache-2.0
#include "tests/core/export/exported.h"

#include "test_paths.h"
#include "tests/support/studies.h"

namespace etlens::test {

void for_each_example(const std::function<void(const Exported&)>& check) {
  const std::string folders[] = {ETLENS_EXAMPLES "/storyteller", ETLENS_EXAMPLES "/leafnet/int8",
                                 ETLENS_EXAMPLES "/pricer"};
  for (const std::string& folder : folders) {
    for (const bool has_record : {true, false}) {
      CAPTURE(folder, has_record);
      LoadRequest load;
      load.etdump = folder + "/model.etdp";
      if (has_record) load.etrecord = folder + "/model.etrecord";
      load.roots = {folder};
      const auto study = load_study(real_file_system(), load);
      REQUIRE(study);
      check(Exported(*study));
    }
  }
}

std::shared_ptr<const Study> hostile_study() {
  const std::string evil = "\"'><script>alert(1)</script>\x1b[31m\xE2\x80\xAE]]>&amp;|`\xFF\n=1";
  RecordBuilder record;
  record.node({"a",
               "aten.mm.default",
               1,
               stack_trace({{"/tmp/<img src=x onerror=alert(1)>\"'.py", 7, "<b>forward</b>",
                             "x = '<script>alert(2)</script>' & \"y\""}}),
               "",
               {}});
  record.map(0, {1});
  DumpBuilder dump;
  dump.block("Execute").operator_call(evil, 0, 0, 700, 5);
  dump.framework("Method::execute", 0, 1000);
  dump.block("Execute").operator_call(evil, 0, 2000, 2700, 5);
  dump.framework("Method::execute", 2000, 3000);
  return study_of(dump, record, mean_raw_request());
}

}  // namespace etlens::test
