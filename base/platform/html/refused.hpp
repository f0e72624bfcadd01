// Names in the answer of a write the videos and frames of its texts that were left out.
#pragma once

#include <string>
#include <utility>

#include "base/platform/html/html.hpp"
#include "shared/api/route.hpp"
#include "shared/api/sometimes_sent.hpp"

namespace svc::html {

// The member `warnings` of an answer; absent where nothing was left out.
inline api::Schema warnings_field() {
    return {api::sometimes_sent({.name = "warnings",
                                 .type = api::list(api::object({{.name = "field", .type = api::text(500)},
                                                                {.name = "message", .type = api::raw_text(1000)}}),
                                                   100),
                                 .help = "Markup that was removed from the texts; absent if none."})};
}

inline void add_warnings(json::Value& warnings, const json::Value& sent, const std::string& field) {
    constexpr std::size_t most = 100;
    if (sent.is_string() && sent.text().find('<') != std::string::npos) {
        for (const std::string& address : refused_embeds(sent.text()))
            if (warnings.size() < most)
                warnings.push(json::Value::object({{"field", field},
                                                   {"message", "The video or frame " + address +
                                                                   " was removed: texts cannot contain embedded "
                                                                   "content. Add it to the gallery or link to it."}}));
    } else if (sent.is_object()) {
        for (const auto& [name, value] : sent.members())
            add_warnings(warnings, value, field.empty() ? name : field + "." + name);
    } else if (sent.is_array()) {
        for (std::size_t i = 0; i < sent.size(); ++i)
            add_warnings(warnings, sent[i], field + "." + std::to_string(i));
    }
}

// Calls `handle(request)`; its reply, and the one stored for a repetition, name the markup removed from the body.
template <class Handle>
api::Reply naming_refused(const api::Request& request, Handle handle) {
    json::Value warnings = json::Value::array();
    add_warnings(warnings, request.body, "");
    if (warnings.size() == 0)
        return handle(request);
    const auto named = [&](api::Reply reply) {
        if (reply.status < 300 && reply.data.is_object())
            reply.data.set("warnings", warnings);
        return reply;
    };
    api::Request noting = request;
    if (request.keep_reply)
        noting.keep_reply = [&](store::Transaction& tx, const api::Reply& reply) {
            request.keep_reply(tx, named(reply));
        };
    return named(handle(noting));
}

// The handler that calls `write(desk, request)` so.
template <class Desk>
auto naming_refused_by(Desk desk, api::Reply (*write)(const Desk&, const api::Request&)) {
    return [desk, write](const api::Request& request) {
        return naming_refused(request, [&](const api::Request& one) { return write(desk, one); });
    };
}

}  // namespace svc::html
