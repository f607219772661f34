// SPDX-License-Identifier: Apache-2.0
// What of other libraries has a meaning here.
#include "core/recover/interpreter/libraries.h"

#include <algorithm>
#include <cmath>

#include "core/recover/interpreter/attributes.h"
#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/constructions.h"
#include "core/recover/interpreter/containers.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/iteration.h"
#include "core/recover/interpreter/operator_names.h"
#include "core/recover/interpreter/operators.h"

namespace etlens::recover {
namespace {

constexpr double kLibraryUnit = 0.6;

// Modules of Python's own whose functions compute nothing with tensors.
bool is_plain_library(std::string_view full) {
  static constexpr std::string_view kModules[] = {
      "abc",     "argparse", "bisect",   "collections", "contextlib", "dataclasses", "datetime",
      "enum",    "glob",     "heapq",    "importlib",   "inspect",    "io",          "json",
      "logging", "os",       "pathlib",  "pprint",      "random",     "re",          "shutil",
      "string",  "struct",   "sys",      "textwrap",    "threading",  "time",        "types",
      "typing",  "uuid",     "warnings", "weakref"};
  return std::ranges::find(kModules, full.substr(0, full.find('.'))) != std::end(kModules);
}

// The last name of a class.
bool is_capital(std::string_view last) {
  return !last.empty() && last.front() >= 'A' && last.front() <= 'Z';
}

// Parts of torch whose functions compute nothing with tensors.
bool computes_nothing(std::string_view full) {
  static constexpr std::string_view kParts[] = {"nn.init.", "jit.",  "export.",  "compiler.",
                                                "utils.",   "cuda.", "backends."};
  const std::string_view inside = full.substr(std::string_view("torch.").size());
  return std::ranges::any_of(kParts,
                             [&](std::string_view part) { return inside.starts_with(part); });
}

Value call_math(Evaluator& run, std::string_view name, Arguments& arguments) {
  if (arguments.positional.empty()) return run.arena.unknown();
  if (name == "prod" && is_sequence(arguments.positional[0])) {
    Value total = run.arena.integer(1);
    const std::vector<Value> items = arguments.positional[0]->items();
    for (const Value item : items) total = binary(run, "*", total, item, kNone);
    return total;
  }
  for (const Value value : arguments.positional) {
    if (!is_number(value)) return run.arena.unknown();
  }
  const double x = as_double(arguments.positional[0]);
  if (name == "sqrt") return x < 0 ? run.arena.unknown() : run.arena.number(std::sqrt(x));
  if (name == "log" && arguments.positional.size() == 1) return run.arena.number(std::log(x));
  if (name == "log2") return run.arena.number(std::log2(x));
  if (name == "exp") return run.arena.number(std::exp(x));
  if (std::abs(x) < kMostExact) {
    if (name == "floor") return run.arena.integer(static_cast<int64_t>(std::floor(x)));
    if (name == "ceil") return run.arena.integer(static_cast<int64_t>(std::ceil(x)));
  }
  return run.arena.unknown();
}

// A decorator leaves a function what it is.
Value call_functools(Evaluator& run, std::string_view name, Arguments& arguments, uint32_t node) {
  const std::vector<Value>& given = arguments.positional;
  if (name == "partial" && !given.empty()) {
    return run.arena.make(
        payload::Partial{given[0], {given.begin() + 1, given.end()}, arguments.named});
  }
  if (name == "reduce" && given.size() >= 2) {
    Value total = given.size() > 2 ? given[2] : nullptr;
    const bool is_whole = iterate_exactly(run, given[1], [&](Value item) {
      Arguments pair{{total, item}, {}, false};
      total = total == nullptr ? item : call(run, given[0], pair, node);
      return !run.is_stopped();
    });
    return is_whole && total != nullptr ? total : run.arena.unknown();
  }
  if (name == "lru_cache" || name == "cache" || name == "wraps") {
    if (name != "wraps" && !given.empty() && given[0]->is(ValueKind::Function)) return given[0];
    return run.arena.external("functools.identity");
  }
  return given.empty() ? run.arena.unknown() : given[0];
}

// An object of a class of torch.
Value make_layer(Evaluator& run, std::string_view full, Arguments& arguments) {
  std::vector<Value>& given = arguments.positional;
  if (full == "torch.Size") return given.empty() ? run.arena.unknown() : given[0];
  if (!full.starts_with("torch.nn.")) return run.arena.unknown();
  const Value layer = run.arena.instance(run.arena.external(full));
  if (full == "torch.nn.ModuleList" && run.is_quiet() && given.size() == 1 &&
      given[0]->is(ValueKind::Lazy)) {
    const std::optional<std::vector<Value>> children = exactly_all_of(run, given[0]);
    if (!children) return layer;
    given[0] = run.arena.list(*children);
  }
  if (full == "torch.nn.Sequential" || full == "torch.nn.ModuleList")
    keep_arguments(run, layer, arguments);
  return layer;
}

Value call_torch(Evaluator& run, std::string_view full, Arguments& arguments, uint32_t node) {
  std::vector<Value>& given = arguments.positional;
  const std::string_view last = last_part(full);
  if (full == "torch.utils.checkpoint.checkpoint" && !given.empty()) {
    const Value function = given[0];
    given.erase(given.begin());
    std::erase_if(arguments.named, [](const auto& row) {
      return row.first == "use_reentrant" || row.first == "preserve_rng_state";
    });
    return call(run, function, arguments, node);
  }
  if (full == "torch.jit.is_scripting" || full == "torch.jit.is_tracing" ||
      full == "torch.onnx.is_in_onnx_export" || full == "torch.compiler.is_dynamo_compiling")
    return run.arena.boolean(false);
  // The model was exported, and not by way of dynamo, which keeps all frames.
  if (full == "torch.compiler.is_compiling" || full == "torch.compiler.is_exporting")
    return run.arena.boolean(true);
  constexpr std::string_view kOps = "torch.ops.";
  if (full.starts_with(kOps)) {
    // torch.ops.aten.add.Tensor: the operator stands behind the namespace.
    const std::string_view rest = full.substr(kOps.size());
    const std::string_view op = rest.substr(std::min(rest.find('.'), rest.size() - 1) + 1);
    return run.matcher.torch_call(op.substr(0, op.find('.')), arguments, node);
  }
  if (computes_nothing(full) || is_no_operator(last)) {
    if (last == "is_tensor" && given.size() == 1 && !given[0]->is(ValueKind::Unknown))
      return run.arena.boolean(given[0]->is(ValueKind::Tensor));
    if (last == "numel" && !given.empty())
      return call_container(run, "numel", run.matcher.size_of(given[0], nullptr), arguments, node);
    // What they give computes what they are given.
    if (full == "torch.jit.script" || full == "torch.jit.ignore" || full == "torch.compile")
      return given.empty() ? run.arena.unknown() : given[0];
    return run.arena.unknown();
  }
  if (is_capital(last)) return make_layer(run, full, arguments);
  // torch.linalg.cross is recorded as linalg_cross.
  for (const std::string_view space : {"linalg", "fft", "special"}) {
    if (full == "torch." + std::string(space) + "." + std::string(last))
      return run.matcher.torch_call(std::string(space) + "_" + std::string(last), arguments, node);
  }
  return run.matcher.torch_call(last, arguments, node);
}

// A copy that holds copies, or the same.
Value copied(Evaluator& run, Value value, bool is_shallow) {
  const bool is_container = value->is(ValueKind::List) || value->is(ValueKind::Dict);
  const bool is_object = value->is(ValueKind::Instance) && !is_enum_member(value) &&
                         class_of(run, value)->is(ValueKind::Class) &&
                         !is_module_class(run, class_of(run, value)) && held_dict(value) == nullptr;
  if (!is_container && !is_object) return value;
  if (!is_shallow) return copy_of(run.arena, value);
  const Value made = run.arena.unknown();
  made->payload = value->payload;
  made->attributes = value->attributes;
  return made;
}

}  // namespace

Value call_external(Evaluator& run, const std::string& name, Arguments& arguments, uint32_t node) {
  const std::string_view full = name;
  const std::string_view last = last_part(full);
  std::vector<Value>& given = arguments.positional;
  if (full.starts_with("builtins.")) return call_builtin(run, last, arguments, node);
  if (full.starts_with("torch.")) return call_torch(run, full, arguments, node);
  if (full.starts_with("math.") || full.starts_with("numpy."))
    return call_math(run, last, arguments);
  if (full.starts_with("functools.")) return call_functools(run, last, arguments, node);
  if (full.starts_with("operator.") && given.size() == 2) {
    static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
        {"add", "+"},       {"sub", "-"}, {"mul", "*"},  {"truediv", "/"},
        {"floordiv", "//"}, {"mod", "%"}, {"pow", "**"}, {"matmul", "@"}};
    for (const auto& [function, op] : kNames) {
      if (function == last) return binary(run, op, given[0], given[1], node);
    }
    if (last == "getitem") return subscript(run, given[0], {given[1]}, node);
  }
  if (full == "dataclasses.replace" && !given.empty() && given[0]->is(ValueKind::Instance)) {
    const Value made = copy_of(run.arena, given[0]);
    for (const auto& [field, value] : arguments.named) set_attribute(run, made, field, value);
    return made;
  }
  if (full == "enum.auto") return run.arena.external("enum.auto()");
  if (full.starts_with("itertools.")) {
    const Value made = call_itertools(run, last, arguments, node);
    return made->is(ValueKind::List) ? iterator_over(run, made->items()) : made;
  }
  if (full == "typing.cast") return given.empty() ? run.arena.unknown() : given.back();
  if ((full == "copy.deepcopy" || full == "copy.copy") && !given.empty())
    return copied(run, given[0], full == "copy.copy");
  if (full == "collections.OrderedDict") return call_builtin(run, "dict", arguments, node);
  if (full == "collections.defaultdict" && !given.empty()) {
    const Value factory = given[0];
    given.erase(given.begin());
    const Value dict = call_builtin(run, "dict", arguments, node);
    if (dict->is(ValueKind::Dict)) dict->dict().factory = factory;
    return dict;
  }
  if (full.starts_with("super.") || full.starts_with("container.") || is_plain_library(full))
    return run.arena.unknown();
  return run.matcher.call_library(arguments, kLibraryUnit);
}

}  // namespace etlens::recover
