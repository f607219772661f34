// SPDX-License-Identifier: Apache-2.0
#include "core/source/python/python_syntax.h"

#include <algorithm>
#include <string>

#include "core/base/budget.h"
#include "core/base/counted_memory.h"
#include "core/source/python/grammar.h"
#include "core/source/python/tree_memory.h"
#include "core/source/python/tree_outline.h"
#include "core/source/python/tree_table.h"

namespace etlens {
namespace {

constexpr size_t kMaxParsedBytes = 16 << 20;
// Error recovery on hostile text can take very long: a second at most, in slices, so that whoever
// waits less is asked in between.
constexpr uint64_t kSliceMicros = 5'000;
constexpr int kMaxSlices = 200;

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
  ~Tree() {
    if (tree != nullptr) ts_tree_delete(tree);
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  // `before`: the tree of the text before, told of the edits; may be null. Null if there is no
  // result.
  static std::unique_ptr<Tree> parse(const Document& document, const TSTree* before) {
    if (document.text().size() > kMaxParsedBytes) return nullptr;
    count_tree_memory();
    auto result = std::make_unique<Tree>(nullptr);
    std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(),
                                                                  &ts_parser_delete);
    if (!ts_parser_set_language(parser.get(), tree_sitter_python())) return nullptr;
    ts_parser_set_timeout_micros(parser.get(), kSliceMicros);
    ts_parser_set_cancellation_flag(parser.get(), is_past_budget());
    for (int slice = 0; slice < kMaxSlices; ++slice) {
      try {
        result->tree = ts_parser_parse_string(parser.get(), before, document.text().data(),
                                              static_cast<uint32_t>(document.text().size()));
      } catch (...) {
        (void)parser.release();  // its state is not known
        throw;
      }
      go_on(result->tree != nullptr ? 1 : Ledger::kStepsPerLook + 1);
      if (result->tree != nullptr) return result;
    }
    return nullptr;
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
      is_valid_ ? outline_of_tree(*document_, tree_->root()) : outline_by_indentation(*document_);
}

PythonSyntax::~PythonSyntax() = default;

std::shared_ptr<const PythonSyntax> PythonSyntax::parse(std::shared_ptr<const Document> document) {
  std::unique_ptr<Tree> tree = Tree::parse(*document, nullptr);
  return std::shared_ptr<const PythonSyntax>(
      new PythonSyntax(std::move(document), std::move(tree)));
}

std::shared_ptr<const PythonSyntax> PythonSyntax::edited(
    std::span<const TextEdit> edits, std::shared_ptr<const Document> after) const {
  // Each edit needs the whole text once more.
  constexpr size_t kMostEdits = 16;
  if (tree_ == nullptr || edits.size() > kMostEdits) return parse(std::move(after));
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
  TreeCursor cursor(top);
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

// The statement that holds the byte; null if none does.
const PythonStatement* statement_around(std::span<const PythonStatement> statements,
                                        uint32_t byte) {
  const auto next = std::partition_point(statements.begin(), statements.end(),
                                         [&](const PythonStatement& s) { return s.begin <= byte; });
  if (next == statements.begin()) return nullptr;
  const PythonStatement& statement = *std::prev(next);
  return byte < statement.end ? &statement : nullptr;
}

}  // namespace

// One walk over each __init__: a look from the root at every statement would take as long as the
// file each time.
std::vector<AttributeAssignment> PythonSyntax::attribute_assignments(uint32_t class_scope) const {
  std::vector<AttributeAssignment> found;
  if (!is_valid_) return found;
  const std::vector<PythonScope>& scopes = outline_.scopes;
  const auto visit_target = [&](TSNode target, const PythonStatement& statement) {
    if (ts_node_symbol(target) != grammar_symbols().attribute) return;
    if (text_of(*document_, child_in_field(target, "object")) != "self") return;
    const auto line = static_cast<uint32_t>(document_->line_at(statement.begin));
    const std::string_view name = text_of(*document_, child_in_field(target, "attribute"));
    found.push_back({name, line, statement.begin, statement.end});
  };
  // What is inside a class stands behind it.
  for (uint32_t s = class_scope + 1; s < scopes.size() && scopes[s].begin < scopes[class_scope].end;
       ++s) {
    if (scopes[s].is_class || scopes[s].name != "__init__" || scopes[s].parent != class_scope)
      continue;
    const uint32_t begin = scopes[s].begin, end = scopes[s].end;
    walk(tree_->node_at(begin, end), begin, end, [&](TSNode node) {
      if (ts_node_symbol(node) != grammar_symbols().assignment) return;
      const PythonStatement* statement =
          statement_around(outline_.statements, ts_node_start_byte(node));
      if (statement == nullptr || statement->scope != s || statement->is_header) return;
      const TSNode left = child_in_field(node, "left");
      walk(left, ts_node_start_byte(left), ts_node_end_byte(left),
           [&](TSNode target) { visit_target(target, *statement); });
    });
  }
  return found;
}

std::shared_ptr<const PythonTree> PythonSyntax::tree() const {
  if (!is_valid_) return nullptr;
  auto tree = std::make_shared<PythonTree>();
  tree->document = document_;
  if (!table_of_tree(tree_->root(), *document_, tree->nodes)) return nullptr;
  return tree;
}

}  // namespace etlens
