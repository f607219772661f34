// SPDX-License-Identifier: Apache-2.0
// Reads what a record says of each call beyond operator and values: whole numbers among the
// arguments, where a node comes from, what the graph's inputs are and which modules there are.
#pragma once

#include <simdjson.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/formats/etrecord/etrecord.h"

namespace etlens {

// A text to look for from the back, of 1 to 255 characters. Where its first character should be is
// another one, so many characters can be skipped (Horspool): rfind looks at every one.
struct Sought {
  constexpr explicit Sought(std::string_view of) : text(of) {
    skips.fill(static_cast<uint8_t>(of.size()));
    for (size_t i = of.size(); i-- > 1;)
      skips[static_cast<uint8_t>(of[i])] = static_cast<uint8_t>(i);
  }
  std::string_view text;
  std::array<uint8_t, 256> skips{};
};

// {"name": …}, {"as_name": …}, or one of these in {"as_tensor": …} and the like. `name` stays as it
// is if nothing is named; `nesting`: of the value in others.
simdjson::error_code read_value_name(simdjson::ondemand::value value, StringPool& strings,
                                     StringId& name);
// The same without a pool: `name` is valid as long as the parser's document.
simdjson::error_code read_value_name(simdjson::ondemand::value value, std::string_view& name,
                                     int nesting = 0);

// The number of an as_int, the numbers of an as_ints. What is not whole is left out.
simdjson::error_code read_whole_numbers(simdjson::ondemand::value value,
                                        std::vector<int64_t>& numbers);

// The oldest ATen node of a from_node text, from its name to its graph's id; "" if it names none.
// `token` is the raw JSON string: its quotes are still escaped. The chain is nested, each node in
// the one that was made of it, so that only the end of a long text is looked at.
std::string_view oldest_origin(std::string_view token);

// The name of the node of the exported program, whose graph has the number `graph_id`, in the same
// text; "" if it names none of them, or several.
std::string_view exported_origin(std::string_view token, const Sought& graph_id);

// {"input_specs": [{kind: {…}}], "output_specs": [{kind: {…}}], …}
simdjson::error_code read_signature(simdjson::ondemand::value value, StringPool& strings,
                                    Graph& graph);

// [{"fqn": …}]
simdjson::error_code read_module_paths(simdjson::ondemand::value value, StringPool& strings,
                                       Graph& graph);

}  // namespace etlens
