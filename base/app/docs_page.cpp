// The interface as one HTML page, made from the route table; a script, where the build has one, adds search and trials.
#include <algorithm>
#include <map>

#include "base/app/docs_introduction.hpp"
#include "base/app/examples.hpp"
#include "base/app/openapi.hpp"
#include "base/platform/assets/assets.hpp"
#include "base/platform/html/html.hpp"
#include "shared/api/deprecation.hpp"
#include "shared/core/ascii.hpp"

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
               "</td><td>" + escaped(shape_of(shapes["properties"][field.name])) + "</td><td>" + escaped(field.help) +
               deprecated(field.deprecated_since, field.instead);
        if (field.otherwise)
            out += " Default <code>" + escaped(field.otherwise->dump()) + "</code>.";
        out += "</td></tr>";
    }
    out += "</table>";
}

std::string lower(std::string_view text) {
    std::string small(text);
    std::transform(small.begin(), small.end(), small.begin(), ascii::lower);
    return small;
}

// A request as a command to copy. Placeholders in braces and capitals are the reader's to fill in.
std::string example_of(const api::RouteSpec& route, const About& about, const std::string& body) {
    std::string command = "curl";
    if (!route.who.is_public())
        command += " -u LOGIN:APPLICATION_PASSWORD";
    if (route.method != api::Method::get)
        command += " -X " + std::string(api::name_of(route.method));
    if (!body.empty())
        command += " -H 'Content-Type: application/json' -d '" + body + "'";
    return command + " '" + about.site_url + about.base_path + route.path + "'";
}

// JSON for people: a member a line.
std::string indented(const json::Value& value, std::size_t depth) {
    const bool is_object = value.is_object();
    if ((!is_object && !value.is_array()) || value.size() == 0)
        return value.dump();
    const std::string inner = "\n" + std::string((depth + 1) * 2, ' ');
    std::string out;
    const auto add = [&](const std::string& part) { out += (out.empty() ? "" : ",") + inner + part; };
    if (is_object)
        for (const auto& [name, member] : value.members())
            add(json::Value(name).dump() + ": " + indented(member, depth + 1));
    else
        for (const json::Value& item : value.items())
            add(indented(item, depth + 1));
    return (is_object ? "{" : "[") + out + "\n" + std::string(depth * 2, ' ') + (is_object ? "}" : "]");
}

std::string article(const api::RouteSpec& route, const About& about) {
    const bool is_json = !route.body.empty() && !route.raw_body_only;
    const std::string body = is_json ? example_body(route).dump() : std::string();
    const std::string verb(api::name_of(route.method));
    std::string out = "<article id=\"" + api::operation_name(route) + "\" data-method=\"" + verb + "\" data-path=\"" +
                      escaped(route.path) + "\"" + (is_json ? " data-body=\"" + escaped(body) + "\"" : "") +
                      "><h3><code class=\"verb " + lower(verb) + "\">" + verb + "</code><code>" + escaped(route.path) +
                      "</code></h3><p>" + escaped(route.summary) + deprecated(route.deprecated_since, route.instead) +
                      "</p><p class=\"who\">For " + escaped(route.who.text()) + ".</p>";
    std::string tables;
    if (route.is_list)
        fields_to(tables, "List parameters", api::list_parameters(route));
    fields_to(tables, "Query", route.query);
    fields_to(tables, "Body", route.body);
    tables += "<h4>Answers</h4><p>" + std::to_string(route.success) + "; refusals:";
    for (const ErrorCode* code : errors_of(route))
        tables += " <code>" + std::to_string(code->status) + " " + std::string(code->name) + "</code>";
    tables += "</p>";
    if (const json::Value answer = example_answer(route); !answer.is_null())
        tables += "<pre class=\"answer\" tabindex=\"0\">" + escaped(indented(answer, 0)) + "</pre>";
    for (const std::string& file : route.files)
        tables += "<p>A file of type <code>" + escaped(file) + "</code>.</p>";
    out += "<details><summary>Parameters and answers</summary>" + tables + "</details>";
    return out + "<pre tabindex=\"0\">" + escaped(example_of(route, about, body)) + "</pre></article>";
}

// By the first part of its path; the root's has none.
std::string group_of(const std::string& path) {
    std::string name = path.substr(1, path.find('/', 1) - 1);
    return name.empty() ? "discovery" : name;
}

}  // namespace

std::string docs_page(const api::RouteTable& routes, const About& about) {
    std::map<std::string, std::vector<const api::RouteSpec*>> groups;
    for (const auto& route : routes.all())
        if (route->module.empty() || about.module_enabled(route->module))
            groups[group_of(route->path)].push_back(route.get());

    const auto introduction = docs_introduction(about);
    const assets::Assets& assets = assets::built_in();
    std::string out =
        "<!doctype html><html lang=\"en\" data-root=\"" + escaped(about.base_path) +
        "\"><head><meta charset=\"utf-8\"><title>svc " + escaped(about.version) +
        "</title><meta name=\"viewport\" content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light "
        "dark\">"
        "<link rel=\"icon\" type=\"image/svg+xml\" href=\"" +
        assets.path("admin/icon.svg") + "\"><link rel=\"stylesheet\" href=\"" + assets.path("docs/docs.css") + "\">" +
        (assets.has("docs/docs.js") ? "<script type=\"module\" src=\"" + assets.path("docs/docs.js") + "\"></script>"
                                    : "") +
        "</head><body><header><h1>svc " + escaped(about.version) +
        "</h1><span id=\"found\" role=\"status\"></span><input id=\"find\" type=\"search\" hidden placeholder=\"Search "
        "routes\" aria-label=\"Search routes\"></header><p class=\"about\">Edition " +
        escaped(about.edition()) + ". Paths are relative to <code>" + escaped(about.base_path) +
        "</code>. The same as data: <a href=\"" + escaped(about.base_path) +
        "/openapi.json\">OpenAPI 3.1</a>. <span id=\"who\"></span></p><div class=\"columns\"><nav "
        "aria-label=\"Groups\">";
    for (const Introduced& one : introduction)
        out += "<a href=\"#" + one.anchor + "\">" + one.title + "</a>";
    for (const auto& [name, specs] : groups)
        out += "<a href=\"#" + escaped(name) + "\">" + escaped(name) + "<small>" + std::to_string(specs.size()) +
               "</small></a>";
    out += "</nav><main>";
    for (const Introduced& one : introduction)
        out +=
            "<section class=\"intro\"><h2 id=\"" + one.anchor + "\">" + one.title + "</h2>" + one.text + "</section>";
    for (auto& [name, specs] : groups) {
        std::sort(specs.begin(), specs.end(), [](const auto* a, const auto* b) {
            return a->path != b->path ? a->path < b->path : a->method < b->method;
        });
        out += "<section><h2 id=\"" + escaped(name) + "\">" + escaped(name) + "</h2>";
        for (const api::RouteSpec* route : specs)
            out += article(*route, about);
        out += "</section>";
    }
    return out + "</main></div></body></html>";
}

}  // namespace svc::app
