// Comparing entity tags.
#include "shared/api/public_answer.hpp"

namespace svc::api {

bool has_tag(std::string_view given, std::string_view etag) {
    while (!given.empty()) {
        const auto start = given.find_first_not_of(" \t,");
        if (start == std::string_view::npos)
            return false;
        given.remove_prefix(start);
        if (given.front() == '*')
            return true;
        if (given.substr(0, 2) == "W/")
            given.remove_prefix(2);
        const auto end = given.empty() || given.front() != '"' ? std::string_view::npos : given.find('"', 1);
        if (end == std::string_view::npos)
            return false;
        if (given.substr(0, end + 1) == etag)
            return true;
        given.remove_prefix(end + 1);
    }
    return false;
}

Reply public_answer(const Request& request, std::shared_ptr<const std::string> body, const std::string& etag) {
    static const auto nothing = std::make_shared<const std::string>();
    Reply reply = prebuilt(std::move(body));
    if (request.header && has_tag(request.header("if-none-match"), etag)) {
        reply.status = 304;
        reply.raw = nothing;
    }
    reply.headers.emplace_back("ETag", etag);
    reply.headers.emplace_back("Cache-Control", "public, no-cache");
    return reply;
}

}  // namespace svc::api
