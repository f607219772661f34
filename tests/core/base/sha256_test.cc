// SPDX-License-Identifier: Apache-2.0
#include "core/base/sha256.h"

namespace etlens::sha256_test {

namespace {

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace

// The examples of FIPS 180-4, and what sha256sum prints.
TEST_CASE("sha256: known hashes", "[base]") {
  const auto [text, hash] = GENERATE(table<std::string, const char*>({
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1'000'000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  }));
  CHECK(sha256_of(bytes_of(text)) == hash);
}

// Blocks and their padding end at every length; pieces give what the whole gives.
TEST_CASE("sha256: in pieces of any length", "[base]") {
  std::string text;
  for (size_t i = 0; i < 300; ++i) text += static_cast<char>(i * 31);
  for (size_t size = 0; size <= 200; ++size) {
    const std::string_view whole = std::string_view(text).substr(0, size);
    for (const size_t piece : {1, 7, 55, 56, 63, 64, 65}) {
      Sha256 hash;
      for (size_t at = 0; at < size; at += piece) hash.update(bytes_of(whole.substr(at, piece)));
      CHECK(hex_of(hash.finish()) == sha256_of(bytes_of(whole)));
    }
  }
}

// One hash over the hashes of every length up to 200: what Python's hashlib gives for the same.
TEST_CASE("sha256: as another implementation has it", "[base]") {
  std::string hashes;
  for (size_t size = 0; size <= 200; ++size)
    hashes += sha256_of(bytes_of(std::string(size, static_cast<char>(size))));
  CHECK(sha256_of(bytes_of(hashes)) ==
        "32bf3dfd680d6eec35c7e7faa2afb75b13290ffd987b0a324736d2d0bc1bcf13");
}

}  // namespace etlens::sha256_test
