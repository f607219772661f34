// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/zip_archive.h"

#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"

namespace etlens::zip_archive_test {

using test::MemoryFileSystem;
using test::ZipBuilder;

namespace {

Result<ZipArchive> open(MemoryFileSystem& files, const Bytes& content) {
  files.put("/a.zip", content);
  return ZipArchive::open(files, "/a.zip");
}

}  // namespace

TEST_CASE("zip: stored and deflated members", "[zip]") {
  MemoryFileSystem files;
  const std::string text(10'000, 'a');
  const auto archive =
      open(files, ZipBuilder().add("x", "plain").add("y", text, true).add("z", "").build());
  REQUIRE(archive);
  REQUIRE(archive->members().size() == 3);
  CHECK(archive->read(*archive->find("x"))->text() == "plain");
  CHECK(archive->read(*archive->find("y"))->text() == text);
  CHECK(archive->read(*archive->find("z"))->empty());
  CHECK(archive->read_front(*archive->find("x"), 2)->text() == "pl");
  CHECK(archive->find("w") == nullptr);
}

TEST_CASE("zip: a changed byte of a member is found", "[zip]") {
  MemoryFileSystem files;
  std::string content(ZipBuilder().add("x", "some content").build().text());
  content[content.find("content")] = 'C';
  const auto archive = open(files, Bytes::copy_of(content));
  REQUIRE(archive);
  const auto member = archive->read(*archive->find("x"));
  REQUIRE_FALSE(member);
  CHECK(member.error().message.find("checksum of member x") != std::string::npos);
}

TEST_CASE("zip: cut off or changed anywhere is an error or a result, never a crash", "[zip]") {
  MemoryFileSystem files;
  const std::string whole(
      ZipBuilder().add("first", "hello").add("second", std::string(200, 'b'), true).build().text());
  for (size_t size = 0; size < whole.size(); ++size) {
    CHECK_FALSE(open(files, Bytes::copy_of(whole.substr(0, size))));
  }
  size_t readable = 0;
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0xFF);
    const auto archive = open(files, Bytes::copy_of(changed));
    if (!archive) continue;
    for (const ZipMember& member : archive->members()) {
      const auto content = archive->read(member);
      if (!content || member.name != "first") continue;
      CHECK(content->text() == "hello");
      ++readable;
    }
  }
  CHECK(readable > 0);
}

TEST_CASE("zip: a comment and bytes in front do not hide the directory", "[zip]") {
  MemoryFileSystem files;
  std::string content(ZipBuilder().add("x", "plain").build().text());
  content[content.size() - 2] = 5;
  content += "hello";
  const auto archive = open(files, Bytes::copy_of(content));
  REQUIRE(archive);
  CHECK(archive->read(*archive->find("x"))->text() == "plain");
}

TEST_CASE("zip: no zip at all", "[zip]") {
  MemoryFileSystem files;
  const auto archive = open(files, Bytes::copy_of("just text, long enough to hold an end record"));
  REQUIRE_FALSE(archive);
  CHECK(archive.error().code == ErrorCode::Unsupported);
  CHECK(ZipArchive::open(files, "/missing").error().code == ErrorCode::NotFound);
}

}  // namespace etlens::zip_archive_test
