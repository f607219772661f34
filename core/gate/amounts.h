// SPDX-License-Identifier: Apache-2.0
// Amounts as people write them in a policy: "16 MB", "50 ms", "95%".
#pragma once

#include <optional>
#include <string_view>

namespace etlens {

// Bytes: B, kB, MB, GB (1000), KiB, MiB, GiB (1024). nullopt for anything else.
std::optional<double> parse_bytes(std::string_view text);
// Nanoseconds: ns, us, µs, ms, s.
std::optional<double> parse_duration(std::string_view text);
// A fraction: "95%" is 0.95.
std::optional<double> parse_percent(std::string_view text);

}  // namespace etlens
