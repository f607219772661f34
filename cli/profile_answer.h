// SPDX-License-Identifier: Apache-2.0
// What Python answers to `etlens profile`: rows of text (cli/profile_driver).
#pragma once

#include <string_view>

#include "core/view/profile_probe_view.h"

namespace etlens::cli {

// Each row is a kind and its fields, with tabs between them. Rows of other kinds are left out. Inputs replace those of the view.
void read_answer(std::string_view rows, ProfileProbeView& view);

}  // namespace etlens::cli
