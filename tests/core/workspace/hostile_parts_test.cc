// SPDX-License-Identifier: Apache-2.0
// Parts beside the dump and the record that are damaged, or made to cost much: values, references,
// programs, Python profiles, sources. Each costs itself at most: the times are those of a load
// without it, and the report has a row about it.
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "core/base/budget.h"
#include "core/workspace/load.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"
#include "tests/support/record_builder.h"
#include "tests/support/sanitized.h"

namespace etlens::hostile_parts_test {

using namespace etlens::test;

namespace {

const std::string kMlp = ETLENS_TEST_DATA "/values/mlp/";
constexpr int kMany = 100'000;

struct HostilePart {
  std::string name;  // in a few words: what is wrong
  std::string file;  // that holds it
  std::function<std::string()> make;
  std::vector<Oddity> rows;  // of which the report has one; none: nothing need be missing
};

std::string repeated(const std::string& piece, size_t count) {
  std::string text;
  text.reserve(piece.size() * count);
  for (size_t i = 0; i < count; ++i) text += piece;
  return text;
}

// A .npy of float32 with a header's shape and so many bytes of data.
std::string array_of(const std::string& shape, size_t bytes) {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }\n";
  std::string text("\x93NUMPY\x01", 7);
  text += '\0';
  text += static_cast<char>(header.size() & 0xFF);
  text += static_cast<char>(header.size() >> 8);
  return text + header + std::string(bytes, '\0');
}

std::string archive_of(const std::function<void(ZipBuilder&)>& fill) {
  ZipBuilder zip;
  fill(zip);
  return std::string(zip.build().text());
}

std::string program_of(ProgramPlan plan, size_t steps = 1) {
  std::vector<int32_t> all;
  for (size_t v = 0; v < plan.values.size(); ++v) all.push_back(static_cast<int32_t>(v));
  std::vector<ProgramStep> rows(steps, ProgramStep{'k', "aten::add.out", 0, "", all});
  ProgramBuilder builder;
  builder.method("forward", std::move(rows), std::move(plan));
  return builder.build();
}

// Tensors that overlap all others, in a buffer that does not hold them.
std::string crowded_plan() {
  ProgramPlan plan;
  for (int i = 0; i < kMany; ++i) plan.values.push_back({'t', {1 << 20}, 1, 16, 0});
  plan.buffer_sizes = {0, 64};
  return program_of(std::move(plan));
}

std::string endless_sizes() {
  ProgramPlan plan;
  for (int i = 0; i < 1000; ++i)
    plan.values.push_back({'t', {INT32_MAX, INT32_MAX, INT32_MAX}, 1, UINT64_MAX - 1, 0});
  plan.buffer_sizes = {0, INT64_MIN};
  return program_of(std::move(plan));
}

// Every list names every value, itself among them.
std::string lists_of_lists() {
  ProgramPlan plan;
  std::vector<int32_t> all;
  for (int i = 0; i < 600; ++i) all.push_back(i);
  for (int i = 0; i < 600; ++i) plan.values.push_back({'l', all});
  plan.inputs = plan.outputs = all;
  return program_of(std::move(plan));
}

std::string many_steps() {
  ProgramPlan plan;
  for (int i = 0; i < 200; ++i) plan.values.push_back({'t', {1}, 1, 0, 0});
  plan.buffer_sizes = {0, 4};
  return program_of(std::move(plan), 20'000);
}

const std::vector<HostilePart>& hostile_parts() {
  using enum Oddity;
  const std::vector<Oddity> values{ValuesUnreadable, ValuesLarge};
  const std::vector<Oddity> reference{ValuesReferenceUnfit, ValuesUnreadable};
  const std::vector<Oddity> program{ProgramUnreadable, ProgramDiffers, MeasureExpensive};
  const std::vector<Oddity> profile{ProfileUnreadable};
  static const std::vector<HostilePart> kAll{
      {"a debug buffer without a byte", "/w/run.bin", [] { return std::string(); }, values},
      {"a debug buffer that ends in its first tensor", "/w/run.bin",
       [] { return std::string(3, 'x'); }, values},
      {"a debug buffer that is a dump",
       "/w/run.bin",
       [] { return read_file(kMlp + "sound.etdp"); },
       {}},
      {"a reference that is no archive", "/w/ref.npz", [] { return std::string(1000, 'P'); },
       reference},
      {"a reference of blanks, packed", "/w/ref.npz",
       [] {
         return archive_of(
             [](ZipBuilder& zip) { zip.add("x.npy", array_of("(50000000,)", 200'000'000), true); });
       },
       reference},
      {"a reference whose shape overflows", "/w/ref.npz",
       [] {
         return archive_of([](ZipBuilder& zip) {
           zip.add("x.npy", array_of("(4294967296, 4294967296, 4)", 64));
         });
       },
       reference},
      {"a reference of 100,000 arrays", "/w/ref.npz",
       [] {
         return archive_of([](ZipBuilder& zip) {
           for (int i = 0; i < kMany; ++i) zip.add(std::to_string(i) + ".npy", array_of("()", 4));
         });
       },
       reference},
      {"a reference of one array of 100,000 dimensions", "/w/ref.npz",
       [] {
         return archive_of([](ZipBuilder& zip) {
           zip.add("x.npy", array_of("(" + repeated("1,", 30'000) + ")", 4));
         });
       },
       reference},
      {"a program in which everything overlaps everything", "/w/m.pte", crowded_plan, program},
      {"a program of sizes without an end", "/w/m.pte", endless_sizes, program},
      {"a program of lists that name each other", "/w/m.pte", lists_of_lists, program},
      {"a program whose every instruction takes every value", "/w/m.pte", many_steps, program},
      {"a program that ends in its header", "/w/m.pte",
       [] { return std::string("\x20\0\0\0ET12\0\0\0\0", 12); }, program},
      {"a profile of tuples inside each other", "/w/m.prof",
       [] { return repeated(std::string("(\x01\0\0\0", 5), kMany); }, profile},
      {"a profile that says how much is to come", "/w/m.prof",
       [] { return std::string("{s\xff\xff\xff\x7f", 6); }, profile},
      {"a profile of references to what holds them", "/w/m.prof",
       [] { return std::string("\xfb", 1) + repeated(std::string("r\0\0\0\0", 5), kMany); },
       profile},
      {"a profile of a number", "/w/m.prof", [] { return std::string("i\1\0\0\0", 5); }, profile},
      {"a profile that is source code", "/w/m.prof", [] { return repeated("x = 1\n", kMany); },
       profile},
  };
  return kAll;
}

MemoryFileSystem sound_files() {
  MemoryFileSystem files;
  files.put("/w/run.etdp", read_file(kMlp + "sound.etdp"));
  files.put("/w/m.etrecord", read_file(kMlp + "model.etrecord"));
  files.put("/w/run.bin", read_file(kMlp + "sound.bin"));
  files.put("/w/ref.npz", read_file(kMlp + "aot.npz"));
  return files;
}

LoadRequest request_of(const FileSystem& files) {
  LoadRequest request;
  request.etdump = "/w/run.etdp";
  request.etrecord = "/w/m.etrecord";
  request.roots = {"/w"};
  request.values.emplace();
  request.values->debug_buffer = "/w/run.bin";
  request.values->reference = "/w/ref.npz";
  if (files.stat("/w/m.pte")) request.pte = "/w/m.pte";
  if (files.stat("/w/m.prof")) request.profile = "/w/m.prof";
  return request;
}

bool has_one(const LoadReport& report, const std::vector<Oddity>& rows) {
  for (const Oddity row : rows) {
    if (report.find(row) != nullptr) return true;
  }
  return rows.empty();
}

}  // namespace

TEST_CASE("a part that is made to do harm costs itself, and the times stay",
          "[hostile][optional]") {
  const MemoryFileSystem sound = sound_files();
  const auto before = load_study(sound, request_of(sound));
  if (!before) FAIL(before.error().message);
  CHECK((*before)->values != nullptr);
  for (const HostilePart& part : hostile_parts()) {
    INFO(part.name);
    MemoryFileSystem files = sound_files();
    files.put(part.file, part.make());
    const int64_t begin = thread_time_ns();
    const auto study = load_study(files, request_of(files));
    const double seconds = static_cast<double>(thread_time_ns() - begin) / 1e9;
    if (!study) FAIL(study.error().message);
    CHECK((*study)->time().total.total.value == (*before)->time().total.total.value);
    CHECK((*study)->time().lines.size() == (*before)->time().lines.size());
    CHECK(has_one((*study)->report, part.rows));
    for (const ReportRow& row : (*study)->report.rows())
      CHECK(row.first.find('\n') == std::string::npos);
    CHECK(seconds < kSlowdown * 8);
    if (std::getenv("ETLENS_FIGURES") != nullptr) {
      std::printf("| %s | %.0f MB | %.2f s |\n", part.name.c_str(),
                  static_cast<double>(last_peak_bytes()) / 1e6, seconds);
    }
  }
}

}  // namespace etlens::hostile_parts_test
