// SPDX-License-Identifier: Apache-2.0
// What commands do when a stream is closed or full, when nobody reads on, and when a file cannot be
// written: the status is 0 to 3, one sentence says why, and the last good file stays.
#include <sys/inotify.h>
#include <sys/stat.h>

#include <set>

#include "tests/cli/process.h"
#include "tests/cli/sandbox.h"
#include "tests/support/hostile.h"

namespace etlens::output_test {

using namespace etlens::test;
namespace fs = std::filesystem;

namespace {

const std::string kProgram = " " + kMlp + "/model.pte";
const std::string kValues =
    " --etdump " + kMlp + "/debug.etdp --etrecord " + kMlp + "/model.etrecord ";

// Every form of output there is, of small inputs.
const std::vector<std::string>& commands() {
  static const std::vector<std::string> all{
      "annotate" + kMlpPair,
      "lines" + kMlpPair,
      "lines --format json" + kMlpPair,
      "lines --format csv" + kMlpPair,
      "modules --format markdown" + kMlpPair,
      "events --format tsv" + kMlpPair,
      "inspect" + kMlpPair,
      "inspect --compat --raw" + kMlpPair,
      "check" + kMlpPair,
      "advise" + kMlpPair,
      "memory --pte" + kProgram,
      "size --pte" + kProgram,
      "values" + kValues,
      "diff --base " + kMlp + "/run10.etdp --new " + kMlp + "/run10.etdp",
      "fleet " + kMlp + "/run10.etdp",
      "rows " + kMlp + "/run10.etdp",
      "rows --format tsv " + kMlp + "/run10.etdp",
      "export --to perfetto" + kMlpPair,
      "export --to speedscope" + kMlpPair,
      "export --to svg" + kMlpPair,
      "report" + kMlpPair,
      "report --format markdown" + kMlpPair,
      "pstats " ETLENS_TEST_DATA "/pstats/pure.prof",
      "export --to dot " ETLENS_TEST_DATA "/pstats/pure.prof",
      "explain",
      "schema",
      "schema lines",
  };
  return all;
}

// One of each way in which they are written: whole, as they grow, dump by dump.
const std::vector<std::string>& ways() {
  static const std::vector<std::string> few{"lines" + kMlpPair, "report" + kMlpPair,
                                            "rows " + kMlp + "/run10.etdp"};
  return few;
}

bool is_one_sentence(const std::string& text) {
  return text.starts_with("etlens: ") && split_lines(text).size() == 1;
}

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

}  // namespace

TEST_CASE("output: a full stdout is status 1 and a sentence", "[cli]") {
  const Sandbox sandbox;
  std::vector<std::string> all = commands();
  for (const char* help : {"--help", "--version", "lines --help"}) all.emplace_back(help);
  for (const std::string& command : all) {
    CAPTURE(command);
    const Ended full = run_in(sandbox.path(), command, {.out = Stream::Full});
    CHECK(full.status == 1);
    CHECK(
        full.err.ends_with("etlens: cannot write to stdout: No space left on device; check the "
                           "path and the space left\n"));
  }
}

TEST_CASE("output: a stdout that is closed, and one that is left early", "[cli]") {
  const Sandbox sandbox;
  std::vector<std::string> all = ways();
  for (const char* help : {"--help", "--version", "init --help"}) all.emplace_back(help);
  for (const std::string& command : all) {
    CAPTURE(command);
    const Ended usual = run_in(sandbox.path(), command);
    CHECK(usual.status == 0);
    CHECK_FALSE(usual.out.empty());
    const Ended closed = run_in(sandbox.path(), command, {.out = Stream::Closed});
    CHECK(closed.status == 1);
    CHECK(closed.err == usual.err +
                            "etlens: cannot write to stdout: Bad file descriptor; check "
                            "the path and the space left\n");
    const Ended left = run_in(sandbox.path(), command, {.out = Stream::WithoutReader});
    CHECK(left.status == 0);
    CHECK(left.err == usual.err);
  }
}

TEST_CASE("output: what cannot be said on stderr changes nothing else", "[cli]") {
  Sandbox sandbox;
  const std::string leafnet = ETLENS_EXAMPLES "/leafnet";
  const std::pair<std::string, int> cases[]{
      {"lines " + leafnet, 0},  // says which of two models it shows
      {"check " + leafnet, 0},
      {"rows " + leafnet, 0},
      {"lines nope", 1},
      {"annotate --etdump nope", 1},
      {"init nope.py", 1},
      {"diff --base " + kMlp + "/run10.etdp --new nope", 1},
      {"fly", 2},
      {"lines --format xml", 2},
      {"lines --top 3 --format json --columns line" + kMlpPair, 2},
      {"", 2},
  };
  for (const auto& [command, status] : cases) {
    CAPTURE(command);
    const Ended usual = run_in(sandbox.path(), command);
    CHECK(usual.status == status);
    for (const Stream stream : {Stream::Full, Stream::Closed, Stream::WithoutReader}) {
      const Ended mute = run_in(sandbox.path(), command, {.err = stream});
      CHECK(mute.status == status);
      CHECK(mute.out == usual.out);
    }
  }
}

TEST_CASE("output: a file does not get the number of a stream that was closed", "[cli]") {
  Sandbox sandbox;
  const std::string command = "lines " ETLENS_EXAMPLES "/leafnet";
  const std::string usual = run_in(sandbox.path(), command).out;
  const Ended ended = run_in(sandbox.path(), command + " -o a.txt",
                             {.out = Stream::Closed, .err = Stream::Closed, .has_stdin = false});
  CHECK(ended.status == 0);
  CHECK(slurp(sandbox.path("a.txt")) == usual);
  for (const std::string server : {"lsp", "mcp", "mcp --log log.txt", "lsp --record r.jsonl"}) {
    CAPTURE(server);
    const Ended over = run_in(sandbox.path(), server,
                              {.out = Stream::Closed, .err = Stream::Closed, .has_stdin = false});
    CHECK(over.status >= 0);
    CHECK(over.status <= 3);
  }
  const Ended no_rows = run_in(sandbox.path(), "fleet --from -", {.has_stdin = false});
  CHECK(no_rows.status == 1);
  CHECK(is_one_sentence(no_rows.err));
}

TEST_CASE("output: a file that cannot be finished leaves the last good one", "[cli]") {
  Sandbox sandbox;
  sandbox.put("out/a.txt", "the last good one\n");
  const std::string file = sandbox.path("out/a.txt");
  for (const std::string& command : commands()) {
    CAPTURE(command);
    const Ended ended = run_in(sandbox.path(), command + " -o " + file, {.file_limit = rlim_t{50}});
    CHECK(ended.status == 1);
    CHECK(ended.err.ends_with("etlens: cannot write " + file +
                              ": File too large; check the path and the space left\n"));
    CHECK(slurp(file) == "the last good one\n");
    CHECK(names_in(sandbox.path("out")).size() == 1);
  }
  for (const std::string& command : ways()) {
    CAPTURE(command);
    const Ended device = run_in(sandbox.path(), command + " -o /dev/full");
    CHECK(device.status == 1);
    CHECK(device.err.find("/dev/full: No space left on device") != std::string::npos);
    CHECK(run_in(sandbox.path(), command + " -o /dev/null").status == 0);
  }
}

TEST_CASE("output: -o and stdout are the same bytes", "[cli]") {
  Sandbox sandbox;
  for (const std::string& command : ways()) {
    CAPTURE(command);
    const Ended usual = run_in(sandbox.path(), command);
    CHECK(run_in(sandbox.path(), command + " -o a.txt").status == 0);
    CHECK(slurp(sandbox.path("a.txt")) == usual.out);
    const Ended named = run_in(sandbox.path(), command + " -o /dev/stdout");
    CHECK(named.status == 0);
    CHECK(named.out == usual.out);
  }
  CHECK(names_in(sandbox.path()) == std::set<std::string>{"a.txt"});
}

TEST_CASE("output: links that are planted under a name are replaced", "[cli]") {
  Sandbox sandbox;
  sandbox.put("victim", "precious");
  for (const std::string& command : ways()) {
    CAPTURE(command);
    fs::remove(sandbox.path("link"));
    fs::create_symlink("victim", sandbox.path("link"));
    CHECK(run_in(sandbox.path(), command + " -o link").status == 0);
    CHECK(fs::is_regular_file(fs::symlink_status(sandbox.path("link"))));
    CHECK(slurp(sandbox.path("victim")) == "precious");
  }
}

TEST_CASE("output: values are saved over planted links, never through them", "[cli]") {
  Sandbox sandbox;
  const std::string command = "values --save saved" + kValues;
  CHECK(run_in(sandbox.path(), command).status == 0);
  const std::set<std::string> names = names_in(sandbox.path("saved"));
  REQUIRE(names.size() > 1);
  sandbox.put("victim", "precious");
  for (const std::string& name : names) {
    fs::remove(sandbox.path("saved/" + name));
    fs::create_symlink("../victim", sandbox.path("saved/" + name));
  }
  CHECK(run_in(sandbox.path(), command).status == 0);
  CHECK(slurp(sandbox.path("victim")) == "precious");
  CHECK(names_in(sandbox.path("saved")) == names);
  for (const std::string& name : names)
    CHECK(fs::is_regular_file(fs::symlink_status(sandbox.path("saved/" + name))));

  const std::string first = sandbox.path("saved/" + *names.begin());
  const std::string before = slurp(first);
  const Ended limited = run_in(sandbox.path(), command, {.file_limit = 10});
  CHECK(limited.status == 1);
  CHECK(limited.out.empty());
  CHECK(limited.err.find("File too large") != std::string::npos);
  CHECK(slurp(first) == before);
  CHECK(names_in(sandbox.path("saved")) == names);
}

TEST_CASE("output: where no file can be, one sentence says so", "[cli]") {
  Sandbox sandbox;
  sandbox.put("locked/a.txt", "old");
  fs::permissions(sandbox.path("locked"), fs::perms::owner_read | fs::perms::owner_exec);
  const std::string mine = sandbox.put("protected.txt", "old");
  fs::permissions(mine, fs::perms::owner_read);
  fs::create_directory(sandbox.path("folder"));
  const std::pair<std::string, std::string> cases[]{
      {"locked/a.txt", "no file can be made next to it: Permission denied"},
      {"locked/b.txt", "Permission denied"},
      {"protected.txt", "Permission denied"},
      {"folder", "Is a directory"},
      {"missing/a.txt", "No such file or directory"},
      {"protected.txt/a", "Not a directory"},
  };
  for (const auto& [name, why] : cases) {
    for (const std::string& command : ways()) {
      CAPTURE(name, command);
      const Ended ended = run_in(sandbox.path(), command + " -o " + name, {.obeys_rights = true});
      CHECK(ended.status == 1);
      CHECK(ended.out.empty());
      CHECK(ended.err ==
            "etlens: cannot write " + name + ": " + why + "; check the path and the space left\n");
    }
  }
  CHECK(slurp(sandbox.path("locked/a.txt")) == "old");
  CHECK(slurp(mine) == "old");
  fs::permissions(sandbox.path("locked"), fs::perms::owner_all);
}

TEST_CASE("output: init writes all of its files or none", "[cli]") {
  Sandbox sandbox;
  sandbox.put("net.py",
              "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
              "        return x\n");
  const std::string init = "init net.py --runner adb -o ";
  const Ended limited = run_in(sandbox.path(), init + "new", {.file_limit = 50});
  CHECK(limited.status == 1);
  CHECK(is_one_sentence(limited.err));
  CHECK_FALSE(fs::exists(sandbox.path("new")));

  CHECK(run_in(sandbox.path(), init + "scripts").status == 0);
  const std::set<std::string> names = names_in(sandbox.path("scripts"));
  REQUIRE(names.size() > 1);
  for (const std::string& name : names) {
    CAPTURE(name);
    fs::remove_all(sandbox.path("other"));
    fs::create_directory(sandbox.path("other"));
    fs::create_symlink("../victim", sandbox.path("other/" + name));
    const Ended refused = run_in(sandbox.path(), init + "other");
    CHECK(refused.status == 1);
    CHECK(refused.err.find("is there already") != std::string::npos);
    CHECK(names_in(sandbox.path("other")) == std::set<std::string>{name});
    CHECK_FALSE(fs::exists(sandbox.path("victim")));
  }
}

TEST_CASE("output: a signal in the middle leaves the last good file", "[cli]") {
  Sandbox sandbox;
  // Dumps whose reading takes seconds: the process is ended as soon as its temporary file is there.
  for (const HostileClass& hostile : hostile_classes()) {
    if (hostile.name != "one handle for all nodes") continue;
    const HostilePair pair = hostile.make();
    sandbox.put("dumps/a.etdp", pair.etdump);
    sandbox.put("dumps/a.etrecord", pair.etrecord);
  }
  sandbox.put("out/rows.ndjson", "old");
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    CAPTURE(signal);
    const int watch = ::inotify_init1(IN_CLOEXEC);
    REQUIRE(::inotify_add_watch(watch, sandbox.path("out").c_str(), IN_CREATE) >= 0);
    Process process(sandbox.path(), {"rows", "dumps", "-o", "out/rows.ndjson"});
    std::array<char, 4096> events;
    CHECK(::read(watch, events.data(), events.size()) > 0);
    ::close(watch);
    process.send(signal);
    CHECK(process.wait().status == -signal);
    CHECK(slurp(sandbox.path("out/rows.ndjson")) == "old");
    CHECK(names_in(sandbox.path("out")).size() == 1);
  }
}

TEST_CASE("output: a side without dumps is an input, a side that is not named wrong usage",
          "[cli]") {
  Sandbox sandbox;
  fs::create_directory(sandbox.path("empty"));
  const std::string dump = kMlp + "/run10.etdp";
  const std::pair<std::string, int> cases[]{
      {"diff --base empty --new " + dump, 1},
      {"diff --base " + dump + " --new empty", 1},
      {"diff --base empty --new empty", 1},
      {"diff --base *.etdp --new " + dump, 1},
      {"diff --base " + dump, 2},
      {"diff --new " + dump, 2},
      {"diff", 2},
  };
  for (const auto& [command, status] : cases) {
    const Ended ended = run_in(sandbox.path(), command);
    CAPTURE(command, ended.err);
    CHECK(ended.status == status);
    CHECK(is_one_sentence(ended.err));
    CHECK((ended.err.find(" side has no ETDump") != std::string::npos) == (status == 1));
  }
}

TEST_CASE("output: the demo ends with 0 whoever reads it, and prints what it ran", "[cli]") {
  const Sandbox sandbox;
  const std::string demo =
      "cd '" ETLENS_SOURCE "'; ETLENS='" ETLENS_EXECUTABLE "' scripts/demo pricer";
  const auto status_of = [&](const std::string& rest) {
    const std::string script = "set -o pipefail; " + demo + rest;
    const int status =
        std::system(("bash -c \"" + script + "\" 2>'" + sandbox.path("err") + "'").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  for (const std::string reader :
       {" | head -n 1 >/dev/null", " | true", " | head -c 500 >/dev/null", " | cat >/dev/null",
        " | exec <&-"}) {
    CAPTURE(reader);
    CHECK(status_of(reader) == 0);
    CHECK(slurp(sandbox.path("err")).empty());
  }
  CHECK(status_of(" >/dev/full") == 1);
  CHECK(is_one_sentence(slurp(sandbox.path("err"))));

  CHECK(status_of(" >'" + sandbox.path("out") + "'") == 0);
  constexpr std::string_view kHeading = "\x1b[1m# etlens ";
  const std::string printed = slurp(sandbox.path("out"));
  std::string again;
  for (const std::string_view line : split_lines(printed)) {
    if (!line.starts_with(kHeading)) continue;
    const std::string_view command =
        line.substr(kHeading.size(), line.find("\x1b[0m") - kHeading.size());
    again += "\n" + std::string(line) + "\n\n" + run_in(ETLENS_SOURCE, command).out;
  }
  CHECK(again == printed);
}

}  // namespace etlens::output_test
