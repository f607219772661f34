// SPDX-License-Identifier: Apache-2.0
// What etlens init takes for a model, and what it writes. Whether the script runs: tests/scaffold.
#include "core/scaffold/scaffold.h"

#include "core/base/text.h"
#include "core/scaffold/lowering_target.h"
#include "core/scaffold/python_names.h"
#include "core/source/python/python_tree.h"

namespace etlens::scaffold_test {

namespace {

std::vector<ModelClass> classes_of(const std::string& text) {
  return model_classes(*PythonSyntax::parse(std::make_shared<Document>(text)));
}

const std::string kModel = R"(
class Block(nn.Module):
    def forward(self, x): return x

@dataclass
class Config:
    dim: int = 3

class Net(nn.Module):
    def __init__(self, config: Config, *rest, depth=2, width: int = 4, **others):
        super().__init__()
        self.block = Block()

    @torch.no_grad()
    def forward(self, x: Tensor, ids: Optional[Tensor], mask=None): return x
)";

}  // namespace

TEST_CASE("scaffold: classes with a forward, their parameters, parts of others", "[scaffold]") {
  const std::vector<ModelClass> models = classes_of(kModel);
  REQUIRE(models.size() == 2);
  CHECK(models[0].name == "Block");
  CHECK(models[0].line == 2);
  CHECK(models[0].is_part);
  const ModelClass& net = models[1];
  CHECK_FALSE(net.is_part);
  REQUIRE(net.constructor.size() == 3);
  CHECK(net.constructor[0].name == "config");
  CHECK(net.constructor[0].type == "Config");
  CHECK_FALSE(net.constructor[0].is_optional);
  CHECK(net.constructor[1].is_optional);
  CHECK(net.constructor[2].type == "int");
  REQUIRE(net.inputs.size() == 3);
  CHECK(net.inputs[1].type == "Optional[Tensor]");
  CHECK(net.inputs[2].is_optional);
  CHECK(classes_of("class A(nn.Module:\n").empty());
}

TEST_CASE("scaffold: every script is Python, with what the model needs", "[scaffold]") {
  for (const LoweringTarget& lowering : lowering_targets()) {
    const std::string backend(lowering.name);
    for (const Runner runner : {Runner::Python, Runner::Adb, Runner::Cpp}) {
      const std::vector<ScaffoldFile> files =
          *scaffold({classes_of(kModel)[1], "nets.net", "/a \"folder\"", backend, runner});
      CHECK(files.size() == (runner == Runner::Python ? 1 : 3));
      const std::string& text = files[0].text;
      CAPTURE(text);
      CHECK(files[0].name == "profile_net.py");
      CHECK(PythonSyntax::parse(std::make_shared<Document>(text))->is_valid());
      CHECK(text.find('@') == std::string::npos);
      CHECK(text.find("from nets.net import Net\n") != std::string::npos);
      CHECK(text.find("sys.path.insert(0, \"/a \\\"folder\\\"\")\n") != std::string::npos);
      CHECK(text.find("    config = ...  # Config\n    return Net(config=config)\n") !=
            std::string::npos);
      CHECK(text.find("    x = ...  # Tensor\n    ids = ...  # Optional[Tensor]\n"
                      "    return (x, ids,)\n") != std::string::npos);
      CHECK(text.find("partitioner=[" + std::string(lowering.partitioner) + "]") !=
            std::string::npos);
      CHECK(text.find("\nimport torch\n" + std::string(lowering.import)) != std::string::npos);
      CHECK((text.find("def run(") != std::string::npos) == (runner == Runner::Python));
    }
  }
}

TEST_CASE("scaffold: a class may have the name of what a script imports", "[scaffold]") {
  for (const LoweringTarget& lowering : lowering_targets()) {
    const std::string name(lowering.partitioner.substr(0, lowering.partitioner.find('(')));
    if (name.empty()) continue;
    ModelClass model = classes_of(kModel)[0];
    model.name = name;
    const std::string text =
        (*scaffold({model, "net", "", std::string(lowering.name), Runner::Python}))[0].text;
    CHECK(text.find("import " + name + " as model_class\n") != std::string::npos);
  }
  const auto unknown = scaffold({classes_of(kModel)[0], "net", "", "abacus", Runner::Python});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().message.find("abacus") != std::string::npos);
}

TEST_CASE("scaffold: names of a source are put in once", "[scaffold]") {
  ModelClass model = classes_of(kModel)[0];
  model.inputs[0].type = "\"@RUN@\"";
  const std::string text = (*scaffold({model, "net", "", "portable", Runner::Adb}))[0].text;
  CHECK(text.find("x = ...  # \"@RUN@\"\n") != std::string::npos);
}

namespace {

// What there is in a script beside comments.
std::vector<std::string> statements_of(const std::string& script) {
  const auto syntax = PythonSyntax::parse(std::make_shared<Document>(script));
  REQUIRE(syntax->is_valid());
  const std::shared_ptr<const PythonTree> tree = syntax->tree();
  std::vector<std::string> kinds;
  for (const PythonNode& node : tree->nodes)
    kinds.push_back(std::to_string(static_cast<int>(node.kind)));
  return kinds;
}

ModelClass model_with(std::string name, std::string parameter, std::string type) {
  ModelClass model;
  model.name = std::move(name);
  model.constructor = {{parameter, type, false}};
  model.inputs = {{std::move(parameter), std::move(type), false}};
  return model;
}

// Texts that end a comment, a string or a name somewhere.
const std::string kHostile[] = {
    "int\rimport os",
    "int\r\nimport os",
    "int\nimport os",
    "int\x0bimport os",
    "int\x0cimport os",
    "int\u0085import os",
    "int\u2028import os",
    "int\u2029import os",
    std::string("int\0import os", 13),
    "x\x1aimport os",
    "\"\"\"\nimport os\n\"\"\"",
    "'); import os; ('",
    "\\",
    "x\\\rimport os",
    "\xFF\xFE\rimport os",
    "@CONSTRUCTION@\rimport os",
    "$(touch x)`touch y`",
    "x; import os",
    "\u202Ex\u202C\rimport os",
};

}  // namespace

TEST_CASE("scaffold: no annotation becomes code", "[scaffold]") {
  const auto plain = scaffold({model_with("Net", "x", ""), "net", "/f", "xnnpack", Runner::Python});
  const std::vector<std::string> expected = statements_of((*plain)[0].text);
  size_t comments = 0;
  for (const std::string& text : kHostile) {
    CAPTURE(text);
    for (const Runner runner : {Runner::Python, Runner::Adb, Runner::Cpp}) {
      const auto files = scaffold({model_with("Net", "x", text), "net", "/f", "xnnpack", runner});
      REQUIRE(files);
      const std::string& script = (*files)[0].text;
      for (const char* ending : {"\r", "\x0b", "\x0c", "\x1a", "\u0085", "\u2028"})
        CHECK(script.find(ending) == std::string::npos);
      CHECK(script.find('\0') == std::string::npos);
      comments += script.find("import os") != std::string::npos;
      for (const std::string_view line : split_lines(script)) {
        const size_t at = line.find("import os");
        if (at != std::string_view::npos) CHECK(line.find("  # ") < at);
      }
      if (runner == Runner::Python) CHECK(statements_of(script) == expected);
    }
  }
  CHECK(comments > 0);  // those of one line are shown
}

TEST_CASE("scaffold: no name becomes code, and what is none is refused", "[scaffold]") {
  std::vector<std::string> bad(std::begin(kHostile), std::end(kHostile));
  for (const char* name :
       {"", "class", "import", "None", "__debug__", "await", "1x", "a b", "a.b", "a-b", "a\u200Bb",
        "a\u00A0b", "\u2028", "x\xC3", "a=b", "x:", "(x)", "*x", "lambda"})
    bad.emplace_back(name);
  for (const std::string& name : bad) {
    CAPTURE(name);
    const auto of = [](ModelClass model, std::string module) {
      return scaffold({std::move(model), std::move(module), "", "xnnpack", Runner::Python});
    };
    CHECK_FALSE(of(model_with(name, "x", ""), "net"));
    CHECK_FALSE(of(model_with("Net", name, ""), "net"));
    if (name != "a.b") CHECK_FALSE(of(model_with("Net", "x", ""), name));
    if (name != "a.b") CHECK_FALSE(of(model_with("Net", "x", ""), "nets." + name));
  }
  // Python would import fi.py.
  CHECK_FALSE(scaffold({model_with("Net", "x", ""), "\uFB01", "", "xnnpack", Runner::Python}));
  CHECK(scaffold(
      {model_with("Gr\u00F6\u00DFe", "\u6DF1", ""), "net", "", "xnnpack", Runner::Python}));
}

TEST_CASE("scaffold: a class named like something of the script has another name there",
          "[scaffold]") {
  for (const char* name : {"main", "torch", "make_model", "Path", "export", "sys", "any"}) {
    CAPTURE(name);
    const auto files = scaffold({model_with(name, "x", ""), "net", "", "xnnpack", Runner::Python});
    REQUIRE(files);
    const std::string& script = (*files)[0].text;
    CHECK(script.find("import " + std::string(name) + " as model_class\n") != std::string::npos);
    CHECK(script.find("return model_class(x=x)") != std::string::npos);
  }
  const auto own = scaffold({model_with("Net", "Net", ""), "net", "", "xnnpack", Runner::Python});
  CHECK((*own)[0].text.find("return model_class(Net=Net)") != std::string::npos);
}

TEST_CASE("scaffold: folders are strings whatever they are called", "[scaffold]") {
  for (const std::string& folder : kHostile) {
    CAPTURE(folder);
    const auto files =
        scaffold({model_with("Net", "x", ""), "net", folder, "xnnpack", Runner::Python});
    REQUIRE(files);
    const std::string& script = (*files)[0].text;
    const std::string line = "sys.path.insert(0, " + python_literal(folder) + ")\n";
    CHECK(script.find(line) != std::string::npos);
    CHECK(std::count(line.begin(), line.end(), '\n') == 1);
    CHECK(line.find('\r') == std::string::npos);
    CHECK(PythonSyntax::parse(std::make_shared<Document>(script))->is_valid());
  }
  CHECK(python_literal("a\"\\\r\n\u200B\U000E0041\xFF") ==
        R"("a\"\\\U0000000d\U0000000a\U0000200b\U000e0041\udcff")");
}

}  // namespace etlens::scaffold_test
