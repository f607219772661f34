// SPDX-License-Identifier: Apache-2.0
#include "core/recover/call_numbers.h"

#include <algorithm>
#include <charconv>

#include "core/base/budget.h"

namespace etlens::recover {

const CallNumbers::Call* CallNumbers::next(const GraphUnits& graph, std::string_view method,
                                           uint32_t node) {
  if (!is_read_) read(graph);
  is_read_ = true;
  const auto calls = calls_.find(method);
  if (calls == calls_.end()) return nullptr;
  const auto at = std::ranges::lower_bound(calls->second, node, {}, &Call::node);
  return at == calls->second.end() ? nullptr : &*at;
}

// Methods whose numbers do not rise from node to node are left out: something else numbered them.
void CallNumbers::read(const GraphUnits& graph) {
  constexpr std::string_view kMethod = ";method_descriptor.";
  std::vector<std::string_view> disordered;
  StringId last;
  for (const NodeId id : graph.graph().nodes) {
    go_on();
    const Node& node = graph.record().nodes[id.value];
    const StringId torch_fn = node.torch_fn;
    if (!torch_fn.valid() || torch_fn == last) continue;
    last = torch_fn;
    const std::string_view text = graph.record().text(torch_fn);
    const size_t semicolon = text.find(kMethod);
    // A layer's view may bear the number of a call behind it.
    if (semicolon == std::string_view::npos || graph.is_in_layer(node)) continue;
    const std::string_view counted = text.substr(0, semicolon);
    const std::string_view digits = counted.substr(counted.rfind('_') + 1);
    uint32_t number = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const std::string_view method = text.substr(semicolon + kMethod.size());
    std::vector<Call>& calls = calls_[method];
    const uint32_t before = calls.empty() ? 0 : calls.back().number;
    if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size() ||
        number < before || (!calls.empty() && id.value < calls.back().node)) {
      disordered.push_back(method);
    } else if (number > before) {
      calls.push_back({id.value, number, number - before - 1});
    }
  }
  for (const std::string_view method : disordered) calls_.erase(method);
}

}  // namespace etlens::recover
