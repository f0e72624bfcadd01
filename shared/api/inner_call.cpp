// What a caller in this process reads of a reply.
#include "shared/api/inner_call.hpp"

#include <algorithm>

#include "shared/core/ascii.hpp"

namespace svc::api {

std::string_view InnerReply::header(std::string_view name) const {
    const auto found = std::find_if(headers.begin(), headers.end(), [&](const HttpHeader& each) {
        return std::equal(each.first.begin(), each.first.end(), name.begin(), name.end(),
                          [](char a, char b) { return ascii::lower(a) == ascii::lower(b); });
    });
    return found == headers.end() ? std::string_view{} : std::string_view(found->second);
}

bool InnerReply::is_json() const {
    return bytes && !bytes->empty() && header("Content-Type").starts_with("application/json");
}

Result<std::string> content_of(const InnerReply& reply, std::size_t most_bytes) {
    const std::size_t size = reply.file    ? reply.file_size.value_or(reply.file->size() - reply.file_from)
                             : reply.bytes ? reply.bytes->size()
                                           : 0;
    if (size > most_bytes)
        return Error{errc::payload_too_large};
    if (!reply.file)
        return reply.bytes ? *reply.bytes : std::string();
    std::string content(size, '\0');
    content.resize(reply.file->read(reply.file_from, content.data(), size));
    return content;
}

}  // namespace svc::api
