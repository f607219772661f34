// SPDX-License-Identifier: Apache-2.0
// Structs of fields (core/base/fields.h) as Python's TypedDict, in the syntax of Python 3.9: what a
// program in Python knows of the JSON of the command line.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
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
#include "core/view/base_and_new.h"

namespace etlens::test {

class PythonTypes {
 public:
  // A class, after those that it needs; each once.
  template <HasFields T>
  std::string add() {
    const std::string name = name_of_type(std::type_identity<T>());
    if (!added_.insert(name).second) return name;
    Fields always;
    Fields maybe;
    const T shape{};
    visit_fields(shape, [&]<typename Field>(const char* key, const Field&) {
      (kIsOptional<Field> ? maybe : always).emplace_back(key, of(std::type_identity<Field>()));
    });
    if (maybe.empty()) {
      write(name, "TypedDict", always);
    } else if (always.empty()) {
      write(name, "TypedDict, total=False", maybe);
    } else {
      write("_" + name, "TypedDict", always);
      write(name, "_" + name + ", total=False", maybe);
    }
    return name;
  }

  const std::string& classes() const { return classes_; }

 private:
  using Fields = std::vector<std::pair<std::string, std::string>>;
  template <typename T>
  using Type = std::type_identity<T>;

  // Words that Python keeps for itself: no class can have a field of that name.
  static bool is_python_word(std::string_view name) {
    static constexpr std::array<std::string_view, 35> kWords{
        "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
        "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
        "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
        "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
    return std::ranges::find(kWords, name) != kWords.end();
  }

  // With such a field the type stands in the other form of a TypedDict.
  void write(const std::string& name, const std::string& base, const Fields& fields) {
    bool is_call = false;
    for (const auto& field : fields) is_call = is_call || is_python_word(field.first);
    classes_ += is_call ? "\n" + name + " = TypedDict(\"" + name + "\", {\n"
                        : "\n\nclass " + name + "(" + base + "):\n";
    for (const auto& [key, type] : fields)
      classes_ +=
          is_call ? "    \"" + key + "\": " + type + ",\n" : "    " + key + ": " + type + "\n";
    if (is_call) classes_ += "})\n";
  }

  template <typename T>
  std::string name_of_type(Type<T>) {
    return std::string(struct_name(std::type_identity<T>()));
  }
  template <typename T>
  std::string name_of_type(Type<BaseAndNew<T>>) {
    std::string inner = of(Type<T>());
    std::erase_if(inner, [](char c) { return c == '[' || c == ']'; });
    return "BaseAndNew_" + inner;
  }

  template <typename T>
  requires std::same_as<T, std::string> || std::same_as<T, std::string_view> std::string of(
      Type<T>) {
    return "str";
  }
  std::string of(Type<bool>) { return "bool"; }
  std::string of(Type<Real>) { return "Union[float, str]"; }  // "NaN", "Infinity", "-Infinity"
  template <std::integral T>
  std::string of(Type<T>) {
    return "int";
  }
  template <std::floating_point T>
  std::string of(Type<T>) {
    return "float";
  }
  template <FixedText kText>
  std::string of(Type<Literal<kText>>) {
    return "Literal[\"" + std::string(Literal<kText>::text()) + "\"]";
  }
  template <typename T>
  std::string of(Type<std::optional<T>>) {
    return of(Type<T>());
  }
  template <typename T>
  std::string of(Type<Nullable<T>>) {
    return "Optional[" + of(Type<T>()) + "]";
  }
  template <typename T>
  std::string of(Type<std::vector<T>>) {
    return "List[" + of(Type<T>()) + "]";
  }
  template <typename T, size_t kCount>
  std::string of(Type<std::array<T, kCount>>) {
    return of(Type<std::vector<T>>());
  }
  template <typename T>
  std::string of(Type<Rows<T>>) {
    return of(Type<std::vector<T>>());
  }
  template <typename T>
  std::string of(Type<std::vector<std::pair<std::string, T>>>) {
    return "Dict[str, " + of(Type<T>()) + "]";
  }
  template <typename... Ts>
  std::string of(Type<std::tuple<Ts...>>) {
    return "Tuple[" + join({of(Type<Ts>())...}, ", ") + "]";
  }
  template <typename... Ts>
  std::string of(Type<std::variant<Ts...>>) {
    return "Union[" + join({of(Type<Ts>())...}, ", ") + "]";
  }
  template <HasFields T>
  std::string of(Type<T>) {
    return add<T>();
  }

  std::set<std::string> added_;
  std::string classes_;
};

}  // namespace etlens::test
