// SPDX-License-Identifier: Apache-2.0
// A model of one file, as text, and a record of what it did: which of two equal lines ran is what
// the interpreter has to know of the text before them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/recover/recover.h"
#include "core/source/python/python_syntax.h"
#include "tests/support/corpus.h"

namespace etlens::test {

// Lines that are said of nodes which stand one behind the other, each with what is before it as
// input: "" where nothing is said. `source` has a class Net whose forward has one line that ends
// with "# forward". "child.relu" is inside a call of self.child, whose class has no source;
// "layer.view.2" ran inside torch's forward of self.child, but bears the name of the third call.
// "contiguous#3" is the third call of this method of a tensor.
// "transpose(1,0)" is a node that permutes so the dimensions before it. "setitem[:,1]" finds that part
// and writes to it, "add_[:,1]" computes with it in place, each in several nodes of one call; "[:@1]"
// is the second size of x, where it then has none that is a number.
// `others`: files beside it, by name. `runs` gets the number of runs of the search. `unread`: inputs
// before x, with their sizes, which no node reads.
inline std::vector<std::string> lines_of(
    const std::string& source, const std::vector<std::string>& operators,
    const std::map<std::string, std::string>& others = {}, size_t* runs = nullptr,
    const std::vector<std::pair<std::string, std::string>>& unread = {}) {
  const auto document = std::make_shared<const Document>(source);
  const std::string folder = "/home/user/";
  const std::string path = folder + "model.py";
  EtRecord record;
  const auto text = [&](std::string_view one) { return record.strings.intern(one); };
  Frame frame{text(path), text("forward"), {}, 0};
  for (uint32_t l = 0; l < document->line_count(); ++l) {
    const std::string_view line = document->line(l);
    if (line.find("# forward") == std::string_view::npos) continue;
    frame.line = l + 1;
    frame.text = text(line.substr(line.find_first_not_of(' ')));
  }
  record.frames = {frame, {text("/torch/nn/modules/layer.py"), text("forward"), {}, 1}};
  record.stack_frames = {FrameId(0), FrameId(1)};
  record.stacks = {{0, 1}, {0, 2}};
  record.modules = {{text("L__self__"), text(""), text(""), text("model.Net")},
                    {text("L__self___child"), text("child"), text("child"), text("model.Child")}};
  record.module_stacks = {{0, 1}, {0, 2}};
  Graph graph;
  graph.name = text("forward");
  for (const auto& [name, sizes] : unread) {
    graph.inputs.push_back({GraphInputKind::User, text(name), text("")});
    graph.tensors.push_back({text(name), text(fmt::format("[{}] float32", sizes))});
  }
  graph.inputs.push_back({GraphInputKind::User, text("x"), text("")});
  graph.module_paths = {text("")};
  if (source.find("self.child") != std::string::npos) graph.module_paths.push_back(text("child"));
  std::vector<std::string> sizes = {"2", "3"};
  if (std::ranges::any_of(
          operators, [](const std::string& one) { return one.find('@') != std::string::npos; }))
    sizes = {"s0", "s1"};
  const auto shape_of = [](const std::vector<std::string>& of) {
    return fmt::format("[{}] float32", fmt::join(of, ", "));
  };
  graph.tensors.push_back({text("x"), text(shape_of(sizes))});
  StringId last = text("x");
  using Numbers = std::vector<std::pair<std::string_view, std::vector<int64_t>>>;
  // `shape`: "" of what is no tensor.
  const auto add = [&](std::string_view target, const std::string& function, bool is_layer,
                       bool is_inside, const std::vector<StringId>& inputs, const Numbers& numbers,
                       std::string_view shape) {
    const size_t number = record.nodes.size();
    Node node;
    node.first_constant = static_cast<uint32_t>(record.constants.size());
    for (const auto& [name, row] : numbers) {
      record.constants.push_back({text(name), static_cast<uint32_t>(record.constant_values.size()),
                                  static_cast<uint32_t>(row.size())});
      record.constant_values.insert(record.constant_values.end(), row.begin(), row.end());
    }
    node.end_constant = static_cast<uint32_t>(record.constants.size());
    node.graph = GraphId(0);
    node.name = text(fmt::format("node_{}", number));
    node.target = text(fmt::format("aten.{}.default", target));
    node.target_kind = TargetKind::EdgeOperator;
    node.torch_fn = text(function);
    node.stack = StackId(is_layer ? 1 : 0);
    node.modules = ModuleStackId(is_inside ? 1 : 0);
    node.first_input = static_cast<uint32_t>(record.values.size());
    record.values.insert(record.values.end(), inputs.begin(), inputs.end());
    node.first_output = static_cast<uint32_t>(record.values.size());
    record.values.push_back(node.name);
    node.end_output = static_cast<uint32_t>(record.values.size());
    if (!shape.empty()) graph.tensors.push_back({node.name, text(shape)});
    graph.nodes.push_back(NodeId(number));
    record.nodes.push_back(node);
    return node.name;
  };
  // The nodes that find a part of `whole`.
  const auto add_part = [&](std::string_view indices, const std::string& function, StringId whole) {
    std::vector<std::string> left = sizes;
    int64_t dim = 0;
    while (!indices.empty()) {
      const std::string_view one = indices.substr(0, indices.find(','));
      indices.remove_prefix(std::min(one.size() + 1, indices.size()));
      const size_t colon = one.find(':');
      std::vector<StringId> inputs{whole};
      Numbers numbers{{"dim", {dim}}};
      const auto bound = [&](std::string_view name, std::string_view given, int64_t otherwise) {
        if (given.starts_with('@')) {
          const int64_t of = given[1] - '0';
          inputs.push_back(add("sym_size", "", false, false, {text("x")}, {{"dim", {of}}}, ""));
        } else {
          numbers.push_back({name, {given.empty() ? otherwise : std::stol(std::string(given))}});
        }
      };
      if (colon == std::string_view::npos) {
        bound("index", one, 0);
        left.erase(left.begin() + dim);
        whole = add("select_copy", function, false, false, inputs, numbers, shape_of(left));
        continue;
      }
      if (one != ":") {
        bound("start", one.substr(0, colon), 0);
        bound("end", one.substr(colon + 1), INT64_MAX);
        left[static_cast<size_t>(dim)] = "1";
        whole = add("slice_copy", function, false, false, inputs, numbers, shape_of(left));
      }
      ++dim;
    }
    return whole;
  };
  std::vector<size_t> said_nodes;
  for (size_t o = 0; o < operators.size(); ++o) {
    const std::string& placed = operators[o];
    const bool is_inside = placed.starts_with("child.");
    const bool is_layer = placed.starts_with("layer.");
    const size_t begin = is_inside || is_layer ? placed.find('.') + 1 : 0;
    const std::string name = placed.substr(begin, placed.find_first_of(".([#", begin) - begin);
    const size_t called = is_layer ? std::stoul(placed.substr(placed.rfind('.') + 1)) : o;
    const std::string& caller = is_layer ? operators[called] : name;
    const size_t number = placed.find('#');
    const std::string function =
        number == std::string::npos
            ? fmt::format("{}_{};builtin_function_or_method.{}", caller, called, caller)
            : fmt::format("{}_{};method_descriptor.{}", name, placed.substr(number + 1), name);
    Numbers numbers;
    if (const size_t dims = placed.find('('); dims != std::string::npos) {
      numbers.push_back({"dims", {placed[dims + 1] - '0', placed[dims + 3] - '0'}});
      if (placed[dims + 1] == '1') std::swap(sizes[0], sizes[1]);
    }
    said_nodes.push_back(record.nodes.size());
    if (const size_t part = placed.find('['); part != std::string::npos) {
      const std::string_view indices = std::string_view(placed).substr(part + 1);
      const StringId found = add_part(indices.substr(0, indices.size() - 1), function, last);
      const bool is_write = name == "setitem";
      const StringId made = add(is_write ? "copy" : name.substr(0, name.size() - 1), function,
                                false, false, {found}, {}, "[1] float32");
      last = add("where", function, false, false, {made, last}, {}, shape_of(sizes));
      said_nodes.back() = record.nodes.size() - 1;
      continue;
    }
    last = add(placed.ends_with(')') ? "permute_copy" : name, function, is_layer, is_inside, {last},
               numbers, shape_of(sizes));
  }
  graph.outputs = {last};
  record.graphs = {graph};
  std::vector<bool> is_project(record.strings.size(), false);
  is_project[frame.file.value] = true;
  const std::shared_ptr<const PythonSyntax> syntax = PythonSyntax::parse(document);
  const Recovery recovery =
      recover_lines(record, GraphId(0), is_project, [&](std::string_view file) {
        if (file == path) return syntax;
        const auto other =
            others.find(std::string(file.substr(std::min(folder.size(), file.size()))));
        return other == others.end()
                   ? std::shared_ptr<const PythonSyntax>()
                   : PythonSyntax::parse(std::make_shared<const Document>(other->second));
      });
  if (runs != nullptr) *runs = recovery.runs;
  std::vector<std::string> lines(operators.size());
  for (const RecoveredNode& said : recovery.nodes) {
    const RecoveredFrame& last_frame = recovery.frames[said.first_frame + said.frame_count - 1];
    const auto other = others.find(recovery.files[last_frame.file].substr(folder.size()));
    const Document text_of_line(other == others.end() ? source : other->second);
    const std::string_view whole = text_of_line.line(last_frame.line - 1);
    const auto placed = std::ranges::find(said_nodes, said.node.value);
    if (placed == said_nodes.end()) continue;
    lines[static_cast<size_t>(placed - said_nodes.begin())] =
        whole.substr(whole.find_first_not_of(' '));
  }
  return lines;
}

// What a run knows of a condition: "yes", "no", or "" if it leaves both open. `before` are
// statements of the file, `members` of the class (indented), `inside` of the method that asks, in
// which x is a tensor; the condition is a line of `if`.
struct Asked {
  std::string before;
  std::string members;
  std::string inside;
  std::string condition;
};

inline std::string indented(const std::string& text, const std::string& by) {
  std::string made;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    made += by + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return made;
}

inline std::string answer(const Asked& asked) {
  const std::string source = "import torch\n" + asked.before + "\n\nclass Net(torch.nn.Module):\n" +
                             indented(asked.members, "    ") +
                             "\n    def forward(self, x):\n"
                             "        return self.run(x)  # forward\n\n"
                             "    def run(self, x):\n" +
                             indented(asked.inside, "        ") + "        if " + asked.condition +
                             ":\n"
                             "            return torch.relu(x)  # yes\n"
                             "        return torch.relu(x)  # no\n";
  const std::string line = lines_of(source, {"relu"}).front();
  if (line.ends_with("# yes")) return "yes";
  return line.ends_with("# no") ? "no" : line;
}

}  // namespace etlens::test
