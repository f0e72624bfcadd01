// Meta's Conversions API: the message of an event, and what answers mean. Module facebook_pixel.
#pragma once

#include "pro/tracking/wire.hpp"

namespace svc::pro::facebook_pixel {

// `host`: scheme and host of the Graph API. `test_code`: events with it appear under "Test events" of Meta's Events
// Manager and count for nothing; asked for at each event.
tracking::Wire wire(std::function<std::string()> host, std::function<std::string()> test_code);

// SHA-256 of the address in lower case without blanks around it, as Meta compares addresses.
std::string hashed_email(std::string_view email);

// A question about an id or a token, and what its answer means. `token` goes into a header and into no address.
plugin::FetchTwo::Request question(const std::string& host, const std::string& path, const std::string& token);
// The sentence of Meta's error; empty: the answer is none.
std::string error_of(const plugin::FetchReply& reply);
// The name in a good answer; nothing for any other.
std::optional<std::string> name_of(const plugin::FetchReply& reply);

}  // namespace svc::pro::facebook_pixel
