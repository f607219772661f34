// SPDX-License-Identifier: Apache-2.0
// `etlens profile` with a script of the shell that stands in for Python: which one is started, with what, and what follows
// from its answer. tests/profile runs the part in Python, tests/executorch the real ExecuTorch.
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/process.h"
#include "tests/cli/sandbox.h"
#include "tests/support/json_schema.h"

namespace etlens::profile_test {

using namespace etlens::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kModel =
    "import torch\n\n\nclass Part(torch.nn.Module):\n    def forward(self, x):\n        return x\n\n\n"
    "class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.part = Part()\n\n"
    "    def forward(self, image, mask=None):\n        return self.part(image)\n";

// Writes down its arguments but the first two, which run the driver, and does `then`.
void put_program(Sandbox& sandbox, const std::string& path, const std::string& then) {
  fs::permissions(sandbox.put(path, "#!/bin/sh\n" + then + "\n"), fs::perms::owner_all);
}
void put_python(Sandbox& sandbox, const std::string& path, const std::string& then = "") {
  put_program(sandbox, path,
              "test \"$1\" = -c && test -n \"$ETLENS_PROFILE_DRIVER\" || exit 9\nshift 2\n"
              "printf '%s\\n' \"$0\" \"$@\" >'" +
                  sandbox.path("started") + "'\n" + then);
}

// What the driver answers.
std::string answers(const std::vector<std::string>& rows) {
  std::string text;
  for (const std::string& row : rows) text += "printf '" + row + "\\n'\n";
  return text;
}

std::string copies_artifacts(const Sandbox& sandbox) {
  return "cp '" + kMlp + "/run10.etdp' '" + sandbox.path("model.etdp") + "'\ncp '" + kMlp +
         "/model.etrecord' '" + sandbox.path("model.etrecord") + "'\n" +
         answers({"dump\\t" + sandbox.path("model.etdp")});
}

std::string started(const Sandbox& sandbox) { return slurp(sandbox.path("started")); }

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

json probe(const Sandbox& sandbox, const std::string& arguments) {
  const Outcome outcome = sandbox.run("profile --probe --json --python ./py " + arguments);
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  json document = json::parse(outcome.out);
  CHECK(misfit(document, json::parse(sandbox.run("schema profile-probe").out)) == "");
  return document;
}

}  // namespace

TEST_CASE("profile: the script is written once, run, and its numbers are shown and stored",
          "[cli]") {
  Sandbox sandbox;
  sandbox.put("net.py", kModel);
  put_python(sandbox, "py", copies_artifacts(sandbox));
  const Outcome first = sandbox.run(
      "profile net.py --python ./py --input 1x3x8x8 --input 1x4:int64 --executions 7 --yes");
  CAPTURE(first.err);
  CHECK(first.status == 0);
  CHECK(first.out == sandbox.run("annotate --etdump model.etdp").out);
  const std::string script = sandbox.path("profile_net.py");
  const std::string all = started(sandbox);
  CAPTURE(all);
  CHECK(all.starts_with(sandbox.path("py") + "\nmode=run\nscript=" + script +
                        "\nrunner=python\nbackend=xnnpack\nregistered=XnnpackBackend\n"));
  CHECK(
      all.ends_with("partitioner=[XnnpackPartitioner()]\nquantize=none\nstrict=auto\n"
                    "input=1x3x8x8,1x4:int64\nexecutions=7\nyes=1\n"));
  CHECK(has(slurp(script), "from net import Net"));
  CHECK(fs::exists(sandbox.path(".etlens/runs/1/model.etdp")));
  CHECK(has(first.err, "run 1: "));
  sandbox.put("profile_net.py", "# mine, of Net\n");
  const Outcome again = sandbox.run("profile net.py:Net --python ./py --no-store");
  CHECK(again.status == 0);
  CHECK(slurp(script) == "# mine, of Net\n");
  CHECK(has(again.err, "was there already"));
  CHECK_FALSE(has(started(sandbox), "partitioner="));  // the script has its own
  CHECK_FALSE(fs::exists(sandbox.path(".etlens/runs/2")));
}

TEST_CASE("profile: a script of another class is not run", "[cli]") {
  Sandbox sandbox;
  sandbox.put("net.py", kModel);
  put_python(sandbox, "py", copies_artifacts(sandbox));
  sandbox.put("profile_net.py", "from net import Net, Parts\n");
  check_refused(sandbox.run("profile net.py:Part --python ./py"),
                {"profile_net.py was written for another class than Part", "-o FOLDER"}, 2);
  CHECK_FALSE(fs::exists(sandbox.path("started")));
  const json document = probe(sandbox, "net.py:Part");
  CHECK(document["problems"][0]["id"] == "script");
  CHECK(document["problems"][0]["stops"] == true);
  check_refused(sandbox.run("profile net.py:Nat --python ./py"), {"no class Nat"}, 2);
}

TEST_CASE("profile: Python is that of the environment, of a folder above, or named", "[cli]") {
  ::unsetenv("VIRTUAL_ENV");
  Sandbox sandbox;
  sandbox.put("project/src/net.py", kModel);
  put_python(sandbox, "project/.venv/bin/python", "exit 1");
  CHECK(sandbox.run("profile project/src/net.py").status == 1);
  CHECK(started(sandbox).starts_with(sandbox.path("project/.venv/bin/python\n")));
  put_python(sandbox, "other/bin/python", "exit 1");
  CHECK(sandbox.run("profile project/src/net.py --python other").status == 1);
  CHECK(started(sandbox).starts_with(sandbox.path("other/bin/python\n")));
  check_refused(sandbox.run("profile project/src/none.py"), {"none.py"});
  const Outcome missing = sandbox.run("profile project/src/net.py --python no/such/python");
  CHECK(missing.status == 1);
  CHECK(has(missing.err, "no/such/python cannot be started"));
  CHECK(has(missing.err, "--python"));
}

TEST_CASE("profile: what ends without a dump shows nothing and stores nothing", "[cli]") {
  Sandbox sandbox;
  sandbox.put("net.py", kModel);
  sandbox.put("model.etdp", "an earlier dump");
  put_python(sandbox, "py", "echo 'etlens: no executorch' >&2; exit 1");
  const Outcome failed = sandbox.run("profile net.py --python ./py");
  CHECK(failed.status == 1);
  CHECK(failed.out.empty());
  CHECK(has(failed.err, "etlens: no executorch\n"));
  put_python(sandbox, "py", "exit 0");
  const Outcome nothing = sandbox.run("profile net.py --python ./py");
  CHECK(nothing.status == 1);
  CHECK(has(nothing.err, "wrote no ETDump"));
  CHECK(slurp(sandbox.path("model.etdp")) == "an earlier dump");
  CHECK_FALSE(fs::exists(sandbox.path(".etlens")));
}

TEST_CASE("profile: the probe writes and runs nothing, and has what Python answers", "[cli]") {
  Sandbox sandbox;
  sandbox.put("net.py", kModel);
  put_python(
      sandbox, "py",
      answers({"python\\t/usr/bin/py", "version\\ttorch\\t2.13.0", "version\\tetlens\\t",
               "tracer\\t1", "backend\\tXnnpackBackend", "new\\tkind",
               "problem\\tpackage\\tno etlens\\tinstall it\\tpip install etlens\\t0",
               "needs_inputs\\t1", "input\\timage\\t1x3x8x8:float32\\tlayer\\tthe layer a"}));
  const json document = probe(sandbox, "net.py");
  CHECK(document["model"] == sandbox.path("net.py"));
  CHECK(document["class_name"] == "Net");
  CHECK(document["script"] == sandbox.path("profile_net.py"));
  CHECK(document["script_exists"] == false);
  CHECK(document["python"] == "/usr/bin/py");
  CHECK(document["versions"]["torch"] == "2.13.0");
  CHECK(document["versions"]["etlens"].is_null());
  CHECK(document["tracer"] == true);
  CHECK(document["backends"] == json::array({"XnnpackBackend"}));
  CHECK(document["problems"] == json::array({{{"id", "package"},
                                              {"text", "no etlens"},
                                              {"remedy", "install it"},
                                              {"command", "pip install etlens"},
                                              {"stops", false}}}));
  CHECK(document["inputs"] == json::array({{{"name", "image"},
                                            {"guess", "1x3x8x8:float32"},
                                            {"origin", "layer"},
                                            {"source", "the layer a"}}}));
  CHECK(document["dump"] == sandbox.path("model.etdp"));
  CHECK(has(started(sandbox), "\nmode=probe\n"));
  CHECK(has(started(sandbox), "\nsource=\"\"\"Exports Net"));
  CHECK_FALSE(fs::exists(sandbox.path("profile_net.py")));
  const Outcome text = sandbox.run("profile net.py --probe --python ./py");
  CHECK(has(text.out, "input    image: 1x3x8x8:float32, guessed from the layer a\n"));
  CHECK(has(text.out, "note     no etlens; install it: pip install etlens\n"));
  check_refused(sandbox.run("profile net.py --json --python ./py"), {"--json needs --probe"}, 2);
}

TEST_CASE("profile: the probe without Python has the arguments of forward", "[cli]") {
  Sandbox sandbox;
  sandbox.put("net.py", kModel);
  const json document = probe(sandbox, "net.py");
  CHECK(document["python"].is_null());
  REQUIRE(document["problems"].size() == 1);
  CHECK(document["problems"][0]["id"] == "python");
  CHECK(document["problems"][0]["stops"] == true);
  REQUIRE(document["inputs"].size() == 1);  // mask has a default
  CHECK(document["inputs"][0]["name"] == "image");
  CHECK(document["inputs"][0]["guess"].is_null());
}

TEST_CASE("profile: the probe reports that Python crashed", "[cli]") {
  Sandbox sandbox;
  sandbox.put("net.py", kModel);
  put_python(sandbox, "py", answers({"version\\ttorch\\t2.13.0"}) + "exit 3");
  const json document = probe(sandbox, "net.py");
  CHECK(document["versions"]["torch"] == "2.13.0");
  REQUIRE(document["problems"].size() == 1);
  CHECK(document["problems"][0]["text"] == "Python ended early, with status 3");
}

TEST_CASE("profile: processes that outlive Python keep nobody waiting", "[cli]") {
  Sandbox sandbox;
  sandbox.put("net.py", kModel);
  put_python(sandbox, "py",
             answers({"version\\ttorch\\t2.13.0"}) + "sleep 1000 2>/dev/null &\necho $! >'" +
                 sandbox.path("left") + "'");
  const json document = probe(sandbox, "net.py");
  CHECK(document["versions"]["torch"] == "2.13.0");
  CHECK(::kill(std::stoi(slurp(sandbox.path("left"))), SIGKILL) == 0);  // it was still there
}

TEST_CASE("profile: an interruption is Python's to end", "[cli]") {
  Sandbox sandbox;
  sandbox.put("net.py", kModel);
  const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
  REQUIRE(::mkfifo(sandbox.path("ready").c_str(), 0600) == 0);
  put_python(sandbox, "py",
             "trap 'kill $!; echo undone >&2; exit 1' INT TERM HUP\n(echo >'" +
                 sandbox.path("ready") + "'; exec sleep 1000) &\nwait $!");
  Process process(sandbox.path(), {"profile", "net.py", "--python", "./py"});
  slurp(sandbox.path("ready"));                // it waits now, for a process that a signal ends
  if (signal == SIGINT) process.send(signal);  // as a terminal does
  else process.send_alone(signal);
  const Ended ended = process.wait();
  CAPTURE(ended.err);
  CHECK(ended.status == 1);
  CHECK(ended.out.empty());
  CHECK(ended.err.ends_with("undone\n"));
}

TEST_CASE("profile: a phone is asked for before anything is exported, then runs the program",
          "[cli]") {
  Sandbox sandbox;
  sandbox.put("net.py", kModel);
  sandbox.put("runner", "");
  put_python(sandbox, "py",
             "cp '" + kMlp + "/model.pte' '" + kMlp + "/model.etrecord' '" + sandbox.path() + "'");
  const auto profile = [&](const std::string& more) {
    return sandbox.run("profile net.py --runner adb --python ./py --executions 9 " + more);
  };
  const std::string path = ::getenv("PATH");
  const auto with = [&](const std::string& runner) {
    ::setenv("PATH", (sandbox.path("bin") + ":" + path).c_str(), 1);
    ::setenv("RUNNER", runner.c_str(), 1);
  };
  with("no/such/runner");
  check_refused(profile(""), {"no/such/runner is not a file", "RUNNER", "run_on_android.sh"});
  with("runner");
  put_program(sandbox, "bin/adb", "echo 'error: no devices/emulators found' >&2; exit 1");
  CHECK(has(profile("").err, "adb finds no phone that it may use"));
  put_program(sandbox, "bin/adb", "echo unauthorized");
  CHECK(has(profile("").err, "allow debugging over USB"));
  CHECK(probe(sandbox, "net.py --runner adb")["problems"][0]["id"] == "adb");
  CHECK_FALSE(fs::exists(sandbox.path("profile_net.py")));

  put_program(sandbox, "bin/adb",
              "echo \"$@\" >>'" + sandbox.path("told") +
                  "'\n[ \"$1\" != get-state ] || echo device\n" + "[ \"$1\" != pull ] || cp '" +
                  kMlp + "/run10.etdp' \"$3\"");
  const Outcome ran = profile("--no-store");
  CAPTURE(ran.err);
  CHECK(ran.status == 0);
  CHECK(ran.out == sandbox.run("annotate --etdump model.etdp").out);
  const std::string told = slurp(sandbox.path("told"));
  CHECK(has(told, "push " + sandbox.path("runner") + " "));
  CHECK(has(told, "--num_executions=9 "));
  CHECK(has(started(sandbox), "\nrunner=adb\n"));

  const std::string before = slurp(sandbox.path("model.etdp"));
  put_program(
      sandbox, "bin/adb",
      "[ \"$1\" != get-state ] || echo device\n[ \"$1\" != pull ] || { echo half >\"$3\"; exit 1; }");
  const Outcome torn = profile("--no-store");
  CHECK(torn.status == 1);
  CHECK(has(torn.err, "an earlier dump is as it was"));
  CHECK(slurp(sandbox.path("model.etdp")) == before);
  ::setenv("PATH", path.c_str(), 1);
  ::unsetenv("RUNNER");
}

TEST_CASE("profile: for a C++ program it exports, and lists the steps", "[cli]") {
  Sandbox sandbox;
  sandbox.put("net.py", kModel);
  put_python(sandbox, "py");
  const Outcome ran = sandbox.run("profile net.py --runner cpp --python ./py");
  CAPTURE(ran.err);
  CHECK(ran.status == 0);
  CHECK(has(ran.out, "1. build " + sandbox.path("profile.cpp")));
  CHECK(has(ran.out, "EXECUTORCH_ENABLE_EVENT_TRACER=ON"));
  CHECK(has(ran.out,
            "4. etlens " + fs::path(sandbox.path("profile.cpp")).parent_path().string() + "\n"));
  CHECK(fs::exists(sandbox.path("profile.cpp")));
  CHECK(fs::exists(sandbox.path("describe_run.sh")));
  CHECK_FALSE(has(slurp(sandbox.path("profile_net.py")), "def run("));
}

}  // namespace etlens::profile_test
