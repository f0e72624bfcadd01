// A call of a route behind the plugin interface.
#include "shared/plugin/host_calls.hpp"

#include <algorithm>

#include "shared/core/ascii.hpp"
#include "shared/plugin/codec.hpp"

namespace svc::plugin {

std::string Calls::Reply::header(std::string_view name) const {
    const auto found = std::find_if(headers.begin(), headers.end(), [&](const auto& each) {
        return std::equal(each.first.begin(), each.first.end(), name.begin(), name.end(),
                          [](char a, char b) { return ascii::lower(a) == ascii::lower(b); });
    });
    return found == headers.end() ? std::string() : found->second;
}

Result<Calls::Reply> Calls::operator()(const Request& request) const {
    constexpr const char* names[] = {"visitor", "user", "system"};
    auto value = json::Value::object({{"method", std::string(api::name_of(request.method))},
                                      {"path", request.path},
                                      {"query", request.query},
                                      {"as", names[static_cast<std::size_t>(request.as)]},
                                      {"headers", headers_json(request.headers)}});
    if (!request.body.is_null())
        value.set("body", request.body);
    if (request.as == As::user)
        value.set("user_id", request.user_id);
    if (!request.address.empty())
        value.set("address", request.address);
    if (!request.language.empty())
        value.set("language", request.language);
    const auto text = value.dump();
    Answer answer;
    SVC_ASSIGN_OR_RETURN(auto given, answer.value(table_->call(table_->self, borrow(text), answer.table())));
    Reply reply{
        .status = static_cast<int>(given["status"].integer()), .body = given["body"], .headers = headers_from(given)};
    if (given.find("raw_hex"))
        reply.raw = unhex(text_of(given, "raw_hex"), "raw_hex");
    return reply;
}

}  // namespace svc::plugin
