// SPDX-License-Identifier: Apache-2.0
// What etlens init takes for a model, and what it writes. Whether the script runs: tests/scaffold.
#include "core/scaffold/scaffold.h"

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
  for (const bool has_xnnpack : {true, false}) {
    for (const Runner runner : {Runner::Python, Runner::Adb, Runner::Cpp}) {
      const std::vector<ScaffoldFile> files =
          scaffold({classes_of(kModel)[1], "nets.net", "/a \"folder\"", has_xnnpack, runner});
      CHECK(files.size() == (runner == Runner::Python ? 1 : 2));
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
      CHECK((text.find("partitioner=[XnnpackPartitioner()]") != std::string::npos) == has_xnnpack);
      CHECK((text.find("def run(") != std::string::npos) == (runner == Runner::Python));
    }
  }
}

TEST_CASE("scaffold: names of a source are put in once", "[scaffold]") {
  ModelClass model = classes_of(kModel)[0];
  model.inputs[0].type = "\"@RUN@\"";
  const std::string text = scaffold({model, "net", "", false, Runner::Adb})[0].text;
  CHECK(text.find("x = ...  # \"@RUN@\"\n") != std::string::npos);
}

}  // namespace etlens::scaffold_test
