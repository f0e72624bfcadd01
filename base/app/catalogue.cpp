// Each catalogue is a list of sections, each section a table; its rows come from the declarations.
#include "base/app/catalogue.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "base/app/openapi.hpp"
#include "base/messaging/templates/templates.hpp"
#include "base/sales/booking/record/booking.hpp"
#include "base/sales/payment/record/payment.hpp"
#include "shared/api/deprecation.hpp"

namespace svc::app {
namespace {

using Cells = std::vector<std::string>;
using Sections = std::map<std::string, std::vector<Cells>>;  // by heading; "" has none

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

template <class Items, class Text>
std::string comma_list(const Items& items, Text text) {
    std::string out;
    for (const auto& item : items)
        out += (out.empty() ? "" : ", ") + std::string(text(item));
    return out;
}

std::string line_of(const Cells& cells) {
    std::string line = "|";
    for (const std::string& cell : cells) {
        line += " ";
        for (const char c : cell)
            line += c == '|' ? std::string("\\|") : std::string(1, c);
        line += cell.empty() ? "|" : " |";
    }
    return line + "\n";
}

std::string page(std::string_view title, std::string_view kind, std::string_view help, const Cells& columns,
                 const Sections& sections) {
    std::string out = "# " + std::string(title) + "\n\nMade by `svc catalogue " + std::string(kind) +
                      "` from the declarations in the code; `make docs` updates it.\n" + std::string(help) + "\n";
    for (const auto& [heading, rows] : sections) {
        out += heading.empty() ? "\n" : "\n## " + heading + "\n\n";
        out += line_of(columns) + line_of(Cells(columns.size(), "---"));
        for (const Cells& row : rows)
            out += line_of(row);
    }
    return out;
}

std::string route_name(const api::RouteSpec& route) { return std::string(api::name_of(route.method)) + route.path; }

// The first cell of a row, with the edition's mark.
std::string marked(std::string_view shown, std::string_view name, const Names& base) {
    return code(shown) + (base.contains(name) ? "" : " [Pro]");
}

// A cell's text with its deprecation.
std::string with_deprecation(std::string text, std::string_view since, std::string_view instead) {
    const std::string old = api::deprecation_sentence(since, instead);
    return old.empty() ? text : text + " " + old;
}

// A route's summary with its deprecations.
std::string summary_of(const api::RouteSpec& route) {
    std::string text = with_deprecation(route.summary, route.deprecated_since, route.instead);
    for (const auto& [schema, place] : {std::pair{&route.query, "query"}, {&route.body, "body"}})
        for (const api::Field& field : schema->fields())
            if (!field.deprecated_since.empty())
                text += " Field " + code(field.name) + " of the " + place + ": " +
                        api::deprecation_sentence(field.deprecated_since, field.instead);
    for (const api::Notice& notice : api::notices_of(route))
        if (notice.of == api::Notice::Of::answer)
            text += " Field " + code(notice.name) +
                    " of the answer: " + api::deprecation_sentence(notice.since, notice.instead);
    return text;
}

std::string_view kind_of(json::Kind kind) {
    constexpr std::string_view names[] = {"null", "true or false", "number", "text", "list", "object"};
    return names[static_cast<std::size_t>(kind)];
}

std::string hooks(Assembly& parts, const Names& base) {
    Sections sections;
    for (const hooks::Action& hook : parts.hooks.actions())
        sections["Actions"].push_back({marked(hook.name, hook.name, base), std::string(hook.since),
                                       with_deprecation(std::string(hook.help), hook.deprecated_since, hook.instead),
                                       comma_list(hook.arguments, code)});
    for (const hooks::Filter& hook : parts.hooks.filters()) {
        const std::string value = "value: " + std::string(kind_of(hook.value));
        const std::string rest = comma_list(hook.arguments, code);
        sections["Filters"].push_back({marked(hook.name, hook.name, base), std::string(hook.since),
                                       with_deprecation(std::string(hook.help), hook.deprecated_since, hook.instead),
                                       value + (rest.empty() ? "" : "; " + rest)});
    }
    return page("Hooks", "hooks",
                "Listeners of an action run after the commit, at least once. Listeners of a filter run inside the\n"
                "transaction if there is one, and return the value, which is passed before the other arguments.",
                {"hook", "since", "when", "arguments"}, sections);
}

std::string errors(Assembly& parts, const Names& base) {
    Sections sections;
    Names all_names;
    const auto print_error = [&](const ErrorCode& error, const char* whose) {
        if (all_names.emplace(error.name).second)
            sections[""].push_back(
                {code(error.name) + whose, std::to_string(error.status), std::string(error.sentence)});
    };
    for (const ErrorCode* error : errc::all)
        print_error(*error, "");
    for (const auto& route : parts.routes.all())
        for (const ErrorCode* error : route->errors)
            print_error(*error, base.contains(route_name(*route)) ? "" : " [Pro]");
    return page("Errors", "errors", "`code` of the body, the HTTP status, and the default `message`.",
                {"code", "status", "sentence"}, sections);
}

std::string bounds(std::int64_t least, std::int64_t most, std::string_view what) {
    if (least == INT64_MIN && most == INT64_MAX)
        return std::string(what);
    if (most == INT64_MAX)
        return std::string(what) + " from " + std::to_string(least);
    return std::string(what) + " " + std::to_string(least) + " to " + std::to_string(most);
}

std::string values_of(const api::Type& type) {
    switch (type.shape) {
        case api::Shape::boolean:
            return "true or false";
        case api::Shape::integer:
            return bounds(type.least, type.most, "integer");
        case api::Shape::decimal:
            return bounds(type.least, type.most, "decimal");
        case api::Shape::text:
            return "text of " + (type.shortest > 0 ? std::to_string(type.shortest) + " to " : std::string("at most ")) +
                   std::to_string(type.longest) + " characters";
        case api::Shape::choice:
            return comma_list(type.values, code);
        case api::Shape::list:
            return "at most " + std::to_string(type.longest) + " of: " + values_of(*type.item);
        case api::Shape::map:
            return "names with: " + values_of(*type.item);
        case api::Shape::email:
            return "e-mail address";
        case api::Shape::date:
            return "date";
        case api::Shape::time:
            return "clock time";
        case api::Shape::instant:
            return "instant";
        case api::Shape::object:
            return "object";
        case api::Shape::anything:
            break;
    }
    return "anything";
}

std::string settings(Assembly& parts, const Names& base) {
    Sections sections;
    for (const settings::Setting& setting : parts.settings.all()) {
        std::string help = setting.help;
        if (setting.secret)
            help += " Secret: encrypted at rest, masked in answers.";
        if (!setting.also.empty())
            help += " Also read as " + comma_list(setting.also, code) + ".";
        if (!setting.module.empty())
            help += " Can be changed while the module " + code(setting.module) + " is enabled.";
        sections[setting.group].push_back(
            {marked(setting.key, setting.key, base), values_of(setting.type), code(setting.initial.dump()), help});
    }
    return page("Settings of the site", "settings",
                "They are stored in the database and changed through `/settings`; options that a process needs before "
                "it has a\n"
                "database is in [configuration.md](configuration.md). The headings are the groups.",
                {"key", "value", "default", "what it does"}, sections);
}

std::string routes(Assembly& parts, const Names& base) {
    std::vector<const api::RouteSpec*> sorted;
    for (const auto& route : parts.routes.all())
        sorted.push_back(route.get());
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
        return a->path != b->path ? a->path < b->path : a->method < b->method;
    });
    Sections sections;
    for (const api::RouteSpec* route : sorted) {
        const std::string shown = std::string(api::name_of(route->method)) + " " + route->path;
        sections[tag_of(route->path)].push_back({marked(shown, route_name(*route), base), route->who.text(),
                                                 route->module.empty() ? "" : code(route->module), summary_of(*route)});
    }
    return page("Routes", "routes",
                "Paths are relative to `site.base_path`. Parameters, bodies and answers are described at `/docs` "
                "and\n`/openapi.json` of a running server. Routes of a module exist while that module is enabled.",
                {"route", "who", "module", "what it does"}, sections);
}

// With the routes of every module, whether it is on or off.
std::string openapi(Assembly& parts) {
    return openapi_document(parts.routes, {.version = SVC_VERSION,
                                           .edition = [] { return std::string(); },
                                           .base_path = parts.options.base_path,
                                           .site_url = parts.options.site_url,
                                           .session_cookie = identity::session_cookie_name(parts.options.cookie_secure),
                                           .module_enabled = [](std::string_view) { return true; }})
        .dump();
}

std::string turn_of(const jobs::Job& job) {
    if (job.daily_at)
        return "daily at " + job.daily_at->text();
    const auto seconds = job.every.count();
    return seconds % 3600 == 0 ? "every " + std::to_string(seconds / 3600) + " h"
           : seconds % 60 == 0 ? "every " + std::to_string(seconds / 60) + " min"
                               : "every " + std::to_string(seconds) + " s";
}

std::string jobs_page(Assembly& parts, const Names& base) {
    Sections sections;
    for (const jobs::Job& job : parts.jobs.all())
        sections[""].push_back({marked(job.name, job.name, base), turn_of(job), job.help});
    return page("Jobs", "jobs",
                "Each run takes place in one process of the installation; times of day are in the zone of the setting "
                "`timezone`.",
                {"job", "turn", "what it does"}, sections);
}

// A subject as its file has it, without the tags that mark what is translated.
std::string without_text_tags(std::string_view subject) {
    std::string text;
    for (const std::string_view tag : {"{{#t}}", "{{/t}}"})
        if (const auto at = subject.find(tag); at != std::string_view::npos) {
            text.append(subject.substr(0, at));
            subject.remove_prefix(at + tag.size());
        }
    return text.append(subject);
}

std::string mails(Assembly& parts) {
    Sections sections;
    const auto add = [&](const messaging::Template& mail, const char* mark) {
        const bool is_for_staff = messaging::is_for_staff(mail.key);
        sections[is_for_staff ? "To staff" : "To customers and account holders"].push_back(
            {code(mail.key) + mark, code(mail.event_key),
             code("email_template_" + std::string(mail.flag)) + (mail.initial ? "" : ", off by default"),
             without_text_tags(mail.subject)});
    };
    for (const messaging::Template& mail : messaging::templates())
        add(mail, "");
    for (const messaging::Template* mail : parts.messaging.service.parts.plugin_templates->all())
        add(*mail, " [Pro]");
    return page(
        "E-mails", "mails",
        "Each has a subject, an HTML text and a plain text in the languages of `base/i18n/mail`\n"
        "(test \"every e-mail has a subject, an HTML text and a plain text in English, German, Spanish and\n"
        "French\"). The test \"every e-mail goes for its event to its recipient, and no other one goes\" sends\n"
        "each once, except those that only modules of Pro cause. A file of the same name in\n"
        "`data_dir/theme/svc/mail` replaces a text; see [texts.md](texts.md).",
        {"template", "event", "switch", "subject"}, sections);
}

std::string tags(Assembly& parts) {
    Sections sections;
    for (const messaging::KnownTag& tag : messaging::defined_tags(parts.hooks))
        sections[tag.category].push_back(
            {code(tag.key), tag.label, tag.sample.empty() ? "" : code(tag.sample),
             tag.events.empty() ? "all" : comma_list(tag.events, [](const auto& event) { return code(event); })});
    return page(
        "Merge tags", "tags",
        "The names that texts of e-mails may use as `{{name}}`, by group. A name that ends in `_*` stands for all "
        "that begin so.",
        {"tag", "label", "sample", "events"}, sections);
}

std::string transitions() {
    constexpr std::pair<booking::Cause, std::string_view> causes[] = {
        {booking::Cause::staff, "Booking: set by staff"},
        {booking::Cause::payment, "Booking: a payment"},
        {booking::Cause::customer, "Booking: the customer"},
        {booking::Cause::sweep, "Booking: payment deadline passed"},
        {booking::Cause::clock, "Booking: last day passed"},
        {booking::Cause::verification, "Booking: guest confirmed the e-mail address"},
        {booking::Cause::channel, "Booking: a sales channel"},
        {booking::Cause::promotion, "Booking: promoted from the waitlist"},
        {booking::Cause::removal, "Booking: DELETE"},
        {booking::Cause::restoring, "Booking: restored from the trash"}};
    Sections sections;
    for (const auto& [cause, heading] : causes)
        for (const std::string_view from : booking::status::all) {
            Cells to;
            for (const booking::Transition& row : booking::transitions())
                if (row.cause == cause && row.from == from)
                    to.push_back(code(row.to));
            if (!to.empty())
                sections[std::string(heading)].push_back({code(from), comma_list(to, [](const auto& t) { return t; })});
        }
    for (const auto& [source, heading] :
         {std::pair{"manual", "Payment: recorded by staff"}, std::pair{"gateway", "Payment: all other sources"}})
        for (const std::string_view from : payment::status::all) {
            Cells to;
            for (const std::string_view next : payment::status::all)
                if (next != from && payment::may_change(from, next, source))
                    to.push_back(code(next));
            sections[heading].push_back(
                {code(from), to.empty() ? "nothing" : comma_list(to, [](const auto& t) { return t; })});
        }
    return page("Changes of status", "transitions",
                "Allowed transitions by cause and current status; setting the current status again is no change.",
                {"from", "to"}, sections);
}

}  // namespace

Names names_of(Assembly& parts) {
    Names names;
    for (const hooks::Action& hook : parts.hooks.actions())
        names.emplace(hook.name);
    for (const hooks::Filter& hook : parts.hooks.filters())
        names.emplace(hook.name);
    for (const settings::Setting& setting : parts.settings.all())
        names.insert(setting.key);
    for (const auto& route : parts.routes.all())
        names.insert(route_name(*route));
    for (const jobs::Job& job : parts.jobs.all())
        names.insert(job.name);
    return names;
}

std::string catalogue_of(Assembly& parts, const Names& base, std::string_view kind) {
    if (kind == "hooks")
        return hooks(parts, base);
    if (kind == "errors")
        return errors(parts, base);
    if (kind == "settings")
        return settings(parts, base);
    if (kind == "routes")
        return routes(parts, base);
    if (kind == "jobs")
        return jobs_page(parts, base);
    if (kind == "mails")
        return mails(parts);
    if (kind == "tags")
        return tags(parts);
    if (kind == "transitions")
        return transitions();
    if (kind == "openapi")
        return openapi(parts) + "\n";
    throw std::runtime_error("there is no catalogue \"" + std::string(kind) +
                             "\": choose hooks, errors, settings, routes, jobs, mails, tags, transitions or openapi");
}

}  // namespace svc::app
