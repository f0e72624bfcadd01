// OpenAPI 3.1 from the route table; nothing in it is written twice.
#include "base/app/openapi.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/app/named_schemas.hpp"
#include "shared/api/deprecation.hpp"
#include "shared/api/forms.hpp"
#include "shared/api/list_meta.hpp"

namespace svc::app {
namespace {

using json::Value;

Value text_schema() { return Value::object({{"type", "string"}}); }

Value reference(std::string_view name) {
    return Value::object({{"$ref", "#/components/schemas/" + std::string(name)}});
}

Value media(Value schema) {
    return Value::object({{"application/json", Value::object({{"schema", std::move(schema)}})}});
}

// What is no JSON has no schema, but for its being a text.
Value file_schema(const std::string& type) {
    if (type == "application/json")
        return Value::object({{"schema", Value::object({{"type", "object"}})}});
    return type.starts_with("text/") ? Value::object({{"schema", text_schema()}}) : Value::object();
}

// The bodies of a success; null: it has none.
Value content_of(const api::RouteSpec& route) {
    Value content = route.enveloped ? media(answer_schema(route)) : Value::object();
    for (const std::string& type : route.files)
        content.set(type, file_schema(type));
    return content.size() > 0 ? content : Value();
}

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
    return field.says + (field.says.empty() || old.empty() ? "" : " ") + old;
}

void add_parameters(Value& parameters, const api::Schema& schema) {
    const Value shapes = schema.json_schema();
    for (const api::Field& field : schema.fields()) {
        if (field.ignored)
            continue;
        auto parameter = Value::object({{"name", field.name},
                                        {"in", "query"},
                                        {"required", field.required},
                                        {"description", described(field)},
                                        {"schema", shapes["properties"][field.name]}});
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
    add_parameters(parameters, route.is_list ? api::list_parameters(route).plus(route.query) : route.query);
    if (api::takes_key(route))
        parameters.push(Value::object(
            {{"name", "Idempotency-Key"},
             {"in", "header"},
             {"required", false},
             {"description",
              "Sent again, the same request takes effect once (24 hours). Without a credential it has "
              "at least 16 characters, as a UUID."},
             {"schema",
              Value::object({{"type", "string"}, {"minLength", 1}, {"maxLength", 255}, {"pattern", "^[!-~]+$"}})}}));
    return parameters;
}

// Answers that are neither what a RouteSpec declares nor an error.
struct OtherAnswer {
    std::string_view route;
    int status;
    const char* says;
};
constexpr const char* known_already = "Who asks has the present answer: If-None-Match names its ETag.";
constexpr const char* a_part = "The part of the file that Range asks for.";
constexpr const char* beyond = "The file ends before what Range asks for.";
constexpr OtherAnswer other_answers[] = {
    {"GET /trips/public", 304, known_already},
    {"GET /trips/public/{slug}", 304, known_already},
    {"GET /trips/public/{slug}", 301, "The trip has another slug now: Location."},
    {"GET /trips/{id}", 304, known_already},
    {"GET /trips/{id}/available-dates", 304, known_already},
    {"GET /destinations/{id}", 304, known_already},
    {"GET /activities/{id}", 304, known_already},
    {"GET /trip-categories/{id}", 304, known_already},
    {"GET /difficulty-levels/{id}", 304, known_already},
    {"GET /traveler-categories/{id}", 304, known_already},
    {"GET /item-types/{id}", 304, known_already},
    {"GET /items/{id}", 304, known_already},
    {"GET /attributes/{id}", 304, known_already},
    {"GET /attributes/frontend", 304, known_already},
    {"GET /itineraries/{id}", 304, known_already},
    {"GET /attributes/filterable", 304, known_already},
    {"GET /departures/calendar/{token}", 304, known_already},
    {"GET /media/{id}/file", 304, known_already},
    {"GET /media/{id}/thumbnail", 304, known_already},
    {"GET /media/{id}/sizes/{size}", 304, known_already},
    {"GET /media/{id}/sizes/{size}", 206, a_part},
    {"GET /media/{id}/sizes/{size}", 416, beyond},
    {"GET /media/{id}/file", 206, a_part},
    {"GET /media/{id}/file", 416, beyond},
    {"GET /media/{id}/thumbnail", 206, a_part},
    {"GET /media/{id}/thumbnail", 416, beyond},
    {"GET /downloads/{id}", 206, a_part},
    {"GET /downloads/{id}", 416, beyond},
    {"POST /media", 200, "These bytes were there already."},
    {"POST /booking/create", 200, "The session has made this booking before."},
};

// Whether pages are asked for and told of, though the answer is no list.
bool is_paged(const api::RouteSpec& route) { return route.query.find("page") && route.query.find("per_page"); }

// Whether the answer has meta and the two headers of a list (spec 4.2).
bool answers_list(const api::RouteSpec& route) {
    return route.is_list || (route.method == api::Method::get && route.answer.shape == api::Shape::list);
}

// Whether a client that names the answer's ETag gets 304.
bool may_be_unchanged(const api::RouteSpec& route) { return route.has_etag && route.method == api::Method::get; }

Value responses_of(const api::RouteSpec& route) {
    Value responses = Value::object();
    Value good = Value::object({{"description", route.summary}});
    if (answers_list(route))
        good.set(
            "headers",
            Value::object({{"X-Host-Total", Value::object({{"schema", Value::object({{"type", "integer"}})}})},
                           {"X-Host-TotalPages", Value::object({{"schema", Value::object({{"type", "integer"}})}})}}));
    if (Value content = content_of(route); !content.is_null())
        good.set("content", std::move(content));
    if (may_be_unchanged(route))
        responses.set("304", Value::object({{"description", known_already}}));
    const std::string called = std::string(api::name_of(route.method)) + ' ' + route.path;
    for (const OtherAnswer& other : other_answers)
        if (other.route == called) {
            Value answer = Value::object({{"description", other.says}});
            if (other.status < 300)
                answer.set("content", good["content"]);
            responses.set(std::to_string(other.status), std::move(answer));
        }
    responses.set(std::to_string(route.success), std::move(good));

    std::map<int, std::string> by_status;
    for (const ErrorCode* code : errors_of(route)) {
        std::string& names = by_status[code->status];
        names += (names.empty() ? "`" : ", `") + std::string(code->name) + "`";
    }
    for (const auto& [status, names] : by_status) {
        const bool names_users = names.find(errc::in_use.name) != std::string::npos;
        responses.set(std::to_string(status),
                      Value::object({{"description", names},
                                     {"content", media(reference(names_users ? "ErrorOrInUse" : "Error"))}}));
    }
    return responses;
}

// Whether an answer may tell of something deprecated.
bool gives_notices(const api::RouteSpec& route) {
    return api::has_deprecated(route.query) || api::has_deprecated(route.body) || !api::notices_of(route).empty();
}

// Adds the component to `schemas` where an answer of these routes refers to it.
void add_notice_schema(const api::RouteTable& routes, Value& schemas) {
    const auto& all = routes.all();
    if (std::none_of(all.begin(), all.end(), [](const auto& route) { return gives_notices(*route); }))
        return;
    const api::Schema notice{
        {.name = "in", .type = api::choice({"route", "query", "body", "answer"}), .required = true},
        {.name = "name", .type = api::text(500), .says = "The route or field that is deprecated.", .required = true},
        {.name = "deprecated_since", .type = api::date(), .required = true},
        {.name = "instead", .type = api::text(500).or_null(), .says = "What replaces it.", .required = true},
        {.name = "message", .type = api::text(2000), .required = true}};
    schemas.set("Notice", notice.json_schema());
}

Value security_of(const api::RouteSpec& route) {
    Value ways = Value::array();
    if (route.who.is_public())
        ways.push(Value::object());
    ways.push(Value::object({{"application_password", Value::array()}}));
    ways.push(Value::object({{"session_cookie", Value::array()}, {"nonce", Value::array()}}));
    return ways;
}

Value components(const api::RouteTable& routes, const About& about) {
    const Value error = Value::object(
        {{"type", "object"},
         {"required", Value::array({"code", "message", "data"})},
         {"properties",
          Value::object(
              {{"code", text_schema()},
               {"message", text_schema()},
               {"data",
                Value::object({{"type", "object"},
                               {"required", Value::array({"status"})},
                               {"properties", Value::object({{"status", Value::object({{"type", "integer"}})},
                                                             {"field", text_schema()},
                                                             {"errors", Value::object({{"type", "object"}})}})}})}})}});
    // 409 of what may be in use: the same, with its users where that is why.
    const Value user = Value::object({{"type", "object"},
                                      {"properties", Value::object({{"type", text_schema()},
                                                                    {"id", Value::object({{"type", "integer"}})},
                                                                    {"title", text_schema()}})}});
    const Value users = Value::object(
        {{"type", "object"},
         {"description", "Who still refers to it: how many, and the first of them."},
         {"properties", Value::object({{"total", Value::object({{"type", "integer"}})},
                                       {"items", Value::object({{"type", "array"}, {"items", user}})}})}});
    const Value in_use = Value::object(
        {{"allOf",
          Value::array({reference("Error"),
                        Value::object(
                            {{"type", "object"},
                             {"properties",
                              Value::object({{"data", Value::object({{"type", "object"},
                                                                     {"properties",
                                                                      Value::object({{"used_by", users}})}})}})}})})}});
    const Value meta =
        Value::object({{"type", "object"},
                       {"properties", Value::object({{"page", Value::object({{"type", "integer"}})},
                                                     {"per_page", Value::object({{"type", "integer"}})},
                                                     {"total", Value::object({{"type", "integer"}})},
                                                     {"total_pages", Value::object({{"type", "integer"}})}})}});
    Value schemas = Value::object({{"Error", error}, {"ErrorOrInUse", in_use}, {"Meta", meta}});
    add_notice_schema(routes, schemas);
    return Value::object(
        {{"schemas", std::move(schemas)},
         {"securitySchemes",
          Value::object(
              {{"application_password", Value::object({{"type", "http"}, {"scheme", "basic"}})},
               {"session_cookie",
                Value::object({{"type", "apiKey"}, {"in", "cookie"}, {"name", about.session_cookie}})},
               {"nonce", Value::object({{"type", "apiKey"}, {"in", "header"}, {"name", "X-Host-Nonce"}})}})}});
}

}  // namespace

std::string operation_id(const api::RouteSpec& route) {
    std::string id;
    for (const char c : std::string(api::name_of(route.method)) + route.path)
        id += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c
              : c >= 'A' && c <= 'Z'                           ? static_cast<char>(c + 32)
                                                               : '_';
    return id;
}

std::string tag_of(const std::string& path) {
    const std::string first = path.substr(1, path.find('/', 1) - 1);
    return first.empty() ? "discovery" : first;
}

Value answer_schema(const api::RouteSpec& route) {
    const api::Schema holder{{"data", route.answer, "", true}};
    Value data = holder.json_schema()["properties"]["data"];
    Value properties = Value::object({{"success", Value::object({{"const", true}})}});
    properties.set("data", std::move(data));
    properties.set("message", text_schema());
    const api::Schema* meta = api::meta_of(route.answer);
    const bool pages = answers_list(route) || is_paged(route);
    if (pages && meta)
        properties.set("meta", Value::object({{"allOf", Value::array({reference("Meta"), meta->json_schema()})}}));
    else if (pages)
        properties.set("meta", reference("Meta"));
    else if (meta)
        properties.set("meta", meta->json_schema());
    if (gives_notices(route))
        properties.set("notices", Value::object({{"type", "array"}, {"items", reference("Notice")}}));
    return Value::object({{"type", "object"}, {"properties", std::move(properties)}});
}

std::vector<int> successes_of(const api::RouteSpec& route) {
    std::vector<int> statuses{route.success};
    if (may_be_unchanged(route))
        statuses.push_back(304);
    const std::string called = std::string(api::name_of(route.method)) + ' ' + route.path;
    for (const OtherAnswer& other : other_answers)
        if (other.route == called && other.status < 400)
            statuses.push_back(other.status);
    return statuses;
}

std::vector<const ErrorCode*> errors_of(const api::RouteSpec& route) {
    std::vector<const ErrorCode*> codes;
    const auto add = [&codes](const ErrorCode& code) {
        if (std::find(codes.begin(), codes.end(), &code) == codes.end())
            codes.push_back(&code);
    };
    const bool takes_key = api::takes_key(route);
    if (!route.body.empty() || !route.query.empty() || route.is_list || takes_key)
        add(errc::validation_error);
    add(errc::bad_request);  // a query that cannot be read
    if (!route.raw_body_only)
        add(errc::invalid_json);
    if (route.method != api::Method::get) {
        add(errc::payload_too_large);
        if (!route.raw_body_only)
            add(errc::unsupported_media_type);
    }
    // Whoever may call: credentials that are sent are looked at.
    add(errc::unauthorized);
    if (!route.who.is_public())
        add(errc::invalid_nonce);
    if (route.who.text() != api::Permission::everyone().text())
        add(errc::forbidden);
    for (const ErrorCode* code : route.errors)
        add(*code);
    if (takes_key) {
        add(errc::request_in_progress);
        add(errc::key_reused);
    }
    add(errc::rate_limited);
    add(errc::unavailable);
    return codes;
}

Value openapi_document(const api::RouteTable& routes, const About& about) {
    Value paths = Value::object();
    Value shared = components(routes, about);
    NamedSchemas named(shared["schemas"]);
    for (const auto& route : routes.all()) {
        if (!route->module.empty() && !about.module_enabled(route->module))
            continue;
        Value operation =
            Value::object({{"operationId", operation_id(*route)},
                           {"tags", Value::array({tag_of(route->path)})},
                           {"summary", route->summary},
                           {"description", "Permission: " + route->who.text() + ". Since " + route->since + "."},
                           {"security", security_of(*route)},
                           {"parameters", parameters_of(*route)}});
        if (!route->deprecated_since.empty())
            operation.set("deprecated", true)
                .set("description", operation["description"].text() + " " +
                                        api::deprecation_sentence(route->deprecated_since, route->instead));
        if (!route->body.empty()) {
            Value content = media(route->body.json_schema());
            if (api::takes_forms(*route))
                content.set("application/x-www-form-urlencoded",
                            Value::object({{"schema", route->body.json_schema()}}));
            operation.set("requestBody", Value::object({{"required", true}, {"content", std::move(content)}}));
        } else if (route->free_body)
            operation.set("requestBody",
                          Value::object({{"required", true}, {"content", media(Value::object({{"type", "object"}}))}}));
        else if (route->raw_body_only)
            operation.set(
                "requestBody",
                Value::object({{"required", true}, {"content", Value::object({{route->raw_media, Value::object()}})}}));
        operation.set("responses", responses_of(*route));

        std::string method{api::name_of(route->method)};
        std::transform(method.begin(), method.end(), method.begin(), [](char c) { return static_cast<char>(c | 32); });
        Value at = paths[route->path];
        at.set(method, named.moved(std::move(operation)));
        paths.set(route->path, std::move(at));
    }
    for (const auto& [name, schema] : named.all().members())
        shared.members().front().second.set(name, schema);
    return Value::object(
        {{"openapi", "3.1.0"},
         {"info", Value::object({{"title", "svc"},
                                 {"version", about.version},
                                 {"description", "Travel booking: trips, dates, bookings, payments."}})},
         {"servers", Value::array({Value::object({{"url", about.site_url + about.base_path}})})},
         {"paths", std::move(paths)},
         {"components", std::move(shared)}});
}

}  // namespace svc::app
