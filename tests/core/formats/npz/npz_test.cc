// SPDX-License-Identifier: Apache-2.0
#include "core/formats/npz/npz.h"

#include "core/formats/npz/npy.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"

namespace etlens::npz_test {

using test::MemoryFileSystem;
using test::ZipBuilder;

namespace {

template <typename T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// A .npy with a header of the test's own words.
std::string npy(std::string header, const std::string& data, char major = 1) {
  header += '\n';
  std::string text("\x93NUMPY");
  text += major;
  text += '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
    text += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return text + header + data;
}

std::string floats(const std::string& shape, const std::vector<float>& values) {
  return npy("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }",
             bytes_of(values));
}

Result<NpyHeader> header_of(const std::string& text) {
  return read_npy_header({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

}  // namespace

TEST_CASE("npy: headers as numpy writes them", "[npz]") {
  const auto plain = header_of(floats("(2, 3)", {1, 2, 3, 4, 5, 6}));
  REQUIRE(plain);
  CHECK(plain->scalar_type == 6);
  CHECK(plain->sizes == std::vector<int64_t>{2, 3});
  CHECK(!plain->is_fortran_order);
  CHECK(header_of(floats("()", {1}))->sizes.empty());
  CHECK(header_of(floats("(7,)", {}))->sizes == std::vector<int64_t>{7});
  const auto big =
      header_of(npy("{'shape': (1L,), 'fortran_order': True, 'descr': \">i8\"}", "", 2));
  REQUIRE(big);
  CHECK(big->scalar_type == 4);
  CHECK(big->is_big_endian);
  CHECK(big->is_fortran_order);
}

TEST_CASE("npy: what is no array of numbers is refused", "[npz]") {
  for (const std::string& text :
       {std::string(), std::string("\x93NUMPY"), floats("(2, -3)", {}), floats("(2 3)", {}),
        floats("2", {}), npy("{'descr': '<f4', 'shape': (1,)", ""), npy("{}", ""),
        npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "12345678"),
        npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", ""),
        npy("{'descr': '<U4', 'fortran_order': False, 'shape': (1,), }", ""),
        npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", ""),
        npy("{'descr': '', 'fortran_order': False, 'shape': (1,), }", ""),
        npy("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,), }", ""),
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "", 4)}) {
    CAPTURE(text);
    CHECK(!header_of(text));
  }
}

TEST_CASE("npy: what is written can be read, by numpy's rules", "[npz]") {
  for (const int type : {0, 1, 2, 3, 4, 5, 6, 7, 11, 27, 28, 29}) {
    for (const std::vector<int64_t>& sizes :
         {std::vector<int64_t>{}, {5}, {2, 3}, {0, 4}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}) {
      const auto text = npy_header(type, sizes);
      REQUIRE(text);
      CHECK(text->size() % 64 == 0);
      CHECK(text->back() == '\n');
      const auto header = header_of(*text);
      REQUIRE(header);
      CHECK(header->scalar_type == type);
      CHECK(header->sizes == sizes);
      CHECK(header->data_offset == text->size());
    }
  }
  CHECK(*npy_header(6, std::vector<int64_t>{3}) ==
        std::string("\x93NUMPY\x01\0\x76\0", 10) +
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }" + std::string(60, ' ') +
            "\n");
  CHECK(npy_header(15, {})->find("'<u2'") != std::string::npos);  // bfloat16 as its bits
  CHECK(npy_header(0, {})->find("'|u1'") != std::string::npos);
  CHECK(!npy_header(8, {}));
}

TEST_CASE("npy: values are written in the order of their indices", "[npz]") {
  StoredTensor tensor =
      tensor_in_memory(6, {2, 3}, Bytes::copy_of(bytes_of<float>({1, 2, 3, 4, 5, 6})));
  tensor.strides = {1, 2};
  std::string out;
  REQUIRE(write_npy(tensor, [&](std::string_view part) {
    out += part;
    return true;
  }));
  CHECK(out == *npy_header(6, tensor.sizes) + bytes_of<float>({1, 3, 5, 2, 4, 6}));
  CHECK(!write_npy(tensor, [](std::string_view) { return false; }));
}

TEST_CASE("npz: stored and packed members, both orders of bytes and of indices", "[npz]") {
  MemoryFileSystem files;
  std::string swapped;
  for (const float value : {1.0f, -2.5f}) {
    std::string bytes = bytes_of<float>({value});
    swapped.append(bytes.rbegin(), bytes.rend());
  }
  std::vector<float> many(300'000);
  for (size_t i = 0; i < many.size(); ++i) many[i] = static_cast<float>(i);
  files.put("/r.npz",
            ZipBuilder()
                .add("h1.npy", floats("(2, 2)", {1, 2, 3, 4}))
                .add("h2.npy", floats("(300000,)", many), true)
                .add("h3__1.npy",
                     npy("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", swapped))
                .add("h4.npy", npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }",
                                   bytes_of<float>({1, 2, 3, 4})))
                .add("h5.npy", floats("(0,)", {}))
                .add("names.npy",
                     npy("{'descr': '<U1', 'fortran_order': False, 'shape': (1,), }", "a\0\0\0"))
                .add("h6.npy", floats("(9,)", {1}))
                .add("readme.txt", "hello")
                .build());
  const auto npz = read_npz(files, "/r.npz");
  REQUIRE(npz);
  REQUIRE(npz->arrays.size() == 5);
  CHECK(npz->skipped.size() == 2);
  CHECK(npz->arrays[0].name == "h1");
  CHECK(*first_values(npz->arrays[0].tensor, 8) == std::vector<double>{1, 2, 3, 4});
  const StoredTensor& packed = npz->arrays[1].tensor;
  CHECK(packed.piece == packed.byte_size());
  CHECK(*first_values(packed, 3) == std::vector<double>{0, 1, 2});
  CHECK(packed.read(299'999 * 4, 4)->text() == bytes_of<float>({299'999}));
  CHECK(*first_values(npz->arrays[2].tensor, 8) == std::vector<double>{1, -2.5});
  CHECK(*first_values(npz->arrays[3].tensor, 8) == std::vector<double>{1, 3, 2, 4});
  CHECK(npz->arrays[4].tensor.elements == 0);
}

TEST_CASE("npz: a file that holds no array is said", "[npz]") {
  MemoryFileSystem files;
  files.put("/a", ZipBuilder().add("x", "y").build());
  files.put("/b", "no zip");
  CHECK(read_npz(files, "/a").error().message.find("holds no array") == 0);
  CHECK(!read_npz(files, "/b"));
}

}  // namespace etlens::npz_test
