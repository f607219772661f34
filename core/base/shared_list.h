// SPDX-License-Identifier: Apache-2.0
// SharedList<T>: a list that does not change, kept once for all of its copies.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace etlens {

template <typename T>
class SharedList {
 public:
  SharedList() = default;
  SharedList(std::initializer_list<T> items) : SharedList(std::vector<T>(items)) {}
  SharedList(std::vector<T> items)  // NOLINT(google-explicit-constructor): a list is a list
      : items_(std::make_shared<const std::vector<T>>(std::move(items))) {}

  std::span<const T> items() const {
    return items_ == nullptr ? std::span<const T>() : std::span<const T>(*items_);
  }
  // NOLINTNEXTLINE(google-explicit-constructor): who reads a list need not know who else has it
  operator const std::vector<T>&() const {
    static const std::vector<T> kNothing;
    return items_ == nullptr ? kNothing : *items_;
  }
  const T& operator[](size_t index) const { return (*items_)[index]; }
  auto begin() const { return items().begin(); }
  auto end() const { return items().end(); }
  size_t size() const { return items().size(); }

 private:
  std::shared_ptr<const std::vector<T>> items_;  // null: none
};

}  // namespace etlens
