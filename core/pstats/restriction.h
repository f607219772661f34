// SPDX-License-Identifier: Apache-2.0
// What pstats' print methods take to shorten a list: a count, a fraction or a regular expression.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/formats/pstats/python_profile.h"

namespace etlens::pstats {

// A count; a fraction of what is left; a regular expression that is searched in standard names.
using Restriction = std::variant<int64_t, double, std::string>;

// As pstats' browser reads words: a whole number is a count, a number a fraction, the rest a
// pattern. InvalidParams for a fraction that is none.
Result<Restriction> parse_restriction(std::string_view word);

// Shortens `functions`, and returns the line that pstats says about it: "" if nothing went, a line
// that ends in a line feed otherwise, also for a pattern that is no regular expression, which
// shortens nothing. Patterns are those of PCRE2, which agree with Python's in all common things.
std::string restrict_functions(const PythonProfile& profile, const Restriction& restriction,
                               std::vector<PythonFunctionId>& functions);

}  // namespace etlens::pstats
