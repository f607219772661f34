// SPDX-License-Identifier: Apache-2.0
// The status has the budgets of the workspace's policy that the shown run breaks, and follows the policy and the run.
#include <catch2/catch.hpp>

#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"

namespace etlens::budgets_test {

using namespace etlens::test;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kPolicy = "/work/etlens.toml";
constexpr const char* kNoCpu =
    "# budgets\n[budget]\ncpu_nodes = 0\ndelegate_calls = 2\ncold_start = \"1 s\"\n";

// A client that shows the status itself.
json status_client() {
  json capabilities = full_capabilities();
  capabilities["experimental"]["etlens"]["profileChanged"] = true;
  return capabilities;
}

struct Opened {
  MemoryFileSystem files = model_workspace();
  std::unique_ptr<LanguageClient> client;

  explicit Opened(const std::string& policy, const json& capabilities = status_client()) {
    if (!policy.empty()) files.put(kPolicy, policy);
    client = std::make_unique<LanguageClient>(files);
    client->initialize(capabilities);
    client->advance(3000);
  }

  json status() const { return client->request("etlens/status"); }
  void changed(const std::string& path) const {
    client->notify("workspace/didChangeWatchedFiles",
                   {{"changes", {{{"uri", "file://" + path}, {"type", 2}}}}});
    client->advance(3000);
  }
};

}  // namespace

TEST_CASE("budgets: the status names the broken budget, its cause and the line of both",
          "[server]") {
  const Opened opened(kNoCpu);
  const json status = opened.status();
  CHECK(status["state"] == "ready");
  REQUIRE(status.contains("budgets"));
  const json& budgets = status["budgets"];
  CHECK(budgets["policy"] == kPolicy);
  CHECK_FALSE(budgets.contains("problem"));
  CHECK(budgets["kept"] == 1);
  CHECK(budgets["violated"] == 1);
  CHECK(budgets["not_checked"] == 1);
  REQUIRE(budgets["broken"].size() == 1);
  const json& broken = budgets["broken"][0];
  CHECK(broken["budget"] == "cpu_nodes");
  CHECK(broken["text"] == "1 operator on the CPU; the policy allows 0");
  CHECK(broken["policy_line"] == 3);
  CHECK(broken["path"] == kModelPath);
  CHECK(broken["line"] == kTopkLine + 1);
  CHECK_THAT(broken["cause"].get<std::string>(), Contains("topk"));
}

TEST_CASE("budgets: the line of the cause follows the edits of its file", "[server]") {
  const Opened opened(kNoCpu);
  opened.client->open(kModelPath, "import os\n" + model_source());
  CHECK(opened.status()["budgets"]["broken"][0]["line"] == kTopkLine + 2);
}

TEST_CASE("budgets: a change of the policy is seen, a new run is checked again", "[server]") {
  Opened opened("");
  CHECK_FALSE(opened.status().contains("budgets"));
  opened.files.put(kPolicy, kNoCpu);
  opened.client->take("etlens/profileChanged");
  opened.changed(kPolicy);
  CHECK(opened.client->count("etlens/profileChanged") > 0);
  CHECK(opened.status()["budgets"]["violated"] == 1);
  opened.files.put(kPolicy, "[budget]\ncpu_nodes = 1\n");
  opened.changed(kPolicy);
  CHECK(opened.status()["budgets"]["violated"] == 0);
  CHECK(opened.status()["budgets"]["kept"] == 1);
  opened.files.put(kPolicy, kNoCpu);
  opened.files.put(kDumpPath, model_dump(2));
  opened.changed(kDumpPath);
  CHECK(opened.status()["budgets"]["violated"] == 1);
  opened.files.remove(kPolicy);
  opened.changed(kPolicy);
  CHECK_FALSE(opened.status().contains("budgets"));
}

TEST_CASE("budgets: a policy that cannot be used is one warning, and hides no number", "[server]") {
  Opened opened("[budget]\ncpu_nodes = \"none\"\n", full_capabilities());
  const json status = opened.status();
  CHECK(status["state"] == "ready");
  opened.client->open(kModelPath, model_source());
  CHECK_FALSE(opened.client->hints(kModelPath).empty());
  const std::string problem = status["budgets"]["problem"];
  CHECK_THAT(problem, Contains("/work/etlens.toml:2:"));
  CHECK(status["budgets"]["broken"].empty());
  const auto is_of_policy = [](const json& message) {
    return message["params"]["message"].get<std::string>().find("etlens.toml") != std::string::npos;
  };
  const std::vector<json> shown = opened.client->take("window/showMessage");
  CHECK(std::ranges::count_if(shown, is_of_policy) == 1);
  opened.changed(kPolicy);
  CHECK(opened.client->take("window/showMessage").empty());
}

TEST_CASE("budgets: what an open study does not know breaks no budget", "[server]") {
  // No base is shown, so times are not compared, even where the policy requires it.
  const Opened opened("[budget]\nslower_total = \"5%\"\ncpu_nodes = 1\nrequired = true\n");
  const json budgets = opened.status()["budgets"];
  CHECK(budgets["violated"] == 0);
  CHECK(budgets["kept"] == 1);
  CHECK(budgets["not_checked"] == 1);
}

TEST_CASE("budgets: a policy outside of the workspace folder is not read", "[server]") {
  MemoryFileSystem files = model_workspace();
  files.put("/etlens.toml", "[budget]\ncpu_nodes = 0\n");
  files.put("/.git/HEAD", "ref: refs/heads/main\n");
  LanguageClient client(files);
  client.initialize(full_capabilities());
  client.advance(3000);
  CHECK_FALSE(client.request("etlens/status").contains("budgets"));
}

TEST_CASE("budgets: a link that leads out of the workspace folder is not followed", "[server]") {
  Opened opened("");
  opened.files.put("/home/me/policy.toml", "[budget]\ncpu_nodes = 0\n");
  opened.files.link(kPolicy, "/home/me/policy.toml");
  opened.changed(kPolicy);
  const json budgets = opened.status()["budgets"];
  CHECK_THAT(budgets["problem"].get<std::string>(),
             Contains("is a link to a file outside of /work"));
  CHECK(budgets["violated"] == 0);
}

TEST_CASE("budgets: the setting names another policy, anywhere, and an empty one the nearest again",
          "[server]") {
  const auto named = [](const Opened& opened, const std::string& path) {
    opened.client->settings = {{"policy", path}};
    opened.client->notify("workspace/didChangeConfiguration", {{"settings", nullptr}});
    opened.client->advance(3000);
    return opened.status()["budgets"];
  };
  Opened opened("[budget]\ncpu_nodes = 1\n");
  CHECK(opened.status()["budgets"]["violated"] == 0);
  opened.files.put("/work/strict/other.toml", "[budget]\ncpu_nodes = 0\n");
  opened.files.put("/home/me/policy.toml", "[budget]\ndelegate_calls = 1\n");
  const json below = named(opened, "strict/other.toml");
  CHECK(below["policy"] == "/work/strict/other.toml");
  CHECK(below["violated"] == 1);
  CHECK(named(opened, "/home/me/policy.toml")["policy"] == "/home/me/policy.toml");
  const json missing = named(opened, "missing.toml");
  CHECK_THAT(missing["problem"].get<std::string>(), Contains("/work/missing.toml"));
  CHECK(named(opened, "")["policy"] == kPolicy);
}

}  // namespace etlens::budgets_test
