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

TEST_CASE("a write to a part is of the part that the nodes find", "[recover]") {
  const std::string both =
      "if open_flag():\n    x[:, 0] = 1.0\nelse:\n    x[:, 1] = 1.0\nreturn torch.relu(x)";
  CHECK(lines_of(net(both), {"setitem[:,0]", "relu"})[0] == "x[:, 0] = 1.0");
  CHECK(lines_of(net(both), {"setitem[:,1]", "relu"})[0] == "x[:, 1] = 1.0");
  // Neither of them; and one that is taken out takes no line of another.
  CHECK(lines_of(net(both), {"setitem[0]", "relu"})[0].empty());
  CHECK(lines_of(net("x[0] = 1.0\nx[1] = 1.0\nreturn torch.relu(x)"),
                 {"setitem[0]", "setitem[:,2]", "setitem[1]", "relu"})[1]
            .empty());
  const auto said = [](const std::string& part, const std::string& found) {
    return !lines_of(net("x[" + part + "] = 1.0\nreturn torch.relu(x)"),
                     {"setitem[" + found + "]", "relu"})[0]
                .empty();
  };
  for (const auto& [part, found] :
       std::vector<std::pair<std::string, std::string>>{{"0", "0"},
                                                        {"-1", "1"},
                                                        {"1:", "1:"},
                                                        {"1:", "1:2"},
                                                        {"-1:", "1:2"},
                                                        {":, -2:", ":,1:"},
                                                        {"..., 2", ":,2"},
                                                        {"0, 1:", "0,1:"},
                                                        {"0:, 1", ":,1"},
                                                        {"0:2, 1", "0:2,1"},
                                                        {":", ":"},
                                                        {"...", ":"},
                                                        {"unknown_name()", "0"}}) {
    INFO(part << " is " << found);
    CHECK(said(part, found));
  }
  for (const auto& [part, found] :
       std::vector<std::pair<std::string, std::string>>{{"0", "1"},
                                                        {"-1", "0"},
                                                        {"0", ":,0"},
                                                        {"..., 0", "0"},
                                                        {"1:", ":1"},
                                                        {":, :2", ":,1:"},
                                                        {"0, 1:", "0,1"},
                                                        {"0", "0,1"},
                                                        {"0, 1", "0"},
                                                        {"0", ":"},
                                                        {":", "0"}}) {
    INFO(part << " is not " << found);
    CHECK(!said(part, found));
  }
}

TEST_CASE("what computes in place with a part is of the part that the nodes find", "[recover]") {
  const std::string both =
      "if open_flag():\n    x[:, 0] += 1\nelse:\n    x[:, 1] += 1\nreturn torch.relu(x)";
  CHECK(lines_of(net(both), {"add_[:,0]", "setitem[:,0]", "relu"}) ==
        Lines{"x[:, 0] += 1", "x[:, 0] += 1", "return torch.relu(x)"});
  CHECK(lines_of(net(both), {"add_[:,1]", "setitem[:,1]", "relu"}) ==
        Lines{"x[:, 1] += 1", "x[:, 1] += 1", "return torch.relu(x)"});
  CHECK(lines_of(net(both), {"add_[:,2]", "setitem[:,2]", "relu"})[0].empty());
}

TEST_CASE("a part is known by sizes that are no numbers", "[recover]") {
  const std::string both =
      "if open_flag():\n    x[: x.size(0)] = 1.0\nelse:\n    x[: x.shape[1]] = 1.0\n"
      "return torch.relu(x)";
  CHECK(lines_of(net(both), {"setitem[:@0]", "relu"})[0] == "x[: x.size(0)] = 1.0");
  CHECK(lines_of(net(both), {"setitem[:@1]", "relu"})[0] == "x[: x.shape[1]] = 1.0");
  CHECK(lines_of(net("x[:2] = 1.0\nreturn torch.relu(x)"), {"setitem[:@1]", "relu"})[0].empty());
  CHECK(lines_of(net("x[: x.size(1)] = 1.0\nreturn torch.relu(x)"),
                 {"setitem[:2]", "setitem[:,@1]", "relu"})[0]
            .empty());
}

TEST_CASE("many trifles make no explanation doubtful", "[recover]") {
  const std::string open =
      "for i in range(120):\n    unknown_name()\n"
      "if open_flag():\n    torch.abs(x)\n    return torch.relu(x)  # dead\n"
      "return torch.relu(x)  # alone";
  CHECK(lines_of(net(open), {"relu"}) == Lines{"return torch.relu(x)  # alone"});
}
