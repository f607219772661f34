// SPDX-License-Identifier: Apache-2.0
#include "core/source/python/python_syntax.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <array>
#include <string>

#include "core/base/budget.h"
#include "core/source/python/python_tree.h"

extern "C" const TSLanguage* tree_sitter_python(void);

namespace etlens {
namespace {

constexpr size_t kMaxParsedBytes = 16 << 20;
// Error recovery on hostile text can take very long. A whole number of seconds: tree-sitter 0.20
// does not carry nanoseconds, so that any other limit ends at the next full second of the clock.
constexpr uint64_t kMaxParseMicros = 1'000'000;

// The grammar's node types that matter here, as numbers.
struct Symbols {
  Symbols() {
    const TSLanguage* language = tree_sitter_python();
    const auto named = [&](std::string_view name) {
      return ts_language_symbol_for_name(language, name.data(), static_cast<uint32_t>(name.size()),
                                         true);
    };
    block = named("block");
    function = named("function_definition");
    class_ = named("class_definition");
    decorated = named("decorated_definition");
    decorator = named("decorator");
    comment = named("comment");
    continuation = named("line_continuation");
    expression = named("expression_statement");
    string = named("string");
    call = named("call");
    attribute = named("attribute");
    identifier = named("identifier");
    assignment = named("assignment");
    arguments = named("argument_list");
    colon = ts_language_symbol_for_name(language, ":", 1, false);
    constexpr auto kCompoundNodes = std::to_array<std::string_view>(
        {"if_statement", "elif_clause", "else_clause", "for_statement", "while_statement",
         "try_statement", "except_clause", "except_group_clause", "finally_clause",
         "with_statement", "match_statement", "case_clause", "function_definition",
         "class_definition"});
    compound.reserve(kCompoundNodes.size());
    for (const std::string_view name : kCompoundNodes) compound.push_back(named(name));
  }
  bool is_compound(TSSymbol symbol) const {
    return std::find(compound.begin(), compound.end(), symbol) != compound.end();
  }

  TSSymbol block, function, class_, decorated, decorator, comment, continuation, expression, string,
      call, attribute, identifier, assignment, arguments, colon;
  std::vector<TSSymbol> compound;
};

const Symbols& symbols() {
  static const Symbols kSymbols;
  return kSymbols;
}

class Cursor {
 public:
  explicit Cursor(TSNode node) : cursor_(ts_tree_cursor_new(node)) {}
  ~Cursor() { ts_tree_cursor_delete(&cursor_); }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  TSNode node() const { return ts_tree_cursor_current_node(&cursor_); }
  TSFieldId field() const { return ts_tree_cursor_current_field_id(&cursor_); }
  bool down() { return ts_tree_cursor_goto_first_child(&cursor_); }
  bool right() { return ts_tree_cursor_goto_next_sibling(&cursor_); }
  bool up() { return ts_tree_cursor_goto_parent(&cursor_); }

 private:
  TSTreeCursor cursor_;
};

TSNode field(TSNode node, std::string_view name) {
  return ts_node_child_by_field_name(node, name.data(), static_cast<uint32_t>(name.size()));
}

std::string_view text_of(const Document& document, TSNode node) {
  if (ts_node_is_null(node)) return {};
  const uint32_t begin = ts_node_start_byte(node);
  return std::string_view(document.text()).substr(begin, ts_node_end_byte(node) - begin);
}

// One walk over the statements of a tree; expressions are not entered.
class TreeOutliner {
 public:
  explicit TreeOutliner(const Document& document) : document_(document) {}

  PythonOutline run(TSNode root) {
    Cursor cursor(root);
    enter(root);
    if (!cursor.down()) return std::move(outline_);
    while (true) {
      if (visit(cursor.node()) && cursor.down()) continue;
      leave();
      while (!cursor.right()) {
        if (!cursor.up() || open_.empty()) return std::move(outline_);
        leave();
        if (open_.empty()) return std::move(outline_);
      }
    }
  }

 private:
  struct Open {
    uint32_t scope;                 // innermost scope inside the node
    uint32_t header_begin = kNone;  // of a compound statement whose colon is still to come
    uint32_t outer_scope = kNone;   // of that header
    uint32_t decorated_line = kNone;
  };

  void enter(TSNode) { open_.push_back({kNone}); }
  void leave() { open_.pop_back(); }

  // Pushes the node's state; true if its children are to be visited.
  bool visit(TSNode node) {
    const Symbols& s = symbols();
    const TSSymbol symbol = ts_node_symbol(node);
    Open state{open_.back().scope};
    bool enters = false;
    if (symbol == s.colon) {
      if (open_.back().header_begin != kNone) header(ts_node_end_byte(node));
    } else if (symbol == s.block) {
      enters = true;
    } else if (symbol == s.decorated) {
      state.decorated_line = line_at(ts_node_start_byte(node));
      enters = true;
    } else if (s.is_compound(symbol)) {
      state.header_begin = ts_node_start_byte(node);
      state.outer_scope = open_.back().scope;
      if (symbol == s.function || symbol == s.class_)
        state.scope = add_scope(node, symbol == s.class_);
      enters = true;
    } else if (ts_node_is_named(node) && symbol != s.comment && is_statement_place()) {
      statement(node, symbol);
    }
    open_.push_back(state);
    return enters;
  }

  // Children of module, block and decorated definitions are statements; those of headers are not.
  bool is_statement_place() const { return open_.back().header_begin == kNone; }

  void header(uint32_t end) {
    Open& open = open_.back();
    outline_.statements.push_back({open.header_begin, end, open.outer_scope, true, false});
    open.header_begin = kNone;
  }

  void statement(TSNode node, TSSymbol symbol) {
    PythonStatement statement;
    statement.begin = ts_node_start_byte(node);
    statement.end = ts_node_end_byte(node);
    statement.scope = open_.back().scope;
    if (symbol == symbols().expression && ts_node_named_child_count(node) == 1) {
      statement.is_docstring = ts_node_symbol(ts_node_named_child(node, 0)) == symbols().string;
    }
    if (statement.begin < statement.end) outline_.statements.push_back(statement);
  }

  uint32_t add_scope(TSNode node, bool is_class) {
    PythonScope scope;
    scope.is_class = is_class;
    scope.name = text_of(document_, field(node, "name"));
    if (is_class) {
      scope.bases = text_of(document_, field(node, "superclasses"));
      if (scope.bases.size() >= 2) scope.bases = scope.bases.substr(1, scope.bases.size() - 2);
    }
    scope.parent = open_.back().scope;
    scope.begin = ts_node_start_byte(node);
    scope.end = ts_node_end_byte(node);
    scope.header_line = line_at(scope.begin);
    scope.first_line =
        open_.back().decorated_line == kNone ? scope.header_line : open_.back().decorated_line;
    scope.last_line = line_at(scope.end > scope.begin ? scope.end - 1 : scope.end);
    outline_.scopes.push_back(scope);
    return static_cast<uint32_t>(outline_.scopes.size() - 1);
  }

  uint32_t line_at(uint32_t byte) const { return static_cast<uint32_t>(document_.line_at(byte)); }

  const Document& document_;
  PythonOutline outline_;
  std::vector<Open> open_;
};

TSPoint point_at(const Document& document, size_t offset) {
  const size_t line = document.line_at(offset);
  return {static_cast<uint32_t>(line), static_cast<uint32_t>(offset - document.line_start(line))};
}

TSInputEdit input_edit(const Document& before, const TextEdit& edit, const Document& after) {
  const size_t begin = std::min(edit.begin, before.text().size());
  const size_t end = std::clamp(edit.end, begin, before.text().size());
  const size_t new_end = begin + edit.text.size();
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end), static_cast<uint32_t>(new_end),
          point_at(before, begin),      point_at(before, end),      point_at(after, new_end)};
}

}  // namespace

struct PythonSyntax::Tree {
  explicit Tree(TSTree* t) : tree(t) {}
  ~Tree() { ts_tree_delete(tree); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  // `before`: the tree of the text before, told of the edits; may be null. Null if there is no
  // result.
  static std::unique_ptr<Tree> parse(const Document& document, const TSTree* before) {
    if (document.text().size() > kMaxParsedBytes) return nullptr;
    TSParser* parser = ts_parser_new();
    ts_parser_set_timeout_micros(parser, kMaxParseMicros);
    TSTree* tree = nullptr;
    if (ts_parser_set_language(parser, tree_sitter_python())) {
      tree = ts_parser_parse_string(parser, before, document.text().data(),
                                    static_cast<uint32_t>(document.text().size()));
    }
    ts_parser_delete(parser);
    return tree == nullptr ? nullptr : std::make_unique<Tree>(tree);
  }

  TSNode root() const { return ts_tree_root_node(tree); }
  // The smallest node around the bytes.
  TSNode node_at(uint32_t begin, uint32_t end) const {
    return ts_node_descendant_for_byte_range(root(), begin, end);
  }

  TSTree* tree;
};

PythonSyntax::PythonSyntax(std::shared_ptr<const Document> document, std::unique_ptr<Tree> tree)
    : document_(std::move(document)), tree_(std::move(tree)) {
  is_valid_ = tree_ != nullptr && !ts_node_has_error(tree_->root());
  outline_ =
      is_valid_ ? TreeOutliner(*document_).run(tree_->root()) : outline_by_indentation(*document_);
}

PythonSyntax::~PythonSyntax() = default;

std::shared_ptr<const PythonSyntax> PythonSyntax::parse(std::shared_ptr<const Document> document) {
  std::unique_ptr<Tree> tree = Tree::parse(*document, nullptr);
  return std::shared_ptr<const PythonSyntax>(
      new PythonSyntax(std::move(document), std::move(tree)));
}

std::shared_ptr<const PythonSyntax> PythonSyntax::edited(
    std::span<const TextEdit> edits, std::shared_ptr<const Document> after) const {
  if (tree_ == nullptr) return parse(std::move(after));
  const Tree told(ts_tree_copy(tree_->tree));
  Document text = *document_;
  for (const TextEdit& edit : edits) {
    Document next = text.edited(edit);
    const TSInputEdit change = input_edit(text, edit, next);
    ts_tree_edit(told.tree, &change);
    text = std::move(next);
  }
  // Reusing nodes of a text that is not the one that the edits lead to would give nonsense.
  const bool is_same = text.text() == after->text();
  std::unique_ptr<Tree> tree = Tree::parse(*after, is_same ? told.tree : nullptr);
  return std::shared_ptr<const PythonSyntax>(new PythonSyntax(std::move(after), std::move(tree)));
}

std::string PythonSyntax::qualified_name(uint32_t scope) const {
  std::string name;
  for (; scope != kNone; scope = outline_.scopes[scope].parent) {
    name = std::string(outline_.scopes[scope].name) + (name.empty() ? "" : ".") + name;
  }
  return name;
}

const PythonStatement* PythonSyntax::statement_at(size_t line) const {
  if (line >= document_->line_count()) return nullptr;
  const size_t begin = document_->line_start(line);
  const size_t end = line + 1 < document_->line_count() ? document_->line_start(line + 1)
                                                        : document_->text().size() + 1;
  const auto at = std::partition_point(outline_.statements.begin(), outline_.statements.end(),
                                       [&](const PythonStatement& s) { return s.end <= begin; });
  return at != outline_.statements.end() && at->begin < end ? &*at : nullptr;
}

namespace {

// Calls visit(node) for every node below `top` that overlaps the bytes, parents before children.
template <typename Visit>
void walk(TSNode top, uint32_t begin, uint32_t end, Visit visit) {
  Cursor cursor(top);
  size_t depth = 0;
  while (true) {
    const TSNode node = cursor.node();
    const bool overlaps = ts_node_start_byte(node) < end && ts_node_end_byte(node) > begin;
    if (overlaps) visit(node);
    if (overlaps && cursor.down()) {
      ++depth;
      continue;
    }
    while (depth > 0 && !cursor.right()) {
      cursor.up();
      --depth;
    }
    if (depth == 0) return;
  }
}

// The last name of a called expression: conv1 of self.conv1, relu of F.relu.
std::string_view last_name(const Document& document, TSNode node) {
  if (ts_node_symbol(node) == symbols().attribute)
    return text_of(document, field(node, "attribute"));
  return ts_node_symbol(node) == symbols().identifier ? text_of(document, node)
                                                      : std::string_view();
}

uint32_t argument_count(TSNode arguments) {
  if (ts_node_is_null(arguments)) return 0;
  if (ts_node_symbol(arguments) != symbols().arguments) return 1;  // a generator expression
  uint32_t count = 0;
  Cursor cursor(arguments);
  for (bool more = cursor.down(); more; more = cursor.right()) {
    if (ts_node_is_named(cursor.node()) && ts_node_symbol(cursor.node()) != symbols().comment)
      ++count;
  }
  return count;
}

}  // namespace

std::vector<PythonCall> PythonSyntax::calls_in(uint32_t begin, uint32_t end) const {
  std::vector<PythonCall> calls;
  if (!is_valid_) return calls;
  walk(tree_->node_at(begin, end), begin, end, [&](TSNode node) {
    if (ts_node_symbol(node) != symbols().call || ts_node_start_byte(node) < begin ||
        ts_node_end_byte(node) > end) {
      return;
    }
    const TSNode function = field(node, "function");
    calls.push_back({last_name(*document_, function), ts_node_start_byte(function),
                     ts_node_end_byte(function), ts_node_end_byte(node),
                     argument_count(field(node, "arguments"))});
  });
  return calls;
}

std::vector<std::string_view> PythonSyntax::attributes_in(uint32_t begin, uint32_t end) const {
  std::vector<std::pair<uint32_t, std::string_view>> found;
  if (!is_valid_) return {};
  walk(tree_->node_at(begin, end), begin, end, [&](TSNode node) {
    if (ts_node_symbol(node) != symbols().attribute || ts_node_start_byte(node) < begin ||
        ts_node_end_byte(node) > end) {
      return;
    }
    found.emplace_back(ts_node_end_byte(node), last_name(*document_, node));
  });
  std::sort(found.begin(), found.end());
  std::vector<std::string_view> names;
  names.reserve(found.size());
  for (const auto& [at, name] : found) names.push_back(name);
  return names;
}

std::vector<AttributeAssignment> PythonSyntax::attribute_assignments(uint32_t class_scope) const {
  std::vector<AttributeAssignment> found;
  if (!is_valid_) return found;
  const PythonScope& owner = outline_.scopes[class_scope];
  auto at = std::partition_point(outline_.statements.begin(), outline_.statements.end(),
                                 [&](const PythonStatement& s) { return s.begin < owner.begin; });
  for (; at != outline_.statements.end() && at->begin < owner.end; ++at) {
    const PythonStatement& statement = *at;
    if (statement.scope == kNone || statement.is_header) continue;
    const PythonScope& scope = outline_.scopes[statement.scope];
    if (scope.is_class || scope.name != "__init__" || scope.parent != class_scope) continue;
    walk(tree_->node_at(statement.begin, statement.end), statement.begin, statement.end,
         [&](TSNode node) {
           if (ts_node_symbol(node) != symbols().assignment) return;
           const TSNode left = field(node, "left");
           walk(left, ts_node_start_byte(left), ts_node_end_byte(left), [&](TSNode target) {
             if (ts_node_symbol(target) != symbols().attribute) return;
             if (text_of(*document_, field(target, "object")) != "self") return;
             const auto line = static_cast<uint32_t>(document_->line_at(statement.begin));
             found.push_back({last_name(*document_, target), line, statement.begin, statement.end});
           });
         });
  }
  return found;
}

namespace {

constexpr size_t kMaxTreeDepth = 300;

// The grammar's numbers of kinds and fields, as ours.
struct TreeNumbers {
  TreeNumbers() {
    const TSLanguage* language = tree_sitter_python();
    kinds.assign(ts_language_symbol_count(language), PythonKind::Other);
    constexpr auto kNames = std::to_array<std::string_view>({
#define ETLENS_TEXT(name, text) text,
        ETLENS_PYTHON_KINDS(ETLENS_TEXT)
#undef ETLENS_TEXT
    });
    for (size_t s = 0; s < kinds.size(); ++s) {
      const auto symbol = static_cast<TSSymbol>(s);
      if (ts_language_symbol_type(language, symbol) != TSSymbolTypeRegular) continue;
      const auto* at =
          std::find(kNames.begin(), kNames.end(), ts_language_symbol_name(language, symbol));
      if (at != kNames.end()) kinds[s] = static_cast<PythonKind>(at - kNames.begin());
    }
    fields.assign(ts_language_field_count(language) + 1, PythonField::None);
    uint8_t number = 1;
    for (const std::string_view name : {
#define ETLENS_TEXT(name, text) std::string_view(text),
             ETLENS_PYTHON_FIELDS(ETLENS_TEXT)
#undef ETLENS_TEXT
         }) {
      const TSFieldId id =
          ts_language_field_id_for_name(language, name.data(), static_cast<uint32_t>(name.size()));
      if (id < fields.size()) fields[id] = static_cast<PythonField>(number);
      ++number;
    }
    fields[0] = PythonField::None;
  }

  std::vector<PythonKind> kinds;
  std::vector<PythonField> fields;
};

// Of what is below these, the table keeps what is to be evaluated.
bool is_kept_below(PythonKind parent, PythonKind kind) {
  if (parent == PythonKind::Type) return false;
  return kind != PythonKind::Other ||
         (parent != PythonKind::String && parent != PythonKind::Interpolation);
}

// Copies a tree into a table. False if it nests too deep.
bool flatten(TSNode root, const Document& document, std::vector<PythonNode>& nodes) {
  static const TreeNumbers kNumbers;
  Cursor at(root);
  struct Open {
    uint32_t node;
    uint32_t last_child;
  };
  std::vector<Open> open;
  size_t line = 0;  // of the node: they ascend
  while (true) {
    go_on();
    const TSNode node = at.node();
    const PythonField field =
        kNumbers.fields[std::min<size_t>(at.field(), kNumbers.fields.size() - 1)];
    const TSSymbol symbol = ts_node_symbol(node);
    bool is_kept = symbol != symbols().comment && symbol != symbols().continuation;
    PythonKind kind = symbol < kNumbers.kinds.size() ? kNumbers.kinds[symbol] : PythonKind::Other;
    if (is_kept && !ts_node_is_named(node)) {
      const PythonKind parent = open.empty() ? kind : nodes[open.back().node].kind;
      kind = PythonKind::Token;
      is_kept = field == PythonField::Operator || field == PythonField::Operators ||
                parent == PythonKind::ComparisonOperator || parent == PythonKind::Slice;
    }
    if (is_kept && !open.empty()) is_kept = is_kept_below(nodes[open.back().node].kind, kind);
    bool enters = false;
    if (is_kept) {
      PythonNode row;
      row.kind = kind;
      row.field = field;
      row.begin = ts_node_start_byte(node);
      row.end = ts_node_end_byte(node);
      while (line + 1 < document.line_count() && document.line_start(line + 1) <= row.begin) ++line;
      row.line = static_cast<uint32_t>(line);
      const auto id = static_cast<uint32_t>(nodes.size());
      row.end_child = id + 1;
      if (!open.empty()) {
        Open& outer = open.back();
        (outer.last_child == kNone ? nodes[outer.node].first_child : nodes[outer.last_child].next) =
            id;
        outer.last_child = id;
      }
      nodes.push_back(row);
      if (at.down()) {
        open.push_back({id, kNone});
        if (open.size() > kMaxTreeDepth) return false;
        enters = true;
      }
    }
    while (!enters && !at.right()) {
      if (open.empty() || !at.up()) return true;
      nodes[open.back().node].end_child = static_cast<uint32_t>(nodes.size());
      open.pop_back();
      if (open.empty()) return true;
    }
  }
}

}  // namespace

std::shared_ptr<const PythonTree> parse_python_tree(std::shared_ptr<const Document> document) {
  return PythonSyntax::parse(std::move(document))->tree();
}

std::shared_ptr<const PythonTree> PythonSyntax::tree() const {
  if (!is_valid_) return nullptr;
  auto tree = std::make_shared<PythonTree>();
  tree->document = document_;
  if (!flatten(tree_->root(), *document_, tree->nodes)) return nullptr;
  return tree;
}

}  // namespace etlens
