// Runs model.pte and saves model.etdp next to it. Made by `etlens init`. Run describe_run.sh after it: it writes the hashes of
// what ran. Link it to ExecuTorch's extension_module,
// extension_tensor, etdump and the kernels and backends of the model; build ExecuTorch with
// EXECUTORCH_BUILD_DEVTOOLS=ON and EXECUTORCH_ENABLE_EVENT_TRACER=ON.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <vector>

#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <executorch/extension/module/module.h>
#include <executorch/extension/tensor/tensor.h>

using executorch::aten::SizesType;
using executorch::etdump::ETDumpGen;
using executorch::extension::Module;
using executorch::extension::TensorPtr;
using executorch::runtime::EValue;

constexpr int kExecutions = 50;  // of one execution nobody can say how sure its times are

int main() {
  Module module("model.pte", Module::LoadMode::File, std::make_unique<ETDumpGen>());
  const auto meta = module.method_meta("forward");
  if (!meta.ok()) {
    std::cerr << "model.pte cannot be loaded, or has no method forward\n";
    return 1;
  }

  // All ones, of the sizes that the program was exported with; where values decide, give real ones.
  std::vector<TensorPtr> tensors;
  std::vector<EValue> inputs;
  for (size_t i = 0; i < meta->num_inputs(); ++i) {
    const auto input = meta->input_tensor_meta(i);
    if (!input.ok()) {
      std::cerr << "input " << i << " is no tensor; give its value here\n";
      return 1;
    }
    const auto sizes = input->sizes();
    tensors.push_back(executorch::extension::ones(std::vector<SizesType>(sizes.begin(), sizes.end()),
                                                  input->scalar_type()));
    inputs.emplace_back(*tensors.back());
  }

  for (int execution = 0; execution < kExecutions; ++execution) {
    if (!module.forward(inputs).ok()) {
      std::cerr << "execution " << execution << " failed\n";
      return 1;
    }
  }

  auto* etdump = static_cast<ETDumpGen*>(module.event_tracer());
  const auto dump = etdump->get_etdump_data();
  if (dump.buf == nullptr || dump.size == 0) {
    std::cerr << "nothing was traced; build ExecuTorch with EXECUTORCH_ENABLE_EVENT_TRACER=ON\n";
    return 1;
  }
  std::ofstream("model.etdp", std::ios::binary).write(static_cast<const char*>(dump.buf), dump.size);
  std::free(dump.buf);
  return 0;
}
