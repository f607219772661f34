// SPDX-License-Identifier: Apache-2.0
// The search: what the model is given, in which order runs are tried, and where they end.
#include "tests/core/recover/interpreter/small_model.h"

using namespace etlens;
using namespace etlens::test;

namespace {

std::string model_of(const std::string& parameters, const std::string& inside) {
  return "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, " + parameters +
         "):\n        return self.run(" + parameters + ")  # forward\n\n    def run(self, " +
         parameters + "):\n" + indented(inside, "        ");
}

}  // namespace

TEST_CASE("a tensor that is given twice is read under its last name", "[recover]") {
  const std::string twice = model_of("a, x", "a = torch.relu(a)\nreturn torch.sigmoid(a)");
  const std::vector<std::string> both{"a = torch.relu(a)", "return torch.sigmoid(a)"};
  CHECK(lines_of(twice, {"relu", "sigmoid"}, {}, nullptr, {{"a", "2, 3"}}) == both);
  // Of another shape it is another tensor.
  CHECK(lines_of(twice, {"relu", "sigmoid"}, {}, nullptr, {{"a", "3, 2"}})[0].empty());
  // Nothing says so where all is explained without.
  const std::string either =
      model_of("a, x",
               "y = torch.relu(a) if open_flag() else \\\n    torch.relu(x)\n"
               "return torch.sigmoid(y)");
  CHECK(lines_of(either, {"relu", "sigmoid"}, {}, nullptr, {{"a", "2, 3"}})[0] == "torch.relu(x)");
}

TEST_CASE("what is open behind the last unit is no question", "[recover]") {
  std::string inside = "x = torch.relu(x)\n";
  for (int i = 0; i < 12; ++i) inside += fmt::format("if open_flag_{0}():\n    y{0} = 1\n", i);
  size_t runs = 0;
  CHECK(lines_of(model_of("x", inside + "return x"), {"relu"}, {}, &runs)[0] ==
        "x = torch.relu(x)");
  CHECK(runs < 5);
  // The cheapest way to the end counts: without it the line would be as likely as the other one.
  const std::string dear =
      model_of("x",
               "if open_flag():\n    x = torch.relu(x)\n    if another():\n"
               "        torch.sigmoid(x)\n        torch.tanh(x)\n    return x\n"
               "y = torch.relu(x)\ntorch.sigmoid(y)\ntorch.tanh(y)\nreturn y");
  CHECK(lines_of(dear, {"relu"})[0] == "x = torch.relu(x)");
}

TEST_CASE("a choice that was wrong at the beginning is not changed last", "[recover]") {
  std::string inside = "if open_flag():\n    f = torch.tanh\nelse:\n    f = torch.relu\n";
  for (int i = 0; i < 14; ++i) inside += fmt::format("if open_flag_{0}():\n    y{0} = 1\n", i);
  size_t runs = 0;
  CHECK(lines_of(model_of("x", inside + "x = f(x)\nreturn torch.sigmoid(x)"), {"relu", "sigmoid"},
                 {}, &runs) == std::vector<std::string>{"x = f(x)", "return torch.sigmoid(x)"});
  CHECK(runs < 250);
}

TEST_CASE("a call that left no node does not wait for every way that leads to it", "[recover]") {
  std::string inside = "x = torch.relu(x)\n";
  for (int i = 0; i < 12; ++i) inside += fmt::format("if open_flag_{0}():\n    y{0} = 1\n", i);
  size_t runs = 0;
  const std::vector<std::string> found = lines_of(
      model_of(
          "x",
          inside + "torch.sigmoid(torch.zeros(3))\nx = torch.sigmoid(x)\nreturn torch.tanh(x)"),
      {"relu", "sigmoid", "tanh"}, {}, &runs);
  CHECK(found == std::vector<std::string>{"x = torch.relu(x)", "x = torch.sigmoid(x)",
                                          "return torch.tanh(x)"});
  CHECK(runs < 250);
}

TEST_CASE("no more calls are seen than torch counted", "[recover]") {
  // Nothing in memory is moved: contiguous() leaves no node, but for the last one.
  const std::string either = model_of("x",
                                      "if open_flag():\n    x = torch.relu(x.contiguous())\n"
                                      "else:\n    x = torch.relu(x)\n"
                                      "return x.contiguous()");
  CHECK(lines_of(either, {"relu", "contiguous#1"})[0] == "x = torch.relu(x)");
  // There may be more calls than those that a run sees.
  CHECK(lines_of(either, {"relu", "contiguous#2"})[0].empty());
}
