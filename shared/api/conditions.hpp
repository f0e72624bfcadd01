// Tags of records that have a version, and the conditions that requests make by them (RFC 9110, 13.1).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "shared/api/route.hpp"

namespace svc::api {

// "5-3f…", quoted: the version that writes compare, then a hash of the answer, which may change without a write.
std::string version_tag(std::int64_t version, const json::Value& data);

// The version that If-Match requires; empty without the header and for "*". Of several tags it is the one matching
// `now`. A bare version is a tag too. svc_conflict when none can match.
Result<std::optional<std::int64_t>> if_match_version(const Request& request,
                                                     const std::function<std::optional<std::int64_t>()>& now);

// The same, and without the header the row_version of the body.
Result<std::optional<std::int64_t>> required_version(const Request& request,
                                                     const std::function<std::optional<std::int64_t>()>& now);

// The reply, or 304 without a body for a client that has it by its ETag.
Reply unless_known(const Request& request, Reply reply);

}  // namespace svc::api
