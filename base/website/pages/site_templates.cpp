// Which page has which template around it, what a template may hold, and the routes that read and write them.
#include "base/website/pages/site_templates.hpp"

#include <algorithm>
#include <optional>

#include "base/platform/html/surrounding.hpp"
#include "base/website/pages/router.hpp"
#include "shared/api/named.hpp"
#include "shared/core/ascii.hpp"

namespace svc::pages {
namespace {

using json::Value;

constexpr std::size_t longest_template = 64 * 1024;

const SiteTemplate* template_named(std::string_view name) {
    const auto* found = std::find_if(std::begin(site_templates), std::end(site_templates),
                                     [&](const SiteTemplate& each) { return name == each.name; });
    return found == std::end(site_templates) ? nullptr : found;
}

std::string_view name_around(const PageSpec* page, std::string_view type) {
    if (type == "single-trip" || type == "booking-confirmation")
        return type;
    if (type == "listing-trip")
        return "trip-listing";
    if (type.starts_with("booking"))
        return "booking";
    if (type.starts_with("account-"))
        return "my-account";
    if (page && (type == "single-taxonomy" || type.starts_with("listing-")))
        if (const auto base = base_of(*page); base == "destination" || base == "activity")
            return base;
    return {};
}

std::string lowered(std::string_view text) {
    std::string small(text);
    std::transform(small.begin(), small.end(), small.begin(), ascii::lower);
    return small;
}

// Elements that bring in what the site does not control, or that belong into the head.
constexpr std::string_view refused_elements[] = {"script", "iframe", "object", "embed", "base", "meta", "link",
                                                 "style",  "frame",  "html",   "head",  "body", "main", "title"};

std::optional<std::string> refused_element(std::string_view text) {
    const std::string small = lowered(text);
    for (auto at = small.find('<'); at != std::string::npos; at = small.find('<', at + 1)) {
        const auto begin = at + (small.compare(at + 1, 1, "/") == 0 ? 2 : 1);
        const auto end = small.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-", begin);
        const std::string name = small.substr(begin, end == std::string::npos ? end : end - begin);
        if (std::find(std::begin(refused_elements), std::end(refused_elements), name) != std::end(refused_elements))
            return name;
    }
    return std::nullopt;
}

// The elements that are left open, or closed without having been opened; void ones close themselves.
std::optional<Sentence> unbalanced(std::string_view text) {
    constexpr std::string_view closes_itself[] = {"br", "hr", "img", "input", "source", "wbr", "area", "col"};
    std::vector<std::string> open;
    for (auto at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
        const bool is_end = text.substr(at + 1).starts_with('/');
        const auto begin = at + (is_end ? 2 : 1);
        const auto end =
            text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-", begin);
        const std::string name = lowered(text.substr(begin, end == std::string_view::npos ? end : end - begin));
        if (name.empty() ||
            std::find(std::begin(closes_itself), std::end(closes_itself), name) != std::end(closes_itself))
            continue;
        if (text.find('>', begin) == std::string_view::npos)
            return "The tag {tag} has no end: close it with >."_sentence.with("tag", "<" + name);
        if (!is_end)
            open.push_back(name);
        else if (open.empty() || open.back() != name)
            return open.empty()
                       ? "{tag} closes nothing. Close elements in the order in which they were opened."_sentence.with(
                             "tag", "</" + name + ">")
                       : "{tag} closes {open}. Close elements in the order in which they were opened."_sentence
                             .with("tag", "</" + name + ">")
                             .with("open", "<" + open.back() + ">");
        else
            open.pop_back();
    }
    if (!open.empty())
        return "{tag} is never closed. Add {end}."_sentence.with("tag", "<" + open.back() + ">")
            .with("end", "</" + open.back() + ">");
    return std::nullopt;
}

// Templates may include the page and parts of the theme, no whole pages.
std::optional<std::string> odd_inclusion(std::string_view text) {
    for (auto at = text.find("{{>"); at != std::string_view::npos; at = text.find("{{>", at + 3)) {
        const auto rest = text.substr(at + 3);
        const std::string name(ascii::trimmed(rest.substr(0, rest.find("}}")), " \t\r\n"));
        if (name != "svc/page-content" && !name.starts_with("part-"))
            return name;
    }
    return std::nullopt;
}

Result<void> check_template(const Theme& theme, const SiteTemplate& which, std::string_view content) {
    const auto first = content.find(page_content);
    if (first == std::string_view::npos)
        return invalid("content", "Write {tag} where the page is to stand."_sentence.with("tag", page_content));
    if (content.find(page_content, first + 1) != std::string_view::npos)
        return invalid("content", "{tag} may stand there once."_sentence.with("tag", page_content));
    if (const auto name = refused_element(content))
        return invalid("content",
                       "The element <{name}> cannot stand in a template of a page."_sentence.with("name", *name));
    if (const auto fault = unbalanced(content))
        return invalid("content", *fault);
    if (const auto fault = html::surrounding_fault(content, page_content))
        return invalid("content", *fault);
    if (const auto name = odd_inclusion(content))
        return invalid("content",
                       "{tag} cannot be included: name a part of the theme, such as part-cards."_sentence.with(
                           "tag", "{{> " + *name + "}}"));
    if (const Sentence fault = theme.fault_of_block(which.name, content); !fault.empty())
        return invalid("content", fault);
    return {};
}

Value template_json(const settings::Settings& settings, const SiteTemplate& which) {
    const std::string content = settings.text(which.key);
    return Value::object({{"name", which.name},
                          {"title", which.title},
                          {"content", content.empty() ? std::string(page_content) : content},
                          {"is_default", content.empty()}});
}

api::Type template_answer() {
    std::vector<std::string> names;
    for (const SiteTemplate& each : site_templates)
        names.emplace_back(each.name);
    return api::object("SiteTemplate", {{.name = "name", .type = api::choice(names), .required = true},
                                        {.name = "title", .type = api::text(100), .required = true},
                                        {.name = "content",
                                         .type = api::raw_text(longest_template),
                                         .help = "HTML with {{> svc/page-content}}.",
                                         .required = true},
                                        {.name = "is_default",
                                         .type = api::boolean(),
                                         .help = "Whether the page has no surrounding template.",
                                         .required = true}});
}

}  // namespace

std::string around_of(const settings::Settings& settings, const PageSpec* page, std::string_view type) {
    const SiteTemplate* which = template_named(name_around(page, type));
    return which ? settings.text(which->key) : std::string();
}

void declare_site_templates(settings::Settings& settings) {
    for (const SiteTemplate& each : site_templates)
        settings.declare(
            {.key = each.key,
             .type = api::raw_text(longest_template),
             .initial = "",
             .help = std::string("Template around pages, as stored by PUT /site/templates/") + each.name + ".",
             .group = "internal"});
}

void add_template_routes(api::RouteTable& routes, settings::SiteSettings& settings, const Theme& theme) {
    const auto staff = api::Permission::can("svc_manage_settings");
    routes.add({.method = api::Method::get,
                .path = "/site/templates",
                .who = staff,
                .summary = "List the templates that surround the site's pages.",
                .answer = api::list(template_answer(), std::size(site_templates)),
                .handle = [&settings](const api::Request&) -> api::Reply {
                    Value list = Value::array();
                    for (const SiteTemplate& each : site_templates)
                        list.push(template_json(settings, each));
                    return api::ok(std::move(list));
                }});
    routes.add({.method = api::Method::get,
                .path = "/site/templates/{name}",
                .who = staff,
                .summary = "Return a template that surrounds pages.",
                .answer = template_answer(),
                .errors = {&errc::not_found},
                .handle = [&settings](const api::Request& request) -> api::Reply {
                    const SiteTemplate* which = template_named(request.path["name"].text());
                    return which ? api::ok(template_json(settings, *which)) : api::failed(errc::not_found);
                }});
    routes.add({.method = api::Method::put,
                .path = "/site/templates/{name}",
                .who = staff,
                .summary = "Replace a template that surrounds pages; empty content resets it.",
                .body = {{.name = "content",
                          .type = api::raw_text(longest_template),
                          .help = "HTML with {{> svc/page-content}} in the place of the page; tags of the theme are "
                                  "allowed. An empty text resets the template."}},
                .answer = template_answer(),
                .errors = {&errc::not_found},
                .repeats_safely = true,
                .handle = [&settings, &theme](const api::Request& request) -> api::Reply {
                    const SiteTemplate* which = template_named(request.path["name"].text());
                    if (!which)
                        return api::failed(errc::not_found);
                    const std::string content(ascii::trimmed(request.body.text_or("content"), " \t\r\n"));
                    if (!content.empty())
                        if (const auto sound = check_template(theme, *which, content); !sound)
                            return api::failed(sound.error());
                    const auto written =
                        settings.write(Value::object({{which->key, content == page_content ? std::string() : content}}),
                                       request.caller.user_id);
                    return written ? api::ok(template_json(settings, *which)) : api::failed(written.error());
                }});
}

}  // namespace svc::pages
