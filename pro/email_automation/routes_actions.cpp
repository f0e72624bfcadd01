// POST /email-templates/{id}/override, …/preview, …/test, …/duplicate and /email-templates/overrides/reorder.
#include <algorithm>
#include <set>

#include "pro/crypto/hmac.hpp"
#include "pro/email_automation/mails.hpp"
#include "pro/email_automation/resource.hpp"
#include "pro/email_automation/routes.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"

namespace svc::pro::email_automation {
namespace {

using api::Method;
using json::Value;

Result<EmailTemplate> template_of(const Site& site, std::int64_t id) {
    auto found = site.store.reading<std::optional<EmailTemplate>>(
        [&](store::Session& session) { return template_record().find(session, id); });
    if (!found)
        return errc::not_found;
    return std::move(*found);
}

// Stores another template by the values of a body that passed its schema.
api::Reply made_by(const Site& site, const TemplateResource& resource, const api::Request& request, const Value& body,
                   const EmailTemplate& fresh) {
    return resource.engine().guarded(true, [&] {
        return api::respond_once(
            request,
            [&] {
                return site.store.transact<EmailTemplate>([&](store::Transaction& tx) {
                    return resource.create(tx, fresh, body, resource::writer_of(request));
                });
            },
            [](const EmailTemplate& made) {
                return api::created(template_record().to_json(made), "/email-templates/" + std::to_string(made.id));
            });
    });
}

api::RouteSpec override_route(const Site& site, const TemplateResource& resource, Templates& templates) {
    auto spec = route(Method::post, "/email-templates/{id}/override",
                      "Make an override of a template for some trips, categories or types of trip.");
    spec.body = {
        {.name = "targets",
         .type = api::object("EmailTargets",
                             {{.name = "trips", .type = api::list(api::id(), 500)},
                              {.name = "categories",
                               .type = api::list(api::id(), 500),
                               .help = "Trip categories, with those below them."},
                              {.name = "trip_types", .type = api::list(api::choice({"single_day", "multi_day"}), 2)}}),
         .required = true},
        {.name = "priority", .type = api::integer(0, 1'000'000), .otherwise = Value(10)},
        {.name = "name", .type = api::text(150)},
        {.name = "subject", .type = api::text(255), .help = "Without it that of the template."},
        {.name = "body", .type = api::raw_text(60'000), .help = "Without it that of the template."}};
    spec.answer = template_answer();
    spec.success = 201;
    spec.stores_reply = true;
    spec.errors = {&errc::not_found, &errc::conflict};
    spec.handle = [&site, resource, &templates](const api::Request& request) -> api::Reply {
        SVC_RETURN_IF_ERROR(templates.refresh());
        SVC_ASSIGN_OR_RETURN(const auto from, template_of(site, request.path_id()));
        if (from.is_override())
            return api::failed(
                Error{errc::conflict, "This is an override. Override the template that it replaces."_sentence});
        const Value& asked = request.body;
        SVC_RETURN_IF_ERROR(
            templates.check_texts(templates.rendered_as(from), asked.maybe_text("subject"), asked.maybe_text("body")));
        const auto or_its = [&](const char* member, const std::string& its) {
            const std::string given = asked.text_or(member);
            return given.empty() ? its : given;
        };
        const Value body = Value::object({{"name", or_its("name", from.name)},
                                          {"category", from.category},
                                          {"recipient_type", from.recipient_type},
                                          {"subject", or_its("subject", from.subject)},
                                          {"body", or_its("body", from.body)},
                                          {"is_active", true},
                                          {"settings", Value::object({{"overrides", from.template_key},
                                                                      {"targets", asked["targets"]},
                                                                      {"priority", asked["priority"]}})}});
        return made_by(site, resource, request, body, {});
    };
    return spec;
}

// At most 140 bytes of whole characters.
std::string shortened(std::string name) {
    constexpr std::size_t most = 140;
    if (name.size() <= most)
        return name;
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U)
        --end;
    return name.substr(0, end);
}

api::RouteSpec duplicate_route(const Site& site, const TemplateResource& resource) {
    auto spec = route(Method::post, "/email-templates/{id}/duplicate", "Copy a template; the copy is off.");
    spec.answer = template_answer();
    spec.success = 201;
    spec.stores_reply = true;
    spec.errors = {&errc::not_found};
    spec.handle = [&site, resource](const api::Request& request) -> api::Reply {
        SVC_ASSIGN_OR_RETURN(auto copy, template_of(site, request.path_id()));
        copy.id = 0;
        copy.row_version = 1;
        copy.is_system = false;
        copy.is_customized = true;
        copy.is_active = false;
        if (!copy.is_override())
            copy.template_key.clear();  // made from the name
        const Value body = Value::object({{"name", shortened(copy.name) + " (copy)"},
                                          {"category", copy.category},
                                          {"recipient_type", copy.recipient_type},
                                          {"is_active", false}});
        return made_by(site, resource, request, body, copy);
    };
    return spec;
}

// The first of the list gets the largest priority.
Result<std::vector<EmailTemplate>> reordered(store::Transaction& tx, const std::string& key,
                                             const std::vector<std::int64_t>& ids, const record::Writer& writer) {
    static const std::string of_key = template_record().select("WHERE r.overrides = :key ORDER BY r.id");
    auto all = template_record().all(tx, of_key, {{"key", key}});
    if (all.empty())
        return invalid("overrides", "This template has no overrides."_sentence);
    std::vector<EmailTemplate> ordered;
    for (const std::int64_t id : ids) {
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const EmailTemplate& each) { return each.id == id; });
        if (found == all.end())
            return invalid("ids", "Name each override of this template once."_sentence);
        ordered.push_back(std::move(*found));
        all.erase(found);
    }
    if (!all.empty())
        return invalid("ids", "Name each override of this template once."_sentence);
    std::int64_t priority = 10 * static_cast<std::int64_t>(ordered.size());
    for (EmailTemplate& each : ordered) {
        each.priority = priority;
        priority -= 10;
        template_record().update(tx, each, writer);
    }
    return ordered;
}

api::RouteSpec reorder_route(const Site& site) {
    auto spec = route(Method::post, "/email-templates/overrides/reorder",
                      "Set the priorities of all overrides of a template: the first is the most important.");
    spec.body = {
        {.name = "overrides", .type = api::text(100, 1), .help = "template_key of the template.", .required = true},
        {.name = "ids", .type = api::list(api::id(), 500, 1), .required = true}};
    spec.answer = api::list(template_answer(), 500);
    spec.stores_reply = true;
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        std::vector<std::int64_t> ids;
        for (const Value& id : request.body["ids"].items())
            ids.push_back(id.integer());
        return api::respond_once(
            request,
            [&] {
                return site.store.transact<std::vector<EmailTemplate>>([&](store::Transaction& tx) {
                    return reordered(tx, request.body["overrides"].text(), ids, resource::writer_of(request));
                });
            },
            [](const std::vector<EmailTemplate>& all) {
                return api::ok(
                    json::array_of(all, [](const EmailTemplate& each) { return template_record().to_json(each); }));
            });
    };
    return spec;
}

api::RouteSpec preview_route(const Site& site, Templates& templates) {
    auto spec = route(Method::post, "/email-templates/{id}/preview",
                      "Render a template as it would be sent, with sample data or for a booking.");
    spec.body = {{.name = "subject", .type = api::raw_text(255), .help = "A draft in place of the stored one."},
                 {.name = "body", .type = api::raw_text(60'000), .help = "A draft in place of the stored one."},
                 {.name = "trip_id", .type = api::id().or_null(), .help = "The trip of the sample data."},
                 {.name = "booking_id", .type = api::id().or_null(), .help = "Needs the right to read the booking."}};
    spec.answer =
        api::object("EmailTemplatePreview", {{.name = "subject", .type = api::raw_text(1000), .required = true},
                                             {.name = "body", .type = api::raw_text(1'000'000), .required = true},
                                             {.name = "text", .type = api::raw_text(1'000'000)}});
    spec.keeps_replay = false;
    spec.errors = {&errc::not_found, &errc::booking_not_found, &errc::trip_not_found};
    spec.handle = [&site, &templates](const api::Request& request) -> api::Reply {
        SVC_RETURN_IF_ERROR(templates.refresh());
        SVC_ASSIGN_OR_RETURN(const auto shown, template_of(site, request.path_id()));
        SVC_ASSIGN_OR_RETURN(const auto done, templates.preview(shown, request.body, request.caller.user_id));
        return api::ok(Value::object({{"subject", done["subject"]}, {"body", done["body"]}, {"text", done["text"]}}));
    };
    return spec;
}

api::RouteSpec test_route(const Site& site, Templates& templates) {
    auto spec = route(Method::post, "/email-templates/{id}/test", "Send a template with sample data to an address.");
    spec.body = {{.name = "email", .type = api::email(), .required = true}};
    spec.answer = api::object(
        "EmailTemplateTested",
        {{.name = "sent", .type = api::boolean(), .help = "Whether it goes to a mail server.", .required = true},
         {.name = "message", .type = api::text(300), .required = true}});
    spec.limit = {.burst = 30, .seconds = 600, .per = api::RateLimit::Per::credential};
    spec.keeps_replay = false;
    spec.errors = {&errc::not_found};
    spec.handle = [&site, &templates](const api::Request& request) -> api::Reply {
        SVC_RETURN_IF_ERROR(templates.refresh());
        SVC_ASSIGN_OR_RETURN(const auto shown, template_of(site, request.path_id()));
        SVC_ASSIGN_OR_RETURN(const auto done, templates.preview(shown, Value::object(), 0));
        const std::string to = request.body["email"].text();
        SVC_RETURN_IF_ERROR(site.store.write([&](store::Transaction& tx) {
            return queue_rendered(site, tx, to, "test:" + crypto::random_hex(16), done.text_or("subject"),
                                  done.text_or("body"));
        }));
        const Value server = site.settings.get("smtp_enabled");
        const bool goes = server.is_boolean() && server.boolean();
        return api::ok(Value::object({{"sent", goes},
                                      {"message", goes ? "The e-mail is on its way to " + to + "."
                                                       : "No mail server is set; the e-mail waits in the queue."}}));
    };
    return spec;
}

}  // namespace

void add_action_routes(const Site& site, Templates& templates) {
    const auto resource = template_resource(site, templates);
    site.routes.add(reorder_route(site));
    site.routes.add(override_route(site, resource, templates));
    site.routes.add(preview_route(site, templates));
    site.routes.add(test_route(site, templates));
    site.routes.add(duplicate_route(site, resource));
}

}  // namespace svc::pro::email_automation
