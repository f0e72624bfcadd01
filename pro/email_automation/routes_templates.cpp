// CRUD of /email-templates; GET …/resolve, …/variables, …/events.
#include <algorithm>

#include "pro/email_automation/events.hpp"
#include "pro/email_automation/resource.hpp"
#include "pro/email_automation/routes.hpp"
#include "shared/api/named.hpp"
#include "shared/plugin/host_calls.hpp"

namespace svc::pro::email_automation {
namespace {

using api::Method;
using json::Value;

// Lists and reads show the e-mails of the base as they are now.
api::RouteSpec refreshed(api::RouteSpec spec, Templates& templates) {
    spec.handle = [inner = spec.handle, &templates](const api::Request& request) -> api::Reply {
        SVC_RETURN_IF_ERROR(templates.refresh());
        return inner(request);
    };
    spec.waits = true;
    spec.brief = false;
    return spec;
}

api::RouteSpec create_route(const TemplateResource& resource, Templates& templates) {
    auto spec = resource.create_route();
    spec.handle = [inner = spec.handle, &templates](const api::Request& request) -> api::Reply {
        SVC_RETURN_IF_ERROR(templates.refresh());
        EmailTemplate made;
        made.template_key = request.body.text_or("template_key");
        made.overrides = request.body["settings"].text_or("overrides");
        made.category = request.body.text_or("category", made.category);
        SVC_RETURN_IF_ERROR(templates.check_texts(templates.rendered_as(made), request.body.maybe_text("subject"),
                                                  request.body.maybe_text("body")));
        return inner(request);
    };
    return spec;
}

api::RouteSpec update_route(const Site& site, const TemplateResource& resource, Templates& templates) {
    auto spec = resource.update_route();
    spec.handle = [inner = spec.handle, &site, &templates](const api::Request& request) -> api::Reply {
        SVC_RETURN_IF_ERROR(templates.refresh());
        const auto before = site.store.reading<std::optional<EmailTemplate>>(
            [&](store::Session& session) { return template_record().find(session, request.path_id()); });
        if (before) {
            SVC_RETURN_IF_ERROR(templates.check_texts(
                templates.rendered_as(*before), request.body.maybe_text("subject"), request.body.maybe_text("body")));
        }
        return inner(request);
    };
    return spec;
}

api::RouteSpec resolve_route(Templates& templates) {
    auto spec = route(Method::get, "/email-templates/resolve",
                      "Return the template that an e-mail about a trip is written by, and why.");
    spec.query = {
        {.name = "trip_id", .type = api::id(), .required = true},
        {.name = "template_key", .type = api::text(100), .help = "The e-mail; or event_key."},
        {.name = "event_key", .type = api::text(100), .help = "The e-mail that this event sends to customers."}};
    spec.answer =
        api::object("EmailTemplateMatch", {{.name = "template", .type = template_answer(), .required = true},
                                           {.name = "matched_by",
                                            .type = api::choice({"trip", "category", "trip_type", "global"}),
                                            .help = "What of the trip the override names; global: no override fits.",
                                            .required = true}});
    spec.errors = {&errc::not_found, &errc::trip_not_found};
    spec.handle = [&templates](const api::Request& request) -> api::Reply {
        std::string key = request.query.text_or("template_key");
        const std::string event = request.query.text_or("event_key");
        if (key.empty() && event.empty())
            return api::failed(invalid("template_key", "Enter template_key or event_key."_sentence));
        if (!event.empty() && !find_event(event))
            return api::failed(invalid("event_key", Sentence::verbatim("Invalid event key")));
        SVC_RETURN_IF_ERROR(templates.refresh());
        if (key.empty())
            key = templates.key_of_event(event);
        SVC_ASSIGN_OR_RETURN(const auto match, templates.resolve(request.query["trip_id"].integer(), key));
        return api::ok(
            Value::object({{"template", template_record().to_json(match.found)}, {"matched_by", match.matched_by}}));
    };
    return spec;
}

api::Type tag_type() {
    return api::object("EmailVariable",
                       {{.name = "key", .type = api::text(100), .help = "As in {{ key }}.", .required = true},
                        {.name = "label", .type = api::text(200)},
                        {.name = "description", .type = api::text(500)},
                        {.name = "sample", .type = api::raw_text(2000)},
                        {.name = "events", .type = api::list(api::text(100), 200), .help = "Empty: all."}});
}

api::RouteSpec variables_route(const Site& site) {
    auto spec = route(Method::get, "/email-templates/variables", "List the merge tags of e-mails, by category.");
    spec.query = {{.name = "event_key", .type = api::text(100), .help = "Tags of the e-mails of this event alone."}};
    spec.answer = api::map(api::list(tag_type(), 1000));
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        const std::string event = request.query.text_or("event_key");
        if (!event.empty() && !find_event(event))
            return api::failed(invalid("event_key", Sentence::verbatim("Invalid event key")));
        Value query = Value::object();
        if (!event.empty())
            query.set("event_key", event);
        SVC_ASSIGN_OR_RETURN(const auto reply, site.host.need<plugin::Calls>()({.path = "/email-template-variables",
                                                                                .query = std::move(query),
                                                                                .as = plugin::Calls::As::system}));
        if (!reply.is_good())
            return api::failed(Error{errc::unavailable}.because("the base listed no tags: " + reply.code()));
        Value all = Value::object();
        for (const auto& [category, tags] : reply.data().members())
            all.set(category, json::array_of(tags.items(), [](const Value& tag) {
                        Value shown = Value::object();
                        for (const char* member : {"key", "label", "description", "sample", "events"})
                            shown.set(member, tag[member]);
                        return shown;
                    }));
        return api::ok(std::move(all));
    };
    return spec;
}

api::RouteSpec events_route() {
    auto spec = route(Method::get, "/email-templates/events", "List the events that templates may be for.");
    spec.answer = api::list(
        api::object("EmailEvent",
                    {{.name = "key", .type = api::text(100), .required = true},
                     {.name = "name", .type = api::text(100), .required = true},
                     {.name = "description", .type = api::text(300), .required = true},
                     {.name = "begins_sequences", .type = api::boolean(), .help = "A sequence may begin with it."}}),
        200);
    spec.handle = [](const api::Request&) {
        return api::ok(json::array_of(events(), [](const Event& event) {
            return Value::object({{"key", event.key},
                                  {"name", event.name},
                                  {"description", event.description},
                                  {"begins_sequences", event.begins_sequences}});
        }));
    };
    return spec;
}

}  // namespace

void add_template_routes(const Site& site, Templates& templates) {
    const auto resource = template_resource(site, templates);
    site.routes.add(resolve_route(templates));
    site.routes.add(variables_route(site));
    site.routes.add(events_route());
    site.routes.add(refreshed(resource.list_route(), templates), resource::Routes::headers());
    site.routes.add(refreshed(resource.read_route(), templates), resource::Routes::headers());
    site.routes.add(create_route(resource, templates), resource::Routes::headers());
    site.routes.add(update_route(site, resource, templates), resource::Routes::headers());
    site.routes.add(resource.remove_route(), resource::Routes::headers());
}

}  // namespace svc::pro::email_automation
