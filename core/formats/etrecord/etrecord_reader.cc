// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/etrecord_reader.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "core/base/budget.h"
#include "core/base/framework_file.h"
#include "core/base/text.h"
#include "core/formats/etrecord/debug_handle_map.h"
#include "core/formats/etrecord/graph_reader.h"
#include "core/formats/etrecord/members.h"
#include "core/formats/etrecord/rewritten_nodes.h"
#include "core/formats/etrecord/zip_archive.h"

namespace etlens {
namespace {

constexpr std::string_view kMagicMember = "ETRECORD_V0";
constexpr std::string_view kExportedProgram = "exported_program";
constexpr std::string_view kDebugHandleMap = "debug_handle_map";
constexpr std::string_view kDelegateMap = "delegate_map";
constexpr std::string_view kRepresentativeInputs = "representative_inputs";
constexpr std::string_view kExportGraphId = "export_graph_id";
constexpr std::array<std::string_view, 3> kSideSuffixes{"_state_dict", "_constants",
                                                        "_example_inputs"};

// What the members are, by name alone.
struct Contents {
  const ZipMember* debug_handle_map = nullptr;
  const ZipMember* delegate_map = nullptr;
  std::vector<std::pair<std::string, const ZipMember*>> edge;  // method, program
  const ZipMember* exported = nullptr;
  const ZipMember* export_graph_id = nullptr;
  bool has_passes = false;  // the edge programs are those behind the user's passes
  std::vector<const ZipMember*> extra;
  RecordLayout layout = RecordLayout::UpTo03;
};

// A program's weights stand beside it under its name and a suffix. A method may itself be called
// something_constants, so the suffix only counts if the name without it is there too.
bool is_side_file(const ZipArchive& archive, std::string_view name) {
  return std::any_of(kSideSuffixes.begin(), kSideSuffixes.end(), [&](std::string_view suffix) {
    return name.ends_with(suffix) &&
           archive.find(name.substr(0, name.size() - suffix.size())) != nullptr;
  });
}

Contents contents_of(const ZipArchive& archive) {
  Contents contents;
  const auto at_least = [&](RecordLayout layout) {
    contents.layout = std::max(contents.layout, layout);
  };
  for (const ZipMember& member : archive.members()) {
    go_on();
    const std::string_view name = member.name;
    if (name == kDebugHandleMap) {
      contents.debug_handle_map = &member;
    } else if (name == kDelegateMap) {
      contents.delegate_map = &member;
    } else if (name == kNumOutsMap) {
      at_least(RecordLayout::From10);
    } else if (name == kRepresentativeInputs) {
      at_least(RecordLayout::From07);
    } else if (name == kMagicMember || name == kReferenceOutputs) {
      continue;
    } else if (name == kExportGraphId) {
      contents.export_graph_id = &member;
    } else if (is_side_file(archive, name)) {
      if (name.ends_with("_constants")) at_least(RecordLayout::From04);
    } else if (name == kEdgeProgram) {
      contents.edge.emplace_back(kForward, &member);
    } else if (name.starts_with(kEdgeProgram) && name[kEdgeProgram.size()] == '/') {
      contents.edge.emplace_back(name.substr(kEdgeProgram.size() + 1), &member);
      at_least(RecordLayout::From12);
    } else if (name == kExportedProgram) {
      contents.exported = &member;
    } else {
      contents.extra.push_back(&member);
    }
  }
  return contents;
}

class RecordReader {
 public:
  RecordReader(const ZipArchive& archive, EtRecord& record, const CancelToken& cancel,
               const PayloadDecoder& decoder, EdgeGraphs which)
      : archive_(archive),
        record_(record),
        cancel_(cancel),
        graphs_(record, cancel, decoder),
        which_(which) {}

  Result<void> read() {
    Contents contents = contents_of(archive_);
    if (which_ == EdgeGraphs::AsPartitioned) choose_transformed(contents);
    if (contents.debug_handle_map == nullptr) {
      return Error{
          ErrorCode::Unsupported,
          "holds no debug_handle_map, so nothing ties events to its graph; generate it with "
          "the program that was run (generate_etrecord)"};
    }
    record_.layout = contents.layout;
    if (Result<void> maps = read_maps(contents); !maps) return maps;
    if (contents.exported != nullptr) graphs_.trace_to(export_graph(contents));
    if (Result<void> edge = read_edge(contents); !edge) return edge;
    if (Result<void> placed = place_rewritten(contents); !placed) return placed;
    if (record_.schema_minor >= 4 && record_.layout >= RecordLayout::From12) {
      record_.layout = RecordLayout::From13;
    }
    if (has_unresolved_handles()) return read_others(contents);
    return {};
  }

 private:
  void choose_transformed(Contents& contents) const {
    for (auto& [method, member] : contents.edge) {
      const ZipMember* behind = archive_.find(std::string(kTransformedProgram) + "/" + method);
      if (behind == nullptr) continue;
      member = behind;
      contents.has_passes = true;
    }
  }

  Result<void> read_maps(const Contents& contents) {
    Result<Bytes> handles = archive_.read(*contents.debug_handle_map);
    if (!handles) return std::move(handles).error();
    if (Result<void> read = read_debug_handle_map(*handles, record_); !read) {
      return std::move(read).error().with(kDebugHandleMap);
    }
    if (contents.delegate_map == nullptr) return {};
    Result<Bytes> delegates = archive_.read(*contents.delegate_map);
    if (!delegates) return std::move(delegates).error();
    if (Result<void> read = read_delegate_map(*delegates, record_); !read) {
      return std::move(read).error().with(kDelegateMap);
    }
    return {};
  }

  Result<void> read_edge(const Contents& contents) {
    Error first_error;
    for (const auto& [method, member] : contents.edge) {
      Result<GraphId> graph = read_graph(*member, GraphKind::Edge, record_.strings.intern(method));
      if (graph) {
        record_.methods.push_back({record_.strings.intern(method), *graph});
        continue;
      }
      if (graph.error().code == ErrorCode::Cancelled || contents.edge.size() == 1) {
        return std::move(graph).error();
      }
      record_.report.add(Oddity::RecordGraphUnreadable, member->name + " " + graph.error().message);
      first_error = std::move(graph).error();
    }
    if (record_.methods.empty() && !contents.edge.empty()) return first_error;
    std::unordered_set<StringId> known;
    for (const RecordMethod& method : record_.methods) known.insert(method.name);
    for (const MethodMap& map : record_.maps) {
      if (known.insert(map.method).second) record_.methods.push_back({map.method, {}});
    }
    return {};
  }

  // The number of the exported program's graph, "" if it is not recorded.
  std::string export_graph(const Contents& contents) const {
    constexpr size_t kMaxDigits = 20;
    if (contents.export_graph_id == nullptr) return {};
    const Result<Bytes> text = archive_.read(*contents.export_graph_id);
    if (!text || text->size() > kMaxDigits) return {};
    const std::optional<int64_t> id =
        parse_int(trim({reinterpret_cast<const char*>(text->data()), text->size()}));
    return id && *id > 0 ? std::to_string(*id) : std::string();
  }

  Result<void> place_rewritten(const Contents& contents) {
    if (contents.exported == nullptr) return {};
    const std::vector<NodeId> nodes = rewritten_nodes(record_, contents.has_passes);
    if (nodes.empty()) return {};
    EtRecord exported;
    GraphReader reader(exported, cancel_);
    Result<Bytes> json = archive_.read(*contents.exported);
    if (!json) return std::move(json).error();
    record_.graph_bytes += json->size();
    const Result<GraphId> graph = reader.read(*json, GraphKind::Exported, kEmptyString);
    if (graph) {
      place_on_origins(record_, nodes, exported, graphs_.provenance());
      return {};
    }
    if (graph.error().code == ErrorCode::Cancelled) return graph.error();
    record_.report.add(Oddity::RecordGraphUnreadable,
                       contents.exported->name + " " + graph.error().message);
    return {};
  }

  // The exported program and what else was recorded only matter for handles that nothing else has.
  Result<void> read_others(const Contents& contents) {
    std::vector<const ZipMember*> others = contents.extra;
    if (contents.exported != nullptr) others.insert(others.begin(), contents.exported);
    for (const ZipMember* member : others) {
      const GraphKind kind = member == contents.exported ? GraphKind::Exported : GraphKind::Extra;
      const Result<GraphId> graph = read_graph(*member, kind, record_.strings.intern(member->name));
      if (graph) continue;
      if (graph.error().code == ErrorCode::Cancelled) return graph.error();
      record_.report.add(Oddity::RecordGraphUnreadable, member->name + " " + graph.error().message);
    }
    return {};
  }

  Result<GraphId> read_graph(const ZipMember& member, GraphKind kind, StringId name) {
    if (cancel_.cancelled()) return Error{ErrorCode::Cancelled, "reading was cancelled"};
    Result<Bytes> json = archive_.read(member);
    if (!json) return std::move(json).error();
    record_.graph_bytes += json->size();
    Result<GraphId> graph = graphs_.read(*json, kind, name);
    if (!graph) return std::move(graph).error().with("its member " + member.name);
    return graph;
  }

  // An operator whose node is missing, or a delegate call none of whose nodes is known. (Some nodes
  // of a delegate call are always missing: getitem nodes have handles, but no record holds them.)
  bool has_unresolved_handles() const {
    for (const RecordMethod& method : record_.methods) {
      const MethodMap* map = record_.map_of(method.name);
      if (map == nullptr) continue;
      const std::vector<DebugHandle> known = handles_of_nodes(method.edge);
      for (const InstructionHandles& row : map->instructions) {
        const std::span<const DebugHandle> handles = map->handles_of(row);
        const auto is_known = [&](DebugHandle h) {
          go_on();
          return !record_.is_set(h) || std::binary_search(known.begin(), known.end(), h);
        };
        const bool is_delegate = map->find_delegate(row.instruction) != nullptr;
        if (is_delegate ? std::none_of(handles.begin(), handles.end(), is_known)
                        : !std::all_of(handles.begin(), handles.end(), is_known)) {
          return true;
        }
      }
    }
    return false;
  }

  // Of the nodes of a method, its branches and its delegate calls; ascending.
  std::vector<DebugHandle> handles_of_nodes(GraphId edge) const {
    std::vector<DebugHandle> handles;
    handles.reserve(record_.nodes.size());
    for (const Node& node : record_.nodes) {
      go_on();
      if (node.debug_handle != kNoHandle && belongs_to(node.graph, edge))
        handles.push_back(node.debug_handle);
    }
    std::sort(handles.begin(), handles.end());
    return handles;
  }

  bool belongs_to(GraphId graph, GraphId edge) const {
    while (graph.valid() && graph != edge) graph = record_.graphs[graph.value].parent;
    return graph.valid() && graph == edge;
  }

  const ZipArchive& archive_;
  EtRecord& record_;
  const CancelToken& cancel_;
  GraphReader graphs_;
  EdgeGraphs which_;
};

// Non-strict export kept no frame but those of functions named forward, and strips each text. The
// passes of an export leave frames of their own, whichever way it was made: of nodes that have
// frames of the user's, only these tell.
bool is_non_strict(const EtRecord& record) {
  std::vector<bool> is_own(record.frames.size());
  bool has_own = false;
  for (size_t f = 0; f < record.frames.size(); ++f) {
    is_own[f] = !is_framework_file(record.text(record.frames[f].file));
    has_own |= is_own[f];
  }
  bool only_forward = true;
  for (size_t f = 0; f < record.frames.size(); ++f) {
    if (is_own[f] || !has_own) only_forward &= record.text(record.frames[f].function) == kForward;
  }
  if (!only_forward) return false;
  for (const Node& node : record.nodes) {
    if (!node.stack.valid() || !record.stacks[node.stack.value].indented) continue;
    const std::span<const FrameId> frames = record.frames_of(node.stack);
    go_on(1 + frames.size() / 16);
    const bool tells = !has_own || std::any_of(frames.begin(), frames.end(),
                                               [&](FrameId id) { return is_own[id.value]; });
    if (tells) return false;
  }
  return true;
}

// Notes on what the whole record lacks.
void note_oddities(EtRecord& record) {
  if (maps_nothing(record)) {
    record.report.add(Oddity::RecordMapEmpty,
                      "the record holds graphs of " + std::to_string(record.methods.size()) +
                          (record.methods.size() == 1 ? " method alone" : " methods alone"));
  }
  const auto traced = std::count_if(record.nodes.begin(), record.nodes.end(), [&](const Node& n) {
    return n.stack.valid() && record.stacks[n.stack.value].frame_count > 0;
  });
  if (!record.nodes.empty() && traced == 0) {
    record.report.add(Oddity::RecordNoStackTraces,
                      std::to_string(record.nodes.size()) + " nodes without one");
  }
  if (traced > 0 && is_non_strict(record))
    record.report.add(Oddity::RecordNonStrict, "every frame is of a function named forward");
}

}  // namespace

bool maps_nothing(const EtRecord& record) {
  return std::all_of(record.maps.begin(), record.maps.end(),
                     [](const MethodMap& map) { return map.instructions.empty(); });
}

bool looks_like_etrecord(std::span<const uint8_t> front) {
  constexpr size_t kNameOffset = 30;  // behind the local header
  constexpr uint8_t kLocalHeader[] = {'P', 'K', 3, 4};
  return front.size() >= kNameOffset + kMagicMember.size() &&
         std::equal(std::begin(kLocalHeader), std::end(kLocalHeader), front.begin()) &&
         std::equal(kMagicMember.begin(), kMagicMember.end(), front.begin() + kNameOffset);
}

Result<EtRecord> read_etrecord(const FileSystem& files, std::string_view path,
                               const CancelToken& cancel, const PayloadDecoder& decoder,
                               EdgeGraphs graphs) {
  Result<ZipArchive> archive = ZipArchive::open(files, path);
  if (!archive) return std::move(archive).error();
  if (archive->find(kMagicMember) == nullptr) {
    return Error{ErrorCode::Unsupported,
                 "is a ZIP file but not an ETRecord (no member ETRECORD_V0); give the file that "
                 "generate_etrecord or ETRecord.save wrote"};
  }
  EtRecord record;
  RecordReader reader(*archive, record, cancel, decoder, graphs);
  if (Result<void> read = reader.read(); !read) return std::move(read).error();
  note_oddities(record);
  return record;
}

}  // namespace etlens
