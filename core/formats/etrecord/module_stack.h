// SPDX-License-Identifier: Apache-2.0
// Parses a node's nn_module_stack: `key,path,type` entries joined by `;`, outermost first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace etlens {

struct ParsedModule {
  std::string_view key;   // unique per call; a repeated call of one module ends in @1, @2, …
  std::string_view path;  // as recorded
  std::string_view type;  // Python module and qualified name
};

// Commas may stand inside path and type, within brackets: the key ends at the first comma, the type
// starts behind the last comma outside brackets.
std::vector<ParsedModule> parse_module_stack(std::string_view text);

// The same in two steps, for stacks that share entries: the entries that are modules', and what one
// of them says.
std::vector<std::string_view> module_entries(std::string_view text);
ParsedModule parse_module(std::string_view entry);

// The module's dotted path: `L['self'].layers[0].attn` and `getattr(L['self'].neck, '0')` become
// `layers.0.attn` and `neck.0`; the root is "".
std::string normal_module_path(std::string_view path);

// True for types that torch.export and torch.fx wrap around the user's modules.
bool is_wrapper_type(std::string_view type);

}  // namespace etlens
