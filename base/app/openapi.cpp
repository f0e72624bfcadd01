// OpenAPI 3.1 from the route table; nothing in it is written twice.
#include "base/app/openapi.hpp"

#include <algorithm>
#include <map>

#include "base/app/examples.hpp"
#include "base/app/named_schemas.hpp"
#include "base/app/openapi_parts.hpp"
#include "base/app/shared_parts.hpp"
#include "base/catalog/media/multipart.hpp"
#include "shared/api/deprecation.hpp"
#include "shared/api/forms.hpp"
#include "shared/api/list_meta.hpp"

namespace svc::app {
namespace {

using json::Value;

// Guests prove what is theirs by a header too; a field of the query or of the body is its other way in.
struct GuestHeader {
    std::string_view field;
    const char *header, *help;
};
constexpr GuestHeader guest_headers[] = {
    {"session_id", "X-Svc-Session", "The checkout session, in place of session_id."},
    {"booking_token", "X-Svc-Booking-Token", "The token of a guest's booking, in place of booking_token."}};

// The names in braces, in order.
std::vector<std::string> path_names(const std::string& path) {
    std::vector<std::string> names;
    for (std::size_t at = path.find('{'); at != std::string::npos; at = path.find('{', at + 1))
        names.push_back(path.substr(at + 1, path.find('}', at) - at - 1));
    return names;
}

// Its sentence, and that it is deprecated.
std::string described(const api::Field& field) {
    const std::string old = api::deprecation_sentence(field.deprecated_since, field.instead);
    return field.help + (field.help.empty() || old.empty() ? "" : " ") + old;
}

void add_parameters(Value& parameters, const api::Schema& schema, bool of_list) {
    const Value shapes = schema.json_schema();
    for (const api::Field& field : schema.fields()) {
        if (field.ignored)
            continue;
        Value shape = shapes["properties"][field.name];
        if (of_list && field.name == "per_page")
            shape.set("maximum", api::most_per_page);
        shape.erase("description");
        auto parameter = Value::object({{"name", field.name}, {"in", "query"}});
        if (field.required)
            parameter.set("required", true);
        if (const std::string description = described(field); !description.empty())
            parameter.set("description", description);
        parameter.set("schema", std::move(shape));
        if (!field.deprecated_since.empty())
            parameter.set("deprecated", true);
        if (field.type.shape == api::Shape::map)
            parameter.set("style", "deepObject").set("explode", true);  // name[key]=value
        parameters.push(std::move(parameter));
    }
}

Value parameters_of(const api::RouteSpec& route) {
    Value parameters = Value::array();
    for (const std::string& name : path_names(route.path)) {
        const bool digits = name == "id" || name.ends_with("_id");
        parameters.push(
            Value::object({{"name", name},
                           {"in", "path"},
                           {"required", true},
                           {"schema", digits ? Value::object({{"type", "integer"}, {"minimum", 1}}) : text_schema()}}));
    }
    add_parameters(parameters, route.is_list ? api::list_parameters(route).plus(route.query) : route.query,
                   route.is_list);
    for (const auto& [field, header, help] : guest_headers)
        if (route.query.find(field) || route.body.find(field))
            parameters.push(
                Value::object({{"name", header}, {"in", "header"}, {"description", help}, {"schema", text_schema()}}));
    if (api::takes_key(route))
        parameters.push(Value::object(
            {{"name", "Idempotency-Key"},
             {"in", "header"},
             {"description",
              "Requests with the same key take effect once within 24 hours. Callers without a credential send "
              "at least 16 characters, for example a UUID."},
             {"schema",
              Value::object({{"type", "string"}, {"minLength", 1}, {"maxLength", 255}, {"pattern", "^[!-~]+$"}})}}));
    return parameters;
}

// Ways to prove who calls.
Value credentials() {
    return Value::array({Value::object({{"application_password", Value::array()}}),
                         Value::object({{"session_cookie", Value::array()}, {"nonce", Value::array()}})});
}

// The schema of the body. One of several fields that has no name is named after the operation.
Value body_schema(const api::RouteSpec& route) {
    constexpr std::size_t several = 4;
    Value schema = route.body.json_schema();
    if (route.body.name().empty() && route.body.fields().size() >= several) {
        std::string name = api::operation_name(route);
        name[0] = static_cast<char>(name[0] & ~32);
        schema.set("title", name + "Body");
    }
    return schema;
}

// The parts of an upload: the file is bytes, the others are texts.
Value form_schema(const api::RouteSpec& route) {
    Value schema = body_schema(route);
    Value file = Value::object({{"type", "string"}, {"format", "binary"}});
    if (const Value* described = schema["properties"][catalog::media::file_part].find("description"))
        file.set("description", *described);
    Value parts = schema["properties"];
    parts.set(catalog::media::file_part, std::move(file));
    schema.set("properties", std::move(parts));
    return schema;
}

// Null: the operation takes no body.
Value body_of(const api::RouteSpec& route) {
    Value content = Value::object();
    if (route.raw_body_only && !route.body.empty()) {
        content.set(route.raw_media, Value::object({{"schema", form_schema(route)}}));
    } else if (!route.body.empty()) {
        content = media(body_schema(route), example_body(route));
        if (api::takes_forms(route))
            content.set("application/x-www-form-urlencoded", Value::object({{"schema", body_schema(route)}}));
    } else if (route.free_body)
        content = media(Value::object({{"type", "object"}}));
    else if (route.raw_body_only)
        content.set(route.raw_media, Value::object());
    return content.size() == 0 ? Value() : Value::object({{"required", true}, {"content", std::move(content)}});
}

Value operation_of(const api::RouteSpec& route) {
    Value operation = Value::object({{"operationId", api::operation_name(route)},
                                     {"tags", Value::array({tag_of(route.path)})},
                                     {"summary", route.summary},
                                     {"x-permission", route.who.text()}});
    if (!route.module.empty())
        operation.set("x-module", route.module);
    if (!route.columns.empty())
        operation.set("x-columns", json::array_of(route.columns));
    if (!route.deprecated_since.empty())
        operation.set("deprecated", true)
            .set("description", api::deprecation_sentence(route.deprecated_since, route.instead));
    if (route.who.is_public()) {
        Value ways = credentials();
        ways.push(Value::object());
        operation.set("security", std::move(ways));
    }
    if (Value parameters = parameters_of(route); parameters.size() > 0)
        operation.set("parameters", std::move(parameters));
    if (Value body = body_of(route); !body.is_null())
        operation.set("requestBody", std::move(body));
    return operation.set("responses", responses_of(route));
}

}  // namespace

Value openapi_document(const api::RouteTable& routes, const About& about) {
    Value paths = Value::object();
    Value components = fixed_components(routes, about);
    NamedSchemas named(components["schemas"]);
    std::map<std::string, Value> tags;
    for (const auto& route : routes.all()) {
        if (!route->module.empty() && !about.module_enabled(route->module))
            continue;
        std::string method{api::name_of(route->method)};
        std::transform(method.begin(), method.end(), method.begin(), [](char c) { return static_cast<char>(c | 32); });
        Value at = paths[route->path];
        at.set(method, named.move_to_components(operation_of(*route)));
        paths.set(route->path, std::move(at));
        const std::string tag = tag_of(route->path);
        tags[tag] = Value::object({{"name", tag}, {"description", description_of_tag(tag)}});
    }
    Value webhooks =
        about.webhooks ? named.move_to_components(about.webhooks()) : Value::object();  // before the schemas are read
    share_parameters(paths, components);
    share_responses(paths, components);
    Value schemas = components["schemas"];
    const Value composed = named.composed();
    for (const auto& [name, schema] : composed.members())
        schemas.set(name, schema);
    components.set("schemas", std::move(schemas));
    Value groups = Value::array();
    for (auto& [name, tag] : tags)
        groups.push(std::move(tag));
    Value document = Value::object(
        {{"openapi", "3.1.0"},
         {"info", Value::object(
                      {{"title", "svc"},
                       {"version", about.version},
                       {"license", Value::object({{"name", "Proprietary"}, {"identifier", "LicenseRef-Proprietary"}})},
                       {"description", "Travel booking: trips, departures, bookings and payments."}})},
         {"servers", Value::array({Value::object({{"url", about.site_url + about.base_path}})})},
         {"security", credentials()},
         {"tags", std::move(groups)},
         {"paths", std::move(paths)},
         {"components", std::move(components)}});
    if (webhooks.size() > 0)
        document.set("webhooks", std::move(webhooks));
    return document;
}

}  // namespace svc::app
