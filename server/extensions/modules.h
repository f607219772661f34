// SPDX-License-Identifier: Apache-2.0
// etlens/modules: the tree of modules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/view/module_view.h"
#include "server/extensions/comparison.h"

namespace etlens::extensions {

// As `etlens modules` has it, and what is shown of it.
struct ModuleItem {
  Spread<ModuleView> module;
  std::optional<uint32_t> parent;  // index in the list
  uint32_t depth = 0;
  std::string self_text;
  std::string inclusive_text;
  std::string spread_text;           // of the inclusive time: "noise +9.00 µs per execution"
  std::optional<SourceLine> source;  // a line where its time is spent
  std::optional<ChangeItem> change;  // of the inclusive time; absent without a baseline
};
FIELDS(ModuleItem, module, parent, depth, self_text, inclusive_text, spread_text, source, change)

struct ModulesResult {
  Spread<ListHead> head;
  std::vector<ModuleItem> modules;  // parents before children; the first is the root
};
FIELDS(ModulesResult, head, modules)

// A class of a file that may be run as a model.
struct ModelItem {
  std::string name;
  uint32_t line = 0;     // 0-based, of the class's header in the text of now
  bool is_root = false;  // of the shown record
};
FIELDS(ModelItem, name, line, is_root)

// etlens/models: of an open document.
struct ModelsResult {
  std::vector<ModelItem> models;  // in the order of the text
};
FIELDS(ModelsResult, models)

struct ModuleSourceParams {
  std::string path;  // of the module; "" is the root
};
FIELDS(ModuleSourceParams, path)

// Where a module is defined: its class; else the attribute that holds it, where the class is one of
// a library; else a line where its time is spent.
struct ModuleSourceResult {
  std::string kind;                       // "class", "attribute", "line"; "" if there is none
  std::optional<lsp::Location> location;  // of the text of now
};
FIELDS(ModuleSourceResult, kind, location)

}  // namespace etlens::extensions
