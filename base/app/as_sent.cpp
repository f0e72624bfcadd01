// Fields at fault by the names that the client gave them.
#include "base/app/as_sent.hpp"

namespace svc::app {
namespace {

std::string name_of(const std::string& path, const api::Schema& schema, const json::Value& sent) {
    const std::size_t end = std::min(path.find('.'), path.size());
    const std::string name = path.substr(0, end);
    const api::Field* field = schema.find(name);
    if (!field || sent.find(name))
        return path;
    for (const std::string& other : field->also)
        if (sent.find(other))
            return other + path.substr(end);
    return path;
}

}  // namespace

Error as_sent(Error error, const api::Schema& schema, const json::Value& sent) {
    if (error.fields().empty() || !sent.is_object())
        return error;
    Error named(error.code(), error.message());
    for (const FieldError& fault : error.fields())
        named.at(name_of(fault.field, schema, sent), fault.sentence);
    for (const auto& [name, text] : error.data())
        named.with(name, text);
    if (error.retry_after())
        named.after(*error.retry_after());
    return std::move(named.because(error.cause()));
}

}  // namespace svc::app
