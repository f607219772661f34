// SPDX-License-Identifier: Apache-2.0
#define PCRE2_CODE_UNIT_WIDTH 8
#include "core/pstats/restriction.h"

#include <pcre2.h>

#include <cmath>
#include <memory>
#include <new>
#include <optional>

#include <fmt/format.h>

#include "core/base/budget.h"
#include "core/base/counted_memory.h"
#include "core/base/text.h"
#include "core/pstats/stats.h"

namespace etlens::pstats {
namespace {

// A search gives up after this many steps: it did not match then.
constexpr uint32_t kMatchLimit = 100'000;
constexpr uint32_t kDepthLimit = 1'000;

// Well-formed for PCRE2: what is no UTF-8 matches no character but ".".
class Pattern {
 public:
  static std::optional<Pattern> compile(const std::string& text) {
    int error = 0;
    size_t offset = 0;
    const std::string valid = valid_utf8(text);
    Pattern pattern;
    pattern.memory_.reset(
        there(pcre2_general_context_create(counted_bytes, free_counted_bytes, nullptr)));
    const std::unique_ptr<pcre2_compile_context, Free> how(
        there(pcre2_compile_context_create(pattern.memory_.get())));
    pattern.code_.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(valid.data()), valid.size(),
                                      PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C, &error,
                                      &offset, how.get()));
    if (pattern.code_ == nullptr && error == PCRE2_ERROR_HEAP_FAILED) throw std::bad_alloc();
    if (pattern.code_ == nullptr) return std::nullopt;
    pattern.match_.reset(
        there(pcre2_match_data_create_from_pattern(pattern.code_.get(), pattern.memory_.get())));
    pattern.context_.reset(there(pcre2_match_context_create(pattern.memory_.get())));
    pcre2_set_match_limit(pattern.context_.get(), kMatchLimit);
    pcre2_set_depth_limit(pattern.context_.get(), kDepthLimit);
    return pattern;
  }

  bool is_in(std::string_view text) {
    const std::string valid = valid_utf8(text);
    const int found = pcre2_match(code_.get(), reinterpret_cast<PCRE2_SPTR>(valid.data()),
                                  valid.size(), 0, 0, match_.get(), context_.get());
    if (found == PCRE2_ERROR_NOMEMORY) throw std::bad_alloc();
    go_on(1 + valid.size() / 64);
    return found >= 0;
  }

 private:
  template <typename T>
  static T* there(T* made) {
    if (made == nullptr) throw std::bad_alloc();
    return made;
  }

  struct Free {
    void operator()(pcre2_general_context* memory) const { pcre2_general_context_free(memory); }
    void operator()(pcre2_compile_context* how) const { pcre2_compile_context_free(how); }
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
    void operator()(pcre2_match_data* match) const { pcre2_match_data_free(match); }
    void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
  };
  std::unique_ptr<pcre2_general_context, Free> memory_;  // what all others are made in
  std::unique_ptr<pcre2_code, Free> code_;
  std::unique_ptr<pcre2_match_data, Free> match_;
  std::unique_ptr<pcre2_match_context, Free> context_;
};

// As Python writes it.
std::string python_repr(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const char quote = has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string out(1, quote);
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (c == '\\' || c == quote) out += fmt::format("\\{}", c);
    else if (c == '\n') out += "\\n";
    else if (c == '\r') out += "\\r";
    else if (c == '\t') out += "\\t";
    else if (byte < 0x20 || byte == 0x7F) out += fmt::format("\\x{:02x}", byte);
    else out += c;
  }
  return out + quote;
}

std::string digits_of(double value) {
  std::string digits = fmt::format("{}", value);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits;
}

std::string representation(const Restriction& restriction) {
  if (const auto* count = std::get_if<int64_t>(&restriction)) return fmt::format("{}", *count);
  if (const auto* fraction = std::get_if<double>(&restriction)) return digits_of(*fraction);
  return python_repr(std::get<std::string>(restriction));
}

}  // namespace

Result<Restriction> parse_restriction(std::string_view word) {
  if (const std::optional<int64_t> count = parse_int(word)) return Restriction(*count);
  const std::optional<double> number = parse_double(word);
  if (!number || !std::isfinite(*number)) return Restriction(std::string(word));
  if (*number < 0 || *number > 1) {
    return Error{
        ErrorCode::InvalidParams,
        fmt::format("{} is not a fraction of a list; give a number between 0 and 1, a whole "
                    "number of functions, or a regular expression",
                    word)};
  }
  return Restriction(*number);
}

std::string restrict_functions(const PythonProfile& profile, const Restriction& restriction,
                               std::vector<PythonFunctionId>& functions) {
  const size_t before = functions.size();
  if (const auto* count = std::get_if<int64_t>(&restriction)) {
    if (*count >= 0 && static_cast<uint64_t>(*count) < before)
      functions.resize(static_cast<size_t>(*count));
  } else if (const auto* fraction = std::get_if<double>(&restriction)) {
    if (*fraction >= 0 && *fraction < 1)
      functions.resize(static_cast<size_t>(static_cast<double>(before) * *fraction + .5));
  } else {
    std::optional<Pattern> pattern = Pattern::compile(std::get<std::string>(restriction));
    if (!pattern)
      return fmt::format("   <Invalid regular expression {}>\n", representation(restriction));
    std::erase_if(functions,
                  [&](PythonFunctionId id) { return !pattern->is_in(standard_name(profile, id)); });
  }
  if (functions.size() == before) return "";
  return fmt::format("   List reduced from {} to {} due to restriction <{}>\n", before,
                     functions.size(), representation(restriction));
}

}  // namespace etlens::pstats
