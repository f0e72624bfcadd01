// The answers of the OpenAPI document: successes and errors of each route.
#include <algorithm>
#include <map>

#include "base/app/examples.hpp"
#include "base/app/openapi_parts.hpp"
#include "shared/api/list_meta.hpp"

namespace svc::app {
namespace {

using json::Value;

// Files other than JSON and text have no schema.
Value file_schema(const std::string& type) {
    if (type == "application/json")
        return Value::object({{"schema", Value::object({{"type", "object"}})}});
    return type.starts_with("text/") ? Value::object({{"schema", text_schema()}}) : Value::object();
}

// The bodies of a success; null: it has none.
Value content_of(const api::RouteSpec& route) {
    Value content = route.enveloped ? media(answer_schema(route), example_answer(route)) : Value::object();
    for (const std::string& type : route.files)
        content.set(type, file_schema(type));
    return content.size() > 0 ? content : Value();
}

// Responses besides a RouteSpec's success and errors.
struct OtherAnswer {
    std::string_view route;
    int status;
    const char* help;
};
constexpr const char* known_already = "The answer has not changed since the ETag in If-None-Match.";
constexpr const char* a_part = "The requested part of the file.";
constexpr const char* beyond = "The requested part is beyond the end of the file.";
constexpr OtherAnswer other_answers[] = {
    {"GET /trips/public", 304, known_already},
    {"GET /trips/public/{slug}", 304, known_already},
    {"GET /trips/public/{slug}", 301, "The trip's slug changed; Location holds the new address."},
    {"GET /trips/{id}", 304, known_already},
    {"GET /trips/{id}/available-dates", 304, known_already},
    {"GET /attributes/frontend", 304, known_already},
    {"GET /itineraries/{id}", 304, known_already},
    {"GET /attributes/filterable", 304, known_already},
    {"GET /departures/calendar/{token}", 304, known_already},
    {"GET /abandoned-bookings/recover/{token}", 302,
     "A browser is led to the site's page; Location holds its address."},
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
    {"POST /media", 200, "A file with the same content already exists."},
    {"POST /booking/create", 200, "The session was already booked; returns that booking."},
};

// Whether the response is paged although it is no list.
bool is_paged(const api::RouteSpec& route) { return route.query.find("page") && route.query.find("per_page"); }

// Whether the answer has meta and the two headers of a list (spec 4.2).
bool answers_list(const api::RouteSpec& route) {
    return route.is_list || (route.method == api::Method::get && route.answer.shape == api::Shape::list);
}

// Whether a client that names the answer's ETag gets 304.
bool may_be_unchanged(const api::RouteSpec& route) { return route.has_etag && route.method == api::Method::get; }

// Whether the gate checks fields of a query or body there.
bool takes_fields(const api::RouteSpec& route) {
    return !route.body.empty() || !route.query.empty() || route.is_list || api::takes_key(route);
}

// The errors of every route before its handler runs.
std::vector<const ErrorCode*> errors_of_gate(const api::RouteSpec& route) {
    std::vector<const ErrorCode*> codes;
    const auto add_if = [&codes](bool applies, const ErrorCode& code) {
        if (applies)
            codes.push_back(&code);
    };
    const bool writes = route.method != api::Method::get;
    add_if(takes_fields(route), errc::validation_error);
    add_if(true, errc::bad_request);  // a query that cannot be read
    add_if(!route.raw_body_only, errc::invalid_json);
    add_if(writes, errc::payload_too_large);
    add_if(writes && !route.raw_body_only, errc::unsupported_media_type);
    add_if(true, errc::unauthorized);  // credentials are checked wherever they are sent
    add_if(!route.who.is_public(), errc::invalid_nonce);
    add_if(route.who.text() != api::Permission::everyone().text(), errc::forbidden);
    add_if(api::takes_key(route), errc::request_in_progress);
    add_if(api::takes_key(route), errc::key_reused);
    add_if(true, errc::rate_limited);
    add_if(true, errc::unavailable);
    return codes;
}

Value header_reference(std::string_view name) {
    return Value::object({{"$ref", "#/components/headers/" + std::string(name)}});
}

// The name of a success that other routes may share: of the record that it answers with.
std::string name_of_answer(const api::RouteSpec& route) {
    const api::Type& type = route.answer;
    if (type.shape == api::Shape::object)
        return type.members->name();
    if (type.shape == api::Shape::list && type.item->shape == api::Shape::object && !type.item->members->name().empty())
        return type.item->members->name() + "List";
    return {};
}

Value success_of(const api::RouteSpec& route) {
    Value good = Value::object({{"description", "Success."}});  // the operation's summary has the details
    Value headers = limit_headers();
    if (answers_list(route))
        headers.set("X-Host-Total", header_reference("Total")).set("X-Host-TotalPages", header_reference("TotalPages"));
    if (!route.body.empty() && !route.raw_body_only)
        headers.set("Warning", header_reference("Warning"));
    good.set("headers", std::move(headers));
    if (Value content = content_of(route); !content.is_null())
        good.set("content", std::move(content));
    std::string name = route.enveloped ? name_of_answer(route) : "File";
    if (!name.empty()) {
        if (route.enveloped)
            good.set("description", "`" + name + "`" + (route.files.empty() ? "" : ", or the file"));
        good.set("title", name += route.enveloped && !route.files.empty() ? "OrFile" : "");
    }
    return good;
}

std::string names_of_codes(const std::vector<const ErrorCode*>& codes) {
    std::string names;
    for (const ErrorCode* code : codes)
        names += (names.empty() ? "`" : ", `") + std::string(code->name) + "`";
    return names;
}

std::string capitalised_name(std::string_view code) {
    std::string name;
    bool starts = true;
    for (const char c : code.starts_with("svc_") ? code.substr(4) : code) {
        name += starts ? static_cast<char>(c & ~32) : c;
        if ((starts = c == '_'))
            name.pop_back();
    }
    return name;
}

Value refusal(const std::string& title, const std::string& description, bool names_users = false) {
    return Value::object({{"title", title},
                          {"description", description},
                          {"content", media(reference(names_users ? "ErrorOrInUse" : "Error"))}});
}

// The statuses of the route's own errors, each with all codes of that status.
void add_own_refusals(const api::RouteSpec& route, Value& responses) {
    std::map<int, std::vector<const ErrorCode*>> by_status;
    for (const ErrorCode* code : route.errors)
        by_status[code->status];
    for (const ErrorCode* code : errors_of(route))
        if (const auto found = by_status.find(code->status); found != by_status.end())
            found->second.push_back(code);
    for (const auto& [status, codes] : by_status) {
        std::string title;
        for (const ErrorCode* code : codes)
            title += (title.empty() ? "" : "Or") + capitalised_name(code->name);
        const bool names_users = std::find(codes.begin(), codes.end(), &errc::in_use) != codes.end();
        responses.set(std::to_string(status), refusal(title, names_of_codes(codes), names_users));
    }
}

// The gate's errors, named once for all routes with the same ones.
void add_refusals_of_gate(const api::RouteSpec& route, Value& responses) {
    std::map<int, std::vector<const ErrorCode*>> by_status;
    for (const ErrorCode* code : errors_of_gate(route))
        by_status[code->status].push_back(code);
    std::string below_500;
    for (const auto& [status, codes] : by_status)
        if (status < 500)
            below_500 += (below_500.empty() ? "" : "; ") + std::to_string(status) + ": " + names_of_codes(codes);
    std::string title = route.method == api::Method::get ? "RefusedRead"
                        : route.raw_body_only            ? "RefusedUpload"
                                                         : "RefusedWrite";
    title += api::takes_key(route) ? "WithKey" : "";
    title += takes_fields(route) ? "" : "WithoutFields";
    title += !route.who.is_public()                                   ? ""
             : route.who.text() != api::Permission::everyone().text() ? "OfGuest"
                                                                      : "OfAnyone";
    Value below = refusal(title, below_500),
          unavailable = refusal("Unavailable", "503: " + names_of_codes({&errc::unavailable}));
    Value headers = limit_headers();
    headers.set("Retry-After", header_reference("RetryAfter"));
    below.set("headers", std::move(headers));
    unavailable.set("headers", Value::object({{"Retry-After", header_reference("RetryAfter")}}));
    responses.set("4XX", std::move(below));
    responses.set("5XX", std::move(unavailable));
}

}  // namespace

Value responses_of(const api::RouteSpec& route) {
    Value responses = Value::object();
    Value good = success_of(route);
    const Value not_modified = Value::object({{"title", "NotModified"}, {"description", known_already}});
    if (may_be_unchanged(route))
        responses.set("304", not_modified);
    const std::string called = std::string(api::name_of(route.method)) + ' ' + route.path;
    for (const OtherAnswer& other : other_answers)
        if (other.route == called) {
            Value answer = Value::object({{"description", other.help}});
            if (other.status < 300)
                answer.set("content", good["content"]);
            responses.set(std::to_string(other.status), other.help == known_already ? not_modified : answer);
        }
    responses.set(std::to_string(route.success), std::move(good));
    add_own_refusals(route, responses);
    add_refusals_of_gate(route, responses);
    return responses;
}

Value answer_schema(const api::RouteSpec& route) {
    const api::Schema holder{{.name = "data", .type = route.answer, .required = true}};
    Value own = holder.json_schema();
    const api::Schema* meta = api::meta_of(route.answer);
    const bool pages = answers_list(route) || is_paged(route);
    Value properties = own["properties"];
    if (meta)
        properties.set("meta", meta->json_schema());
    if (gives_notices(route))
        properties.set("notices", Value::object({{"type", "array"}, {"items", reference("Notice")}}));
    own.set("properties", std::move(properties));
    own.erase("type");  // the envelope's
    return Value::object({{"allOf", Value::array({reference(pages ? "PageEnvelope" : "Envelope"), std::move(own)})}});
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
    std::vector<const ErrorCode*> codes = errors_of_gate(route);
    for (const ErrorCode* code : route.errors)
        if (std::find(codes.begin(), codes.end(), code) == codes.end())
            codes.push_back(code);
    return codes;
}

}  // namespace svc::app
