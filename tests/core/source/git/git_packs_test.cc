// SPDX-License-Identifier: Apache-2.0
// Objects in packs: whole ones, and those that are made from others.
#include "core/source/git/git_packs.h"

#include <git2.h>
#include <zlib.h>
#include <catch2/catch.hpp>

#include <functional>
#include <map>

#include "core/base/budget.h"
#include "core/source/git/git_delta.h"
#include "core/source/git/git_objects.h"
#include "core/source/git/git_revision.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/test_repository.h"

namespace etlens::git_packs_test {

using namespace etlens::test;
namespace fs = std::filesystem;

namespace {

constexpr unsigned kBlob = 3;
constexpr unsigned kOffsetDelta = 6;
constexpr unsigned kIdDelta = 7;

std::string big_endian(uint64_t value, int bytes) {
  std::string text;
  for (int n = bytes - 1; n >= 0; --n) text += static_cast<char>(value >> (8 * n));
  return text;
}

std::string packed(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::string out(size, '\0');
  REQUIRE(compress(reinterpret_cast<Bytef*>(out.data()), &size,
                   reinterpret_cast<const Bytef*>(text.data()), text.size()) == Z_OK);
  out.resize(size);
  return out;
}

GitId id_of(const std::string& text) {
  return git_blob_id({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

std::string raw(const GitId& id) { return {id.begin(), id.end()}; }

std::string number(uint64_t value) {
  std::string text;
  for (; value >= 0x80; value >>= 7) text += static_cast<char>(value | 0x80);
  return text += static_cast<char>(value);
}

// A pack and its index, as bytes; what the index says is what a test says.
class PackBuilder {
 public:
  // `base`: how many bytes back, or a name.
  void add(const GitId& id, unsigned type, uint64_t size, const std::string& base,
           const std::string& content) {
    offsets_[id] = pack_.size();
    uint64_t rest = size >> 4;
    pack_ += static_cast<char>(type << 4 | (size & 0x0F) | (rest > 0 ? 0x80U : 0U));
    for (; rest > 0; rest >>= 7)
      pack_ += static_cast<char>((rest & 0x7F) | (rest > 0x7F ? 0x80U : 0U));
    pack_ += base + content;
  }
  void add_blob(const std::string& text) { add(id_of(text), kBlob, text.size(), "", packed(text)); }
  uint64_t size() const { return pack_.size(); }
  uint64_t offset_of(const std::string& text) const { return offsets_.at(id_of(text)); }
  void point(const GitId& id, uint64_t offset) { offsets_[id] = offset; }

  std::string index(int version) const {
    std::string fan, first, names, checks, offsets, far;
    for (int byte = 0; byte < 256; ++byte) {
      uint64_t count = 0;
      for (const auto& [id, offset] : offsets_) count += id[0] <= byte ? 1 : 0;
      fan += big_endian(count, 4);
    }
    uint64_t n_far = 0;
    for (const auto& [id, offset] : offsets_) {
      first += big_endian(offset, 4) + raw(id);
      names += raw(id);
      checks += big_endian(0, 4);
      const bool is_far = offset >= 1ULL << 31 || has_far_offsets;
      offsets += big_endian(is_far ? (1ULL << 31) + n_far++ : offset, 4);
      if (is_far) far += big_endian(offset, 8);
    }
    return version == 1 ? fan + first
                        : "\xFFtOc" + big_endian(2, 4) + fan + names + checks + offsets + far;
  }
  MemoryFileSystem files(int version = 2) const {
    MemoryFileSystem files;
    files.put("/objects/pack/pack-1.idx", index(version));
    files.put("/objects/pack/pack-1.pack", pack_);
    return files;
  }

  bool has_far_offsets = false;

 private:
  std::string pack_ = "PACK" + big_endian(2, 4) + big_endian(1, 4);
  std::map<GitId, uint64_t> offsets_;
};

std::optional<std::string> read(const MemoryFileSystem& files, const std::string& text) {
  return GitObjects(files, "/objects").read(id_of(text), GitKind::Blob, 1 << 20);
}

// Copies of a base, and what is new.
std::string delta(uint64_t base, uint64_t result, const std::string& steps) {
  return number(base) + number(result) + steps;
}

std::string one_offset_back(uint64_t back) {
  std::string text(1, static_cast<char>(back & 0x7F));
  while ((back >>= 7) != 0) text.insert(text.begin(), static_cast<char>(0x80 | (--back & 0x7F)));
  return text;
}

const std::string kBase(300, 'b');

}  // namespace

TEST_CASE("git packs: whole objects, and those made from others", "[git]") {
  const std::string end = kBase.substr(0, 16) + "new";
  const std::string later = "x" + end;
  const std::string steps = delta(300, 19, "\x90\x10\x03new");
  for (const int version : {1, 2}) {
    for (const bool is_far : {false, true}) {
      PackBuilder pack;
      pack.has_far_offsets = is_far;
      pack.add_blob(kBase);
      pack.add(id_of(end), kOffsetDelta, steps.size(),
               one_offset_back(pack.size() - pack.offset_of(kBase)), packed(steps));
      const std::string more = delta(19, 20, "\x01x\x90\x13");
      pack.add(id_of(later), kIdDelta, more.size(), raw(id_of(end)), packed(more));
      const MemoryFileSystem files = pack.files(version);
      CAPTURE(version, is_far);
      CHECK(read(files, kBase) == kBase);
      CHECK(read(files, end) == end);
      CHECK(read(files, later) == later);
      const GitObjects objects(files, "/objects");
      CHECK(objects.size_of(id_of(later), GitKind::Blob) == 20U);
      CHECK_FALSE(objects.size_of(id_of(later), GitKind::Tree));
      CHECK_FALSE(objects.read(id_of(later), GitKind::Blob, 19));
      CHECK(objects.abbreviated(hex_of(id_of(later)).substr(0, 7)) == id_of(later));
      CHECK_FALSE(objects.abbreviated("ffff"));
      CHECK_FALSE(objects.read(id_of("none"), GitKind::Blob, 99));
    }
  }
}

TEST_CASE("git packs: what git's own library packs is read", "[git]") {
  TestRepository repository;
  std::string text;
  for (int n = 0; n < 300; ++n) text += "line " + std::to_string(n) + "\n";
  for (int n = 0; n < 12; ++n) repository.commit(text += "change " + std::to_string(n) + "\n");
  git_packbuilder* builder = nullptr;
  git_revwalk* walk = nullptr;
  REQUIRE(git_packbuilder_new(&builder, repository.repository()) == 0);
  REQUIRE(git_revwalk_new(&walk, repository.repository()) == 0);
  REQUIRE(git_revwalk_push_head(walk) == 0);
  REQUIRE(git_packbuilder_insert_walk(builder, walk) == 0);
  REQUIRE(git_packbuilder_write(builder, nullptr, 0, nullptr, nullptr) == 0);
  git_revwalk_free(walk);
  git_packbuilder_free(builder);
  for (const fs::directory_entry& folder :
       fs::directory_iterator(repository.path(".git/objects"))) {
    if (folder.path().filename().string().size() == 2) fs::remove_all(folder.path());
  }
  const FileSystem& disk = real_file_system();
  for (int back = 0; back < 12; ++back) {
    const auto revision =
        find_git_revision(disk, repository.path(""), "HEAD~" + std::to_string(back));
    REQUIRE(revision);
    const auto files = open_git_revision(disk, *revision);
    REQUIRE(files);
    const Result<Bytes> then = (*files)->read(repository.path("net/model.py"));
    REQUIRE(then);
    CHECK(then->text().ends_with("change " + std::to_string(11 - back) + "\n"));
    CHECK((*files)->stat(repository.path("net/model.py"))->size == then->size());
  }
}

TEST_CASE("git packs: what is packed anew meanwhile is found again", "[git]") {
  const TestRepository repository;
  const auto put = [&](const PackBuilder& pack, const std::string& name) {
    const MemoryFileSystem files = pack.files();
    for (const char* end : {".idx", ".pack"})
      repository.write(".git/objects/pack/" + name + end,
                       files.read(std::string("/objects/pack/pack-1") + end)->text());
  };
  PackBuilder first, second;
  first.add_blob(kBase);
  second.add_blob("other");
  put(first, "pack-1");
  const GitObjects objects(real_file_system(), repository.path(".git/objects"));
  CHECK(objects.read(id_of(kBase), GitKind::Blob, 1000) == kBase);
  CHECK_FALSE(objects.read(id_of("other"), GitKind::Blob, 1000));
  fs::remove(repository.path(".git/objects/pack/pack-1.idx"));
  put(second, "pack-2");
  CHECK(objects.read(id_of("other"), GitKind::Blob, 1000) == "other");
  CHECK_FALSE(objects.read(id_of(kBase), GitKind::Blob, 1000));
}

TEST_CASE("git packs: any byte may be another, and no object becomes another", "[git]") {
  const std::string end = kBase.substr(0, 16) + "new";
  PackBuilder pack;
  pack.add_blob(kBase);
  const std::string steps = delta(300, 19, "\x90\x10\x03new");
  pack.add(id_of(end), kIdDelta, steps.size(), raw(id_of(kBase)), packed(steps));
  const MemoryFileSystem sound = pack.files();
  size_t unread = 0;
  for (const std::string path : {"/objects/pack/pack-1.idx", "/objects/pack/pack-1.pack"}) {
    const std::string bytes(sound.read(path)->text());
    for (size_t at = 0; at < bytes.size(); ++at) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ (1 << at % 8));
      MemoryFileSystem files = pack.files();
      files.put(path, changed);
      for (const std::string& text : {kBase, end}) {
        const std::optional<std::string> found = read(files, text);
        if (found) REQUIRE(*found == text);
        unread += found ? 0 : 1;
      }
      files.put(path, bytes.substr(0, at));
      const std::optional<std::string> short_one = read(files, end);
      if (short_one) REQUIRE(*short_one == end);
    }
  }
  CHECK(unread > 100);
}

TEST_CASE("git packs: what is made to do harm is not there", "[git]") {
  const std::string bomb = packed(std::string(1 << 20, '\0'));
  const auto claims = [&](uint64_t size, const std::string& content) {
    PackBuilder pack;
    pack.add(id_of("x"), kBlob, size, "", content);
    return read(pack.files(), "x");
  };
  CHECK_FALSE(claims(UINT64_MAX >> 4, bomb));
  CHECK_FALSE(claims(1 << 20, bomb));  // not what its name says
  CHECK_FALSE(claims(5, bomb));        // more than it says
  CHECK_FALSE(claims(2 << 20, bomb));  // less
  CHECK_FALSE(claims(1, "no zlib"));
  CHECK_FALSE(claims(1, ""));

  const auto changes = [&](const std::string& steps, uint64_t claimed = 0) {
    PackBuilder pack;
    pack.add_blob(kBase);
    pack.add(id_of("x"), kIdDelta, claimed == 0 ? steps.size() : claimed, raw(id_of(kBase)),
             packed(steps));
    const MemoryFileSystem files = pack.files();
    CHECK(read(files, kBase) == kBase);
    return read(files, "x");
  };
  CHECK(changes(delta(300, 1, "\x01x")) == "x");
  for (const std::string& steps :
       {delta(299, 1, "\x01x"), delta(300, 2, "\x01x"), delta(300, 0, "\x01x"),
        delta(300, UINT64_MAX >> 1, "\x01x"), delta(300, 1, std::string(1, '\0')),
        delta(300, 1, "\x05x"), delta(300, 1, "\x90"), delta(300, 2, "\x93\xFF\xFF\x02"),
        delta(300, 301, "\xB0\x2D\x01"), std::string("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"),
        std::string()})
    CHECK_FALSE(changes(steps));
  CHECK_FALSE(changes(delta(300, 1, "\x01x"), 2));

  // Objects that are made from themselves, from each other, from nothing, from before the file.
  PackBuilder pack;
  const std::string steps = delta(1, 1, "\x01x");
  pack.add(id_of("self"), kIdDelta, steps.size(), raw(id_of("self")), packed(steps));
  pack.add(id_of("one"), kIdDelta, steps.size(), raw(id_of("two")), packed(steps));
  pack.add(id_of("two"), kIdDelta, steps.size(), raw(id_of("one")), packed(steps));
  pack.add(id_of("none"), kIdDelta, steps.size(), raw(id_of("missing")), packed(steps));
  pack.add(id_of("zero"), kOffsetDelta, steps.size(), std::string(1, '\0'), packed(steps));
  pack.add(id_of("before"), kOffsetDelta, steps.size(), one_offset_back(1 << 30), packed(steps));
  pack.add(id_of("endless"), kOffsetDelta, steps.size(), std::string(60, '\xFF'), "");
  pack.add(id_of("odd"), 5, 1, "", packed("x"));
  pack.point(id_of("far"), UINT64_MAX);
  pack.point(id_of("beyond"), 1 << 20);
  const MemoryFileSystem files = pack.files();
  for (const char* name : {"self", "one", "two", "none", "zero", "before", "endless", "odd", "far",
                           "beyond", "missing"}) {
    CAPTURE(name);
    CHECK_FALSE(read(files, name));
  }
}

TEST_CASE("git packs: a chain of copies that grow ends with the budget", "[git]") {
  PackBuilder pack;
  std::string before(1 << 10, 'b');
  pack.add_blob(before);
  uint64_t size = before.size();
  GitId base = id_of(before);
  // Each step doubles what there was, up to what is allowed, and then copies it again.
  for (int n = 0; n < 400; ++n) {
    const uint64_t next = std::min<uint64_t>(2 * size, 32 << 20);
    std::string steps;
    for (uint64_t made = 0; made < next;) {
      const uint64_t piece = std::min<uint64_t>({next - made, size, 0xFFFFFF});
      steps += '\xF0';
      for (int byte = 0; byte < 3; ++byte) steps += static_cast<char>(piece >> (8 * byte));
      made += piece;
    }
    const std::string changes = delta(size, next, steps);
    const GitId id = id_of("step" + std::to_string(n));
    pack.add(id, kIdDelta, changes.size(), raw(base), packed(changes));
    base = id;
    size = next;
  }
  const MemoryFileSystem files = pack.files();
  CancelToken cancel;
  cancel.cancel();
  const auto result =
      within_budget(cancel, [&]() -> Result<bool> { return read(files, "step399").has_value(); });
  REQUIRE_FALSE(result);
  CHECK(result.error().code == ErrorCode::Cancelled);
}

}  // namespace etlens::git_packs_test
