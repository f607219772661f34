// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/sibling_places.h"

#include <algorithm>
#include <set>
#include <span>

#include "core/base/budget.h"
#include "core/base/path.h"

namespace etlens {
namespace {

constexpr size_t kMaxMoves = 16;  // folders that the files of one export came from

// Files recorded below `from` lie below `to`.
struct Move {
  std::vector<std::string_view> from;
  std::string to_root;
  std::vector<std::string_view> to;

  auto operator<=>(const Move&) const = default;
};

Move move_of(std::string_view like, std::string_view mapped) {
  const std::string_view root = root_of(mapped);
  Move move{path_components(like), std::string(root), path_components(mapped.substr(root.size()))};
  while (!move.from.empty() && !move.to.empty() && move.from.back() == move.to.back()) {
    move.from.pop_back();
    move.to.pop_back();
  }
  return move;
}

std::string moved(std::string_view recorded, const Move& move) {
  const std::vector<std::string_view> path = path_components(recorded);
  const bool is_below = path.size() > move.from.size() &&
                        std::equal(move.from.begin(), move.from.end(), path.begin());
  if (!is_below) return "";
  std::string place = move.to_root;
  const auto add = [&](std::span<const std::string_view> components) {
    for (const std::string_view component : components) {
      if (!place.empty() && !place.ends_with('/')) place += '/';
      place += component;
    }
  };
  add(move.to);
  add(std::span(path).subspan(move.from.size()));
  return normal_path(place);
}

}  // namespace

std::string moved_like(std::string_view recorded, std::string_view like, std::string_view mapped) {
  return moved(recorded, move_of(like, mapped));
}

void settle_by_siblings(std::vector<PlacedFile>& files) {
  std::set<Move> moves;
  for (const PlacedFile& file : files) {
    go_on();
    if (file.place.path.empty()) continue;
    moves.insert(move_of(file.recorded, file.place.path));
    if (moves.size() > kMaxMoves) return;  // no folder that they came from together
  }
  for (PlacedFile& file : files) {
    std::vector<std::string>& candidates = file.place.candidates;
    if (candidates.size() < 2) continue;
    std::set<std::string> fitting;
    for (const Move& move : moves) {
      go_on(1 + file.recorded.size() / 64);
      std::string place = moved(file.recorded, move);
      if (std::find(candidates.begin(), candidates.end(), place) != candidates.end())
        fitting.insert(std::move(place));
    }
    if (fitting.size() != 1) continue;
    file.place.path = *fitting.begin();
    file.passed_over = candidates[candidates.front() == file.place.path ? 1 : 0];
    candidates.clear();
  }
}

}  // namespace etlens
