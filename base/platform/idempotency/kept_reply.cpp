// Every part of a successful reply, as one JSON object.
#include "base/platform/idempotency/kept_reply.hpp"

#include "base/platform/crypto/crypto.hpp"

namespace svc::idempotency {
namespace {

// Our own texts, sealed: the limits for clients' texts do not apply.
constexpr json::Limits limits{.depth = 256, .elements = 2'000'000, .text = std::size_t{64} << 20U};

}  // namespace

std::string to_text(const api::Reply& reply) {
    auto headers = json::Value::array();
    for (const auto& [name, value] : reply.headers)
        headers.push(json::Value::array({name, value}));
    auto stored = json::Value::object({{"status", reply.status},
                                       {"data", reply.data},
                                       {"more_meta", reply.more_meta},
                                       {"message", reply.message},
                                       {"content_type", reply.content_type},
                                       {"headers", std::move(headers)}});
    if (reply.page)
        stored.set("page", json::Value::array({reply.page->page, reply.page->per_page, reply.page->total}));
    if (reply.raw)
        stored.set("raw", crypto::base64(*reply.raw));  // any bytes
    return stored.dump();
}

Result<api::Reply> from_text(std::string_view text) {
    auto stored = json::parse(text, limits);
    if (!stored || !stored->is_object())
        return Error{errc::internal_error}.because("a stored reply cannot be read");
    api::Reply reply;
    reply.status = static_cast<int>((*stored)["status"].integer());
    reply.data = (*stored)["data"];
    reply.more_meta = (*stored)["more_meta"];
    reply.message = (*stored)["message"].text();
    reply.content_type = (*stored)["content_type"].text();
    for (const auto& header : (*stored)["headers"].items())
        reply.headers.emplace_back(header[std::size_t{0}].text(), header[1].text());
    if (const auto* page = stored->find("page"))
        reply.page = api::PageMeta{
            .page = (*page)[std::size_t{0}].integer(), .per_page = (*page)[1].integer(), .total = (*page)[2].integer()};
    if (const auto* raw = stored->find("raw")) {
        SVC_ASSIGN_OR_RETURN(auto bytes, crypto::from_base64(raw->text()));
        reply.raw = std::make_shared<const std::string>(std::move(bytes));
    }
    return reply;
}

}  // namespace svc::idempotency
