// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/owner_fit.h"

#include <algorithm>
#include <map>

#include "core/base/text.h"

namespace etlens {
namespace {

constexpr float kOtherClass =
    2.0f;  // the recorded class has such a function, but this is another's
constexpr float kClaimedClass = 1.0f;     // this class was recorded, for other lines
constexpr float kRenamedClass = 0.3f;     // the recorded class is gone
constexpr float kRenamedMethod = 0.8f;    // the function is gone, its class is here
constexpr float kRenamedFunction = 1.0f;  // the function is gone
constexpr float kInlined = 1.5f;          // the function is gone, and this one was recorded
constexpr int kMaxBases = 8;              // steps up a class hierarchy
constexpr size_t kMaxClasses = 32;        // that one function may belong to

std::string_view last_component(std::string_view type) {
  const size_t dot = type.rfind('.');
  return dot == std::string_view::npos ? type : type.substr(dot + 1);
}

}  // namespace

OwnerFit::OwnerFit(const SourceIndex& index, const std::vector<RecordedLine>& lines)
    : index_(index) {
  const auto scopes = index_.syntax().scopes();
  for (uint32_t scope = 0; scope < scopes.size(); ++scope) {
    if (scopes[scope].parent == kNone) continue;
    methods_.emplace(combine_hashes(scopes[scope].parent, hash_of(scopes[scope].name)), scope);
  }
  add_owners(lines);
  for (Owner& owner : owners_) look_up(owner);
}

void OwnerFit::add_owners(const std::vector<RecordedLine>& lines) {
  std::map<std::pair<std::string_view, std::vector<std::string_view>>, uint32_t> known;
  const RecordedLine* before = nullptr;
  for (const RecordedLine& line : lines) {
    const bool is_same =
        before != nullptr && before->function == line.function && before->classes == line.classes;
    before = &line;
    if (is_same) {
      owner_of_line_.push_back(owner_of_line_.back());
      continue;
    }
    std::vector<std::string_view> classes;
    for (const std::string_view type : line.classes) classes.push_back(last_component(type));
    std::sort(classes.begin(), classes.end());
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    for (const std::string_view name : classes) recorded_classes_.insert(hash_of(name));
    recorded_names_.insert(hash_of(line.function));
    const auto [at, is_new] =
        known.try_emplace({line.function, classes}, static_cast<uint32_t>(owners_.size()));
    if (is_new) {
      Owner owner;
      owner.function = line.function;
      owner.classes = std::move(classes);
      owner.is_module = line.function == "<module>";
      owner.is_special =
          !owner.is_module && (line.function.empty() || line.function.starts_with('<'));
      owners_.push_back(std::move(owner));
    }
    owner_of_line_.push_back(at->second);
  }
}

void OwnerFit::look_up(Owner& owner) const {
  if (owner.is_special || owner.is_module) return;
  const auto named = index_.scopes_named(hash_of(owner.function));
  owner.has_named = !named.empty();
  if (owner.classes.empty()) {
    if (named.size() == 1) owner.only = named.front();
    return;
  }
  for (const std::string_view name : owner.classes) add_class(name, owner, 0);
  std::vector<uint32_t> fitting;
  for (const uint32_t c : owner.class_scopes) {
    const std::vector<uint32_t> found = methods(c, owner.function);
    fitting.insert(fitting.end(), found.begin(), found.end());
  }
  owner.has_fitting = !fitting.empty();
  if (fitting.size() == 1) owner.only = fitting.front();
  // A function outside of classes that a forward called.
  if (fitting.empty() && named.size() == 1 &&
      index_.syntax().scopes()[named.front()].parent == kNone) {
    owner.has_fitting = true;
    owner.only = named.front();
  }
}

std::vector<uint32_t> OwnerFit::methods(uint32_t class_scope, std::string_view function) const {
  std::vector<uint32_t> found;
  const auto [first, last] = methods_.equal_range(combine_hashes(class_scope, hash_of(function)));
  for (auto at = first; at != last; ++at) found.push_back(at->second);
  return found;
}

// A class without such a function has it from a base.
void OwnerFit::add_class(std::string_view name, Owner& owner, int depth) const {
  const auto scopes = index_.syntax().scopes();
  for (const uint32_t c : index_.scopes_named(hash_of(name))) {
    const bool is_known = std::find(owner.class_scopes.begin(), owner.class_scopes.end(), c) !=
                          owner.class_scopes.end();
    if (!scopes[c].is_class || is_known || owner.class_scopes.size() >= kMaxClasses) continue;
    owner.class_scopes.push_back(c);
    if (depth >= kMaxBases || !methods(c, owner.function).empty()) continue;
    for (const std::string_view base : split(scopes[c].bases, ',')) {
      add_class(last_component(trim(base)), owner, depth + 1);
    }
  }
}

bool OwnerFit::fits_class(const Owner& owner, uint32_t scope) const {
  const uint32_t parent = index_.syntax().scopes()[scope].parent;
  return parent != kNone && std::find(owner.class_scopes.begin(), owner.class_scopes.end(),
                                      parent) != owner.class_scopes.end();
}

float OwnerFit::cost_of_named(const Owner& owner, uint32_t scope) const {
  if (owner.classes.empty() || owner.only == scope || fits_class(owner, scope)) return 0;
  if (owner.has_fitting) return kOtherClass;
  const auto scopes = index_.syntax().scopes();
  const uint32_t parent = scopes[scope].parent;
  const bool is_claimed =
      parent != kNone && recorded_classes_.contains(hash_of(scopes[parent].name));
  return is_claimed ? kClaimedClass : kRenamedClass;
}

float OwnerFit::cost(uint32_t owner_row, uint32_t scope) const {
  const Owner& owner = owners_[owner_row];
  if (owner.is_special) return 0;
  if (owner.is_module) return scope == kNone ? 0 : kForbidden;
  if (scope == kNone) return kForbidden;
  const PythonScope& found = index_.syntax().scopes()[scope];
  if (found.name == owner.function) return cost_of_named(owner, scope);
  if (found.is_class) return kForbidden;
  const bool in_class = !owner.classes.empty() && fits_class(owner, scope);
  const bool is_recorded = recorded_names_.contains(hash_of(found.name));
  // A function that is still there keeps its lines; what was moved out of it is found later, with
  // proof.
  if (owner.has_fitting || (owner.has_named && (!in_class || is_recorded))) return kForbidden;
  if (is_recorded) return kInlined;
  return in_class ? kRenamedMethod : kRenamedFunction;
}

OwnerFit::Relation OwnerFit::relation(uint32_t a, uint32_t b, uint32_t distance) const {
  const Owner& x = owners_[a];
  const Owner& y = owners_[b];
  if (x.is_special || y.is_special) return Relation::Unknown;
  if (x.function != y.function) return Relation::Different;
  // Between the last line of one function and the first of the next there is at least a def.
  if (distance <= 1) return Relation::Same;
  if (x.classes.empty() || y.classes.empty()) return Relation::Unknown;
  if (a == b) return Relation::Same;
  std::vector<std::string_view> both;
  std::set_intersection(x.classes.begin(), x.classes.end(), y.classes.begin(), y.classes.end(),
                        std::back_inserter(both));
  return both.empty() ? Relation::Different : Relation::Unknown;
}

}  // namespace etlens
