// SPDX-License-Identifier: Apache-2.0
// What limits everything that a run can tell, in words: sentences that stand with every headline.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/time_scale.h"
#include "core/facts/headline.h"

namespace etlens {

// A few sentences, the gravest first; empty if there is nothing to say.
std::vector<std::string> finding_texts(const Headline& head, const Facts& facts,
                                       std::optional<TimeScale> unit);

// Those about backends that report no operators alone: for where lines begin that say nothing of
// them.
std::vector<std::string> silence_texts(const Headline& head, const Facts& facts,
                                       std::optional<TimeScale> unit);

}  // namespace etlens
