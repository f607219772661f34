// SPDX-License-Identifier: Apache-2.0
// Parts of tensors that are updated, and what doubt is worth.
#include "tests/core/recover/interpreter/small_model.h"

using namespace etlens;
using namespace etlens::test;

namespace {

std::string net(const std::string& inside, const std::string& before = "") {
  return "import torch\n" + before +
         "\n\nclass Net(torch.nn.Module):\n"
         "    def forward(self, x):\n"
         "        return self.run(x)  # forward\n\n"
         "    def run(self, x):\n" +
         indented(inside, "        ");
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("an update of a part is read, computed and written, each once", "[recover]") {
  const std::string twice = net("x[0] += 1\nx[1:] += 2\nreturn torch.relu(x)");
  const std::string first = "x[0] += 1";
  const std::string second = "x[1:] += 2";
  const std::string last = "return torch.relu(x)";
  CHECK(lines_of(twice, {"getitem", "add_", "setitem", "getitem", "add_", "setitem", "relu"}) ==
        Lines{first, first, first, second, second, second, last});
  // A part of what was written before is read by what computes.
  CHECK(lines_of(twice, {"getitem", "add_", "setitem", "add_", "setitem", "relu"}) ==
        Lines{first, first, first, second, second, last});
  // No line takes what two wrote.
  CHECK(lines_of(net("x[0] += 1\nreturn torch.relu(x)"),
                 {"getitem", "add_", "setitem", "add_", "setitem", "relu"})[3]
            .empty());
}

TEST_CASE("an update takes the operator that it is written with", "[recover]") {
  const std::string either =
      "if open_flag():\n    x[0] += 1\nelse:\n    x[0] -= 1\nreturn torch.relu(x)";
  CHECK(lines_of(net(either), {"getitem", "sub_", "setitem", "relu"})[1] == "x[0] -= 1");
  CHECK(lines_of(net(either), {"getitem", "add_", "setitem", "relu"})[1] == "x[0] += 1");
  for (const auto& [sign, name] : std::map<std::string, std::string>{{"*", "mul_"},
                                                                     {"/", "div_"},
                                                                     {"//", "floor_divide_"},
                                                                     {"%", "remainder_"},
                                                                     {"**", "pow_"},
                                                                     {"&", "__iand__"},
                                                                     {"|", "__ior__"},
                                                                     {"^", "__ixor__"},
                                                                     {"<<", "__ilshift__"},
                                                                     {">>", "__irshift__"}}) {
    const std::string line = "x[:, 1:] " + sign + "= 2";
    CHECK(lines_of(net(line + "\nreturn torch.relu(x)"), {"getitem", name, "setitem", "relu"}) ==
          Lines{line, line, line, "return torch.relu(x)"});
  }
}

TEST_CASE("many trifles make no explanation doubtful", "[recover]") {
  const std::string open =
      "for i in range(120):\n    unknown_name()\n"
      "if open_flag():\n    torch.abs(x)\n    return torch.relu(x)  # dead\n"
      "return torch.relu(x)  # alone";
  CHECK(lines_of(net(open), {"relu"}) == Lines{"return torch.relu(x)  # alone"});
}
