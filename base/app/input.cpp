// Where every field at fault is collected: those of the query, of the body's shape and of the route's own rules.
#include "base/app/input.hpp"

#include <algorithm>

#include "shared/api/forms.hpp"
#include "shared/api/query.hpp"
#include "shared/api/unknown_keys.hpp"
#include "shared/core/log.hpp"

namespace svc::app {
namespace {

bool is_of_type(std::string_view content_type, std::string_view expected) {
    std::string_view media = content_type.substr(0, content_type.find(';'));
    while (!media.empty() && media.back() == ' ')
        media.remove_suffix(1);
    return std::equal(media.begin(), media.end(), expected.begin(), expected.end(), [](char sent, char known) {
        return (sent >= 'A' && sent <= 'Z' ? static_cast<char>(sent + 32) : sent) == known;
    });
}

std::string_view first_name(std::string_view path) { return path.substr(0, path.find('.')); }

// Whether a rule's fault depends on an invalid field: on the field itself, or on one that it is compared with.
bool rests_on(const std::vector<FieldError>& unfit, std::string_view field, const api::RouteSpec& route) {
    const std::string_view own = first_name(field);
    const auto among = [&](std::string_view name) {
        return std::any_of(unfit.begin(), unfit.end(),
                           [&](const FieldError& fault) { return first_name(fault.field) == name; });
    };
    const auto means = [&](std::string_view name) {  // "emergency_*" is whatever begins like that
        return name.ends_with('*') ? own.starts_with(name.substr(0, name.size() - 1)) : name == own;
    };
    return among(own) || std::any_of(route.beside.begin(), route.beside.end(),
                                     [&](const auto& pair) { return means(pair.first) && among(pair.second); });
}

// A form shows all errors at once, of the schema and of the rules. Callers without permission only get those of the
// schema.
Error with_rules(api::Request& request, const json::Value& body, Error faults) {
    const api::RouteSpec& route = *request.route;
    if (!route.rules)
        return faults;
    request.body = route.body.fitting(body);
    if (!route.who.admits(request))
        return faults;
    const auto unfit = faults.fields();
    try {
        const auto found = route.rules(request);
        if (!found && found.error().code().name != errc::validation_error.name)
            return found.error();
        for (const FieldError& fault : found ? *found : found.error().fields())
            if (!rests_on(unfit, fault.field, route))
                faults.at(fault.field, fault.sentence);
    } catch (const std::exception& failure) {  // the schema rejects it already
        log::warning("rules_not_asked", {{"request_id", log::Value::ours(request.id)}, {"cause", failure.what()}});
    }
    return faults;
}

// A field that declares a longer text than others may have one, such as a drawn signature.
json::Limits limits_of(const api::RouteSpec& route) {
    json::Limits limits;
    for (const api::Field& field : route.body.fields())
        limits.text = std::max(limits.text, field.type.shape == api::Shape::text ? field.type.longest : 0);
    return limits;
}

// The JSON body; an empty object for a request without one.
Result<json::Value> json_body(const Sent& sent, const api::RouteSpec& route) {
    json::Value body = json::Value::object();
    if (sent.body_value) {
        SVC_RETURN_IF_ERROR(json::check(*sent.body_value, limits_of(route)));
        body = *sent.body_value;
    } else if (!sent.body.empty()) {
        if (!is_of_type(sent.content_type, "application/json"))
            return Error{errc::unsupported_media_type};
        SVC_ASSIGN_OR_RETURN(body, json::parse(sent.body, limits_of(route)));
    }
    if (!body.is_object())
        return Error{errc::invalid_json, "The body must be a JSON object."_sentence};
    return body;
}

Result<void> read_body(api::Request& request, const Sent& sent, std::vector<std::string>* unknown) {
    const api::RouteSpec& route = *request.route;
    // A route that responds with a page receives the page's form.
    const bool is_form = !sent.body_value && api::takes_forms(route) &&
                         is_of_type(sent.content_type, "application/x-www-form-urlencoded");
    SVC_ASSIGN_OR_RETURN(json::Value body, is_form ? api::parse_query(sent.body) : json_body(sent, route));
    if (route.free_body) {
        request.body = std::move(body);
        return {};
    }
    if (route.body.empty())
        return {};
    if (unknown && !is_form)  // a page's form sends its buttons and marks too
        *unknown = api::unknown_keys(route.body, body);
    auto clean = route.body.check(body, is_form);
    if (!is_form)
        request.sent = std::move(body);
    if (!clean)
        return with_rules(request, is_form ? body : request.sent, std::move(clean.error()));
    request.body = std::move(*clean);
    return {};
}

// The query as parse_query() has it.
Result<json::Value> query_of(const Sent& sent) {
    return sent.query_value ? Result<json::Value>(*sent.query_value) : api::parse_query(sent.query);
}

}  // namespace

Result<void> read_input(api::Request& request, const api::Schema& query, const Sent& sent,
                        std::vector<std::string>* unknown) {
    const api::RouteSpec& route = *request.route;
    std::optional<Error> faults;
    if (!sent.query.empty() || !query.empty() || (sent.query_value && sent.query_value->size() > 0)) {
        SVC_ASSIGN_OR_RETURN(auto raw, query_of(sent));
        auto clean = query.check(raw, true);
        if (!clean)
            faults = std::move(clean.error());
        else
            request.query = std::move(*clean);
        if (route.is_list && !faults)
            SVC_RETURN_IF_ERROR(api::page_of(route, raw));
    }
    request.raw_body = sent.body;
    request.body = json::Value::object();
    if (!route.raw_body_only)
        if (auto read = read_body(request, sent, unknown); !read) {
            if (!faults || read.error().fields().empty())
                return read;
            for (const FieldError& fault : read.error().fields())
                faults->at(fault.field, fault.sentence);
        }
    if (faults)
        return std::move(*faults);
    return {};
}

// A sender's text is never put into a header as it is.
std::string warning_of(const std::vector<std::string>& keys) {
    constexpr std::size_t longest = 60;
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    std::string names;
    for (const std::string& key : keys) {
        names += names.empty() ? "" : ", ";
        for (const char c : std::string_view(key).substr(0, longest))
            names += plain.find(c) == std::string_view::npos ? '?' : c;
    }
    return "299 - \"Ignored unknown keys of the body: " + names + "\"";
}

}  // namespace svc::app
