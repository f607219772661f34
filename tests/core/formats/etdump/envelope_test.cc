// SPDX-License-Identifier: Apache-2.0
// What stands in front of an ETDump: a size that its writer did not put there, or the lack of one.
#include "core/formats/etdump/etdump_reader.h"
#include "tests/support/dump_builder.h"

namespace etlens::envelope_test {

using test::DumpBuilder;

namespace {

DumpBuilder example(int runs) {
  DumpBuilder dump;
  for (int r = 0; r < runs; ++r) {
    dump.block("Execute")
        .operator_call("addmm.out", 0, 110, 130, 2)
        .framework("Method::execute", 100, 160);
  }
  return dump;
}

std::string size_text(size_t size) {
  std::string text;
  for (int i = 0; i < 4; ++i) text.push_back(static_cast<char>(size >> (8 * i)));
  return text;
}

Bytes with_size(const Bytes& dump) {
  return Bytes::copy_of(size_text(dump.size()) + std::string(dump.text()));
}

void check_same(const Bytes& changed, const Bytes& dump) {
  CHECK(looks_like_etdump(changed.span().first(16)));
  const auto expected = read_etdump(dump);
  const auto log = read_etdump(changed);
  REQUIRE(expected);
  REQUIRE(log);
  CHECK(log->runs.size() == expected->runs.size());
  CHECK(log->start == expected->start);
  CHECK(log->end == expected->end);
  CHECK(log->report.rows().size() == expected->report.rows().size());
}

}  // namespace

TEST_CASE("ETDump: a size that was put in front of a dump without one", "[etdump]") {
  for (const int runs : {1, 2, 3}) {
    const Bytes bare = example(runs).build(false);
    check_same(with_size(bare), bare);
  }
}

TEST_CASE("ETDump: the size in front was cut off", "[etdump]") {
  for (const int runs : {1, 2, 3}) {
    const Bytes dump = example(runs).build();
    check_same(Bytes::copy_of(dump.text().substr(4)), dump);
  }
}

TEST_CASE("ETDump: a second size in front", "[etdump]") {
  const Bytes dump = example(2).build();
  check_same(with_size(dump), dump);
  const Bytes old = example(2).build_v01();
  check_same(with_size(old), old);
}

TEST_CASE("ETDump: of release 0.1, with a size in front or without", "[etdump]") {
  const Bytes old = example(2).build_v01();
  const bool is_prefixed = old.text().substr(8, 4) == "ED00";
  check_same(is_prefixed ? Bytes::copy_of(old.text().substr(4)) : with_size(old), old);
}

TEST_CASE("ETDump: a damaged dump stays damaged, whatever is in front", "[etdump]") {
  std::string text(example(2).build().text());
  text.replace(4, 4, "\xFF\xFF\xFF\x7F");  // where the root is
  for (const std::string& bytes : {text, text.substr(4)}) {
    const auto log = read_etdump(Bytes::copy_of(bytes));
    REQUIRE_FALSE(log);
    CHECK(log.error().code == ErrorCode::Corrupt);
  }
  // ED00 again and again is no size in a size in a size.
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "ED00";
  CHECK_FALSE(read_etdump(Bytes::copy_of(many)));
}

}  // namespace etlens::envelope_test
