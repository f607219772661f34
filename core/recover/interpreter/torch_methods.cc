// SPDX-License-Identifier: Apache-2.0
#include "core/recover/interpreter/torch_methods.h"

#include <algorithm>
#include <string>

#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/classes.h"

namespace etlens::recover {
namespace {

struct LayerFunction {
  std::string_view layer, function;
};
constexpr LayerFunction kLayerFunctions[] = {
    {"torch.nn.Conv1d", "conv1d"},          {"torch.nn.Conv2d", "conv2d"},
    {"torch.nn.Conv3d", "conv3d"},          {"torch.nn.Embedding", "embedding"},
    {"torch.nn.GroupNorm", "group_norm"},   {"torch.nn.LayerNorm", "layer_norm"},
    {"torch.nn.Linear", "linear"},          {"torch.nn.RMSNorm", "rms_norm"},
    {"torch.nn.BatchNorm1d", "batch_norm"}, {"torch.nn.BatchNorm2d", "batch_norm"},
};

}  // namespace

Value call_convolution(Evaluator& run, Value module, Arguments& arguments, uint32_t node) {
  for (const Value base : bases_in_order(run, run.model.class_of_module(module->path()))) {
    if (base->is(ValueKind::External) && base->name().starts_with("torch.nn.Conv"))
      return run.matcher.torch_call(base->name().ends_with("1d")   ? "conv1d"
                                    : base->name().ends_with("2d") ? "conv2d"
                                                                   : "conv3d",
                                    arguments, node);
  }
  return run.arena.unknown();
}

Value call_layer(Evaluator& run, Value module, Arguments& arguments, uint32_t node) {
  for (const Value base : bases_in_order(run, run.model.class_of_module(module->path()))) {
    const auto row = std::ranges::find_if(kLayerFunctions, [&](const LayerFunction& one) {
      return base->is(ValueKind::External) && base->name() == one.layer;
    });
    if (row == std::end(kLayerFunctions)) continue;
    for (const std::string_view name : {"weight", "bias", "running_mean", "running_var"}) {
      const std::string path = module->path() + "." + std::string(name);
      if (const uint32_t held = run.task->graph->held(path); held != kNone)
        arguments.positional.push_back(run.arena.tensor(TensorState::Known, {held}));
    }
    return run.matcher.torch_call(row->function, arguments, node);
  }
  return nullptr;
}

bool is_differentiable(Evaluator& run, Value cls) {
  return std::ranges::any_of(bases_in_order(run, cls), [](Value base) {
    return base->is(ValueKind::External) && base->name() == "torch.autograd.Function";
  });
}

Value apply_function(Evaluator& run, Value cls, Arguments& arguments, uint32_t node) {
  const Value forward = find_member(run, cls, "forward");
  if (forward == nullptr || !is_differentiable(run, cls)) return run.arena.unknown();
  // What it stores in its context takes no unit, and nothing reads it.
  if (find_member(run, cls, "setup_context") == nullptr) {
    arguments.positional.insert(arguments.positional.begin(),
                                run.arena.external("container.context"));
  }
  return call(run, forward, arguments, node);
}

}  // namespace etlens::recover
