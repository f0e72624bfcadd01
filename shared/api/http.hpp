// A request and its answer as the transport has them, for everything above it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/core/open_file.hpp"

namespace svc {

using HttpHeader = std::pair<std::string, std::string>;

struct HttpRequest {
    std::string_view method;
    std::string_view target;  // raw origin-form
    const std::vector<HttpHeader>& headers;
    std::string_view body;
    std::string_view peer;  // numeric address of the socket's other end
    bool tried = false;     // answer_at_once() could not: the limits have counted it already
    bool of_page = false;   // an internal request of a page: not logged separately
};

struct HttpAnswer {
    int status = 200;
    std::vector<HttpHeader> headers;
    std::shared_ptr<const std::string> body;
    std::shared_ptr<const OpenFile> file = nullptr;  // instead of a body
    // The part of the file that is sent; without a size all from there on.
    std::size_t file_from = 0;
    std::optional<std::size_t> file_size = {};
    bool last = false;  // the connection closes after it
};

enum class HttpLane : std::uint8_t { general, webhook, admin, provider, checkout, document };

struct HttpPlan {
    std::size_t body_limit = 1 << 20;
    bool waits = true;
    HttpLane lane = HttpLane::general;
    std::size_t proven_body_limit = 0;  // for callers whom refusal_of_head() does not refuse; 0: body_limit for all
};

}  // namespace svc
