// SPDX-License-Identifier: Apache-2.0
#include "core/base/framework_file.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/base/path.h"

namespace etlens {
namespace {

constexpr std::array<std::string_view, 3> kPackages{"torch", "functorch", "torchgen"};

constexpr auto kTorchFolders = std::to_array<std::string_view>({"_C",
                                                                "_decomp",
                                                                "_dispatch",
                                                                "_dynamo",
                                                                "_export",
                                                                "_functorch",
                                                                "_higher_order_ops",
                                                                "_inductor",
                                                                "_lazy",
                                                                "_library",
                                                                "_logging",
                                                                "_prims",
                                                                "_prims_common",
                                                                "_refs",
                                                                "_subclasses",
                                                                "_vendor",
                                                                "accelerator",
                                                                "amp",
                                                                "ao",
                                                                "autograd",
                                                                "backends",
                                                                "compiler",
                                                                "contrib",
                                                                "cpu",
                                                                "cuda",
                                                                "distributed",
                                                                "distributions",
                                                                "export",
                                                                "fft",
                                                                "func",
                                                                "futures",
                                                                "fx",
                                                                "jit",
                                                                "lib",
                                                                "linalg",
                                                                "masked",
                                                                "monitor",
                                                                "mps",
                                                                "mtia",
                                                                "multiprocessing",
                                                                "nested",
                                                                "nn",
                                                                "numa",
                                                                "onnx",
                                                                "optim",
                                                                "package",
                                                                "profiler",
                                                                "quantization",
                                                                "signal",
                                                                "sparse",
                                                                "special",
                                                                "testing",
                                                                "utils",
                                                                "xpu"});

// Of ExecuTorch and torchao, what makes graphs out of models: passes, quantizers, partitioners.
constexpr auto kCompilers = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"executorch", "backends"}, {"executorch", "exir"}, {"torchao", "quantization"}});

// Folders below them that have models, whose lines are somebody's own.
constexpr auto kModelFolders = std::to_array<std::string_view>(
    {"test", "tests", "example", "examples", "models", "llm", "benchmarks", "third-party"});

bool is_compiler_file(const std::vector<std::string_view>& parts) {
  const auto is_compiler = [&](std::string_view package, std::string_view folder) {
    return std::find(kCompilers.begin(), kCompilers.end(), std::pair(package, folder)) !=
           kCompilers.end();
  };
  for (size_t i = 0; i + 2 < parts.size(); ++i) {
    if (!is_compiler(parts[i], parts[i + 1])) continue;
    return std::none_of(parts.begin() + static_cast<std::ptrdiff_t>(i) + 2, parts.end() - 1,
                        [](std::string_view part) {
                          return std::find(kModelFolders.begin(), kModelFolders.end(), part) !=
                                 kModelFolders.end();
                        });
  }
  return false;
}

// Code that was typed in, not generated: its lines are the user's although there is no file.
bool is_interactive(std::string_view name) {
  return name == "<stdin>" || name == "<console>" || name.starts_with("<ipython-input") ||
         name.starts_with("<python-input");
}

}  // namespace

bool is_framework_file(std::string_view recorded_path) {
  if (recorded_path.starts_with('<')) return !is_interactive(recorded_path);
  const std::vector<std::string_view> parts = path_components(recorded_path);
  const auto is_package = [](std::string_view part) {
    return std::find(kPackages.begin(), kPackages.end(), part) != kPackages.end();
  };
  for (size_t i = 1; i < parts.size(); ++i) {
    const bool is_packages_folder =
        parts[i - 1] == "site-packages" || parts[i - 1] == "dist-packages";
    if (is_packages_folder && is_package(parts[i])) return true;
  }
  if (is_compiler_file(parts)) return true;
  const bool is_relative = !recorded_path.starts_with('/') && !recorded_path.starts_with('\\') &&
                           recorded_path.find(':') != 1;
  return is_relative && parts.size() > 2 && parts[0] == "torch" &&
         std::find(kTorchFolders.begin(), kTorchFolders.end(), parts[1]) != kTorchFolders.end();
}

}  // namespace etlens
