// SPDX-License-Identifier: Apache-2.0
#include "core/base/root_names.h"

#include <algorithm>

#include "core/base/path.h"

namespace etlens {
namespace {

// Of the part of the path that is there; the rest has no links yet.
std::string real_as_far_as_there(std::string_view path, RealPath real_path) {
  std::string_view there = path;
  while (true) {
    if (std::string real = real_path(there); !real.empty())
      return normal_path(join_path(real, path.substr(there.size())));
    const std::string_view above = parent_path(there);
    if (above.size() >= there.size() || above.empty()) return std::string(path);
    there = above;
  }
}

}  // namespace

RootNames::RootNames(const std::vector<std::string>& folders, RealPath real_path) {
  for (const std::string& folder : folders) {
    std::string named = normal_path(folder);
    std::string real = real_as_far_as_there(named, real_path);
    roots_.push_back({std::move(named), std::move(real)});
  }
}

const RootFolder* RootNames::find(std::string_view path, std::string_view& rest) const {
  for (const RootFolder& root : roots_) {
    for (const std::string* name : {&root.real, &root.named}) {
      if (!is_below(*name, path)) continue;
      rest = path.substr(std::min(path.size(), name->size()));
      return &root;
    }
  }
  return nullptr;
}

bool RootNames::hold(std::string_view path) const {
  std::string_view rest;
  return find(path, rest) != nullptr;
}

Error RootNames::refusal(std::string_view path) const {
  std::string message(path);
  message += " is not in the workspace; give a path below ";
  for (size_t i = 0; i < roots_.size(); ++i) {
    if (i > 0) message += " or ";
    message += roots_[i].real;
  }
  return {ErrorCode::NotFound, std::move(message)};
}

}  // namespace etlens
