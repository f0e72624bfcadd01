// Fields at fault by the names that the client gave them.
#include "base/app/as_sent.hpp"

#include "shared/api/rename_fields.hpp"

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
    return api::rename_fields(error, [&](const std::string& field) { return name_of(field, schema, sent); });
}

}  // namespace svc::app
