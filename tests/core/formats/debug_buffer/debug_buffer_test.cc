// SPDX-License-Identifier: Apache-2.0
#include "core/formats/debug_buffer/debug_buffer.h"

#include <cstring>

#include "core/formats/etdump/etdump_reader.h"
#include "core/formats/scalar_type.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"

namespace etlens::debug_buffer_test {

using test::MemoryFileSystem;

namespace {

TensorInfo tensor(int8_t type, std::vector<int64_t> sizes, int64_t offset,
                  std::vector<int64_t> strides = {}) {
  TensorInfo info;
  info.scalar_type = type;
  info.sizes = std::move(sizes);
  info.strides = std::move(strides);
  info.offset = offset;
  return info;
}

DebugValue logged(TensorInfo info) {
  DebugValue value;
  value.kind = DebugValueKind::Tensor;
  value.tensors.push_back(std::move(info));
  return value;
}

template <typename T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace

TEST_CASE("debug buffer: a tensor is a range of the file", "[debug_buffer]") {
  MemoryFileSystem files;
  files.put("/b.bin", std::string(48, '\0') + bytes_of<float>({1, 2, 3, 4, 5, 6}));
  const auto buffer = DebugBuffer::open(files, "/b.bin");
  REQUIRE(buffer);
  const auto rows = buffer->tensor(tensor(6, {2, 3}, 48));
  REQUIRE(rows);
  CHECK(rows->elements == 6);
  CHECK(rows->byte_size() == 24);
  CHECK(*first_values(*rows, 8) == std::vector<double>{1, 2, 3, 4, 5, 6});

  // Channels last: the second index runs fastest in memory, the values come in the order of
  // indices.
  const auto columns = buffer->tensor(tensor(6, {2, 3}, 48, {1, 2}));
  REQUIRE(columns);
  CHECK(*first_values(*columns, 4) == std::vector<double>{1, 3, 5, 2});
}

TEST_CASE("debug buffer: empty tensors have no bytes", "[debug_buffer]") {
  MemoryFileSystem files;
  files.put("/b.bin", "");
  const auto buffer = DebugBuffer::open(files, "/b.bin");
  REQUIRE(buffer);
  const auto empty = buffer->tensor(tensor(6, {0}, -1));
  REQUIRE(empty);
  CHECK(empty->elements == 0);
  CHECK(first_values(*empty, 8)->empty());
  CHECK(buffer->tensor(tensor(6, {3, 0}, 99)));
  CHECK(!buffer->tensor(tensor(6, {1}, -1)));
}

TEST_CASE("debug buffer: what makes no sense is refused", "[debug_buffer]") {
  MemoryFileSystem files;
  files.put("/b.bin", std::string(64, 'x'));
  const auto buffer = DebugBuffer::open(files, "/b.bin");
  REQUIRE(buffer);
  CHECK(!buffer->tensor(tensor(6, {-1}, 0)));
  CHECK(!buffer->tensor(tensor(6, {INT64_MAX, INT64_MAX}, 0)));
  CHECK(!buffer->tensor(tensor(9, {1}, 0)));             // a type without a meaning
  CHECK(!buffer->tensor(tensor(6, {2, 2}, 0, {2, 2})));  // leads one behind the last
  CHECK(!buffer->tensor(tensor(6, {2, 2}, 0, {-1, 1})));
  CHECK(!buffer->tensor(tensor(6, {2, 2}, 0, {2})));
  CHECK(!buffer->tensor(tensor(6, {1}, INT64_MAX)));
  CHECK(!DebugBuffer::open(files, "/nothing.bin"));
}

TEST_CASE("debug buffer: cut at every length, it keeps what is whole", "[debug_buffer]") {
  const std::vector<TensorInfo> infos{tensor(6, {4}, 0), tensor(4, {2}, 16), tensor(0, {5}, 32),
                                      tensor(6, {0}, -1)};
  std::vector<DebugValue> values;
  for (const TensorInfo& info : infos) values.push_back(logged(info));
  const std::string whole(37, 'v');
  for (size_t length = 0; length <= whole.size(); ++length) {
    MemoryFileSystem files;
    files.put("/b.bin", whole.substr(0, length));
    const auto buffer = DebugBuffer::open(files, "/b.bin");
    REQUIRE(buffer);
    const BufferFit fit = fit_buffer(values, length);
    size_t cut = 0;
    for (const TensorInfo& info : infos) {
      const auto read = buffer->tensor(info);
      const uint64_t end =
          info.offset < 0 ? 0
                          : static_cast<uint64_t>(info.offset) +
                                *element_count(info.sizes) * scalar_type_size(info.scalar_type);
      CAPTURE(length, end);
      REQUIRE(read.has_value() == (end <= length));
      if (!read) {
        ++cut;
        CHECK(read.error().message.find("is cut: it takes bytes") == 0);
      }
    }
    CHECK(fit.cut == cut);
    CHECK(fit.needed == whole.size());
    if (cut > 0) CHECK(misfit_sentence(*buffer, fit).find("of 3 are cut") != std::string::npos);
  }
}

TEST_CASE("debug buffer: found beside the dump by name", "[debug_buffer]") {
  const std::vector<DebugValue> values{logged(tensor(6, {4}, 0))};
  const std::string fits(16, 'x');
  MemoryFileSystem files;
  files.put("/w/run.etdp", "dump");
  CHECK(find_debug_buffer(files, "/w/run.etdp", values).path.empty());
  CHECK(find_debug_buffer(files, "/w/run.etdp", values).reason.find("run.bin") !=
        std::string::npos);

  files.put("/w/debug.bin", fits);
  CHECK(find_debug_buffer(files, "/w/run.etdp", values).path == "/w/debug.bin");
  files.put("/w/debug.etdp", "another dump");  // whose buffer it is
  CHECK(find_debug_buffer(files, "/w/run.etdp", values).path.empty());
  CHECK(find_debug_buffer(files, "/w/debug.etdp", values).path == "/w/debug.bin");

  files.put("/w/run.bin", "short");
  CHECK(find_debug_buffer(files, "/w/run.etdp", values).path == "/w/run.bin");
  files.put("/w/run.debug.bin", fits);  // fits, where the other does not
  CHECK(find_debug_buffer(files, "/w/run.etdp", values).path == "/w/run.debug.bin");
  files.put("/w/run.bin", fits);
  CHECK(find_debug_buffer(files, "/w/run.etdp", values).path == "/w/run.bin");
}

TEST_CASE("debug buffer: real dumps fit their buffers", "[debug_buffer][corpus]") {
  size_t found = 0;
  for (const std::string& folder : test::case_folders()) {
    for (const test::Pair& pair : test::pairs_of(folder)) {
      const auto log = read_etdump(Bytes::copy_of(test::read_file(pair.etdump)));
      if (!log || log->debug_values.empty() || pair.etdump.ends_with(".gz")) continue;
      const FoundBuffer buffer =
          find_debug_buffer(real_file_system(), pair.etdump, log->debug_values);
      if (buffer.path.empty()) continue;
      CAPTURE(pair.etdump, buffer.path);
      const auto stamp = real_file_system().stat(buffer.path);
      REQUIRE(stamp);
      CHECK(fit_buffer(log->debug_values, stamp->size).fits());
      ++found;
    }
  }
  CHECK(found >= 2);
}

}  // namespace etlens::debug_buffer_test
