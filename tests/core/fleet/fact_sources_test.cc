// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fact_sources.h"

#include "core/base/natural_order.h"
#include "tests/support/memory_file_system.h"

namespace etlens::fact_sources_test {

using namespace etlens::test;

TEST_CASE("facts: patterns match the end of a path", "[fleet]") {
  const DumpFacts expected{{"device", "pixel-9"}, {"build", "1.2"}};
  CHECK(match_path("devices/{device}/{build}/*.etdp", "/w/devices/pixel-9/1.2/run.etdp") ==
        expected);
  CHECK(match_path("{device}/{build}/*", "/w/devices/pixel-9/1.2/run.etdp") == expected);
  CHECK_FALSE(match_path("devices/{device}/*.etdp", "/w/devices/pixel-9/1.2/run.etdp"));
  CHECK_FALSE(match_path("{device}/*.etdump", "/w/a/run.etdp"));
  CHECK_FALSE(match_path("a/b/c/d", "/c/d"));
}

TEST_CASE("facts: several in one component", "[fleet]") {
  CHECK(match_path("{device}-b{build}-*.etdp", "/w/s24-b12-0007.etdp") ==
        DumpFacts{{"device", "s24"}, {"build", "12"}});
  // Each is as short as it can be, the last takes what is left.
  CHECK(match_path("{a}-{b}.etdp", "/w/x-y-z.etdp") == DumpFacts{{"a", "x"}, {"b", "y-z"}});
  CHECK_FALSE(match_path("{device}-b{build}.etdp", "/w/s24.etdp"));
}

TEST_CASE("facts: a later source counts more, and broken ones say nothing", "[fleet]") {
  MemoryFileSystem files;
  files.put("/w/a/run.json", R"({"build": "2", "temperature": 31.5, "hot": true, "n": null,
                                 "nested": {"x": 1}, "device": "from the sidecar"})");
  files.put("/w/facts.csv", "dump,device,remark\r\nrun.etdp,\"s24 \"\"ultra\"\"\",\"a,\nb\"\n");
  files.put("/w/b/run2.json", "{\"build\": ");
  FactSources sources;
  REQUIRE(add_fact_source(files, "{folder}/*.etdp", sources));
  REQUIRE(add_fact_source(files, "/w/facts.csv", sources));
  CHECK(facts_of_dump(files, sources, "/w/a/run.etdp") == DumpFacts{{"folder", "a"},
                                                                    {"build", "2"},
                                                                    {"temperature", "31.5"},
                                                                    {"hot", "true"},
                                                                    {"device", "s24 \"ultra\""},
                                                                    {"remark", "a,\nb"}});
  CHECK(facts_of_dump(files, sources, "/w/b/run2.etdp") == DumpFacts{{"folder", "b"}});
}

TEST_CASE("facts: what cannot be a source is refused", "[fleet]") {
  MemoryFileSystem files;
  files.put("/w/other.csv", "name,device\nrun.etdp,a\n");
  FactSources sources;
  CHECK(add_fact_source(files, "{device/*.etdp", sources).error().code == ErrorCode::InvalidParams);
  CHECK(add_fact_source(files, "/w/none.csv", sources).error().code == ErrorCode::NotFound);
  const Result<void> other = add_fact_source(files, "/w/other.csv", sources);
  REQUIRE(!other);
  CHECK(other.error().message.starts_with("/w/other.csv has no column dump"));
}

TEST_CASE("facts: builds are in the order of their numbers", "[fleet]") {
  CHECK(comes_before("1.9", "1.10"));
  CHECK(comes_before("r9", "r10"));
  CHECK(comes_before("1", "1.1"));
  CHECK_FALSE(comes_before("007", "7"));
  CHECK_FALSE(comes_before("7", "007"));
  CHECK(comes_before("a", "b"));
}

}  // namespace etlens::fact_sources_test
