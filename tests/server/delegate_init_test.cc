// SPDX-License-Identifier: Apache-2.0
// What it took to set a delegate up stands where its call is shown, and nowhere else.
#include "tests/support/dump_builder.h"
#include "tests/support/language_client.h"
#include "tests/support/record_builder.h"
#include "tests/support/server_workspace.h"

namespace etlens::delegate_init_test {

using namespace etlens::test;

namespace {

constexpr const char* kVgf = "VgfBackend";
constexpr const char* kFirst = "hidden = torch.relu(inputs)";
constexpr const char* kSecond = "return torch.tanh(hidden + inputs)";

std::string source() {
  return "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, inputs):\n        " +
         std::string(kFirst) + "\n        " + kSecond + "\n";
}

// Two calls of a backend that logs what it does inside Method::init, on lines 6 and 7.
MemoryFileSystem workspace(bool is_logged) {
  MemoryFileSystem files;
  files.put(kModelPath, source());
  DumpBuilder dump;
  dump.block("Default");
  if (is_logged) {
    dump.add({"", -1, 0, 1'000, 4'000'000, -1, "VGF_INIT_TOTAL", ""});
    dump.add({"", -1, 0, 5'000'000, 7'000'000, -1, "VGF_INIT_TOTAL", ""});
  }
  dump.framework("Method::init", 0, 9'000'000);
  dump.framework("Program::load_method", 0, 9'500'000);
  dump.block("Execute").event("DELEGATE_CALL", 0, 10'000'000, 10'001'000);
  dump.event("DELEGATE_CALL", 1, 10'001'000, 10'003'000);
  dump.framework("Method::execute", 10'000'000, 10'004'000);
  files.put(kDumpPath, dump.build());
  RecordBuilder record;
  for (uint32_t i = 0; i < 2; ++i) {
    const auto instruction = static_cast<int32_t>(i);
    record.map(instruction, {i + 1}).delegate(instruction, kVgf);
    const std::string trace =
        stack_trace({{kModelPath, i + 6, "forward", i == 0 ? kFirst : kSecond}}, true);
    record.lowered("call" + std::to_string(i), kVgf,
                   {{"n" + std::to_string(i), "aten.relu.default", i + 1, trace, "", {"x"}}});
  }
  files.put(kRecordPath, record.build());
  return files;
}

}  // namespace

TEST_CASE("what it took to set a delegate up stands on its call", "[server]") {
  for (const bool is_logged : {true, false}) {
    const MemoryFileSystem files = workspace(is_logged);
    LanguageClient client(files);
    client.initialize();
    client.open(kModelPath, source());
    const json status = client.request("etlens/status");
    const std::string cold = status["profile"]["cold_start_text"];
    CAPTURE(is_logged, cold);
    CHECK((cold.find("init 9.00 ms (6.00 ms of it in delegates)") != std::string::npos) ==
          is_logged);
    const json calls = client.request("etlens/partitions")["partitions"];
    REQUIRE(calls.size() == 2);
    CHECK(calls[1].contains("init_text") == is_logged);
    const json hover =
        client.request("textDocument/hover", {{"textDocument", {{"uri", "file://" + kModelPath}}},
                                              {"position", {{"line", 6}, {"character", 0}}}});
    const std::string text = hover["contents"]["value"];
    CAPTURE(text);
    CHECK((text.find("init 2.00 ms") != std::string::npos) == is_logged);
    if (!is_logged) continue;
    CHECK(calls[0]["init_text"] == "4.00 ms");
    CHECK(calls[1]["init_text"] == "2.00 ms");
    CHECK(calls[0]["total_text"] == "1.00 µs");  // beside it, no part of it
  }
}

}  // namespace etlens::delegate_init_test
