// SPDX-License-Identifier: Apache-2.0
// The parts of a bundle: words, JSON in JSON, texts in tables, ZIP files.
#include "core/bundle/bundle.h"

#include <catch2/catch.hpp>

#include <cctype>
#include <set>
#include <string>

#include "core/backend/xnnpack/names.h"
#include "core/bundle/binary_texts.h"
#include "core/bundle/json_text.h"
#include "core/bundle/renamer.h"
#include "core/formats/etrecord/zip_archive.h"
#include "tests/support/memory_file_system.h"

namespace etlens::bundle_test {

using namespace etlens::test;

namespace {

std::string flatbuffer_string(const std::string& text) {
  std::string out{static_cast<char>(text.size()), 0, 0, 0};
  out += text;
  out.append(4 - text.size() % 4, '\0');
  return out;
}

std::span<uint8_t> bytes_of(std::string& text) {
  return {reinterpret_cast<uint8_t*>(text.data()), text.size()};
}

}  // namespace

TEST_CASE("bundle: a word has one replacement, as long, and no two words share one") {
  Renamer names;
  const std::string text =
      "secret_blocks.3.SecretNet SECRET p_secret_blocks_3_weight self.forward x wq";
  names.see(text);
  const std::string renamed = names.renamed(text);
  CHECK(renamed.size() == text.size());
  CHECK(renamed.find("ecret") == std::string::npos);
  CHECK(renamed.find("_weight self.forward x ") != std::string::npos);
  const std::string secret = renamed.substr(0, 6), blocks = renamed.substr(7, 6);
  CHECK(renamed.find("p_" + secret + "_" + blocks + "_3_weight") != std::string::npos);
  CHECK(std::isupper(static_cast<unsigned char>(renamed[16])) != 0);
  CHECK(names.renamed(text) == renamed);
  std::set<std::string> given;
  for (const auto& [word, name] : names.replaced()) {
    CHECK(word.size() == name.size());
    CHECK(given.insert(name).second);
    CHECK(text.find(name) == std::string::npos);
  }
  CHECK(given.size() == 5);
}

TEST_CASE(
    "bundle: words of every length are replaced until there are no more, single letters stay") {
  Renamer names;
  names.see("enc.attn qz e");
  const std::string renamed = names.renamed("enc.attn qz e");
  for (const char* word : {"enc", "attn", "qz"}) CHECK(renamed.find(word) == std::string::npos);
  CHECK(renamed.ends_with(" e"));
  std::vector<std::string> words;
  for (char first = 'a'; first <= 'm'; ++first)
    for (char second = 'a'; second <= 'z'; ++second) words.push_back({first, second});
  for (const std::string& word : words) names.see(word);
  size_t kept = 0;
  std::set<std::string> given;
  for (const std::string& word : words) {
    const std::string name = names.renamed(word);
    CHECK(name.size() == 2);
    CHECK(given.insert(name).second);
    kept += name == word ? 1 : 0;
  }
  CHECK(kept > 0);
  CHECK(kept < words.size() / 2);
}

TEST_CASE("bundle: what a backend's reports are named, and what operators are, is public") {
  Renamer names;
  for (const char* text :
       {"Fully Connected (NC, QD8, F32, QC8W) GEMM #1", "Batch Matrix Multiply (NC, F32)",
        "Static Reshape (NC)", "Scaled Dot-Product Attention", "Invalid Unary Op",
        "native_call_expand_copy.out", "Method::execute"}) {
    names.see(text);
    CHECK(names.renamed(text) == text);
  }
  for (size_t kind = 0; kind < static_cast<size_t>(XnnpackKind::kCount); ++kind)
    for (const XnnpackName& name : names_of(static_cast<XnnpackKind>(kind), XnnpackNameSet::OfKind))
      CHECK(names.renamed(name.name) == name.name);
}

TEST_CASE("bundle: strings of JSON are changed at every level, and weights go") {
  JsonChange change;
  change.text = [](std::string_view text) {
    return text == "köpfe\n\"x\"" ? std::string("y") : std::string(text);
  };
  change.payload = [](std::string_view backend, std::string bytes) {
    CHECK(backend == "XnnpackBackend");
    return bytes.substr(0, 2);
  };
  CHECK(*changed_json(R"({"a": [1, NaN, "k\u00f6pfe\n\"x\""], "k\u00f6pfe\n\"x\"": -0.50})",
                      change) == R"({"a": [1, NaN, "y"], "y": -0.50})");
  CHECK(
      *changed_json(
          R"({"s": "{\"backend_id\": \"XnnpackBackend\", \"processed_bytes\": \"YWJjZA==\", \"original_constants\": \"YWJjZA==\", \"t\": \"{\\\"u\\\": \\\"C:\\\\\\\\new\\\"}\"}"})",
          change) ==
      R"({"s": "{\"backend_id\": \"XnnpackBackend\", \"processed_bytes\": \"YWI=\", \"original_constants\": \"\", \"t\": \"{\\\"u\\\": \\\"C:\\\\\\\\new\\\"}\"}"})");
  CHECK_FALSE(changed_json(R"({"a": "b)", change));
  CHECK_FALSE(changed_json("\"a\\", change));
  std::string deep = "\"x\"";
  for (int i = 0; i < 10; ++i) {
    std::string escaped = "\"[";
    for (const char c : deep) escaped += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    deep = escaped + "]\"";
  }
  CHECK_FALSE(changed_json("[" + deep + "]", change));
}

TEST_CASE("bundle: texts in tables are replaced in place, numbers are not") {
  std::string table = std::string("\x10\0\0\0\x02\0\0\0", 8) + flatbuffer_string("secret.weight") +
                      std::string("\x03\0\0\0abc\0\x05\0\0\0\x01\x02", 14) + std::string(2, '\0') +
                      flatbuffer_string("aten::addmm");
  const std::string before = table;
  std::string seen;
  see_binary_texts(bytes_of(table), [&](std::string_view text) { (seen += text) += '|'; });
  CHECK(seen == "secret.weight|aten::addmm|");
  std::string offsets("\x08\0\0\0\xf4\xff\xff\xff\xf0\xff\xff\xff\0\0\0\0",
                      16);  // no text, though no byte is a control character
  const std::string same = offsets;
  replace_binary_texts(bytes_of(offsets),
                       [](std::string_view text) { return std::string(text.size(), 'z'); });
  CHECK(offsets == same);
  replace_binary_texts(bytes_of(table),
                       [](std::string_view text) { return std::string(text.size(), 'z'); });
  CHECK(table.size() == before.size());
  CHECK(table.find("secret") == std::string::npos);
  CHECK(table.find("abc") != std::string::npos);
  replace_binary_texts(bytes_of(table),
                       [](std::string_view) { return std::string("longer than it was before"); });
  CHECK(table.size() == before.size());
}

TEST_CASE("bundle: two or three letters are a text where an offset leads to them") {
  const std::string length("\x03\0\0\0", 4), offset("\x0c\0\0\0", 4);
  std::string table = offset + length + std::string("abc\0", 4) + length + std::string("enc\0", 4);
  replace_binary_texts(bytes_of(table),
                       [](std::string_view text) { return std::string(text.size(), 'z'); });
  CHECK(table == offset + length + std::string("abc\0", 4) + length + std::string("zzz\0", 4));
}

TEST_CASE("bundle: a time of a dump that looks like a text stays, and so does the text behind it") {
  const std::string four("\x04\0\0\0", 4);
  // The time is "abcd" behind what could be its length; its last bytes could be the length of a text, too.
  const std::string times = four + "abcd" + four + std::string("\x06\0\0\0zzzz", 8);
  std::string table =
      times + four + std::string("conv\0\0\0\0", 8) + flatbuffer_string("secret.weight");
  replace_binary_texts(
      bytes_of(table), [](std::string_view text) { return std::string(text.size(), 'x'); },
      [](std::string_view text) { return text == "conv"; });
  CHECK(table ==
        times + four + std::string("xxxx\0\0\0\0", 8) + flatbuffer_string("xxxxxxxxxxxxx"));
}

TEST_CASE("bundle: bytes that nothing set are zero") {
  SparseBytes bytes = SparseBytes::zeros(200'000);
  bytes.put(100'000, "middle");
  bytes.put(0, "front");
  bytes.put(100'003, "DLE and more");  // what is there stays
  bytes.put(199'998, "end");
  bytes.put(300'000, "outside");
  CHECK(bytes.size() == 200'000);
  CHECK(bytes.range(99'999, 17) == std::string(1, '\0') + "middle and more" + std::string(1, '\0'));
  CHECK(bytes.range(199'997, 10) == std::string("\0en", 3));
  CHECK(bytes.range(200'000, 1).empty());
  std::string all;
  bytes.each_block([&](std::string_view block) {
    CHECK(block.size() <= 65'536);
    all += block;
  });
  CHECK(all == bytes.range(0, UINT64_MAX));
  CHECK(all.starts_with("front"));
}

TEST_CASE("bundle: a known word is found in any bytes") {
  Renamer names;
  names.see("secretive");
  const std::string name = names.renamed("secretive");
  std::string bytes = std::string("\x0a\x09secretive\x12", 12) + "secretives";
  names.rename_known(bytes_of(bytes));
  CHECK(bytes == "\x0a\x09" + name + "\x12" + "secretives");
}

TEST_CASE("bundle: its ZIP files are read again, stored and deflated") {
  SparseBytes sparse = SparseBytes::zeros(100'000);
  sparse.put(70'000, "text");
  const std::vector<ZipPart> parts{
      {"a/b", std::string("text")}, {"empty", std::string()}, {"sparse", sparse}};
  for (const ZipMethod method : {ZipMethod::Stored, ZipMethod::Deflated}) {
    const Result<std::string> zip = zip_of(parts, method);
    REQUIRE(zip);
    CHECK((zip->size() < 2000) == (method == ZipMethod::Deflated));
    MemoryFileSystem files;
    files.put("/x.zip", *zip);
    const Result<ZipArchive> archive = ZipArchive::open(files, "/x.zip");
    REQUIRE(archive);
    REQUIRE(archive->members().size() == 3);
    for (const ZipPart& part : parts) {
      const ZipMember* member = archive->find(part.name);
      REQUIRE(member != nullptr);
      CHECK(archive->read(*member)->text() == part.content.range(0, UINT64_MAX));
    }
  }
}

}  // namespace etlens::bundle_test
