// SPDX-License-Identifier: Apache-2.0
// What people have beside a model, as the command line meets it: old records, dumps in logs,
// bundled programs, weights, runs that broke off.
#include "core/base/text.h"
#include "tests/cli/sandbox.h"

namespace etlens::field_test {

using namespace etlens::test;

namespace {

const std::string kField = ETLENS_TEST_DATA "/field";
const std::string kMlpRecord = kMlp + "/model.etrecord";

bool has(const std::string& text, const std::string& part) {
  CAPTURE(text, part);
  return text.find(part) != std::string::npos;
}

nlohmann::json check_json(const Sandbox& sandbox, const std::string& arguments, int status = 0) {
  const Outcome outcome = sandbox.run("check --format json " + arguments);
  CAPTURE(outcome.out, outcome.err);
  CHECK(outcome.status == status);
  return nlohmann::json::parse(outcome.out);
}

std::vector<std::string> ids_of(const nlohmann::json& check) {
  std::vector<std::string> ids;
  for (const auto& row : check["report"]) ids.push_back(row["id"]);
  return ids;
}

bool reports(const nlohmann::json& check, const std::string& id) {
  const std::vector<std::string> ids = ids_of(check);
  CAPTURE(ids, id);
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

}  // namespace

TEST_CASE("field: an unusable record beside a dump", "[cli]") {
  Sandbox sandbox;
  sandbox.put("doc.etdp", slurp(kField + "/sample-0.1.etdp"));
  sandbox.put("etrecord.bin", slurp(kField + "/unusable.etrecord.bin"));
  for (const std::string command : {"lines", "events", "modules", "partitions", "advise",
                                    "annotate", "check", "inspect", "export --to speedscope"}) {
    for (const std::string dump : {"", " --etdump doc.etdp"}) {
      if (command == "inspect" && !dump.empty()) continue;  // no record is looked for
      const Outcome outcome = sandbox.run(command + dump);
      CAPTURE(command, outcome.err, outcome.out);
      CHECK(outcome.status == 0);
      CHECK_FALSE(outcome.out.empty());
      CHECK(has(outcome.err, "etrecord.bin"));
      CHECK(has(outcome.err, "the record is left out"));
    }
  }
  const nlohmann::json check = check_json(sandbox, "");
  CHECK(check["etrecord"].is_null());
  CHECK(reports(check, "record-left-out"));
  // Named, it is an error.
  check_refused(sandbox.run("lines --etrecord etrecord.bin"), {"etrecord.bin"});
}

TEST_CASE("field: no record is used where none is wanted", "[cli]") {
  Sandbox sandbox;
  sandbox.put("run.etdp", slurp(kMlp + "/run10.etdp"));
  sandbox.put("model.etrecord", slurp(kMlpRecord));
  sandbox.put("model.pte", slurp(kMlp + "/model.pte"));
  CHECK(check_json(sandbox, "")["etrecord"].is_string());
  CHECK(check_json(sandbox, "--no-etrecord")["etrecord"].is_null());
  for (const std::string command : {"lines", "events", "advise", "annotate", "check"}) {
    const Outcome outcome = sandbox.run(command + " --no-etrecord");
    CAPTURE(command, outcome.err);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
  }
  CHECK(sandbox.run("size --no-etrecord").err.empty());
  CHECK(has(sandbox.run("size").err, "lines are those of model.etrecord"));
  CHECK(sandbox.run("lines --no-etrecord --etrecord model.etrecord").status == 2);
}

TEST_CASE("field: records of another model near a dump take nothing from it", "[cli]") {
  Sandbox sandbox;
  sandbox.put("run.etdp", slurp(kMlp + "/run10.etdp"));
  for (const std::string name : {"a", "b"})
    sandbox.put(name + ".etrecord",
                slurp(ETLENS_TEST_DATA "/release-1.5/gate-portable-fp32/model.etrecord"));
  const Outcome outcome = sandbox.run("events --etdump run.etdp");
  CHECK(outcome.status == 0);
  CHECK(has(outcome.out, "addmm"));
  CHECK(has(outcome.err, "do not belong together"));
  CHECK(has(outcome.err, "the record is left out"));
}

TEST_CASE("field: a comparison without a record that cannot be used", "[cli]") {
  Sandbox sandbox;
  for (const std::string side : {"base", "new"}) {
    sandbox.put(side + "/run.etdp", slurp(kMlp + "/run10.etdp"));
    sandbox.put(side + "/etrecord.bin", slurp(kField + "/unusable.etrecord.bin"));
  }
  const Outcome outcome = sandbox.run("diff --base base --new new");
  CAPTURE(outcome.out);
  CHECK(outcome.status == 0);
  CHECK(has(outcome.out, "Method::execute"));
  CHECK(has(outcome.err, "base/etrecord.bin"));
  CHECK(has(outcome.err, "new/etrecord.bin"));
  CHECK(has(outcome.err, "the record is left out"));
}

TEST_CASE("field: a dump at the level kProfileMethodOnly", "[cli]") {
  const Sandbox sandbox;
  const std::string pair = "--etdump " + kField + "/method-only.etdp --etrecord " + kMlpRecord;
  const nlohmann::json check = check_json(sandbox, pair);
  CHECK(check["pair"]["verdict"] == "unknown");
  CHECK(check["error"].is_null());
  CHECK(reports(check, "dump-method-only"));
  for (const std::string command : {"lines", "annotate", "events", "advise"}) {
    const Outcome outcome = sandbox.run(command + " " + pair);
    CAPTURE(command, outcome.out);
    CHECK(outcome.status == 0);
    CHECK(has(outcome.out, "µs typical"));
    CHECK(outcome.out.find("framework") == std::string::npos);
    CHECK(outcome.out.find("in kernels on the CPU") == std::string::npos);
    CHECK(outcome.out.find("strict=True") == std::string::npos);
    CHECK(has(outcome.err, "kProfileMethodOnly"));
    CHECK(has(outcome.err, "kProfileAllEvents"));
  }
}

TEST_CASE("field: a folder behind a symbolic link, and a file by any of its names", "[cli]") {
  Sandbox sandbox;
  const std::string example = ETLENS_EXAMPLES "/storyteller/";
  for (const std::string name :
       {"model.etdp", "model.etrecord", "layers.py", "model.py", "rope.py"})
    sandbox.put("real/" + name, slurp(example + name));
  std::filesystem::create_directory_symlink("real", sandbox.path("link"));
  std::filesystem::create_symlink("real/layers.py", sandbox.path("alias.py"));
  const std::string numbers = sandbox.run("annotate real/layers.py").out;
  REQUIRE(has(numbers, "return weights @ v"));
  for (const std::string arguments :
       {"link/layers.py", "--etdump link/model.etdp real/layers.py",
        "--etdump real/model.etdp link/layers.py", "--etdump link/model.etdp link/layers.py",
        "--etdump real/model.etdp alias.py",
        "--root link --etdump real/model.etdp real/layers.py"}) {
    const Outcome outcome = sandbox.run("annotate " + arguments);
    CAPTURE(arguments, outcome.err);
    CHECK(outcome.status == 0);
    CHECK(outcome.out.substr(outcome.out.find('\n')) == numbers.substr(numbers.find('\n')));
  }
  CHECK(has(sandbox.run("annotate link").out, "return weights @ v"));
  // Another file is none of it.
  sandbox.put("real/other.py", "x = 1\n");
  CHECK(sandbox.run("annotate link/other.py").status == 1);
}

TEST_CASE("field: clients that say on the command line who they are", "[cli]") {
  const Sandbox sandbox;
  // The stream that closes without a word is what is wrong, no argument.
  for (const std::string arguments :
       {"--clientProcessId=1", "--stdio --clientProcessId 1", "--clientProcessId=999999999"}) {
    const Outcome outcome = sandbox.run("lsp " + arguments);
    CAPTURE(arguments, outcome.err);
    CHECK(outcome.status == 1);
    CHECK(outcome.err.find("not expected") == std::string::npos);
  }
  CHECK(sandbox.run("lsp --clientProcessId=me").status == 2);
}

TEST_CASE("field: executions that broke off", "[cli]") {
  const Sandbox sandbox;
  const std::string pair =
      "--etdump " + kField + "/failed-executions.etdp --etrecord " + kMlpRecord;
  for (const std::string command : {"lines", "annotate", "events"}) {
    const Outcome outcome = sandbox.run(command + " " + pair);
    check_refused(outcome, {"failed-executions.etdp holds no whole execution", "broke off"});
    CHECK(outcome.err.find("EXECUTORCH_") == std::string::npos);
  }
  CHECK(has(check_json(sandbox, pair, 1)["error"], "broke off"));
}

TEST_CASE("field: blocks and events with a name behind theirs", "[cli]") {
  const Sandbox sandbox;
  const nlohmann::json check = check_json(
      sandbox, "--etdump " + kField + "/custom-block-names.etdp --etrecord " + kMlpRecord);
  CHECK(check["pair"]["verdict"] == "match");
  CHECK(check["coverage"]["lines"].get<double>() > 0.9);
}

TEST_CASE("field: the sample of release 0.1", "[cli]") {
  const Sandbox sandbox;
  const nlohmann::json check =
      check_json(sandbox, "--etdump " + kField + "/sample-0.1.etdp " + "--etrecord " + kField +
                              "/sample-0.1.etrecord.bin");
  CHECK(check["pair"]["verdict"] == "unknown");
  CHECK(reports(check, "record-map-empty"));
}

TEST_CASE("field: a dump in base64 inside a log", "[cli]") {
  Sandbox sandbox;
  const std::string dump = slurp(kMlp + "/run10.etdp");
  sandbox.put("run/console.log", "I: begin\nbase64 -i -d <<<\"\\\n" + base64_encode(dump) +
                                     "\\\n\" >etdump.bin\nI: end\n");
  sandbox.put("run/model.etrecord", slurp(kMlpRecord));
  for (const std::string arguments : {"run/console.log", "--etdump run/console.log"}) {
    const nlohmann::json check = check_json(sandbox, arguments);
    CHECK(check["pair"]["verdict"] == "match");
    CHECK(reports(check, "dump-in-log"));
  }
  CHECK(sandbox.run("lines run/console.log").status == 0);
  // A scan looks into no text.
  const Outcome scan = sandbox.run("check run");
  CHECK(scan.status == 0);
  CHECK(scan.out.find("none: not run yet") != std::string::npos);
}

TEST_CASE("field: the program inside a bundled one", "[cli]") {
  const Sandbox sandbox;
  const std::string bundle = kField + "/module-test.bpte";
  const auto size = nlohmann::json::parse(sandbox.run("size --format json " + bundle).out);
  CHECK(size["file_bytes"] == 1696);
  CHECK(sandbox.run("memory " + bundle).status == 0);
  // The record beside it maps nothing, so it is the record of no program.
  CHECK(sandbox.run("size " + bundle).err.find("lines are those of") == std::string::npos);
  CHECK(has(sandbox.run("size " + bundle).err, "inside a bundled program"));
}

TEST_CASE("field: weights and programs of torch are named as what they are", "[cli]") {
  const Sandbox sandbox;
  const std::string dump = " --etdump " + kMlp + "/run10.etdp --etrecord " + kMlpRecord;
  for (const std::string file : {"linear.ptd", "linear.pt2"}) {
    const std::string path = kField + "/" + file;
    const std::string what = file == "linear.ptd" ? "is a .ptd file" : "is a .pt2 archive";
    for (const std::string& command :
         {"size " + path, "memory " + path, "size --pte " + path, "lines --pte " + path + dump}) {
      CAPTURE(command);
      check_refused(sandbox.run(command), {path, what, "give the .pte program"});
    }
    check_refused(sandbox.run("lines --etdump " + path), {what, "give the ETDump"});
    check_refused(sandbox.run("lines " + path + dump), {what});
  }
}

TEST_CASE("field: a file that is not there is said before anything is searched", "[cli]") {
  const Sandbox sandbox;
  // The folder of /nope is all of the disk.
  for (const std::string command :
       {"annotate --etdump /nope", "lines --etrecord /nope", "events --pte /nope",
        "size --pte /nope", "memory /nope", "check --etdump /nope"}) {
    CAPTURE(command);
    check_refused(sandbox.run(command), {"/nope", "No such file"});
  }
  check_refused(sandbox.run("annotate --etdump /"), {"Is a directory"});
}

}  // namespace etlens::field_test
