// SPDX-License-Identifier: Apache-2.0
// Which methods have lines in a file that the shown one has none in.
#include "core/facts/other_methods.h"

#include <catch2/catch.hpp>

#include "tests/support/studies.h"

namespace etlens::other_methods_test {

using namespace etlens::test;

TEST_CASE("a file is of the methods that have frames in it, also in branches", "[facts]") {
  const auto trace = [](const std::string& file) {
    return stack_trace({{"/build/model/" + file, 7, "forward", "x"}});
  };
  RecordBuilder record;
  record.method("encode").node({"a", "aten.mm.default", 1, trace("encoder.py")}).map(0, {1});
  record.method("decode").node({"b", "aten.relu.default", 1, trace("decoder.py")}).map(0, {1});
  record.method("sample").cond("c", 1, {{{"d", "aten.add.Tensor", 2, trace("decoder.py")}}});
  record.map(0, {1});
  DumpBuilder dump;
  dump.block("Execute").operator_call("mm.out", 0, 5, 105, 5);
  dump.framework("Method::execute", 0, 120);
  LoadRequest request = mean_raw_request();
  request.selection.method = "encode";
  const Facts facts(study_of(dump, record, request));
  const OtherMethods others(facts);
  CHECK(others.in_file("/here/model/decoder.py") == std::vector<std::string>{"decode", "sample"});
  CHECK(others.in_file("/here/model/encoder.py").empty());
  CHECK(others.in_file("/here/other/decoder.py").empty());
}

}  // namespace etlens::other_methods_test
