// A call of a route by this process itself, a page's or a plugin's: values in, values out. It passes the same gate as a
// request of a socket; only there is text made of its answer.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/api/held.hpp"
#include "shared/api/http.hpp"
#include "shared/core/result.hpp"

namespace svc::api {

// Refers to its caller's data during the call.
struct InnerRequest {
    std::string_view method;
    std::string_view path;        // below the namespace, encoded as in an address: "/trips/public"
    const json::Value& query;     // texts, lists of texts, objects of them by name, as parse_query() reads them
    const json::Value& body;      // null: none
    std::string_view bytes = {};  // instead of a body, for routes that take bytes; their type is in the headers
    const std::vector<HttpHeader>& headers;
    std::string_view peer;    // numeric address that the call is made for
    bool takes_held = false;  // the caller reads InnerReply::held
    bool of_page = false;     // not in the log of requests by itself
};

struct InnerReply {
    int status = 0;
    std::vector<HttpHeader> headers = {};
    // {"success": true, "data": …} or {"code": …, "message": …}; null: no body, or one of those below.
    json::Value body = {};
    // What `data` of the body is, if memory holds it and the caller takes it so; the body has null in its place.
    std::shared_ptr<const Held> held = {};
    std::shared_ptr<const std::string> bytes = {};  // a document, a sheet, a prepared text
    std::shared_ptr<const OpenFile> file = {};      // the same on the disk, or a part of it
    std::size_t file_from = 0;
    std::optional<std::size_t> file_size = {};

    // The first of that name; empty: there is none.
    [[nodiscard]] std::string_view header(std::string_view name) const;
    // Whether bytes are a JSON text.
    [[nodiscard]] bool is_json() const;
};

// Bytes or file of the reply, at most so many; otherwise svc_payload_too_large.
Result<std::string> content_of(const InnerReply& reply, std::size_t most_bytes);

}  // namespace svc::api
