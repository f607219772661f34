// SPDX-License-Identifier: Apache-2.0
#include "core/scaffold/model_class.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/source/python/python_tree.h"

namespace etlens {
namespace {

std::optional<ModelParameter> parameter_at(const PythonTree& tree, uint32_t node) {
  const auto text_of = [&](PythonField field) {
    const uint32_t child = tree.child(node, field);
    return child == kNone ? std::string() : std::string(tree.text(child));
  };
  switch (tree[node].kind) {
    case PythonKind::Identifier:
      return ModelParameter{std::string(tree.text(node)), "", false};
    case PythonKind::TypedParameter: {
      const uint32_t name = tree[node].first_child;
      if (name == kNone || tree[name].kind != PythonKind::Identifier) return std::nullopt;
      return ModelParameter{std::string(tree.text(name)), text_of(PythonField::Type), false};
    }
    case PythonKind::DefaultParameter:
    case PythonKind::TypedDefaultParameter:
      return ModelParameter{text_of(PythonField::Name), text_of(PythonField::Type), true};
    default:
      return std::nullopt;
  }
}

std::vector<ModelParameter> parameters_of(const PythonTree& tree, uint32_t function) {
  std::vector<ModelParameter> parameters;
  const uint32_t list = tree.child(function, PythonField::Parameters);
  if (list == kNone) return parameters;
  bool is_self = true;
  for (uint32_t c = tree[list].first_child; c != kNone; c = tree[c].next) {
    std::optional<ModelParameter> parameter = parameter_at(tree, c);
    if (parameter && !is_self) parameters.push_back(std::move(*parameter));
    is_self = false;
  }
  return parameters;
}

uint32_t undecorated(const PythonTree& tree, uint32_t node) {
  return tree[node].kind == PythonKind::DecoratedDefinition
             ? tree.child(node, PythonField::Definition)
             : node;
}

std::optional<ModelClass> class_at(const PythonTree& tree, uint32_t node) {
  const uint32_t name = tree.child(node, PythonField::Name);
  const uint32_t body = tree.child(node, PythonField::Body);
  if (name == kNone || body == kNone) return std::nullopt;
  ModelClass model{std::string(tree.text(name)), tree[node].line + 1, {}, {}, false};
  bool has_forward = false;
  for (uint32_t c = tree[body].first_child; c != kNone; c = tree[c].next) {
    const uint32_t member = undecorated(tree, c);
    if (member == kNone || tree[member].kind != PythonKind::FunctionDefinition) continue;
    const uint32_t member_name = tree.child(member, PythonField::Name);
    if (member_name == kNone) continue;
    if (tree.text(member_name) == "__init__") model.constructor = parameters_of(tree, member);
    if (tree.text(member_name) != "forward") continue;
    has_forward = true;
    model.inputs = parameters_of(tree, member);
  }
  if (!has_forward) return std::nullopt;
  return model;
}

// Classes that the bodies of other ones call: parts, and no models of their own.
void mark_parts(const PythonTree& tree, uint32_t class_node, std::string_view own_name,
                std::vector<ModelClass>& models) {
  for (uint32_t n = class_node; n < tree[class_node].end_child; ++n) {
    if (tree[n].kind != PythonKind::Call) continue;
    const uint32_t callee = tree.child(n, PythonField::Function);
    if (callee == kNone || tree.text(callee) == own_name) continue;
    for (ModelClass& model : models) model.is_part |= model.name == tree.text(callee);
  }
}

}  // namespace

std::vector<ModelClass> model_classes(const PythonSyntax& syntax) {
  std::vector<ModelClass> models;
  const std::shared_ptr<const PythonTree> tree = syntax.tree();
  if (tree == nullptr || tree->nodes.empty()) return models;
  std::vector<uint32_t> nodes;
  for (uint32_t c = (*tree)[0].first_child; c != kNone; c = (*tree)[c].next) {
    const uint32_t node = undecorated(*tree, c);
    if (node == kNone || (*tree)[node].kind != PythonKind::ClassDefinition) continue;
    nodes.push_back(node);
    if (std::optional<ModelClass> model = class_at(*tree, node))
      models.push_back(std::move(*model));
  }
  for (const uint32_t node : nodes) {
    const uint32_t name = tree->child(node, PythonField::Name);
    if (name != kNone) mark_parts(*tree, node, tree->text(name), models);
  }
  return models;
}

}  // namespace etlens
