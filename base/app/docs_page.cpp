// The interface as one HTML page without script, made from the route table.
#include <algorithm>
#include <map>

#include "base/app/openapi.hpp"
#include "base/platform/html/html.hpp"
#include "shared/api/deprecation.hpp"

namespace svc::app {
namespace {

using html::escaped;

std::string shape_of(const json::Value& schema) {
    std::string shape;
    const json::Value& type = schema["type"];
    if (type.is_string())
        shape = type.text();
    else
        for (const json::Value& one : type.is_array() ? type.items() : json::Array{})
            shape += (shape.empty() ? "" : " or ") + (one.is_string() ? one.text() : std::string());
    if (const std::string format = schema.text_or("format"); !format.empty())
        shape += " (" + format + ")";
    if (schema["enum"].is_array()) {
        shape = "one of";
        for (const json::Value& one : schema["enum"].items())
            shape += " " + (one.is_string() ? one.text() : one.dump());
    }
    for (const auto& [key, sign] : {std::pair{"minimum", " ≥ "}, {"maximum", " ≤ "}, {"maxLength", " up to "}})
        if (schema[key].is_number())
            shape += sign + schema[key].number_text();
    return shape;
}

std::string deprecated(const std::string& since, const std::string& instead) {
    const std::string sentence = api::deprecation_sentence(since, instead);
    return sentence.empty() ? sentence : " <b>" + escaped(sentence) + "</b>";
}

void fields_to(std::string& out, std::string_view title, const api::Schema& schema) {
    if (schema.empty())
        return;
    const json::Value shapes = schema.json_schema();
    out += "<h4>" + std::string(title) + "</h4><table>";
    for (const api::Field& field : schema.fields()) {
        out += "<tr><td><code>" + escaped(field.name) + "</code>" + (field.required ? " <b>required</b>" : "") +
               "</td><td>" + escaped(shape_of(shapes["properties"][field.name])) + "</td><td>" + escaped(field.says) +
               deprecated(field.deprecated_since, field.instead);
        if (field.otherwise)
            out += " Default <code>" + escaped(field.otherwise->dump()) + "</code>.";
        out += "</td></tr>";
    }
    out += "</table>";
}

constexpr std::string_view style =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b2733}"
    "h1{margin-bottom:0}h2{border-bottom:1px solid #cbd5e1;margin-top:2.5rem}h3{margin-bottom:.2rem}h4{margin:.6rem 0 "
    ".2rem}"
    "code{font:14px ui-monospace,monospace;background:#f1f5f9;padding:.1em .3em;border-radius:3px}"
    "table{border-collapse:collapse;width:100%}td{border-top:1px solid #e2e8f0;padding:.25rem .5rem;vertical-align:top}"
    ".who{color:#475569}nav a{margin-right:.8rem}";

}  // namespace

std::string docs_page(const api::RouteTable& routes, const About& about) {
    std::map<std::string, std::vector<const api::RouteSpec*>> groups;
    for (const auto& route : routes.all())
        if (route->module.empty() || about.module_enabled(route->module))
            groups[route->path.substr(1, route->path.find('/', 1) - 1)].push_back(route.get());

    std::string out =
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>svc " + escaped(about.version) +
        "</title><meta name=\"viewport\" content=\"width=device-width\"><style>" + std::string(style) +
        "</style></head><body><h1>svc " + escaped(about.version) + "</h1><p>Edition " + escaped(about.edition()) +
        ". Paths are relative to <code>" + escaped(about.base_path) + "</code>. The same as data: <a href=\"" +
        escaped(about.base_path) + "/openapi.json\">OpenAPI 3.1</a>.</p><nav>";
    for (const auto& [name, specs] : groups)
        out += "<a href=\"#" + escaped(name) + "\">" + escaped(name.empty() ? "discovery" : name) + "</a>";
    out += "</nav>";
    for (auto& [name, specs] : groups) {
        std::sort(specs.begin(), specs.end(), [](const auto* a, const auto* b) {
            return a->path != b->path ? a->path < b->path : a->method < b->method;
        });
        out += "<h2 id=\"" + escaped(name) + "\">" + escaped(name.empty() ? "discovery" : name) + "</h2>";
        for (const api::RouteSpec* route : specs) {
            out += "<h3 id=\"" + operation_id(*route) + "\"><code>" + std::string(api::name_of(route->method)) + " " +
                   escaped(route->path) + "</code></h3><p>" + escaped(route->summary) +
                   " <span class=\"who\">For: " + escaped(route->who.text()) + ".</span>" +
                   deprecated(route->deprecated_since, route->instead) + "</p>";
            if (route->is_list)
                fields_to(out, "List parameters", api::list_parameters(*route));
            fields_to(out, "Query", route->query);
            fields_to(out, "Body", route->body);
            out += "<p class=\"who\">Answers " + std::to_string(route->success) + "; refusals:";
            for (const ErrorCode* code : errors_of(*route))
                out += " <code>" + std::to_string(code->status) + " " + std::string(code->name) + "</code>";
            out += "</p>";
        }
    }
    return out + "</body></html>";
}

}  // namespace svc::app
