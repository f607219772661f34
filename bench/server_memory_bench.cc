// SPDX-License-Identifier: Apache-2.0
// Whether the language server grows: resident memory over 1,000 reloads of changed dumps, then over
// 100,000 edits with their hints, lenses and hovers. Printed ten times each; growth is from the
// second print on, since the allocator warms up before (bound: 5 % and 2 MB).
//
//   etlens_server_memory_bench [RELOADS EDITS]
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>

#include "bench/server_client.h"

namespace {

using namespace etlens;
using lsp::Json;

constexpr double kMegabyte = 1024.0 * 1024.0;
constexpr double kBoundShare = 0.05;
constexpr double kBoundMegabytes = 2;
constexpr int kPrints = 10;

double resident_megabytes() {
  ::malloc_trim(0);
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:"))
      return std::strtod(line.c_str() + std::strlen("VmRSS:"), nullptr) / 1024;
  }
  return 0;
}

// Runs `step` so often and prints memory on the way; true if it stayed.
template <typename Step>
bool watch(const char* what, int count, Step step) {
  std::vector<double> sizes;
  for (int i = 1; i <= count; ++i) {
    step(i);
    if (i % std::max(count / kPrints, 1) == 0) {
      sizes.push_back(resident_megabytes());
      fmt::print("{:8} {:7}  {:7.1f} MB\n", i, what, sizes.back());
    }
  }
  if (sizes.size() < 3) return true;
  const double growth = sizes.back() - sizes[1];
  fmt::print("{:8} {:7}  {:+7.1f} MB since the second print\n\n", "", what, growth);
  return growth <= std::max(kBoundMegabytes, kBoundShare * sizes[1]);
}

}  // namespace

int main(int argc, char** argv) {
  const int reloads = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int edits = argc > 2 ? std::atoi(argv[2]) : 100'000;
  bench::SyntheticSize size;
  size.nodes = 400;
  size.executions = 10;
  size.source_lines = 1000;
  const bench::SyntheticFiles files = bench::make_artifacts(size);
  bench::ServerClient client(files);
  const std::string dump_uri = lsp::DocumentUri::from_path(files.etdump).string();
  bool ok = watch("reloads", reloads, [&](int) {
    std::filesystem::last_write_time(files.etdump, std::filesystem::file_time_type::clock::now());
    client.notify("workspace/didChangeWatchedFiles",
                  {{"changes", {{{"uri", dump_uri}, {"type", 2}}}}});
    client.loop().advance(Delay(1000));
    client.request("textDocument/inlayHint", client.hint_params(0, 100));
  });
  client.request("etlens/status", Json::object());
  const Json status = Json::parse(client.last());
  if (status["result"]["generation"].get<int>() < reloads) {
    fmt::print("only {} profiles were loaded\n", status["result"]["generation"].dump());
    ok = false;
  }
  std::mt19937 random(1);
  uint32_t line = 0;
  ok = watch("edits", edits,
             [&](int i) {  // a line is typed, and deleted again
               const bool types = i % 2 == 1;
               if (types) line = static_cast<uint32_t>(random() % size.source_lines);
               const Json start{{"line", line}, {"character", 0}};
               const Json end{{"line", types ? line : line + 1}, {"character", 0}};
               const char* text = types ? "        typed = here\n" : "";
               client.notify("textDocument/didChange", client.change_params(start, end, text));
               client.request("textDocument/inlayHint", client.hint_params(line, line + 50));
               if (i % 100 == 0)
                 client.request("textDocument/codeLens", {{"textDocument", client.document()}});
               if (i % 10 == 0) {
                 client.request("textDocument/hover",
                                {{"textDocument", client.document()}, {"position", start}});
                 client.loop().advance(Delay(1000));  // typing pauses
               }
             }) &&
       ok;
  return ok ? 0 : 1;
}
