// A public body from memory with its tag: 304 for a client that has it (RFC 9110, 13.1.2).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "shared/api/route.hpp"

namespace svc::api {

// Whether an If-None-Match of these entity tags holds the quoted tag, compared weakly.
bool has_tag(std::string_view if_none_match, std::string_view etag);

// A quoted tag that depends on the text alone, so that all nodes give the same. Quick, for long answers.
std::string entity_tag(std::string_view text);

// The whole body, or 304 without one. Clients may cache it and must revalidate before each use, so that a change is
// visible at once.
Reply public_answer(const Request& request, std::shared_ptr<const std::string> body, const std::string& etag);

}  // namespace svc::api
