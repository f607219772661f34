// SPDX-License-Identifier: Apache-2.0
// The packs of a repository: many objects in one file, beside an index of where each begins. An
// object is there whole, or as what has to be changed in another.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/file_system.h"
#include "core/source/git/git_file.h"
#include "core/source/git/git_id.h"

namespace etlens {

class GitPacks {
 public:
  // `folder`: "objects" of a repository. Both must outlive this.
  GitPacks(const FileSystem& files, GitFiles& pieces, const std::string& folder);

  // Where an object is.
  struct Place {
    size_t pack = 0;
    uint64_t offset = 0;

    friend auto operator<=>(const Place&, const Place&) = default;
  };
  std::optional<Place> find(const GitId& id);
  // Those that begin with so many digits, two at most.
  void add_matching(std::string_view hex, std::vector<GitId>& found);

  std::optional<GitHeader> header(const Place& place);
  // Not held against its name.
  std::optional<std::string> read(const Place& place, size_t limit);

  // Looks which packs there are, if that may have changed; true if it did.
  bool look_again();

 private:
  struct Pack {
    std::string index;  // paths
    std::string data;
    std::array<uint32_t, 256> ends{};  // of the names that begin with a byte
    bool is_first_version = false;     // of the index
  };
  // Of an object in a pack: how it begins.
  struct Record {
    unsigned type = 0;
    uint64_t size = 0;
    uint64_t begin = 0;         // of what is packed
    std::optional<Place> base;  // that it changes
  };
  using Chain = std::vector<std::pair<Place, Record>>;

  void open(const std::string& stem);
  GitId name_at(const Pack& pack, uint64_t n, bool& is_there);
  uint64_t lower_bound(const Pack& pack, const GitId& id, bool& is_there);
  std::optional<uint64_t> offset_of(const Pack& pack, uint64_t n);
  std::optional<Record> record(const Place& place);
  // The object, what it changes, … down to a whole one. Ends before one that is kept.
  std::optional<Chain> chain(Place place, bool stops_at_kept);
  void keep(const Place& place, const std::string& data);

  const FileSystem& files_;
  GitFiles& pieces_;
  const std::string folder_;
  std::optional<FileStamp> stamp_;  // of the folder when it was listed
  std::vector<Pack> packs_;
  size_t last_ = 0;                    // where something was found
  std::map<Place, std::string> kept_;  // objects that others were made from
  size_t kept_bytes_ = 0;
};

}  // namespace etlens
