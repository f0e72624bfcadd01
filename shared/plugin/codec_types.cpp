// Types, schemas and hook declarations as JSON text.
#include <array>
#include <limits>

#include "shared/api/meaning.hpp"
#include "shared/core/date.hpp"
#include "shared/plugin/codec.hpp"

namespace svc::plugin {
namespace {

constexpr std::array<std::string_view, 13> shapes{"boolean", "integer", "decimal", "text",   "email", "date",    "time",
                                                  "instant", "choice",  "list",    "object", "map",   "anything"};
constexpr std::array<std::string_view, 6> kinds{"null", "boolean", "number", "string", "array", "object"};

std::size_t size_from(const json::Value& value, std::string_view name, std::size_t otherwise) {
    const auto number = value.maybe_integer(name);
    if (number && *number < 0)
        throw Malformed("\"" + std::string(name) + "\" is negative.");
    return number ? static_cast<std::size_t>(*number) : otherwise;
}

json::Value arguments_json(const std::vector<std::string_view>& arguments) {
    return json::array_of(arguments, [&](const auto argument) { return json::Value(argument); });
}

std::vector<std::string_view> arguments_from(const json::Value& value, std::deque<std::string>& keep) {
    std::vector<std::string_view> arguments;
    for (auto& name : texts_of(value, "arguments"))
        arguments.emplace_back(keep.emplace_back(std::move(name)));
    return arguments;
}

api::Field field_from(const json::Value& value) {
    api::Field field{.name = text_of(value, "name"),
                     .type = type_from(value["type"]),
                     .help = value.text_or("says"),
                     .also = {},
                     .otherwise = {}};
    field.required = value.maybe_boolean("required").value_or(false);
    field.also = texts_of(value, "also");
    if (const auto* otherwise = value.find("otherwise"))
        field.otherwise = *otherwise;
    field.ignored = value.maybe_boolean("ignored").value_or(false);
    field.deprecated_since = value.text_or("deprecated_since");
    field.instead = value.text_or("instead");
    return field;
}

}  // namespace

json::Value to_json(const api::Type& type) {
    const api::Type plain;
    auto value = json::Value::object({{"shape", shapes.at(static_cast<std::size_t>(type.shape))}});
    if (type.nullable)
        value.set("nullable", json::Value(true));
    if (type.least != plain.least)
        value.set("least", json::Value(type.least));
    if (type.most != plain.most)
        value.set("most", json::Value(type.most));
    if (type.decimals != plain.decimals)
        value.set("decimals", json::Value(type.decimals));
    if (type.shortest != plain.shortest)
        value.set("shortest", json::Value(static_cast<std::uint64_t>(type.shortest)));
    if (type.longest != plain.longest)
        value.set("longest", json::Value(static_cast<std::uint64_t>(type.longest)));
    if (!type.values.empty())
        value.set("values", texts(type.values));
    if (type.item)
        value.set("item", to_json(*type.item));
    if (type.members) {
        value.set("members", to_json(*type.members));
        if (!type.members->name().empty())
            value.set("component", type.members->name());
    }
    if (type.raw)
        value.set("raw", json::Value(true));
    if (type.any_case)
        value.set("any_case", json::Value(true));
    if (type.saturates)
        value.set("saturates", json::Value(true));
    if (type.kind != api::FieldKind::none)
        value.set("kind", api::name_of(type.kind));
    if (!type.refers.empty())
        value.set("refers", type.refers);
    if (type.next)
        value.set("next", api::to_json(*type.next));
    return value;
}

api::Type type_from(const json::Value& value) {
    const auto name = text_of(value, "shape");
    std::size_t shape = 0;
    while (shape < shapes.size() && shapes.at(shape) != name)
        ++shape;
    if (shape == shapes.size())  // a shape we cannot check is refused, never waved through
        throw Malformed("Unknown shape \"" + name + "\".");
    api::Type type;
    type.shape = static_cast<api::Shape>(shape);
    type.nullable = value.maybe_boolean("nullable").value_or(false);
    type.least = value.maybe_integer("least").value_or(type.least);
    type.most = value.maybe_integer("most").value_or(type.most);
    type.decimals = static_cast<int>(value.maybe_integer("decimals").value_or(type.decimals));
    type.shortest = size_from(value, "shortest", type.shortest);
    type.longest = size_from(value, "longest", type.longest);
    type.values = texts_of(value, "values");
    if (value.find("item"))
        type.item = std::make_shared<const api::Type>(type_from(value["item"]));
    if (value.find("members"))
        type.members =
            std::make_shared<const api::Schema>(schema_from(value["members"]).named(value.text_or("component")));
    type.raw = value.maybe_boolean("raw").value_or(false);
    type.any_case = value.maybe_boolean("any_case").value_or(false);
    type.saturates = value.maybe_boolean("saturates").value_or(false);
    type.kind = api::kind_named(value.text_or("kind"));
    type.refers = value.text_or("refers");
    if (const json::Value& next = value["next"]; next.is_object()) {
        api::NextStatuses statuses;
        for (const auto& [status, following] : next.members())
            statuses.emplace_back(status, texts_of(next, status));
        type.next = std::make_shared<const api::NextStatuses>(std::move(statuses));
    }
    return type;
}

json::Value to_json(const api::Schema& schema) {
    auto list = json::Value::array();
    for (const auto& field : schema.fields()) {
        auto value = json::Value::object({{"name", field.name}, {"type", to_json(field.type)}});
        if (!field.help.empty())
            value.set("says", json::Value(field.help));
        if (field.required)
            value.set("required", json::Value(true));
        if (!field.also.empty())
            value.set("also", texts(field.also));
        if (field.otherwise)
            value.set("otherwise", *field.otherwise);
        if (field.ignored)
            value.set("ignored", json::Value(true));
        if (!field.deprecated_since.empty())
            value.set("deprecated_since", json::Value(field.deprecated_since));
        if (!field.instead.empty())
            value.set("instead", json::Value(field.instead));
        list.push(std::move(value));
    }
    return list;
}

api::Schema schema_from(const json::Value& value) {
    api::Schema schema;
    if (value.is_null())
        return schema;
    if (!value.is_array())
        throw Malformed("A schema that is no list of fields.");
    for (const auto& item : value.items())
        schema = schema.plus(api::Schema{field_from(item)});
    return schema;
}

json::Value to_json(const hooks::Action& action) {
    return json::Value::object({{"name", action.name},
                                {"since", action.since},
                                {"says", action.help},
                                {"arguments", arguments_json(action.arguments)},
                                {"deprecated_since", action.deprecated_since},
                                {"instead", action.instead}});
}

json::Value to_json(const hooks::Filter& filter) {
    return json::Value::object({{"name", filter.name},
                                {"since", filter.since},
                                {"says", filter.help},
                                {"value", kinds.at(static_cast<std::size_t>(filter.value))},
                                {"arguments", arguments_json(filter.arguments)},
                                {"like", filter.like},
                                {"deprecated_since", filter.deprecated_since},
                                {"instead", filter.instead}});
}

json::Value to_json(const hooks::Listener& listener) {
    return json::Value::object({{"name", listener.name},
                                {"priority", listener.priority},
                                {"takes", listener.takes},
                                {"module", listener.module}});
}

hooks::Action action_from(const json::Value& value, std::deque<std::string>& keep) {
    const auto owned = [&](std::string_view name) -> std::string_view {
        return keep.emplace_back(text_of(value, name));
    };
    const std::string day = value.text_or("deprecated_since");
    if (!day.empty() && !Date::parse(day))
        throw Malformed("\"deprecated_since\" is no day.");
    return {.name = owned("name"),
            .help = owned("says"),
            .arguments = arguments_from(value, keep),
            .deprecated_since = keep.emplace_back(day),
            .instead = keep.emplace_back(value.text_or("instead")),
            .since = owned("since")};
}

hooks::Filter filter_from(const json::Value& value, std::deque<std::string>& keep) {
    const auto action = action_from(value, keep);
    const auto name = text_of(value, "value");
    std::size_t kind = 0;
    while (kind < kinds.size() && kinds.at(kind) != name)
        ++kind;
    if (kind == kinds.size())
        throw Malformed("Unknown value kind \"" + name + "\".");
    const std::string like = value.text_or("like");
    if (!like.empty()) {
        const auto example = json::parse(like);
        if (!example || example->kind() != static_cast<json::Kind>(kind))
            throw Malformed("\"like\" is no example of the value.");
    }
    return {.name = action.name,
            .help = action.help,
            .value = static_cast<json::Kind>(kind),
            .arguments = action.arguments,
            .like = keep.emplace_back(like),
            .deprecated_since = action.deprecated_since,
            .instead = action.instead,
            .since = action.since};
}

hooks::Listener listener_from(const json::Value& value) {
    const auto bounded = [&](std::string_view name, std::int64_t otherwise, std::int64_t least, std::int64_t most) {
        const auto number = value.maybe_integer(name).value_or(otherwise);
        if (number < least || number > most)
            throw Malformed("\"" + std::string(name) + "\" is out of range.");
        return static_cast<int>(number);
    };
    return {.name = text_of(value, "name"),
            .priority = bounded("priority", 10, -1'000'000, 1'000'000),
            .takes = bounded("takes", 255, 0, 255),
            .origin = hooks::Origin::plugin,
            .module = value.text_or("module")};
}

std::string unhex(std::string_view text, std::string_view member) {
    const auto digit = [&](char c) -> unsigned {
        if (c >= '0' && c <= '9')
            return static_cast<unsigned>(c - '0');
        if (c >= 'a' && c <= 'f')
            return static_cast<unsigned>(c - 'a') + 10;
        throw Malformed("\"" + std::string(member) + "\" is not hexadecimal.");
    };
    if (text.size() % 2)
        throw Malformed("\"" + std::string(member) + "\" is not hexadecimal.");
    std::string out;
    out.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2)
        out.push_back(static_cast<char>(digit(text[i]) << 4 | digit(text[i + 1])));
    return out;
}

json::Value headers_json(const Headers& headers) {
    auto list = json::Value::array();
    for (const auto& [name, value] : headers)
        list.push(json::Value::array({json::Value(name), json::Value(value)}));
    return list;
}

Headers headers_from(const json::Value& object) {
    Headers headers;
    const auto* list = object.find("headers");
    if (list && list->is_array())
        for (const auto& pair : list->items())
            if (pair.is_array() && pair.size() == 2)
                headers.emplace_back(pair[std::size_t{0}].text(), pair[std::size_t{1}].text());
    return headers;
}

}  // namespace svc::plugin
