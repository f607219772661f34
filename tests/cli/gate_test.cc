// SPDX-License-Identifier: Apache-2.0
// `etlens gate` as it is called.
#include "tests/cli/sandbox.h"
#include "tests/support/corpus.h"
#include "tests/support/json_schema.h"

namespace etlens::gate_cli_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

const std::string kCase = ETLENS_TEST_DATA "/delegation/own.gated-xnnpack/";
const std::string kCompare = ETLENS_TEST_DATA "/compare/";

void copy_model(const Sandbox& box, const std::string& folder = "") {
  std::filesystem::create_directories(box.path(folder));
  for (const std::string name : {"model.etrecord", "model.pte"})
    std::filesystem::copy_file(kCase + name, box.path(folder) + "/" + name);
}

json report_of(const Sandbox& box, int status, const std::string& options = "") {
  const Outcome outcome = box.run("gate --format json " + options);
  INFO(outcome.err);
  CHECK(outcome.status == status);
  REQUIRE(outcome.out.starts_with("{"));
  json report = json::parse(outcome.out);
  CHECK(misfit(report, json::parse(box.run("schema gate").out)) == "");
  return report;
}

const json& budget_of(const json& report, const std::string& name) {
  for (const json& row : report["budgets"])
    if (row["budget"] == name) return row;
  FAIL("no budget " + name);
  return report;
}

// Runs of one program, of which the second side may be of a wider model.
void put_runs(Sandbox& box, const std::string& folder, const std::string& name) {
  for (int i = 1; i <= 6; ++i) {
    box.put(folder + "/run" + std::to_string(i) + ".etdp",
            read_file(kCompare + name + "-" + std::to_string(i) + ".dump.gz"));
  }
  box.put(folder + "/model.etrecord",
          read_file(name == "base" ? kMlp + "/model.etrecord" : kCompare + name + ".etrecord.gz"));
}

}  // namespace

TEST_CASE("cli: gate keeps the policy that --init wrote", "[cli]") {
  const Sandbox box;
  copy_model(box);
  const Outcome written = box.run("gate --init");
  CHECK(written.status == 0);
  CHECK(written.err == "");
  const std::string policy = slurp(box.path("etlens.toml"));
  CHECK(policy.find("\"aten.mean.dim\",  # 2: ") != std::string::npos);
  CHECK(policy.find("delegated = \"52.9%\"") != std::string::npos);
  const Outcome kept = box.run("gate");
  INFO(kept.out);
  CHECK(kept.status == 0);
  CHECK(kept.err == "");
  CHECK(kept.out.starts_with("etlens.toml: 6 budgets kept\n"));
  // Never over a file, whatever it is.
  check_refused(box.run("gate --init"), {"etlens.toml is there already"});
  CHECK(slurp(box.path("etlens.toml")) == policy);
  CHECK(box.run("gate --init other.toml").status == 0);
  CHECK(box.run("gate other.toml").status == 0);
}

TEST_CASE("cli: gate --init with a folder", "[cli]") {
  Sandbox box;
  copy_model(box, "out");
  CHECK(box.run("gate --init out").status == 0);
  CHECK(slurp(box.path("etlens.toml")).find("folder = \"out\"") != std::string::npos);
  CHECK(box.run("gate").status == 0);
  CHECK(box.run("gate out").status == 0);
  // A folder that is named has its own artifacts.
  copy_model(box, "next");
  box.put("named.toml",
          "[artifacts]\netrecord = \"gone.etrecord\"\n[budget]\ndelegate_calls = 3\n");
  CHECK(box.run("gate named.toml next").status == 0);
  CHECK(box.run("gate named.toml").status == 1);
  check_refused(box.run("gate --init new.toml -o other"), {"--init"}, 2);
  const Sandbox empty;
  check_refused(empty.run("gate --init"), {"no budget can be written", "no ETRecord below"});
  CHECK_FALSE(std::filesystem::exists(empty.path("etlens.toml")));
}

TEST_CASE("cli: each violation of a gate has its line, its reason and its remedy", "[cli]") {
  Sandbox box;
  copy_model(box);
  box.put("etlens.toml",
          "[budget]\ncpu_operators = [\"aten.topk.*\", \"aten.[!m]*\"]\ncpu_nodes = 7\n"
          "delegated = \"60%\"\ndelegate_calls = 2\npeak_memory = \"1 kB\"\nfile_size = \"1 kB\"\n"
          "cold_start = \"50 ms\"\n");
  const Outcome text = box.run("gate");
  INFO(text.out);
  CHECK(text.status == 3);
  CHECK(text.out.starts_with("etlens.toml: 6 of 7 budgets violated, 1 not checked\n"));
  CHECK(text.out.find("profile_real.py:66: aten_mean_dim runs on the CPU: XNNPACK takes mean only "
                      "with keepdim=True. Write keepdim=True") != std::string::npos);
  CHECK(text.out.find("delegated: 9 of 17 operators are delegated (52.9%); the policy asks for "
                      "60% (etlens.toml:4)") != std::string::npos);
  CHECK(text.out.find("not checked  cold_start: no ETDump below ") != std::string::npos);
  const json report = report_of(box, 3);
  CHECK(report["schema"] == "etlens/gate@1");
  CHECK(report["passed"] == false);
  CHECK(report["violated"] == 6);
  CHECK(report["not_checked"] == 1);
  CHECK(budget_of(report, "delegate_calls")["value"] == 3);
  CHECK(budget_of(report, "delegate_calls")["findings"][0]["delegate_call"] == 3);
  CHECK(budget_of(report, "cpu_nodes")["value"] == 8);
  CHECK(budget_of(report, "file_size")["value"] == std::filesystem::file_size(kCase + "model.pte"));
  CHECK(budget_of(report, "cold_start")["value"].is_null());
  CHECK(budget_of(report, "cold_start")["status"] == "not_checked");
  for (const json& finding : budget_of(report, "cpu_operators")["findings"]) {
    CHECK(finding["line"].is_number());
    CHECK(finding["reason"]["id"].is_string());
  }
}

TEST_CASE("cli: a gate that checks nothing does not pass", "[cli]") {
  Sandbox box;
  box.put("etlens.toml", "[budget]\npeak_memory = \"1 kB\"\n");
  const Outcome nothing = box.run("gate");
  CHECK(nothing.status == 1);
  CHECK(nothing.out.find("no budget could be checked") != std::string::npos);
  CHECK(nothing.err.find("no budget of ") != std::string::npos);
  CHECK(report_of(box, 1)["passed"] == false);
  box.put("etlens.toml", "[budget]\npeak_memory = \"1 kB\"\nrequired = true\n");
  const Outcome required = box.run("gate");
  CHECK(required.status == 3);
  CHECK(required.out.find("the policy requires this budget") != std::string::npos);
  copy_model(box);
  box.put("etlens.toml", "[budget]\ndelegate_calls = 3\ncold_start = \"1 s\"\n");
  const json open = report_of(box, 0);
  CHECK(open["passed"] == true);
  CHECK(open["not_checked"] == 1);
}

TEST_CASE("cli: gate names what it cannot use", "[cli]") {
  Sandbox box;
  check_refused(box.run("gate"), {"no etlens.toml in ", "etlens gate --init"});
  check_refused(box.run("gate missing.toml"), {"missing.toml", "No such file"});
  check_refused(box.run("gate missing"), {"missing", "No such file"});
  box.put("etlens.toml", "[budget]\ndelegate_call = 3\n");
  check_refused(box.run("gate"), {"etlens.toml:2: delegate_call is not a key of [budget]; did you "
                                  "mean delegate_calls?"});
  box.put("other.toml", "[budget]\nfile_size = 3\n");
  check_refused(box.run("gate etlens.toml other.toml"), {"two policies"}, 2);
  std::filesystem::create_directories(box.path("a"));
  std::filesystem::create_directories(box.path("b"));
  check_refused(box.run("gate a b"), {"two folders"}, 2);
  // What is named has to be there, and what is there has to be sound.
  box.put("named.toml", "[artifacts]\npte = \"gone.pte\"\n[budget]\nfile_size = 3\n");
  check_refused(box.run("gate named.toml"), {"gone.pte"});
  box.put("folder.toml", "[artifacts]\nfolder = \"gone\"\n[budget]\nfile_size = 3\n");
  check_refused(box.run("gate folder.toml"), {"gone"});
  copy_model(box);
  const Outcome method = box.run("gate other.toml --method decode");
  CHECK(method.status == 1);
  CHECK(method.err.find("has no method decode") != std::string::npos);
  box.put("broken.etrecord", "not a record");
  box.put("calls.toml", "[budget]\ndelegate_calls = 3\n");
  check_refused(box.run("gate calls.toml --etrecord broken.etrecord"), {"broken.etrecord"});
  CHECK(box.run("gate --format yaml").status == 2);
}

TEST_CASE("cli: a policy above the folder, up to the root of the repository", "[cli]") {
  Sandbox box;
  copy_model(box, "repo/a/out");
  box.put("etlens.toml", "[budget]\nnonsense = 1\n");
  box.put("repo/a/out/x", "");
  // Without a repository the folder alone, then the working folder.
  CHECK(box.run("gate", "repo/a").status == 1);
  check_refused(box.run("gate repo/a"), {"etlens.toml:2: nonsense"});
  box.put("repo/.git/HEAD", "ref: refs/heads/main\n");
  box.put("repo/etlens.toml", "[artifacts]\nfolder = \"a/out\"\n[budget]\ndelegate_calls = 3\n");
  const Outcome above = box.run("gate", "repo/a");
  INFO(above.err);
  CHECK(above.status == 0);
  CHECK(above.out.find("repo/etlens.toml: 1 budget kept") != std::string::npos);
  CHECK(box.run("gate repo/a/out").status == 0);
}

TEST_CASE("cli: gate judges times as diff does", "[cli]") {
  Sandbox box;
  put_runs(box, "runs/base", "base");
  put_runs(box, "runs/new", "wider");
  box.put("etlens.toml",
          "[artifacts]\nfolder = \"runs/new\"\nbase = \"runs/base\"\n"
          "[budget]\nslower_total = \"3%\"\nslower_lines = \"10%\"\n");
  const json diff = json::parse(box.run("diff --base runs/base --new runs/new --format json").out);
  const json report = report_of(box, 3);
  size_t slower = 0;
  for (const json& line : diff["lines"]) {
    if (line["verdict"] == "slower" && line["change"] > 0.1) ++slower;
  }
  REQUIRE(slower > 0);
  const json& lines = budget_of(report, "slower_lines");
  CHECK(lines["findings"].size() == slower);
  for (const json& finding : lines["findings"]) CHECK(finding["change"]["verdict"] == "slower");
  const bool is_total_slower =
      box.run("diff --base runs/base --new runs/new --fail-above 3%").status == 3;
  CHECK((budget_of(report, "slower_total")["status"] == "violated") == is_total_slower);
  // The same runs are not slower than themselves; a base inside the folder is no new side.
  const json same = report_of(box, 0, "--base runs/new");
  CHECK(budget_of(same, "slower_total")["status"] == "kept");
  CHECK(report_of(box, 3, "runs/new --base runs/base")["violated"] > 0);
  box.put("open.toml", "[artifacts]\nfolder = \"runs/new\"\n[budget]\nslower_total = \"3%\"\n");
  const Outcome open = box.run("gate open.toml");
  CHECK(open.status == 1);
  CHECK(open.out.find("no base is named") != std::string::npos);
}

TEST_CASE("cli: gate in a job's summary and on lines of a pull request", "[cli]") {
  Sandbox box;
  copy_model(box);
  box.put("src/profile_real.py", "pass\n");
  box.put("etlens.toml",
          "[budget]\ncpu_operators = []\ndelegate_calls = 3\ncold_start = \"1 s\"\n");
  const Outcome markdown = box.run("gate --format markdown");
  CHECK(markdown.status == 3);
  CHECK(markdown.out.starts_with("**etlens.toml\\: 1 of 3 budgets violated, 1 not checked**\n\n|"));
  CHECK(markdown.out.find("src/profile_real.py\\:66") != std::string::npos);
  const Outcome github = box.run("gate --format github");
  INFO(github.out);
  CHECK(github.status == 3);
  CHECK(github.out.find("\n::error file=src/profile_real.py,line=66,title=etlens gate%3A "
                        "cpu_operators::aten_mean_dim runs on the CPU: ") != std::string::npos);
  CHECK(github.out.find("\n::error file=etlens.toml,line=2,") != std::string::npos);
  CHECK(github.out.find("\n::warning file=etlens.toml,line=4,") != std::string::npos);
  for (const std::string_view line : split_lines(github.out))
    CHECK((line.starts_with("::") || line.starts_with("etlens.toml: ")));
  // Paths are those of the repository where the step runs in a folder of it.
  std::filesystem::create_directories(box.path("sub"));
  const Outcome below = box.run("gate ../etlens.toml --format github", "sub");
  CHECK(below.status == 3);
}

}  // namespace etlens::gate_cli_test
