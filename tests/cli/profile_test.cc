// SPDX-License-Identifier: Apache-2.0
// `etlens profile` with an interpreter that stands in for Python: which one is started, with what, and what follows.
// tests/executorch runs the real one.
#include <filesystem>

#include "tests/cli/sandbox.h"
#include "tests/support/corpus.h"

namespace etlens::profile_test {

using namespace etlens::test;
namespace fs = std::filesystem;

namespace {

constexpr const char* kModel =
    "import torch\n\n\nclass Part(torch.nn.Module):\n    def forward(self, x):\n        return x\n\n\n"
    "class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.part = Part()\n\n"
    "    def forward(self, x):\n        return self.part(x)\n";

// Writes down its arguments but the driver's text, and does `then`.
void put_python(Sandbox& sandbox, const std::string& path, const std::string& then = "") {
  const std::string text =
      "#!/bin/sh\ntest \"$1\" = -c || exit 9\nshift 2\nprintf '%s\\n' \"$0\" \"$@\" >'" +
      sandbox.path("started") + "'\n" + then + "\n";
  fs::permissions(sandbox.put(path, text), fs::perms::owner_all);
}

std::string copies_artifacts(const Sandbox& sandbox) {
  return "cp '" + kMlp + "/run10.etdp' '" + sandbox.path("model.etdp") + "'\ncp '" + kMlp +
         "/model.etrecord' '" + sandbox.path("model.etrecord") + "'";
}

std::string started(const Sandbox& sandbox) { return slurp(sandbox.path("started")); }

}  // namespace

TEST_CASE("profile: the script is written once, run, and its numbers are shown and stored",
          "[cli]") {
  Sandbox sandbox;
  sandbox.put("net.py", kModel);
  put_python(sandbox, "py", copies_artifacts(sandbox));
  const Outcome first =
      sandbox.run("profile net.py --python ./py --input 1x3x8x8 --input 1x4:int64 --executions 7");
  CAPTURE(first.err);
  CHECK(first.status == 0);
  CHECK(first.out == sandbox.run("annotate --etdump model.etdp").out);
  const std::string script = sandbox.path("profile_net.py");
  CHECK(
      started(sandbox) ==
      sandbox.path("py") + "\nscript=" + script +
          "\nbackend=xnnpack\nquantize=none\nstrict=auto\ninput=1x3x8x8,1x4:int64\nexecutions=7\n");
  CHECK(slurp(script).find("from net import Net") != std::string::npos);
  CHECK(fs::exists(sandbox.path(".etlens/runs/1/model.etdp")));
  CHECK(first.err.find("run 1: ") != std::string::npos);
  sandbox.put("profile_net.py", "# mine\n");
  const Outcome again = sandbox.run("profile net.py:Part --python ./py --no-store");
  CHECK(again.status == 0);
  CHECK(slurp(script) == "# mine\n");
  CHECK(again.err.find("was there already") != std::string::npos);
}

TEST_CASE("profile: Python is that of the environment, of a folder above, or named", "[cli]") {
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
  CHECK(missing.err.find("--python") != std::string::npos);
}

TEST_CASE("profile: what ends without a dump shows nothing and stores nothing", "[cli]") {
  Sandbox sandbox;
  sandbox.put("net.py", kModel);
  put_python(sandbox, "py", "echo 'etlens: no executorch' >&2; exit 1");
  const Outcome failed = sandbox.run("profile net.py --python ./py");
  CHECK(failed.status == 1);
  CHECK(failed.out.empty());
  CHECK(failed.err.find("etlens: no executorch\n") != std::string::npos);
  put_python(sandbox, "py", "exit 0");
  const Outcome nothing = sandbox.run("profile net.py --python ./py");
  CHECK(nothing.status == 1);
  CHECK(nothing.err.find("wrote no model.etdp") != std::string::npos);
  CHECK_FALSE(fs::exists(sandbox.path(".etlens")));
}

}  // namespace etlens::profile_test
