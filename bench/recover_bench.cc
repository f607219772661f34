// SPDX-License-Identifier: Apache-2.0
// What finding lines inside helpers again costs: loading with it against loading without, in one
// run, and how it grows with the nodes of a model whose layers repeat.
//
//   etlens_recover_bench                           synthetic models of 250 to 16,000 nodes
//   etlens_recover_bench --model DUMP RECORD ROOT  real ones (ROOT: folder of the sources)
//   etlens_recover_bench --etlens EXECUTABLE …     and `etlens annotate` with and without
//
// A load is core's, from the files to a study. The server's is all that it does from a changed file
// to what it shows: sources are parsed and anchored as well, and facts are made; "dump replaced" is
// that once more, with another dump of the record that is shown.
//
// Processor and wall milliseconds (the least of the rounds), each with its ratio: with recovery /
// without; ns/node: the difference of processor time. The synthetic models repeat one layer (equal)
// or have layers that all differ in a number (unequal). Every load is of a study that nothing is
// known of; the command is the whole process, from its start to its end.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/workspace/load.h"
#include "server/load/load_job.h"
#include "tests/support/dump_builder.h"
#include "tests/support/record_builder.h"

namespace {

using namespace etlens;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

constexpr int kRounds = 9;
constexpr int kExecutions = 10;

struct Model {
  std::string name;
  std::string etdump;
  std::string etrecord;
  std::string root;
};

constexpr std::string_view kSource = R"(import torch
from torch import nn


def scaled(x, by):
    return x * by


def norm(x, eps=1e-6):
    v = x.pow(2)
    v = v.mean(-1, keepdim=True)
    return x * torch.rsqrt(v + eps)


class Layer(nn.Module):
    def __init__(self, width, gain):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.gain = gain

    def gate(self, x):
        return scaled(torch.sigmoid(x), self.gain) * x

    def forward(self, x):
        return x + self.gate(norm(x) * self.weight)


class Model(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.layers = nn.ModuleList([Layer(8, 2.0) for i in range(depth)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
)";

// One node as an exporter writes it, of a helper's line that is lost.
class RecordWriter {
 public:
  explicit RecordWriter(uint32_t depth) {
    add_input("x", {{"user_input", {{"arg", {{"as_tensor", {{"name", "x"}}}}}}}}, width());
    for (uint32_t l = 0; l < depth; ++l) {
      const std::string name = fmt::format("p_layers_{}_weight", l);
      add_input(
          name,
          {{"parameter",
            {{"arg", {{"name", name}}}, {"parameter_name", fmt::format("layers.{}.weight", l)}}}},
          {8});
    }
  }

  // Layers that differ do so in the size that a constant of theirs has.
  void layer(uint32_t l, bool is_equal) {
    layer_ = l;
    const std::string x = last_;
    const std::string squares = node("method_descriptor.pow", "pow.Tensor_Scalar", {x}, width());
    const std::string mean = node("method_descriptor.mean", "mean.dim", {squares}, {1, 4, 1},
                                  is_equal ? 0 : static_cast<int>(l));
    const std::string sum = node("method_descriptor.add", "add.Tensor", {mean}, {1, 4, 1});
    const std::string root =
        node("builtin_function_or_method.rsqrt", "rsqrt.default", {sum}, {1, 4, 1});
    const std::string normed = node("method_descriptor.mul", "mul.Tensor", {x, root}, width());
    const std::string weighted = node("method_descriptor.mul", "mul.Tensor",
                                      {normed, fmt::format("p_layers_{}_weight", l)}, width());
    const std::string gate =
        node("builtin_function_or_method.sigmoid", "sigmoid.default", {weighted}, width());
    const std::string scaled = node("method_descriptor.mul", "mul.Tensor", {gate}, width());
    const std::string gated =
        node("method_descriptor.mul", "mul.Tensor", {scaled, weighted}, width());
    last_ = node("method_descriptor.add", "add.Tensor", {x, gated}, width());
  }

  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
  // The kernel that runs the node: "pow.out".
  const std::string& kernel(uint32_t node) const { return kernels_[node]; }

  json program() const {
    json paths = json::array({{{"fqn", ""}}, {{"fqn", "layers"}}});
    for (uint32_t l = 0; l <= layer_; ++l) paths.push_back({{"fqn", fmt::format("layers.{}", l)}});
    return {{"graph_module",
             {{"graph",
               {{"inputs", inputs_},
                {"outputs", json::array({{{"as_tensor", {{"name", last_}}}}})},
                {"nodes", nodes_},
                {"tensor_values", values_},
                {"sym_int_values", json::object()},
                {"sym_bool_values", json::object()},
                {"is_single_tensor_return", false},
                {"custom_obj_values", json::object()}}},
              {"signature", {{"input_specs", specs_}, {"output_specs", json::array()}}},
              {"module_call_graph", paths}}},
            {"opset_version", json::object()},
            {"range_constraints", json::object()},
            {"schema_version", {{"major", 8}, {"minor", 1}}},
            {"dialect", "EDGE"},
            {"verifiers", json::array()}};
  }

 private:
  static std::vector<int> width() { return {1, 4, 8}; }

  void add_value(const std::string& name, const std::vector<int>& shape) {
    json sizes = json::array();
    for (const int size : shape) sizes.push_back({{"as_int", size}});
    values_[name] = {{"dtype", 7}, {"sizes", sizes}};
  }
  void add_input(const std::string& name, json spec, const std::vector<int>& shape) {
    inputs_.push_back({{"as_tensor", {{"name", name}}}});
    specs_.push_back(std::move(spec));
    add_value(name, shape);
  }

  std::string node(const std::string& function, const std::string& target,
                   const std::vector<std::string>& inputs, const std::vector<int>& shape,
                   int constant = -1) {
    const uint32_t number = size() + 1;
    const std::string name = fmt::format("aten_{}_{}", target.substr(0, target.find('.')), number);
    kernels_.push_back(target.substr(0, target.find('.')) + ".out");
    json arguments = json::array();
    for (const std::string& input : inputs)
      arguments.push_back({{"name", "self"}, {"arg", {{"as_tensor", {{"name", input}}}}}});
    if (constant >= 0) arguments.push_back({{"name", "dtype"}, {"arg", {{"as_int", constant}}}});
    const std::string op = function.substr(function.find('.') + 1);
    const json origin = json::array({{{"name", fmt::format("{}_{}", op, number)},
                                      {"target", "aten." + op + ".default"},
                                      {"graph_id", 1},
                                      {"pass_name", ""},
                                      {"action", "create"},
                                      {"from_node", json::array()}}});
    nodes_.push_back(
        {{"name", name},
         {"target", "executorch.exir.dialects.edge.ops.aten." + target},
         {"inputs", arguments},
         {"outputs", json::array({{{"as_tensor", {{"name", name}}}}})},
         {"metadata",
          {{"nn_module_stack",
            fmt::format("L__self__,,net.Model;L__self___layers_{0},layers.{0},net.Layer", layer_)},
           {"torch_fn", fmt::format("{}_{};{}", op, number, function)},
           {"debug_handle", std::to_string(number)},
           {"from_node", origin.dump()},
           {"stack_trace",
            "File \"/home/user/net.py\", line 35, in forward\n    x = layer(x)\n"
            "  File \"/home/user/net.py\", line 25, in forward\n"
            "    return x + self.gate(norm(x) * self.weight)"}}}});
    add_value(name, shape);
    return name;
  }

  json inputs_ = json::array();
  json specs_ = json::array();
  json nodes_ = json::array();
  std::vector<std::string> kernels_;  // one per node
  json values_ = json::object();
  std::string last_ = "x";
  uint32_t layer_ = 0;
};

void write(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

Model make_model(uint32_t depth, bool is_equal) {
  Model model;
  model.name = fmt::format("{} layers, {}", depth, is_equal ? "equal" : "unequal");
  model.root = (std::filesystem::temp_directory_path() /
                fmt::format("etlens_recover_{}_{}", depth, is_equal))
                   .string();
  std::filesystem::create_directories(model.root);
  write(model.root + "/net.py", kSource);
  RecordWriter record(depth);
  for (uint32_t l = 0; l < depth; ++l) record.layer(l, is_equal);
  json handles = json::object();
  for (uint32_t i = 0; i < record.size(); ++i) handles[std::to_string(i)] = i + 1;
  test::ZipBuilder zip;
  zip.add("ETRECORD_V0", "");
  zip.add("edge_dialect_exported_program/forward", record.program().dump());
  zip.add("debug_handle_map", json{{"forward", handles}}.dump());
  zip.add("delegate_map", R"({"forward": {}})");
  zip.add("instruction_id_to_num_outs_map", R"({"forward": {}})");
  model.etrecord = model.root + "/model.etrecord";
  write(model.etrecord, zip.build().text());
  test::DumpBuilder dump;
  for (int e = 0; e < kExecutions; ++e) {
    dump.block("");
    uint64_t at = 0;
    for (uint32_t i = 0; i < record.size(); ++i, at += 110)
      dump.operator_call(record.kernel(i), static_cast<int32_t>(i), at + 5, at + 100, 3);
    dump.framework("Method::execute", 0, at);
  }
  model.etdump = model.root + "/run.etdp";
  write(model.etdump, dump.build().text());
  return model;
}

struct Measured {
  double wall = 1e9;  // seconds
  double processor = 1e9;
  size_t nodes = 0;
  size_t placed = 0;

  void keep(double wall_seconds, double processor_seconds) {
    wall = std::min(wall, wall_seconds);
    processor = std::min(processor, processor_seconds);
  }
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void measure_load(const Model& model, bool recovers, Measured& best) {
  LoadRequest request;
  request.etdump = model.etdump;
  request.etrecord = model.etrecord;
  request.roots = {model.root};
  request.recovers = recovers;
  const auto start = Clock::now();
  const double processor = processor_seconds();
  const Result<std::shared_ptr<const Study>> study = load_study(real_file_system(), request);
  best.keep(seconds_since(start), processor_seconds() - processor);
  if (!study) {
    fmt::print(stderr, "{}: {}\n", model.name, study.error().message);
    std::exit(1);
  }
  best.nodes = (*study)->join->record->nodes.size();
  best.placed = (*study)->recovery == nullptr ? 0 : (*study)->recovery->placed;
}

LoadJob server_job(const Model& model, bool recovers, uint64_t version) {
  LoadJob job;
  job.key.settings.etdump = model.etdump;
  job.key.stamps = {{model.etdump, FileStamp{version, 0, 0, false}}};
  job.key.settings.roots = {model.root};
  job.key.settings.etrecord = model.etrecord;
  job.key.settings.recovers = recovers;
  return job;
}

void measure_job(LoadJob& job, Measured& best) {
  const auto start = Clock::now();
  const double processor = processor_seconds();
  job.run(real_file_system());
  best.keep(seconds_since(start), processor_seconds() - processor);
  if (job.result) return;
  fmt::print(stderr, "{}: {}\n", job.key.settings.etdump, job.result.error().message);
  std::exit(1);
}

void measure_server(const Model& model, bool recovers, Measured& first, Measured& replaced) {
  LoadJob job = server_job(model, recovers, 1);
  measure_job(job, first);
  LoadJob next = server_job(model, recovers, 2);
  next.shown = *job.result;
  measure_job(next, replaced);
}

void measure_command(const Model& model, const std::string& etlens, bool recovers, Measured& best) {
  std::vector<std::string> words{etlens,         "annotate", "--etdump", model.etdump, "--etrecord",
                                 model.etrecord, "--root",   model.root, "-o",         "/dev/null"};
  if (!recovers) words.emplace_back("--no-recover");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const auto start = Clock::now();
  pid_t child = 0;
  int status = 1;
  rusage used{};
  if (posix_spawn(&child, etlens.c_str(), nullptr, nullptr, arguments.data(), environ) != 0 ||
      wait4(child, &status, 0, &used) != child || status != 0) {
    fmt::print(stderr, "{} does not run\n", etlens);
    std::exit(1);
  }
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  best.keep(seconds_since(start), seconds(used.ru_utime) + seconds(used.ru_stime));
}

void print(std::string_view what, const Measured& without, const Measured& with) {
  const double difference = with.processor - without.processor;
  fmt::print("{:<28}{:>8}{:>8}{:>10.2f}{:>10.2f}{:>7.2f}{:>10.2f}{:>10.2f}{:>7.2f}{:>9.0f}\n", what,
             with.nodes, with.placed, without.processor * 1e3, with.processor * 1e3,
             with.processor / without.processor, without.wall * 1e3, with.wall * 1e3,
             with.wall / without.wall,
             difference * 1e9 / static_cast<double>(std::max<size_t>(with.nodes, 1)));
}

// Without recovery, and with it.
struct Compared {
  Measured without;
  Measured with;
  Measured& of(bool recovers) { return recovers ? with : without; }
};

// Both in every round, so that both see the same machine.
template <typename Round>
void each_round(const Round& round) {
  for (int i = 0; i < kRounds; ++i) {
    for (const bool recovers : {false, true}) round(recovers);
  }
}

void print(const Model& model, const std::string& etlens) {
  Compared load;
  each_round([&](bool recovers) { measure_load(model, recovers, load.of(recovers)); });
  print(model.name, load.without, load.with);
  const Measured unmeasured{1e9, 1e9, load.with.nodes, load.with.placed};
  Compared server{unmeasured, unmeasured};
  Compared replaced{unmeasured, unmeasured};
  each_round([&](bool recovers) {
    measure_server(model, recovers, server.of(recovers), replaced.of(recovers));
  });
  print("  server", server.without, server.with);
  print("  server, dump replaced", replaced.without, replaced.with);
  if (etlens.empty()) return;
  Compared command{unmeasured, unmeasured};
  each_round(
      [&](bool recovers) { measure_command(model, etlens, recovers, command.of(recovers)); });
  print("  etlens annotate", command.without, command.with);
}

}  // namespace

int main(int argc, char** argv) {
  std::string etlens;
  std::vector<Model> models;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--etlens") == 0 && i + 1 < argc) {
      etlens = argv[++i];
    } else if (std::strcmp(argv[i], "--model") == 0 && i + 3 < argc) {
      models.push_back({argv[i + 3], argv[i + 1], argv[i + 2], argv[i + 3]});
      i += 3;
    }
  }
  fmt::print("{:<28}{:>8}{:>8}{:>27}{:>27}\n", "", "", "", "processor ms", "wall ms");
  fmt::print("{:<28}{:>8}{:>8}{:>10}{:>10}{:>7}{:>10}{:>10}{:>7}{:>9}\n", "model", "nodes",
             "placed", "without", "with", "ratio", "without", "with", "ratio", "ns/node");
  for (const Model& model : models) print(model, etlens);
  if (!models.empty()) return 0;
  for (const bool is_equal : {true, false}) {
    for (const uint32_t depth : {25u, 100u, 400u, 1600u})
      print(make_model(depth, is_equal), etlens);
  }
  return 0;
}
