// SPDX-License-Identifier: Apache-2.0
// The TypeScript of structs of fields (core/base/fields.h): what the extension knows of the
// server's messages.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/fields.h"
#include "core/base/text.h"
#include "protocol/types.h"

namespace etlens::test {

template <typename T>
inline constexpr bool kIsNullable = false;
template <typename T>
inline constexpr bool kIsNullable<Nullable<T>> = true;

class TypeScript {
 public:
  // An interface, after those that it needs; each once.
  template <HasFields T>
  void add() {
    const std::string name(struct_name(std::type_identity<T>()));
    if (!added_.insert(name).second) return;
    std::string fields;
    const T shape{};
    visit_fields(shape, [&]<typename Field>(const char* key, const Field&) {
      fields += "  " + std::string(key) + (kIsOptional<Field> ? "?: " : ": ") + of(Field{}) + ";\n";
    });
    interfaces_ += "\nexport interface " + name + " {\n" + fields + "}\n";
  }

  const std::string& interfaces() const { return interfaces_; }
  // Those of the protocol itself, which the client's library has.
  const std::set<std::string>& imported() const { return imported_; }

 private:
  // What a type is called.
  std::string of(bool) { return "boolean"; }
  template <typename T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T> std::string of(T) { return "number"; }
  std::string of(const std::string&) { return "string"; }
  std::string of(std::string_view) { return "string"; }
  std::string of(const lsp::DocumentUri&) { return "string"; }
  std::string of(const lsp::Position&) { return import("Position"); }
  std::string of(const lsp::Range&) { return import("Range"); }
  template <typename T>
  std::string of(const std::optional<T>&) {
    return of(T{});
  }
  template <typename T>
  std::string of(const Nullable<T>&) {
    return of(T{}) + " | null";
  }
  template <typename T>
  std::string of(const std::vector<T>&) {
    return (kIsNullable<T> ? "(" + of(T{}) + ")" : of(T{})) + "[]";
  }
  template <typename T>
  std::string of(const Rows<T>&) {
    return of(T{}) + "[]";
  }
  template <FixedText kText>
  std::string of(Literal<kText>) {
    return '"' + std::string(Literal<kText>::text()) + '"';
  }
  template <typename T>
  std::string of(const std::vector<std::pair<std::string, T>>&) {
    return "Record<string, " + of(T{}) + ">";
  }
  template <typename... Ts>
  std::string of(const std::tuple<Ts...>&) {
    return "[" + join({of(Ts{})...}, ", ") + "]";
  }
  template <HasFields T>
  std::string of(const T&) {
    add<T>();
    return std::string(struct_name(std::type_identity<T>()));
  }
  std::string import(const char* name) { return *imported_.insert(name).first; }

  std::set<std::string> added_;
  std::set<std::string> imported_;
  std::string interfaces_;
};

}  // namespace etlens::test
