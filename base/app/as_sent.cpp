// Walks the path of a field along its schema and along the value that was sent.
#include "base/app/as_sent.hpp"

#include <charconv>

#include "shared/api/query.hpp"
#include "shared/api/rename_fields.hpp"

namespace svc::app {
namespace {

using api::Shape;

std::string_view take_segment(std::string_view& path) {
    const auto end = std::min(path.find('.'), path.size());
    const std::string_view segment = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    return segment;
}

std::optional<std::size_t> number_of(std::string_view digits) {
    std::size_t number = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return failure == std::errc{} && end == digits.data() + digits.size() ? std::optional(number) : std::nullopt;
}

// The rest of a path below a field of that type; `value`, if it was sent, decides where the type leaves it open.
std::string below(std::string_view rest, const api::Type* type, const json::Value* value) {
    std::string path;
    while (!rest.empty()) {
        const std::string_view segment = take_segment(rest);
        const bool is_list = (type && type->shape == Shape::list) ||
                             ((!type || type->shape == Shape::anything) && value && value->is_array());
        const auto number = is_list ? number_of(segment) : std::nullopt;
        path += '.';
        path += number && *number > 0 ? std::to_string(*number - 1) : std::string(segment);
        if (value && value->is_array())
            value = number && *number > 0 && *number <= value->size() ? &(*value)[*number - 1] : nullptr;
        else if (value)
            value = value->find(segment);
        if (!type)
            continue;
        if (type->shape == Shape::list || type->shape == Shape::map)
            type = type->item.get();
        else if (const api::Field* member = type->shape == Shape::object ? type->members->find(segment) : nullptr)
            type = &member->type;
        else
            type = nullptr;
    }
    return path;
}

std::optional<std::string> renamed(std::string_view path, const api::Schema& schema, const json::Value& sent) {
    std::string_view rest = path;
    const std::string_view name = take_segment(rest);
    const api::Field* const field = schema.find(name);
    if (!field) {  // of a body without a schema, what was sent says which are lists
        const json::Value* const free = schema.empty() ? sent.find(name) : nullptr;
        return free ? std::optional(std::string(name) + below(rest, nullptr, free)) : std::nullopt;
    }
    std::string shown(name);
    const json::Value* value = sent.find(name);
    for (std::size_t i = 0; !value && i < field->also.size(); ++i)
        if ((value = sent.find(field->also[i])))
            shown = field->also[i];
    return shown + below(rest, &field->type, value);
}

}  // namespace

Error as_sent(Error error, const SentInput& sent) {
    if (error.fields().empty())
        return error;
    return api::rename_fields(error, [&](const std::string& field) {
        auto name = renamed(field, sent.body_schema, sent.body);
        if (!name)
            name = renamed(field, sent.query_schema, sent.query);
        return name.value_or(field);
    });
}

Error as_sent(Error error, const api::RouteSpec& route, const api::Schema& query_schema, std::string_view query,
              std::string_view body) {
    if (error.fields().empty())
        return error;
    const auto parameters = api::parse_query(query);
    const auto parsed = json::parse(body);
    const json::Value none = json::Value::object();
    static const api::Schema nothing;
    // A form names its fields itself; a body that is no JSON was refused by the parser, which counts as clients do.
    const bool is_json = body.empty() || parsed;
    return as_sent(std::move(error), {.query_schema = query_schema,
                                      .query = parameters ? *parameters : none,
                                      .body_schema = is_json ? route.body : nothing,
                                      .body = parsed && parsed->is_object() ? *parsed : none});
}

}  // namespace svc::app
