// A request to another server behind the plugin interface.
#include "shared/plugin/host_fetch.hpp"

#include "shared/plugin/codec.hpp"

namespace svc::plugin {

Result<FetchTwo::Reply> FetchTwo::operator()(const Request& request) const {
    auto value = json::Value::object({{"method", request.method},
                                      {"url", request.url},
                                      {"headers", headers_json(request.headers)},
                                      {"body", request.body},
                                      {"timeout_ms", static_cast<std::int64_t>(request.timeout.count())},
                                      {"limit", static_cast<std::uint64_t>(request.limit)}});
    if (!request.certificate_chain.empty())
        value.set("certificate",
                  json::Value::object({{"chain", request.certificate_chain}, {"key", request.certificate_key}}));
    if (request.host_burst > 0)
        value.set("host_limit",
                  json::Value::object({{"burst", request.host_burst},
                                       {"seconds", static_cast<std::int64_t>(request.host_per.count())}}));
    const auto text = value.dump();
    Answer answer;
    SVC_ASSIGN_OR_RETURN(auto given, answer.value(table_->fetch(table_->self, borrow(text), answer.table())));
    Reply reply;
    reply.status = static_cast<int>(given.maybe_integer("status").value_or(0));
    reply.body = given.text_or("body");
    reply.headers = headers_from(given);
    reply.duration = std::chrono::milliseconds(given.maybe_integer("duration_ms").value_or(0));
    return reply;
}

}  // namespace svc::plugin
