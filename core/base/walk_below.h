// SPDX-License-Identifier: Apache-2.0
// The way to a file below some folders, one folder after the other, none of which is entered
// through a link: the text of a link makes a new path, which begins at one of the folders again.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/base/root_names.h"

namespace etlens {

inline constexpr int kMaxLinks = 40;         // as Linux has it
inline constexpr size_t kMaxWay = 8192;      // bytes of a path with what links add
inline constexpr size_t kMaxSteps = 20'000;  // all folders that are entered

enum class StepKind : uint8_t { Folder, File, Link, Other, Failed };
enum class WalkFailure : uint8_t { Outside, NoFolder, TooManyLinks, Changed };

// Where a walk ended. Opened is what is open, by itself. It has
//   static Opened failure(WalkFailure why);
//   Opened child(const std::string& name) const;  // of a folder; a link is opened as such
//   StepKind kind() const;
//   const std::string& link() const;               // where a link leads, with slashes
template <typename Opened>
struct WalkEnd {
  Opened at;
  Opened above;      // the folder that it is in, unless it is a root
  std::string name;  // in that
};

namespace walk_below_detail {

using Parts = std::vector<std::string_view>;

inline Parts parts_of(std::string_view path) {
  Parts parts;
  while (!path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    if (!part.empty() && part != ".") parts.push_back(part);
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

inline void append(std::string& path, std::string_view part) {
  if (!path.ends_with('/')) path += '/';
  path += part;
}

template <typename Opened>
class Walk {
 public:
  explicit Walk(Opened root) : end_{std::move(root), Opened(), {}} {}

  bool is_at_root() const { return names_.empty(); }
  const WalkEnd<Opened>& end() const { return end_; }
  WalkEnd<Opened> take() && { return std::move(end_); }

  void enter(Opened child, std::string name) {
    names_.push_back(name);
    end_ = {std::move(child), std::move(end_.at), std::move(name)};
  }
  // To the folder above, which is not the root's: through the same folders again, from the root.
  // How many these are.
  size_t leave(Opened root) {
    std::vector<std::string> names = std::move(names_);
    names.pop_back();
    *this = Walk(std::move(root));
    for (std::string& name : names) {
      if (end_.at.kind() != StepKind::Folder) break;
      Opened child = end_.at.child(name);
      const bool is_folder = child.kind() == StepKind::Folder;
      enter(is_folder ? std::move(child) : Opened::failure(WalkFailure::Changed), std::move(name));
    }
    return names.size();
  }
  // The path of where this is.
  std::string path(std::string folder) const {
    for (const std::string& name : names_) append(folder, name);
    return folder;
  }

 private:
  WalkEnd<Opened> end_;
  std::vector<std::string> names_;  // of the folders that were entered, none of them a link
};

}  // namespace walk_below_detail

// `open_root` opens a root, and follows no link on the way there.
template <typename Opened, typename OpenRoot>
WalkEnd<Opened> walk_below(const RootNames& roots, std::string_view path,
                           const OpenRoot& open_root) {
  using namespace walk_below_detail;
  const auto failed = [](WalkFailure why) {
    return WalkEnd<Opened>{Opened::failure(why), Opened(), {}};
  };
  std::string text(path);
  size_t steps = 0;
  for (int links = 0; links <= kMaxLinks && text.size() <= kMaxWay;) {
    std::string_view rest;
    const RootFolder* root = roots.find(text, rest);
    if (root == nullptr) return failed(WalkFailure::Outside);
    const Parts parts = parts_of(rest);
    Walk<Opened> walk(open_root(root->real));
    std::optional<std::string> next;  // path
    for (size_t i = 0; i < parts.size() && !next; ++i) {
      const Opened& here = walk.end().at;
      go_on();
      if (++steps > kMaxSteps) return failed(WalkFailure::TooManyLinks);
      if (here.kind() == StepKind::Failed) return std::move(walk).take();
      if (here.kind() != StepKind::Folder) return failed(WalkFailure::NoFolder);
      std::string name(parts[i]);
      if (name == ".." && walk.is_at_root()) {
        next = std::string(parent_path(root->real));
      } else if (name == "..") {
        steps += walk.leave(open_root(root->real));
      } else {
        Opened child = here.child(name);
        if (child.kind() == StepKind::Link) {
          ++links;
          next = is_absolute(child.link()) ? std::string() : walk.path(root->real);
          if (next->empty()) *next = child.link();
          else append(*next, child.link());
        } else {
          walk.enter(std::move(child), std::move(name));
        }
      }
      if (!next) continue;
      for (size_t behind = i + 1; behind < parts.size(); ++behind) append(*next, parts[behind]);
    }
    if (!next) return std::move(walk).take();
    text = *std::move(next);
  }
  return failed(WalkFailure::TooManyLinks);
}

}  // namespace etlens
