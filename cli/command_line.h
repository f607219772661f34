// SPDX-License-Identifier: Apache-2.0
// What a person who has not read the help types: `etlens FOLDER`, `etlens anotate`.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace etlens::cli {

// `arguments` behind the program's name. Where the first one is none of the commands but a file or
// folder that exists, `annotate` is put in front.
std::vector<std::string> with_command(std::span<const std::string> commands,
                                      std::vector<std::string> arguments);

// "there is no command anotate; did you mean annotate?", for a first argument that is neither a
// command nor an option; "" for all others.
std::string unknown_command(std::span<const std::string> commands,
                            const std::vector<std::string>& arguments);

}  // namespace etlens::cli
