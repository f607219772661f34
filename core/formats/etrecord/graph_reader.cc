// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/graph_reader.h"

#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/formats/etrecord/call_details.h"
#include "core/formats/etrecord/lowered_text.h"
#include "core/formats/etrecord/node_metadata.h"
#include "core/formats/etrecord/node_names.h"
#include "core/formats/etrecord/provenance_tables.h"
#include "core/formats/etrecord/set_members.h"
#include "core/formats/etrecord/tensor_shape.h"

namespace etlens {
namespace {

namespace od = simdjson::ondemand;
using simdjson::error_code;
using simdjson::SUCCESS;

// Graphs nest in control flow, lowered modules in graphs. Real ones nest twice or so.
constexpr int kMaxGraphDepth = 24;

struct Target {
  TargetKind kind;
  std::string_view name;  // without the prefix that says the kind
};

Target target_of(std::string_view text) {
  for (const std::string_view prefix :
       {"executorch.exir.dialects.edge.ops.", "executorch.exir.dialects.backend.ops."}) {
    if (text.starts_with(prefix)) return {TargetKind::EdgeOperator, text.substr(prefix.size())};
  }
  constexpr std::string_view kTorchOps = "torch.ops.";
  if (text.starts_with(kTorchOps))
    return {TargetKind::TorchOperator, text.substr(kTorchOps.size())};
  return {TargetKind::Function, text};
}

// The characters between the quotes, as they are written: names of arguments have no escapes.
std::string_view raw_text(od::raw_json_string text) {
  const char* begin = text.raw();
  if (begin == nullptr) return {};
  const char* end = begin;
  while (*end != '"' && *end != '\\' && *end != '\0') ++end;
  return {begin, static_cast<size_t>(end - begin)};
}

}  // namespace

class GraphReader::Walker {
 public:
  Walker(EtRecord& record, CancelToken cancel, PayloadDecoder decoder)
      : record_(record),
        cancel_(std::move(cancel)),
        decoder_(std::move(decoder)),
        provenance_(record),
        metadata_(record, provenance_) {}

  void trace_to(std::string exported_graph) {
    exported_number_ = std::move(exported_graph);
    exported_graph_.reset();
    if (!exported_number_.empty()) exported_graph_.emplace(exported_number_);
  }
  ProvenanceTables& provenance() { return provenance_; }

  Result<GraphId> read(const Bytes& json, GraphKind kind, StringId name) {
    const Extent before = extent();
    GraphId graph;
    metadata_.forget_json();
    const error_code error = read_document(json, kind, name, {}, {}, 0, graph);
    if (error == SUCCESS && graph.valid() && !cancel_.cancelled()) return graph;
    shrink_to(before);
    if (cancel_.cancelled()) return Error{ErrorCode::Cancelled, "reading was cancelled"};
    const std::string why = error == SUCCESS ? "it holds no graph" : simdjson::error_message(error);
    return Error{ErrorCode::Corrupt, "is not the JSON of an exported program: " + why};
  }

 private:
  // The nodes that make values as their first output.
  class Producers {
   public:
    void add(StringId value, NodeId node) { rows_.emplace_back(value, node); }
    // Of several nodes the first in graph order; invalid if there is none.
    NodeId of(StringId value) {
      if (sorted_ < rows_.size()) sort();
      const auto at = std::ranges::lower_bound(rows_, value, {}, &Row::first);
      return at == rows_.end() || at->first != value ? NodeId() : at->second;
    }

   private:
    using Row = std::pair<StringId, NodeId>;

    // Node ids ascend in graph order. A graph may have many lists of nodes and of shapes in turn.
    void sort() {
      go_on(rows_.size());
      const auto first_new = rows_.begin() + static_cast<ptrdiff_t>(sorted_);
      std::sort(first_new, rows_.end());
      if (sorted_ > 0) std::inplace_merge(rows_.begin(), first_new, rows_.end());
      sorted_ = rows_.size();
    }

    std::vector<Row> rows_;
    size_t sorted_ = 0;  // rows, from the first on
  };

  // The names that one node adds to a list, which are taken off again: those of a node inside of
  // its branches stand behind them for a while.
  class OwnNames {
   public:
    explicit OwnNames(std::vector<StringId>& list) : list_(list), first_(list.size()) {}
    ~OwnNames() { list_.resize(first_); }
    OwnNames(const OwnNames&) = delete;
    OwnNames& operator=(const OwnNames&) = delete;
    std::span<const StringId> get() const { return std::span(list_).subspan(first_); }

   private:
    std::vector<StringId>& list_;
    size_t first_;
  };

  error_code read_document(const Bytes& json, GraphKind kind, StringId name, GraphId parent,
                           NodeId parent_node, int depth, GraphId& graph) {
    od::parser parser;  // of its own: an outer document may be in the middle of its walk
    od::document document;
    const simdjson::padded_string_view text(reinterpret_cast<const char*>(json.data()), json.size(),
                                            json.size() + Bytes::kPadding);
    if (const error_code e = parser.iterate(text).get(document)) return e;
    od::object top;
    if (const error_code e = document.get_object().get(top)) return e;
    if (kind == GraphKind::Lowered)
      return read_lowered_top(top, name, parent, parent_node, depth, graph);
    return read_program(top, kind, name, parent, parent_node, depth, graph);
  }

  // {"backend_id": …, "processed_bytes": "", …, "original_module": {program}, …}
  error_code read_lowered_top(od::object top, StringId name, GraphId parent, NodeId parent_node,
                              int depth, GraphId& graph) {
    const LoweredId lowered = record_.nodes[parent_node.value].lowered;
    return each_member(top, [&](od::raw_json_string key, od::value value) -> error_code {
      if (key == "backend_id")
        return read_text(value, record_.strings, record_.lowered[lowered.value].backend);
      if (key != "original_module") return SUCCESS;
      od::object program;
      if (const error_code e = value.get_object().get(program)) return e;
      return read_program(program, GraphKind::Lowered, name, parent, parent_node, depth, graph);
    });
  }

  error_code read_program(od::object program, GraphKind kind, StringId name, GraphId parent,
                          NodeId parent_node, int depth, GraphId& graph) {
    for (auto entry : program) {
      od::field field;
      if (const error_code e = std::move(entry).get(field)) return e;
      if (kind == GraphKind::Edge && field.key() == "schema_version") {
        if (const error_code e = read_schema_version(field.value())) return e;
        continue;
      }
      if (field.key() != "graph_module") continue;
      od::object module;
      if (const error_code e = field.value().get_object().get(module)) return e;
      for (auto inner : module) {
        od::field part;
        if (const error_code e = std::move(inner).get(part)) return e;
        if (graph.valid() && kind == GraphKind::Edge) {
          if (part.key() == "signature") {
            if (const error_code e =
                    read_signature(part.value(), record_.strings, record_.graphs[graph.value]))
              return e;
            continue;
          }
          if (part.key() == "module_call_graph") {
            if (const error_code e =
                    read_module_paths(part.value(), record_.strings, record_.graphs[graph.value]))
              return e;
            continue;
          }
        }
        if (part.key() != "graph") continue;
        if (const error_code e =
                read_graph(part.value(), kind, name, parent, parent_node, depth, graph))
          return e;
      }
    }
    return SUCCESS;
  }

  // {"major": n, "minor": n}; release 0.1 wrote a bare number.
  error_code read_schema_version(od::value value) {
    od::json_type type;
    if (const error_code e = value.type().get(type)) return e;
    if (type != od::json_type::object) return SUCCESS;
    return each_member(value, [&](od::raw_json_string key, od::value number) -> error_code {
      if (key == "major") return number.get_int64().get(record_.schema_major);
      if (key == "minor") return number.get_int64().get(record_.schema_minor);
      return SUCCESS;
    });
  }

  error_code read_graph(od::value value, GraphKind kind, StringId name, GraphId parent,
                        NodeId parent_node, int depth, GraphId& graph) {
    if (depth > kMaxGraphDepth) return simdjson::DEPTH_ERROR;
    graph = GraphId(record_.graphs.size());
    record_.graphs.push_back({kind, name, parent, parent_node, {}, {}});
    Producers producers;
    return each_member(value, [&](od::raw_json_string key, od::value member) -> error_code {
      if (key == "nodes") return read_nodes(member, graph, depth, producers);
      if (key == "tensor_values") return read_shapes(member, producers, graph);
      if (key != "outputs") return SUCCESS;
      std::vector<StringId> names;
      if (const error_code e = read_arguments(member, names)) return e;
      record_.graphs[graph.value].outputs = std::move(names);
      return SUCCESS;
    });
  }

  error_code read_nodes(od::value value, GraphId graph, int depth, Producers& producers) {
    const size_t before = record_.graphs[graph.value].nodes.size();
    const auto take = [&](od::value node) {
      return cancel_.cancelled() ? SUCCESS : read_node(node, graph, depth);
    };
    if (const error_code e = each_element(value, take)) return e;
    const std::vector<NodeId>& all = record_.graphs[graph.value].nodes;
    for (size_t i = before; i < all.size(); ++i) {
      const Node& node = record_.nodes[all[i].value];
      if (node.end_output > node.first_output)
        producers.add(record_.values[node.first_output], all[i]);
    }
    return SUCCESS;
  }

  // Returns the row of the first.
  uint32_t append_values(std::span<const StringId> names) {
    const auto first = static_cast<uint32_t>(record_.values.size());
    record_.values.insert(record_.values.end(), names.begin(), names.end());
    return first;
  }

  error_code read_node(od::value object, GraphId graph, int depth) {
    const Extent before = extent();
    const NodeId id(record_.nodes.size());
    record_.nodes.emplace_back();  // its row stands before those of its branches
    Node node;
    node.graph = graph;
    const OwnNames inputs(inputs_);
    const OwnNames outputs(outputs_);
    std::string_view lowered;
    const bool keeps_calls = record_.graphs[graph.value].kind == GraphKind::Edge;
    node.first_constant = static_cast<uint32_t>(record_.constants.size());
    const auto take = [&](od::raw_json_string key, od::value member) -> error_code {
      if (key == "name") return read_text(member, record_.strings, node.name);
      if (key == "inputs") return read_inputs(member, graph, id, depth, inputs_, lowered);
      if (key == "outputs") return read_arguments(member, outputs_);
      if (key == "metadata")
        return metadata_.read(member, keeps_calls, exported_graph_ ? &*exported_graph_ : nullptr,
                              node);
      if (key != "target") return SUCCESS;
      std::string_view text;
      if (const error_code e = member.get_string().get(text)) return e;
      const Target target = target_of(text);
      node.target = record_.strings.intern(target.name);
      node.target_kind = target.kind;
      return SUCCESS;
    };
    if (const error_code e = each_member(object, take)) return e;
    node.end_constant = static_cast<uint32_t>(record_.constants.size());
    if (node.target == kEmptyString) {
      record_.report.add(Oddity::RecordNodeOdd, record_.text(node.name));
      shrink_to(before);  // its branches would hang from nothing
      return SUCCESS;
    }
    if (node.name == kEmptyString)
      node.name = names_.derive(graph, node.target, outputs.get(), record_);
    names_.add(graph, node.name);
    node.first_input = append_values(inputs.get());
    node.first_output = append_values(outputs.get());
    node.end_output = static_cast<uint32_t>(record_.values.size());
    record_.nodes[id.value] = node;
    record_.graphs[graph.value].nodes.push_back(id);
    return lowered.empty() ? SUCCESS : read_lowered(lowered, graph, id, depth);
  }

  // How far the tables have got that rows refer to each other in.
  struct Extent {
    size_t graphs, nodes, values, lowered;
  };
  Extent extent() const {
    return {record_.graphs.size(), record_.nodes.size(), record_.values.size(),
            record_.lowered.size()};
  }
  // Forgets what was read behind: half a graph would name rows that are not there.
  void shrink_to(const Extent& extent) {
    record_.graphs.resize(extent.graphs);
    record_.nodes.resize(extent.nodes);
    record_.values.resize(extent.values);
    record_.lowered.resize(extent.lowered);
    names_.forget_from(GraphId(extent.graphs));
  }

  // `escaped` is the string argument that holds the lowered module's JSON, without its quotes.
  error_code read_lowered(std::string_view escaped, GraphId graph, NodeId call, int depth) {
    const LoweredText text = unescape_lowered(escaped);
    lower_grant_for_weights(escaped.size() - std::min(escaped.size(), text.json.size()));
    const LoweredId id(record_.lowered.size());
    record_.lowered.push_back({});
    record_.lowered.back().call = call;
    record_.nodes[call.value].lowered = id;
    GraphId original;
    const Extent before = extent();
    const error_code error = read_document(text.json, GraphKind::Lowered, kEmptyString, graph, call,
                                           depth + 1, original);
    metadata_.forget_json();
    if (error != SUCCESS || !original.valid()) {
      record_.report.add(Oddity::RecordLoweredUnreadable,
                         record_.text(record_.nodes[call.value].name));
      shrink_to(before);
      return SUCCESS;
    }
    LoweredModule& lowered = record_.lowered[id.value];
    lowered.graph = original;
    if (decoder_) lowered.payload = decoder_(record_.text(lowered.backend), text.processed_bytes);
    return SUCCESS;
  }

  // [{"name": …, "arg": Argument}]
  error_code read_inputs(od::value value, GraphId graph, NodeId node, int depth,
                         std::vector<StringId>& names, std::string_view& lowered) {
    const bool keeps_calls = record_.graphs[graph.value].kind == GraphKind::Edge;
    return each_element(value, [&](od::value input) {
      od::raw_json_string name;
      return each_member(input, [&](od::raw_json_string key, od::value member) -> error_code {
        if (keeps_calls && key == "name") return member.get_raw_json_string().get(name);
        if (key != "arg") return SUCCESS;
        const size_t first = record_.constant_values.size();
        if (const error_code e =
                read_argument(member, graph, node, depth, names, lowered, keeps_calls))
          return e;
        if (const size_t count = record_.constant_values.size() - first; count > 0) {
          record_.constants.push_back({record_.strings.intern(raw_text(name)),
                                       static_cast<uint32_t>(first), static_cast<uint32_t>(count)});
        }
        return SUCCESS;
      });
    });
  }

  // [Argument] as outputs have them: only names count.
  error_code read_arguments(od::value value, std::vector<StringId>& names) {
    std::string_view ignored;
    return each_element(value, [&](od::value argument) {
      return read_argument(argument, {}, {}, kMaxGraphDepth, names, ignored);
    });
  }

  // An object whose one key that is set says what the value is. Unknown keys are skipped.
  error_code read_argument(od::value argument, GraphId graph, NodeId node, int depth,
                           std::vector<StringId>& names, std::string_view& lowered,
                           bool keeps_numbers = false) {
    const auto take_name = [&](od::value value) { return read_name(value, names); };
    return each_member(argument, [&](od::raw_json_string key, od::value value) -> error_code {
      if (key == "as_tensor" || key == "as_sym_int" || key == "as_sym_bool" ||
          key == "as_sym_float")
        return take_name(value);
      if (key == "as_tensors" || key == "as_sym_ints" || key == "as_sym_bools" ||
          key == "as_optional_tensors")
        return each_element(value, take_name);
      if (keeps_numbers && (key == "as_int" || key == "as_ints"))
        return read_whole_numbers(value, record_.constant_values);
      if (key == "as_graph" && graph.valid()) return read_branch(value, graph, node, depth);
      if (key != "as_string" || !graph.valid()) return SUCCESS;
      const std::string_view token = trim(value.raw_json_token());
      if (token.size() > 4 && token.starts_with("\"{\\\"") && token.ends_with('"'))
        lowered = token.substr(1, token.size() - 2);
      return SUCCESS;
    });
  }

  error_code read_name(od::value value, std::vector<StringId>& names) {
    StringId name;
    if (const error_code e = read_value_name(value, record_.strings, name)) return e;
    if (name.valid()) names.push_back(name);
    return SUCCESS;
  }

  // {"name": …, "graph": {…}}
  error_code read_branch(od::value value, GraphId graph, NodeId node, int depth) {
    StringId name = kEmptyString;
    return each_member(value, [&](od::raw_json_string key, od::value member) -> error_code {
      if (key == "name") return read_text(member, record_.strings, name);
      if (key != "graph") return SUCCESS;
      GraphId branch;
      return read_graph(member, GraphKind::Branch, name, graph, node, depth + 1, branch);
    });
  }

  // Shapes of tensors by the JSON that tells them. Most tensors have that of another one, and half
  // of them that of the one before.
  struct KnownShapes {
    std::unordered_map<std::string_view, StringId, TextHash> all;
    std::string_view last;
    StringId shape_of_last;
  };

  // The text of a tensor's shape.
  error_code read_shape(od::object meta, KnownShapes& known, StringId& text) {
    std::string_view json;
    if (const error_code e = meta.raw_json().get(json)) return e;
    if (json != known.last) {
      const auto [at, is_new] = known.all.try_emplace(json);
      if (is_new) {
        bool has_members = false;
        std::string shape;
        if (const error_code e = meta.reset().get(has_members)) return e;
        if (const error_code e = read_tensor_shape(meta, shape)) return e;
        at->second = record_.strings.intern(shape);
      }
      known.last = json;
      known.shape_of_last = at->second;
    }
    text = known.shape_of_last;
    return SUCCESS;
  }

  // {name: tensor}
  error_code read_shapes(od::value value, Producers& producers, GraphId graph) {
    const bool keeps_all = record_.graphs[graph.value].kind == GraphKind::Edge;
    KnownShapes known;
    od::object tensors;
    if (const error_code e = value.get_object().get(tensors)) return e;
    for (auto entry : tensors) {
      go_on();
      od::field field;
      if (const error_code e = std::move(entry).get(field)) return e;
      std::string_view name;
      if (const error_code e = field.unescaped_key().get(name)) return e;
      const StringId value_name =
          keeps_all ? record_.strings.intern(name) : record_.strings.find(name);
      const NodeId producer = producers.of(value_name);
      if ((!producer.valid() && !keeps_all) || is_absent(field.value())) continue;
      od::object meta;
      if (const error_code e = field.value().get_object().get(meta)) return e;
      StringId text;
      if (const error_code e = read_shape(meta, known, text)) return e;
      if (producer.valid()) record_.nodes[producer.value].shape = text;
      if (keeps_all) record_.graphs[graph.value].tensors.push_back({value_name, text});
    }
    return SUCCESS;
  }

  EtRecord& record_;
  CancelToken cancel_;
  PayloadDecoder decoder_;
  NodeNames names_;
  std::vector<StringId> inputs_;  // of the nodes that are being read
  std::vector<StringId> outputs_;
  ProvenanceTables provenance_;
  MetadataReader metadata_;
  std::string exported_number_;  // of the exported program's graph, or ""
  std::optional<Sought> exported_graph_;
};

GraphReader::GraphReader(EtRecord& record, CancelToken cancel, PayloadDecoder decoder)
    : walker_(std::make_unique<Walker>(record, std::move(cancel), std::move(decoder))) {}

GraphReader::~GraphReader() = default;

void GraphReader::trace_to(std::string exported_graph) {
  walker_->trace_to(std::move(exported_graph));
}

ProvenanceTables& GraphReader::provenance() { return walker_->provenance(); }

Result<GraphId> GraphReader::read(const Bytes& json, GraphKind kind, StringId name) {
  return walker_->read(json, kind, name);
}

}  // namespace etlens
