// SPDX-License-Identifier: Apache-2.0
// Exports of studies, as the bytes of the file.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/export/export.h"
#include "core/workspace/load.h"

namespace etlens::test {

// What an export needs, kept alive.
struct Exported {
  explicit Exported(std::shared_ptr<const Study> study)
      : facts(std::move(study)),
        sources(read_and_anchor(real_file_system(), facts.code(), facts.sources())) {}

  ExportInput input() const { return {facts, sources, std::nullopt}; }

  // The file's bytes.
  std::string to(std::string_view form) const {
    std::string bytes;
    Sink sink([&](std::string_view piece) {
      bytes += piece;
      return true;
    });
    find_export_form(form)->write(input(), sink);
    REQUIRE(sink.finish());
    return bytes;
  }

  Facts facts;
  std::vector<AnchoredSource> sources;
};

// Studies of real dumps: with a record, with XNNPACK's coarse clock, and of a dump alone.
void for_each_example(const std::function<void(const Exported&)>& check);

// A method whose names, paths and texts are attacks on whatever shows them.
std::shared_ptr<const Study> hostile_study();

}  // namespace etlens::test
