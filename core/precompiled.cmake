# What many folders include, their own widest headers too, compiled once for all of them. Files still name what they use: the
# presets for development and for releases are built without this.
add_library(etlens_headers OBJECT ${CMAKE_SOURCE_DIR}/core/precompiled.cc)
target_link_libraries(etlens_headers PRIVATE etlens_options fmt::fmt nlohmann_json::nlohmann_json simdjson::simdjson)
target_precompile_headers(etlens_headers PRIVATE
  <algorithm> <array> <charconv> <chrono> <cmath> <functional> <map> <memory> <numeric> <optional> <set> <span> <string>
  <string_view> <tuple> <unordered_map> <unordered_set> <utility> <variant> <vector>
  <fmt/format.h> <nlohmann/json.hpp> <simdjson.h> <flatbuffers/flatbuffers.h>
  ${CMAKE_SOURCE_DIR}/core/workspace/load.h ${CMAKE_SOURCE_DIR}/core/facts/facts.h ${CMAKE_SOURCE_DIR}/protocol/types.h)
foreach(folder ${folders})
  target_precompile_headers(${folder} REUSE_FROM etlens_headers)
endforeach()
list(APPEND folders etlens_headers)
