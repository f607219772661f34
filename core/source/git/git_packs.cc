// SPDX-License-Identifier: Apache-2.0
#include "core/source/git/git_packs.h"

#include <algorithm>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/source/git/git_delta.h"

namespace etlens {
namespace {

constexpr size_t kMaxPackFiles = 20'000;
constexpr size_t kMaxChain = 4096;                // as many as git itself makes
constexpr uint64_t kMaxChainBytes = 2ULL << 30;   // of all objects that one is made from
constexpr size_t kMaxKept = 8 << 20;              // bytes of objects
constexpr size_t kMaxKeptObject = kMaxKept / 16;  // bytes
constexpr unsigned kOffsetDelta = 6;
constexpr unsigned kIdDelta = 7;
constexpr uint64_t kFanBytes = 1024;
constexpr uint64_t kIdBytes = std::tuple_size_v<GitId>;
constexpr uint64_t kSecondVersion = 0xFF744F63'00000002;

std::optional<GitKind> packed_kind(unsigned type) {
  switch (type) {
    case 1:
      return GitKind::Commit;
    case 2:
      return GitKind::Tree;
    case 3:
      return GitKind::Blob;
    case 4:
      return GitKind::Tag;
    default:
      return std::nullopt;
  }
}

// The least and the greatest name that begins with those digits.
GitId filled(std::string_view hex, unsigned char rest) {
  GitId id;
  id.fill(rest);
  for (size_t i = 0; i < hex.size() && i / 2 < id.size(); ++i) {
    const unsigned digit = git_hex_digit(hex[i]).value_or(0);
    unsigned char& byte = id[i / 2];
    byte =
        static_cast<unsigned char>(i % 2 == 0 ? digit << 4 | (byte & 0x0F) : (byte & 0xF0) | digit);
  }
  return id;
}

}  // namespace

GitPacks::GitPacks(const FileSystem& files, GitFiles& pieces, const std::string& folder)
    : files_(files), pieces_(pieces), folder_(join_path(folder, "pack")) {
  look_again();
}

bool GitPacks::look_again() {
  const Result<FileStamp> stamp = files_.stat(folder_);
  const std::optional<FileStamp> now = stamp ? std::optional(*stamp) : std::nullopt;
  if (now == stamp_) return false;
  stamp_ = now;
  packs_.clear();
  last_ = 0;
  kept_.clear();
  kept_bytes_ = 0;
  pieces_.forget();
  const Result<std::vector<DirectoryEntry>> entries = files_.list(folder_);
  if (!entries || entries->size() > kMaxPackFiles) return true;
  constexpr std::string_view kIndex = ".idx";
  for (const DirectoryEntry& entry : *entries) {
    if (!entry.is_directory && entry.name.ends_with(kIndex))
      open(join_path(folder_, entry.name.substr(0, entry.name.size() - kIndex.size())));
  }
  return true;
}

void GitPacks::open(const std::string& stem) {
  Pack pack{stem + ".idx", stem + ".pack"};
  bool is_there = true;
  pack.is_first_version = pieces_.big_endian(pack.index, 0, 8, is_there) != kSecondVersion;
  std::array<uint8_t, kFanBytes> fan;
  if (!is_there || !pieces_.copy(pack.index, pack.is_first_version ? 0 : 8, fan)) return;
  for (size_t i = 0; i < pack.ends.size(); ++i) {
    pack.ends[i] = static_cast<uint32_t>(fan[4 * i]) << 24 | fan[4 * i + 1] << 16 |
                   fan[4 * i + 2] << 8 | fan[4 * i + 3];
  }
  if (std::is_sorted(pack.ends.begin(), pack.ends.end())) packs_.push_back(std::move(pack));
}

GitId GitPacks::name_at(const Pack& pack, uint64_t n, bool& is_there) {
  GitId id{};
  const uint64_t at =
      pack.is_first_version ? kFanBytes + n * (4 + kIdBytes) + 4 : 8 + kFanBytes + n * kIdBytes;
  is_there = is_there && pieces_.copy(pack.index, at, id);
  return id;
}

uint64_t GitPacks::lower_bound(const Pack& pack, const GitId& id, bool& is_there) {
  uint64_t begin = id[0] == 0 ? 0 : pack.ends[id[0] - 1];
  uint64_t end = pack.ends[id[0]];
  while (is_there && begin < end) {
    go_on();
    const uint64_t middle = begin + (end - begin) / 2;
    if (name_at(pack, middle, is_there) < id) begin = middle + 1;
    else end = middle;
  }
  return begin;
}

std::optional<uint64_t> GitPacks::offset_of(const Pack& pack, uint64_t n) {
  constexpr uint64_t kIsFar = 1ULL << 31;
  bool is_there = true;
  const uint64_t count = pack.ends.back();
  if (pack.is_first_version) {
    const uint64_t offset =
        pieces_.big_endian(pack.index, kFanBytes + n * (4 + kIdBytes), 4, is_there);
    return is_there ? std::optional(offset) : std::nullopt;
  }
  const uint64_t offsets = 8 + kFanBytes + count * (kIdBytes + 4);  // behind names and checksums
  uint64_t offset = pieces_.big_endian(pack.index, offsets + 4 * n, 4, is_there);
  if ((offset & kIsFar) != 0)
    offset =
        pieces_.big_endian(pack.index, offsets + 4 * count + 8 * (offset - kIsFar), 8, is_there);
  return is_there ? std::optional(offset) : std::nullopt;
}

std::optional<GitPacks::Place> GitPacks::find(const GitId& id) {
  for (size_t i = 0; i < packs_.size(); ++i) {
    go_on();
    const size_t n = (last_ + i) % packs_.size();  // neighbours are together
    const Pack& pack = packs_[n];
    bool is_there = true;
    const uint64_t at = lower_bound(pack, id, is_there);
    if (!is_there || at >= pack.ends[id[0]] || name_at(pack, at, is_there) != id) continue;
    const std::optional<uint64_t> offset = offset_of(pack, at);
    if (!offset) continue;
    last_ = n;
    return Place{n, *offset};
  }
  return std::nullopt;
}

void GitPacks::add_matching(std::string_view hex, std::vector<GitId>& found) {
  const GitId least = filled(hex, 0);
  const GitId greatest = filled(hex, 0xFF);
  for (const Pack& pack : packs_) {
    bool is_there = true;
    const uint64_t begin = lower_bound(pack, least, is_there);
    const uint64_t end = std::min<uint64_t>(pack.ends[least[0]], begin + 2);
    for (uint64_t n = begin; n < end; ++n) {
      const GitId id = name_at(pack, n, is_there);
      if (is_there && id >= least && id <= greatest) found.push_back(id);
    }
  }
}

std::optional<GitPacks::Record> GitPacks::record(const Place& place) {
  constexpr size_t kMost = 64;  // bytes that a record's own take at most
  std::string text;
  while (text.size() < kMost) {
    const std::span<const uint8_t> bytes =
        pieces_.at(packs_[place.pack].data, place.offset + text.size());
    if (bytes.empty()) break;
    text.append(bytes.begin(), bytes.begin() + std::min(bytes.size(), kMost - text.size()));
  }
  size_t at = 0;
  const auto next = [&]() -> unsigned {
    return at < text.size() ? static_cast<uint8_t>(text[at++]) : (at = kMost + 1, 0U);
  };
  Record record;
  unsigned byte = next();
  record.type = byte >> 4 & 0x07;
  record.size = byte & 0x0F;
  for (int shift = 4; (byte & 0x80) != 0; shift += 7) {
    byte = next();
    if (shift > 56) return std::nullopt;
    record.size |= static_cast<uint64_t>(byte & 0x7F) << shift;
  }
  if (record.type == kOffsetDelta) {
    byte = next();
    uint64_t back = byte & 0x7F;
    for (int n = 0; (byte & 0x80) != 0; ++n) {
      byte = next();
      if (n > 7) return std::nullopt;
      back = (back + 1) << 7 | (byte & 0x7F);
    }
    if (back == 0 || back > place.offset) return std::nullopt;
    record.base = Place{place.pack, place.offset - back};
  } else if (record.type == kIdDelta) {
    GitId id;
    for (unsigned char& part : id) part = static_cast<unsigned char>(next());
    record.base = at <= kMost ? find(id) : std::nullopt;
    if (!record.base) return std::nullopt;
  }
  if (at > kMost) return std::nullopt;
  record.begin = place.offset + at;
  return record;
}

std::optional<GitPacks::Chain> GitPacks::chain(Place place, bool stops_at_kept) {
  Chain chain;
  while (chain.size() < kMaxChain) {
    go_on();
    if (stops_at_kept && kept_.contains(place)) return chain;
    const std::optional<Record> found = record(place);
    if (!found) return std::nullopt;
    chain.emplace_back(place, *found);
    if (packed_kind(found->type)) return chain;
    if (!found->base) return std::nullopt;
    place = *found->base;
  }
  return std::nullopt;
}

std::optional<GitHeader> GitPacks::header(const Place& place) {
  const std::optional<Chain> all = chain(place, false);
  if (!all) return std::nullopt;
  GitHeader header{*packed_kind(all->back().second.type), all->front().second.size};
  if (all->size() == 1) return header;
  const Record& delta = all->front().second;
  const std::optional<std::string> begin =
      pieces_.unpack(packs_[place.pack].data, delta.begin, kMaxGitDeltaSizes);
  std::string_view text = begin ? std::string_view(*begin) : std::string_view();
  const std::optional<GitDeltaSizes> sizes = take_git_delta_sizes(text);
  if (!sizes) return std::nullopt;
  header.size = sizes->result;
  return header;
}

void GitPacks::keep(const Place& place, const std::string& data) {
  if (data.size() > kMaxKeptObject) return;
  if (kept_bytes_ + data.size() > kMaxKept) {
    kept_.clear();
    kept_bytes_ = 0;
  }
  if (kept_.emplace(place, data).second) kept_bytes_ += data.size();
}

std::optional<std::string> GitPacks::read(const Place& place, size_t limit) {
  const std::optional<Chain> steps = chain(place, true);
  if (!steps) return std::nullopt;
  std::optional<std::string> data;
  size_t left = steps->size();
  if (left == 0) return kept_.at(place);
  if (const std::optional<Place>& base = steps->back().second.base) {
    data = kept_.at(*base);
  } else {
    const auto& [at, whole] = (*steps)[--left];
    data = pieces_.unpack_all(packs_[at.pack].data, whole.begin, whole.size);
    if (data && left > 0) keep(at, *data);
  }
  uint64_t made = 0;
  while (data && left > 0) {
    const auto& [at, step] = (*steps)[--left];
    const std::optional<std::string> delta =
        pieces_.unpack_all(packs_[at.pack].data, step.begin, step.size);
    data = delta ? apply_git_delta(*data, *delta, kMaxGitObjectBytes) : std::nullopt;
    if (data) keep(at, *data);
    if (data && (made += data->size()) > kMaxChainBytes) return std::nullopt;
  }
  return data && data->size() <= limit ? std::move(data) : std::nullopt;
}

}  // namespace etlens
