// SPDX-License-Identifier: Apache-2.0
// Projects of many files: what a model imports is found, however much else its files import.
#include <map>

#include "tests/core/recover/interpreter/small_model.h"

using namespace etlens;
using namespace etlens::test;

namespace {

using Files = std::map<std::string, std::string>;  // by name, beside the model

// More than a record may make us open, each imported by `all.py`; what it gives is read there.
Files with_many_files(Files files) {
  constexpr size_t kManyFiles = 700;
  std::string all;
  for (size_t i = 0; i < kManyFiles; ++i) {
    files[fmt::format("many_{}.py", i)] = fmt::format("def many_{}(x):\n    return x\n", i);
    all += fmt::format("from many_{0} import many_{0}\n", i);
  }
  files["all.py"] = std::string(300 << 10, '#') + "\n" + all + "given = 1\n";
  return files;
}

// The line that recovery finds for relu, in a model whose forward calls `step`.
std::string line_of_step(const Files& files, const std::string& imports) {
  return lines_of(imports +
                      "\nclass Net(torch.nn.Module):\n"
                      "    def forward(self, x):\n"
                      "        return step(x)  # forward\n",
                  {"relu"}, with_many_files(files))
      .front();
}

const std::string kHelper = "import torch\ndef step(x):\n    return torch.relu(x)\n";

}  // namespace

TEST_CASE("a helper is found behind more imports than files are opened", "[recover]") {
  const std::string all = "import torch\nfrom all import given\n";
  CHECK(line_of_step({{"helper.py", kHelper}}, all + "from helper import step\n") ==
        "return torch.relu(x)");
  CHECK(line_of_step({{"helper.py", kHelper}},
                     all + "from helper import step as other\nstep = other\n") ==
        "return torch.relu(x)");
  CHECK(line_of_step({{"helper.py", kHelper}}, all + "import helper as h\nstep = h.step\n") ==
        "return torch.relu(x)");
  CHECK(line_of_step({{"parts/__init__.py", "from .helper import step\nfrom .rest import *\n"},
                      {"parts/helper.py", kHelper},
                      {"parts/rest.py", "from all import given\n"}},
                     all + "from parts import step\n") == "return torch.relu(x)");
  CHECK(line_of_step({{"parts/__init__.py", "from .helper import *\nfrom .rest import *\n"},
                      {"parts/helper.py", kHelper},
                      {"parts/rest.py", "from all import given\n"}},
                     all + "from parts import step\n") == "return torch.relu(x)");
}

TEST_CASE("a name has the value of the last import or assignment before it is asked for",
          "[recover]") {
  const std::string all = "import torch\nfrom all import given\n";
  const Files both{{"helper.py", kHelper},
                   {"other.py", "import torch\ndef step(x):\n    return torch.relu(x)  # other\n"}};
  CHECK(line_of_step(both, all + "from helper import step\nfrom other import step\n") ==
        "return torch.relu(x)  # other");
  CHECK(line_of_step(both, all + "from other import step\nfrom helper import step\n") ==
        "return torch.relu(x)");
  CHECK(line_of_step(both, all + "from other import step\n"
                                 "def step(x):\n    return torch.relu(x)  # own\n") ==
        "return torch.relu(x)  # own");
  CHECK(line_of_step(both, all + "def step(x):\n    return torch.relu(x)  # own\n"
                                 "from other import step\n") == "return torch.relu(x)  # other");
}

TEST_CASE("files that import each other's names end", "[recover]") {
  const Files circle{{"one.py", "from all import given\nfrom two import step\n"},
                     {"two.py", "from all import given\nfrom one import step\n"}};
  CHECK(
      line_of_step(circle, "import torch\nfrom all import given\nfrom one import step\n").empty());
  const Files packages{{"one/__init__.py", "from all import given\nfrom two import *\n"},
                       {"two/__init__.py", "from all import given\nfrom one import *\n"}};
  CHECK(line_of_step(packages, "import torch\nfrom all import given\nfrom one import step\n")
            .empty());
}
