// Headers that the gate adds to answers, whatever their route.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shared/api/http.hpp"

namespace svc::app {

// Forbids caching unless the response allows it explicitly.
void keep_nowhere_unless_said(HttpAnswer& answer);
void keep_nowhere(HttpAnswer& answer);
// Headers of every response, including the transport's errors.
void mark(HttpAnswer& answer, const std::string& request_id);
// For browsers on other sites that may call; nothing without origins. `method` empty: unread.
void add_cors(const std::vector<std::string>& origins, std::string_view method, const std::vector<HttpHeader>& headers,
              HttpAnswer& answer);
// The id of a request that brings none. It distinguishes requests and proves nothing, so a fast generator suffices.
std::string fresh_id();

}  // namespace svc::app
