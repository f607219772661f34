// SPDX-License-Identifier: Apache-2.0
// `etlens api` writes what the command line writes, byte for byte, and survives every request.
#include <algorithm>

#include "tests/cli/sandbox.h"

namespace etlens::api_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

struct Reply {
  int64_t id = 0;
  int status = -1;
  std::string out;
  std::string err;
  std::vector<std::string> progress;
};

std::string request(int id, const std::string& arguments, const std::string& folder,
                    const std::string& study = "s") {
  json words = json::array();
  for (const std::string_view word : split(arguments, ' '))
    if (!word.empty()) words.push_back(std::string(word));
  return json{{"id", id}, {"study", study}, {"folder", folder}, {"arguments", words}}.dump() + "\n";
}

// What the process answers to all of `input`.
std::vector<Reply> replies_to(Sandbox& sandbox, const std::string& input) {
  const std::string in = sandbox.put(".in", input);
  const std::string out = sandbox.path(".api");
  const std::string command = "'" ETLENS_EXECUTABLE "' api <'" + in + "' >'" + out + "' 2>&1";
  CHECK(std::system(command.c_str()) == 0);
  const std::string written = slurp(out);
  std::vector<Reply> replies;
  Reply reply;
  std::string_view text = written;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    REQUIRE(end != std::string_view::npos);
    const json row = json::parse(text.substr(0, end));
    text.remove_prefix(end + 1);
    reply.id = row["id"];
    if (row.contains("bytes")) {
      const size_t size = row["bytes"];
      REQUIRE(size <= text.size());
      reply.out += text.substr(0, size);
      text.remove_prefix(size);
    }
    if (row.contains("message")) reply.err += row["message"].get<std::string>();
    if (row.contains("progress")) reply.progress.push_back(row["progress"]);
    if (!row.contains("status")) continue;
    reply.status = row["status"];
    replies.push_back(std::move(reply));
    reply = {};
  }
  return replies;
}

const std::string kStoryteller = ETLENS_EXAMPLES "/storyteller";

}  // namespace

TEST_CASE("api: what the command line writes, byte for byte", "[cli]") {
  Sandbox sandbox;
  const std::vector<std::string> commands{
      "lines --format json " + kStoryteller,
      "modules --format json " + kStoryteller,
      "events --format json " + kStoryteller,
      "events --by operator --format json " + kStoryteller,
      "partitions --format json " + kStoryteller,
      "advise --format json " + kStoryteller,
      "check --format json " + kStoryteller,
      "memory --format json " + kStoryteller,
      "size --format json " + kStoryteller,
      "delegation --format json " + kStoryteller,
      "graph --format json " + kStoryteller,
      "lines --top 1 --color never " + kStoryteller,
      "annotate --color always " + kStoryteller,
      "lines --statistic mean --executions 2-9 --format json " + kStoryteller,
      "export --to svg " + kStoryteller,
      "inspect --format json --etdump " + kStoryteller + "/model.etdp",
      "lines --format json " ETLENS_EXAMPLES "/pricer",
      "lines --format json /no/such/folder",
      "lines --statistic middle " + kStoryteller,
      "lines --nonsense",
      "no-command",
      "lines --help",
      "lines --format json " + kStoryteller,
  };
  std::string input;
  for (size_t i = 0; i < commands.size(); ++i)
    input += request(static_cast<int>(i + 1), commands[i], sandbox.path());
  const std::vector<Reply> replies = replies_to(sandbox, input);
  REQUIRE(replies.size() == commands.size());
  for (size_t i = 0; i < commands.size(); ++i) {
    CAPTURE(commands[i]);
    const Outcome alone = sandbox.run(commands[i]);
    CHECK(replies[i].id == static_cast<int64_t>(i + 1));
    CHECK(replies[i].status == alone.status);
    CHECK((replies[i].out == alone.out));  // documents are long
    CHECK(replies[i].err == alone.err);
  }
}

TEST_CASE("api: one load for the requests of a study, as long as its files stay", "[cli]") {
  Sandbox sandbox;
  const auto copy = [&](const std::string& from) {
    for (const char* name : {"model.etdp", "model.etrecord"})
      sandbox.put(name, slurp(from + "/" + name));
  };
  copy(kStoryteller);
  const std::string folder = sandbox.path();
  std::string input = request(1, "lines --format json .", folder) +
                      request(2, "modules --format json .", folder) +
                      request(3, "events --format json .", folder) +
                      request(4, "lines --format json .", folder, "t");
  const std::vector<Reply> replies = replies_to(sandbox, input);
  REQUIRE(replies.size() == 4);
  CHECK(replies[0].progress == std::vector<std::string>{"reading model.etdp with model.etrecord"});
  CHECK(replies[1].progress.empty());
  CHECK(replies[2].progress.empty());
  CHECK(replies[3].progress.size() == 1);
  CHECK(replies[3].out == replies[0].out);
}

TEST_CASE("api: requests that are none, and the end of the input", "[cli]") {
  Sandbox sandbox;
  CHECK(replies_to(sandbox, "").empty());
  const std::string good = request(7, "--version", sandbox.path());
  for (const std::string& bad :
       {std::string("\n"), std::string("{}\n"), std::string("[]\n"), std::string("\xFF\xFE\n"),
        std::string("{\"id\": 1}\n"), std::string("{\"id\": 1, \"arguments\": []}\n"),
        std::string("{\"id\": 0, \"arguments\": [\"lines\"]}\n"), request(3, "lsp", "/"),
        request(3, "mcp", "/"), request(3, "api", "/"), std::string(100'000, '[') + "\n"}) {
    CAPTURE(bad.substr(0, 60));
    const std::vector<Reply> replies = replies_to(sandbox, bad + good);
    REQUIRE(replies.size() == 2);
    CHECK(replies[0].id == 0);
    CHECK(replies[0].status == 2);
    CHECK(replies[1].id == 7);
    CHECK(replies[1].status == 0);
    CHECK(replies[1].out.starts_with("etlens "));
  }
  // The last line needs its end; a longer one than any request ends the process.
  CHECK(replies_to(sandbox, good.substr(0, good.size() - 1)).empty());
  CHECK(replies_to(sandbox, std::string(17 << 20, 'x') + "\n" + good).empty());
  const std::vector<Reply> nowhere =
      replies_to(sandbox, request(1, "lines .", "/no/such/folder") + good);
  REQUIRE(nowhere.size() == 2);
  CHECK(nowhere[0].status == 1);
  CHECK(nowhere[0].err.find("/no/such/folder") != std::string::npos);
}

}  // namespace etlens::api_test
