// SPDX-License-Identifier: Apache-2.0
#include "tests/core/export/exported.h"

#include "core/base/text.h"
#include "test_paths.h"
#include "tests/support/studies.h"
#include "tests/support/unseen.h"

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
      if (folder.ends_with("/int8")) load.roots = {ETLENS_EXAMPLES "/leafnet"};
      const auto study = load_study(real_file_system(), load);
      REQUIRE(study);
      check(Exported(*study));
    }
  }
}

std::shared_ptr<const Study> hostile_study() {
  const std::string evil =
      "\"'><script>alert(1)</script>\x1b[31m\xE2\x80\xAE]]>&amp;|`\xFF\n=1" + kUnseen;
  RecordBuilder record;
  const auto trace = [](uint32_t line, const std::string& text) {
    return stack_trace({{"/tmp/<img src=x onerror=alert(1)>'" + kUnseen + ".py", line,
                         "<b>forward</b>" + kUnseen, text + kUnseen}});
  };
  record.node({"a", "aten.mm.default", 1, trace(7, "=x('<script>alert(2)</script>' & y)")});
  record.node({"b", "aten.relu.default", 2, trace(8, "=y")});
  record.map(0, {1}).map(1, {2}).delegate(1, valid_utf8(evil));
  DumpBuilder dump;
  for (const uint64_t at : {0, 2000}) {
    dump.block("Execute").operator_call("mm.out", 0, at + 5, at + 400, 5);
    dump.delegate(evil, 1, at + 450, at + 600).event("DELEGATE_CALL", 1, at + 440, at + 700);
    dump.framework("Method::execute", at, at + 1000);
  }
  return study_of(dump, record, mean_raw_request());
}

}  // namespace etlens::test
