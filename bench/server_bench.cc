// SPDX-License-Identifier: Apache-2.0
// How long the language server takes to answer, against writing the same answer as JSON: a file of
// 5,000 lines with 2,000 hints, 200 requests of each kind, through the whole server from the bytes
// of the request to those of the answer. After a keystroke the baseline is tree-sitter's own
// re-parse as well.
//
// Columns: p50 and p99 in microseconds of the answer, of writing it, and of the re-parse; share =
// p99 / (3 * p99 of writing + p99 of the re-parse), which must not exceed 1. Times are of the
// thread's CPU clock: what other processes take is not the server's. Nor are interrupts, which that
// clock counts: what changes nothing is asked and written three times, and the fastest of each
// counts. Then the CPU time of a server that nobody asks anything, over five seconds.
//
//   etlens_server_bench [--only ROW] [--requests N] [ETLENS]
//
// ROW: the beginning of a row's name. ETLENS: the executable that is watched while it idles.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <tree_sitter/api.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "bench/server_client.h"
#include "core/source/document.h"
#include "protocol/message.h"

extern "C" const TSLanguage* tree_sitter_python(void);

namespace {

using namespace etlens;
using lsp::Json;

constexpr size_t kRequests = 200;
constexpr uint32_t kLines = 5000;
constexpr uint32_t kHints = 2000;
constexpr uint32_t kViewport = 60;  // lines
constexpr double kBound = 3;
constexpr int kTurns = 3;
constexpr int kIdleSeconds = 5;
constexpr Delay kPause(1000);  // between two keystrokes: the server is through with the first

double cpu_microseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

// What the benchmark freed in small pieces is joined before the clock runs: the first large
// allocation would pay for it.
void join_free_memory() {
  void* volatile piece = std::malloc(64 << 10);
  std::free(piece);
}

// tree-sitter alone, with the same text and the same edits.
class PlainParser {
 public:
  explicit PlainParser(std::string text) : document_(std::move(text)), parser_(ts_parser_new()) {
    ts_parser_set_language(parser_, tree_sitter_python());
    tree_ = parse(nullptr);
  }
  ~PlainParser() {
    ts_tree_delete(tree_);
    ts_parser_delete(parser_);
  }
  PlainParser(const PlainParser&) = delete;
  PlainParser& operator=(const PlainParser&) = delete;

  const Document& document() const { return document_; }

  // Microseconds of the re-parse.
  double edit(const TextEdit& edit) {
    const TSPoint begin = point(edit.begin);
    const TSPoint old_end = point(edit.end);
    document_ = document_.edited(edit);
    const size_t end = edit.begin + edit.text.size();
    const TSInputEdit change{static_cast<uint32_t>(edit.begin),
                             static_cast<uint32_t>(edit.end),
                             static_cast<uint32_t>(end),
                             begin,
                             old_end,
                             point(end)};
    const double start = cpu_microseconds();
    ts_tree_edit(tree_, &change);
    TSTree* next = parse(tree_);
    const double took = cpu_microseconds() - start;
    ts_tree_delete(tree_);
    tree_ = next;
    return took;
  }

 private:
  TSPoint point(size_t offset) const {
    const size_t line = document_.line_at(offset);
    return {static_cast<uint32_t>(line),
            static_cast<uint32_t>(offset - document_.line_start(line))};
  }
  TSTree* parse(const TSTree* old) {
    return ts_parser_parse_string(parser_, old, document_.text().data(),
                                  static_cast<uint32_t>(document_.text().size()));
  }

  Document document_;
  TSParser* parser_;
  TSTree* tree_ = nullptr;
};

struct Row {
  std::string name;
  std::vector<double> answer;  // microseconds
  std::vector<double> writing;
  std::vector<double> parsing;  // none where nothing was typed
  size_t bytes = 0;             // of the answers
};

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

bool print(const Row& row) {
  const double p99 = percentile(row.answer, 0.99);
  const double writing = percentile(row.writing, 0.99);
  const double parsing = percentile(row.parsing, 0.99);
  const double share = p99 / (kBound * writing + parsing);
  fmt::print("{:24} {:8.1f} {:8.1f}  {:8.1f} {:8.1f}  {:8.1f} {:8.1f}  {:5.2f}  {:7.1f}\n",
             row.name, percentile(row.answer, 0.5), p99, percentile(row.writing, 0.5), writing,
             percentile(row.parsing, 0.5), parsing, share,
             static_cast<double>(row.bytes) / 1024 / static_cast<double>(row.answer.size()));
  return share <= 1;
}

class Bench {
 public:
  Bench(const bench::SyntheticFiles& files, size_t requests)
      : client_(files), original_(client_.text()), requests_(requests) {}

  size_t all_hints() {
    client_.request("textDocument/inlayHint", client_.hint_params(0, kLines));
    return Json::parse(client_.last())["result"].size();
  }

  Row viewport(const char* name) {
    return measure<std::vector<lsp::InlayHint>>(name, "textDocument/inlayHint", [&] {
      const uint32_t first = random_line() % (kLines - kViewport);
      return client_.hint_params(first, first + kViewport);
    });
  }
  Row hover(const char* name) {
    return measure<std::optional<lsp::Hover>>(name, "textDocument/hover", [&] {
      return Json{{"textDocument", client_.document()},
                  {"position", {{"line", hinted_line()}, {"character", kIndent}}}};
    });
  }
  Row lenses(const char* name) {
    return measure<std::vector<lsp::CodeLens>>(name, "textDocument/codeLens", [&] {
      return Json{{"textDocument", client_.document()}};
    });
  }

  // One character or line break more; then the hints of what is visible there. Taken away again,
  // untimed, and looked at again, as editors do.
  Row keystroke(const char* name, std::string_view typed) {
    Row row{name, {}, {}, {}, 0};
    PlainParser parser(client_.text());
    for (size_t i = 0; i < requests_; ++i) {
      const uint32_t line = hinted_line();
      const size_t at = parser.document().line_start(line) + kIndent;
      const Json start{{"line", line}, {"character", kIndent}};
      const Json end = typed == "\n" ? Json{{"line", line + 1}, {"character", 0}}
                                     : Json{{"line", line}, {"character", kIndent + typed.size()}};
      const std::string change =
          bench::ServerClient::frame({{"method", "textDocument/didChange"},
                                      {"params", client_.change_params(start, start, typed)}});
      const uint32_t first = line > kViewport / 2 ? line - kViewport / 2 : 0;
      const std::string ask =
          bench::ServerClient::frame({{"id", client_.next_id()},
                                      {"method", "textDocument/inlayHint"},
                                      {"params", client_.hint_params(first, first + kViewport)}});
      join_free_memory();
      const double begin = cpu_microseconds();
      client_.feed(change);
      client_.feed(ask);
      row.answer.push_back(cpu_microseconds() - begin);
      row.parsing.push_back(parser.edit({at, at, std::string(typed)}));
      row.writing.push_back(write<std::vector<lsp::InlayHint>>());
      row.bytes += client_.last().size();
      client_.notify("textDocument/didChange", client_.change_params(start, end, ""));
      client_.request("textDocument/inlayHint", client_.hint_params(first, first + kViewport));
      parser.edit({at, at + typed.size(), ""});
      client_.loop().advance(kPause);
    }
    return row;
  }

 private:
  static constexpr uint32_t kIndent = 8;

  uint32_t random_line() { return static_cast<uint32_t>(random_() % kLines); }
  uint32_t hinted_line() {
    uint32_t line = random_line();
    while (original_.line(line).find("operation_") == std::string_view::npos) line = random_line();
    return line;
  }

  // Microseconds to write the last answer, which is there as values, with its envelope and header.
  template <typename Result>
  double write() {
    const Json message = Json::parse(client_.last());
    const auto values = lsp::decode<Result>(message["result"]);
    join_free_memory();
    const double begin = cpu_microseconds();
    const std::string bytes =
        lsp::frame(lsp::result_text(int64_t{client_.last_id()}, lsp::to_json_text(*values)));
    const double took = cpu_microseconds() - begin;
    if (bytes.size() < client_.last().size()) std::abort();  // it was not the same answer
    return took;
  }

  template <typename Result>
  Row measure(const char* name, const char* method, const std::function<Json()>& params) {
    Row row{name, {}, {}, {}, 0};
    for (size_t i = 0; i < requests_; ++i) {
      const Json asked = params();
      double answer = std::numeric_limits<double>::infinity();
      double writing = answer;
      for (int turn = 0; turn < kTurns; ++turn) {
        const std::string bytes = bench::ServerClient::frame(
            {{"id", client_.next_id()}, {"method", method}, {"params", asked}});
        join_free_memory();
        const double begin = cpu_microseconds();
        client_.feed(bytes);
        answer = std::min(answer, cpu_microseconds() - begin);
        writing = std::min(writing, write<Result>());
      }
      row.answer.push_back(answer);
      row.writing.push_back(writing);
      row.bytes += client_.last().size();
    }
    return row;
  }

  bench::ServerClient client_;
  Document original_;
  size_t requests_;
  std::mt19937 random_{20261121};
};

// Seconds of CPU that `etlens lsp` takes while it shows a profile and nobody asks anything.
double idle_cpu_seconds(const char* executable, const bench::SyntheticFiles& files) {
  int to_server[2];
  int from_server[2];
  if (::pipe(to_server) != 0 || ::pipe(from_server) != 0) return -1;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(to_server[0], 0);
    ::dup2(from_server[1], 1);
    ::close(to_server[1]);
    ::execl(executable, executable, "lsp", "--log", "/dev/null", nullptr);
    ::_exit(127);
  }
  ::close(to_server[0]);
  ::close(from_server[1]);
  const Json initialize{{"jsonrpc", "2.0"},
                        {"id", 1},
                        {"method", "initialize"},
                        {"params",
                         {{"processId", ::getpid()},
                          {"capabilities", Json::object()},
                          {"rootUri", lsp::DocumentUri::from_path(files.folder).string()}}}};
  const std::string bytes = lsp::frame(initialize.dump()) +
                            lsp::frame(R"({"jsonrpc":"2.0","method":"initialized","params":{}})");
  const auto ticks_of = [&] {
    std::ifstream file(fmt::format("/proc/{}/stat", child));
    std::string line;
    std::getline(file, line);
    std::vector<std::string> fields;
    std::string field;
    for (const char c : line.substr(line.rfind(')') + 2)) {
      if (c == ' ') fields.push_back(std::exchange(field, {}));
      else field += c;
    }
    return std::stod(fields[11]) + std::stod(fields[12]);  // user and system time
  };
  if (::write(to_server[1], bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
    return -1;
  std::this_thread::sleep_for(std::chrono::seconds(3));  // it has loaded
  const double before = ticks_of();
  std::this_thread::sleep_for(std::chrono::seconds(kIdleSeconds));
  const double after = ticks_of();
  ::close(to_server[1]);
  ::close(from_server[0]);
  ::waitpid(child, nullptr, 0);
  return (after - before) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

int main(int argc, char** argv) {
  std::string only;
  size_t requests = kRequests;
  std::string executable;
  CLI::App app("Latency of the language server");
  app.add_option("--only", only, "the beginning of a row's name");
  app.add_option("--requests", requests, "of each kind")->check(CLI::PositiveNumber);
  app.add_option("etlens", executable, "the executable that is watched while it idles");
  CLI11_PARSE(app, argc, argv);

  bench::SyntheticSize size;
  size.nodes = kHints;
  size.executions = 10;
  size.source_lines = kLines;
  const bench::SyntheticFiles files = bench::make_artifacts(size);
  Bench bench(files, requests);
  const size_t hints = bench.all_hints();
  fmt::print("{} lines, {} hints, {} requests each\n\n", kLines, hints, requests);
  if (hints < kHints) {
    fmt::print("there should be {} hints\n", kHints);
    return 1;
  }
  fmt::print("{:24} {:>17}  {:>17}  {:>17}\n", "", "answer µs", "writing µs", "re-parse µs");
  fmt::print("{:24} {:>8} {:>8}  {:>8} {:>8}  {:>8} {:>8}  {:>5}  {:>7}\n", "", "p50", "p99", "p50",
             "p99", "p50", "p99", "share", "KB each");
  const std::pair<const char*, std::function<Row(const char*)>> rows[] = {
      {"hints of a viewport", [&](const char* name) { return bench.viewport(name); }},
      {"hover", [&](const char* name) { return bench.hover(name); }},
      {"code lenses", [&](const char* name) { return bench.lenses(name); }},
      {"hints after a character", [&](const char* name) { return bench.keystroke(name, "z"); }},
      {"hints after a line break", [&](const char* name) { return bench.keystroke(name, "\n"); }},
  };
  bool ok = true;
  for (const auto& [name, measure] : rows) {
    if (std::string_view(name).starts_with(only)) ok = print(measure(name)) && ok;
  }
  if (!executable.empty()) {
    const double idle = idle_cpu_seconds(executable.c_str(), files);
    fmt::print("\nidle: {:.2f} s of CPU in {} s\n", idle, kIdleSeconds);
    ok = ok && idle == 0;
  }
  return ok ? 0 : 1;
}
