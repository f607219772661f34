// SPDX-License-Identifier: Apache-2.0
#include "mcp/era.h"

namespace etlens::mcp {
namespace {

constexpr const char* kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr auto kUnsupportedVersion = static_cast<lsp::ResponseCode>(-32022);
constexpr int kCacheMs = 3'600'000;

lsp::ResponseError unsupported_version(const std::string& asked) {
  JsonWriter data(JsonStyle::Message);
  data.begin_object().key("supported").begin_array().value(kStatelessVersion);
  for (const std::string_view version : kSessionVersions) data.value(version);
  data.end_array().field("requested", asked).end_object();
  return {kUnsupportedVersion, "etlens does not speak this revision of the protocol", data.take()};
}

}  // namespace

std::string_view session_version(std::string_view asked) {
  for (const std::string_view version : kSessionVersions) {
    if (version <= asked) return version;  // dates
  }
  return kSessionVersions.front();
}

lsp::ResponseError invalid_params(std::string message) {
  return {lsp::ResponseCode::InvalidParams, std::move(message)};
}

EraOrError era_of(const lsp::Json& params) {
  if (!params.is_object()) return {Era::Session, invalid_params("params is not an object")};
  const auto meta = params.find("_meta");
  if (meta == params.end() || meta->is_null()) return {Era::Session, std::nullopt};
  if (!meta->is_object()) return {Era::Session, invalid_params("_meta is not an object")};
  const auto version = meta->find(kVersionKey);
  if (version == meta->end()) return {Era::Session, std::nullopt};
  if (!version->is_string()) {
    return {Era::Stateless, invalid_params("the protocol version in _meta is not a string")};
  }
  if (version->get_ref<const std::string&>() != kStatelessVersion)
    return {Era::Stateless, unsupported_version(version->get<std::string>())};
  const auto capabilities = meta->find(kCapabilitiesKey);
  if (capabilities == meta->end() || !capabilities->is_object())
    return {Era::Stateless, invalid_params("_meta lacks the client's capabilities")};
  return {Era::Stateless, std::nullopt};
}

JsonWriter begin_result(Era era, std::string_view server_version) {
  JsonWriter out(JsonStyle::Message);
  out.begin_object();
  if (era == Era::Session) return out;
  out.field("resultType", "complete").key("_meta").begin_object();
  out.key("io.modelcontextprotocol/serverInfo").begin_object().field("name", "etlens");
  out.field("version", server_version).end_object().end_object();
  return out;
}

void write_cacheable(JsonWriter& out, Era era) {
  if (era == Era::Stateless) out.field("ttlMs", kCacheMs).field("cacheScope", "public");
}

}  // namespace etlens::mcp
