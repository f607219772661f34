// SPDX-License-Identifier: Apache-2.0
// Work in several processes: pieces that know nothing of each other, whose results come back in
// order. Processes rather than threads, because a file that ends its reader then costs nothing but
// itself, and nothing is shared that would need a lock. The only code that forks.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "core/base/result.h"

namespace etlens {

// Does piece 0 … count - 1, in at most `jobs` processes, and gives `take` each result in order;
// nullopt for a piece whose process ended before it was done. Ends early, without an error, when
// `take` gives false. A process that is ahead waits: what is not taken yet is a pipe's buffer.
// Error: Io if no process can be made.
Result<void> work_in_processes(size_t count, size_t jobs,
                               const std::function<std::string(size_t)>& work,
                               const std::function<bool(size_t, std::optional<std::string>)>& take);

// Processors that this process may use; at least one.
size_t processor_count();

}  // namespace etlens
