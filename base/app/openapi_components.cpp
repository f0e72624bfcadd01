// The components of the OpenAPI document that belong to no record: envelopes, errors, headers, ways to sign in.
#include <algorithm>
#include <set>

#include "base/app/openapi_parts.hpp"
#include "shared/api/deprecation.hpp"

namespace svc::app {
namespace {

using json::Value;

constexpr std::string_view components_text = R"({
"schemas": {
  "Envelope": {"type": "object", "required": ["success"], "properties": {
    "success": {"type": "boolean", "const": true},
    "message": {"type": "string"}}},
  "PageEnvelope": {"allOf": [{"$ref": "#/components/schemas/Envelope"}, {"type": "object", "properties": {
    "meta": {"$ref": "#/components/schemas/Meta"}}}]},
  "Meta": {"type": "object", "properties": {
    "page": {"type": "integer"}, "per_page": {"type": "integer"},
    "total": {"type": "integer"}, "total_pages": {"type": "integer"}}},
  "Error": {"type": "object", "required": ["code", "message", "data"], "properties": {
    "code": {"$ref": "#/components/schemas/ErrorCode"},
    "message": {"type": "string"},
    "data": {"$ref": "#/components/schemas/ErrorData"}}},
  "ErrorData": {"type": "object", "required": ["status"], "properties": {
    "status": {"type": "integer"},
    "field": {"type": "string", "description": "The first invalid field."},
    "errors": {"type": "object", "description": "The fault of each invalid field.",
      "additionalProperties": {"type": "array", "items": {"type": "string"}}}}},
  "ErrorOrInUse": {"allOf": [{"$ref": "#/components/schemas/Error"}, {"type": "object", "properties": {
    "data": {"type": "object", "properties": {"used_by": {"$ref": "#/components/schemas/ReferringRecords"}}}}}]},
  "ReferringRecords": {"type": "object", "description": "Records that still refer to this one.", "properties": {
    "total": {"type": "integer", "description": "The number of records."},
    "items": {"type": "array", "description": "The first records.", "items": {"$ref": "#/components/schemas/ReferringRecord"}}}},
  "ReferringRecord": {"type": "object", "properties": {
    "type": {"type": "string"}, "id": {"type": "integer"}, "title": {"type": "string"}}}},
"headers": {
  "Total": {"description": "The number of items on all pages.", "schema": {"type": "integer"}},
  "TotalPages": {"description": "The number of pages.", "schema": {"type": "integer"}},
  "Limit": {"description": "Calls that the caller may make in a period.", "schema": {"type": "integer"}},
  "Remaining": {"description": "Calls that are left of them.", "schema": {"type": "integer"}},
  "Reset": {"description": "Seconds until all are left again.", "schema": {"type": "integer"}},
  "RetryAfter": {"description": "Seconds to wait before the call is repeated.", "schema": {"type": "integer"}},
  "Warning": {"description": "299 and a text: the keys of the body that were ignored because no field has these names.",
    "schema": {"type": "string"}}},
"securitySchemes": {
  "application_password": {"type": "http", "scheme": "basic",
    "description": "A login and an application password."},
  "session_cookie": {"type": "apiKey", "in": "cookie", "name": "", "description": "The cookie of POST /auth/login."},
  "nonce": {"type": "apiKey", "in": "header", "name": "X-Host-Nonce",
    "description": "Sent with the session cookie; GET /auth/nonce returns a new one."}}
})";

// Every code that an answer may have. A later release may add codes.
Value error_codes(const api::RouteTable& routes) {
    std::set<std::string_view> names;
    for (const ErrorCode* code : errc::all)
        names.insert(code->name);
    for (const auto& route : routes.all())
        for (const ErrorCode* code : route->errors)
            names.insert(code->name);
    Value codes = Value::array();
    for (const std::string_view name : names)
        codes.push(std::string(name));
    return Value::object({{"type", "string"},
                          {"description", "Later releases may add codes; `status` says what kind an unknown one is."},
                          {"enum", std::move(codes)}});
}

// Adds the component to `schemas` where an answer of these routes refers to it.
void add_notice_schema(const api::RouteTable& routes, Value& schemas) {
    const auto& all = routes.all();
    if (std::none_of(all.begin(), all.end(), [](const auto& route) { return gives_notices(*route); }))
        return;
    const api::Schema notice{
        {.name = "in", .type = api::choice({"route", "query", "body", "answer"}), .required = true},
        {.name = "name", .type = api::text(500), .help = "The route or field that is deprecated.", .required = true},
        {.name = "deprecated_since", .type = api::date(), .required = true},
        {.name = "instead", .type = api::text(500).or_null(), .help = "What replaces it.", .required = true},
        {.name = "message", .type = api::text(2000), .required = true}};
    schemas.set("Notice", notice.json_schema());
}

}  // namespace

Value text_schema() { return Value::object({{"type", "string"}}); }

Value reference(std::string_view name) {
    return Value::object({{"$ref", "#/components/schemas/" + std::string(name)}});
}

Value media(Value schema, Value example) {
    Value json = Value::object({{"schema", std::move(schema)}});
    if (!example.is_null())
        json.set("example", std::move(example));
    return Value::object({{"application/json", std::move(json)}});
}

Value limit_headers() {
    const auto header = [](const char* name) {
        return Value::object({{"$ref", "#/components/headers/" + std::string(name)}});
    };
    return Value::object({{"RateLimit-Limit", header("Limit")},
                          {"RateLimit-Remaining", header("Remaining")},
                          {"RateLimit-Reset", header("Reset")}});
}

bool gives_notices(const api::RouteSpec& route) {
    return api::has_deprecated(route.query) || api::has_deprecated(route.body) || !api::notices_of(route).empty();
}

Value fixed_components(const api::RouteTable& routes, const About& about) {
    Value all = *json::parse(components_text);
    Value schemas = all["schemas"], schemes = all["securitySchemes"], cookie = schemes["session_cookie"];
    add_notice_schema(routes, schemas);
    schemas.set("ErrorCode", error_codes(routes));
    all.set("schemas", std::move(schemas));
    cookie.set("name", about.session_cookie);
    schemes.set("session_cookie", std::move(cookie));
    all.set("securitySchemes", std::move(schemes));
    return all;
}

}  // namespace svc::app
