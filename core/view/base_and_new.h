// SPDX-License-Identifier: Apache-2.0
// The same facts of both sides of a comparison: {"base": …, "new": …}.
#pragma once

#include "core/base/fields.h"

namespace etlens {

template <typename T>
struct BaseAndNew {
  T base{};
  T fresh{};
};
template <typename T>
inline constexpr bool kIsBaseAndNew = false;
template <typename T>
inline constexpr bool kIsBaseAndNew<BaseAndNew<T>> = true;

// By hand, because no field of a struct can be called "new".
template <typename Self, typename Visit>
requires kIsBaseAndNew<std::remove_const_t<Self>>
void visit_fields(Self& self, Visit&& visit) {
  visit_field(visit, "base", self.base);
  visit_field(visit, "new", self.fresh);
}

}  // namespace etlens
