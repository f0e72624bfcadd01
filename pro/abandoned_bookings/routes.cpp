// GET /abandoned-bookings, …/{id}, …/statistics; DELETE …/{id}; POST …/{id}/send-email; settings and campaigns.
#include "pro/abandoned_bookings/routes.hpp"

#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"
#include "shared/resource/resource.hpp"

namespace svc::pro::abandoned_bookings {
namespace {

using api::Method;
using json::Value;

resource::Resource<AbandonedBooking> abandoned_resource(const Site& site) {
    const auto may = api::Permission::can(std::string(capability));
    return {abandoned_record(),
            resource::Options{.store = site.store,
                              .path = "/abandoned-bookings",
                              .one = "abandoned booking",
                              .many = "abandoned bookings",
                              .reads = may,
                              .writes = may,
                              .removes = may,
                              .module = std::string(module_slug),
                              .filters = {{.name = "trip_id", .type = api::id()},
                                          {.name = "step", .type = api::text(40), .help = "Where they stopped."}},
                              .zone = [&site] { return site.zone(); }},
            resource::Rules<AbandonedBooking>{}};
}

api::Type whole_type() {
    return api::object(
        abandoned_record()
            .answer_schema()
            .plus({{.name = "timeline",
                    .type = api::list(
                        api::object("AbandonedBookingEvent",
                                    {{.name = "kind",
                                      .type = api::choice({"began", "reached", "abandoned", "mail_sent", "coupon",
                                                           "skipped", "link_used", "ended", "recovered"}),
                                      .required = true},
                                     {.name = "detail", .type = api::text(200), .required = true},
                                     {.name = "happened_at", .type = api::instant(), .required = true}}),
                        200),
                    .help = "What happened, oldest first."},
                   {.name = "mails",
                    .type = api::list(api::object("AbandonedBookingMail",
                                                  {{.name = "template", .type = api::text(64), .required = true},
                                                   {.name = "subject", .type = api::text(998), .required = true},
                                                   {.name = "status", .type = api::text(20), .required = true},
                                                   {.name = "error", .type = api::text(2000)},
                                                   {.name = "created_at", .type = api::instant(), .required = true},
                                                   {.name = "sent_at", .type = api::instant().or_null()}}),
                                      100),
                    .help = "As the log of e-mails has them, oldest first."}})
            .named("AbandonedBookingWhole"));
}

Value shown_whole(const Site& site, const AbandonedBooking& row) {
    Value timeline = Value::array();
    for (const Event& event : site.store.reading<std::vector<Event>>(
             [&](store::Session& session) { return Repository::events(session, row.id); }))
        timeline.push(Value::object({{"kind", event.kind}, {"detail", event.detail}, {"happened_at", event.at}}));
    Value shown = abandoned_record().to_json(row);
    shown.set("timeline", std::move(timeline));
    return shown.set("mails", mails_about(site, row));
}

api::RouteSpec read_route(const Site& site) {
    auto spec = route(Method::get, "/abandoned-bookings/{id}",
                      "Return an abandoned booking with what happened to it and the e-mails that were sent.");
    spec.answer = whole_type();
    spec.errors = {&errc::not_found};
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        const auto row = site.store.reading<std::optional<AbandonedBooking>>(
            [&](store::Session& session) { return abandoned_record().find(session, request.path_id()); });
        return row ? api::ok(shown_whole(site, *row)) : api::failed(errc::not_found);
    };
    return spec;
}

api::RouteSpec send_route(Reminders& reminders) {
    auto spec = route(Method::post, "/abandoned-bookings/{id}/send-email",
                      "Send the next reminder at once, or the text of a campaign; three at most, and none to somebody"
                      " who has booked or wants none.");
    spec.body = {{.name = "campaign_id",
                  .type = api::id().referring_to("abandoned-bookings/campaigns").or_null(),
                  .help = "Whose text; else the next reminder's."}};
    spec.answer = api::object("AbandonedBookingSent",
                              {{.name = "sent", .type = api::boolean(), .required = true},
                               {.name = "recovery_emails_sent", .type = api::integer(0, most_reminders)}});
    spec.errors = {&errc::not_found, &no_reminder};
    spec.stores_reply = true;
    spec.handle = [&reminders](const api::Request& request) {
        return api::respond_once(
            request,
            [&] { return reminders.send(request.path_id(), request.body.maybe_integer("campaign_id"), request.now); },
            [](const AbandonedBooking& row) {
                return api::ok(Value::object({{"sent", true}, {"recovery_emails_sent", row.emails_sent}}));
            });
    };
    return spec;
}

api::Type sum_type() {
    return api::object("RecoveredSum", {{.name = "count", .type = api::integer(0), .required = true},
                                        {.name = "value", .type = api::money(), .required = true}});
}

api::RouteSpec statistics_route(const Site& site) {
    auto spec = route(Method::get, "/abandoned-bookings/statistics",
                      "Count abandoned bookings by status and sum what came back, by the day on which they were"
                      " abandoned.");
    spec.query = api::period_fields();
    std::vector<api::Field> fields;
    for (const char* name : {"total_abandoned", "total_contacted", "total_recovered", "total_expired", "emails_sent"})
        fields.push_back({.name = name, .type = api::integer(0), .required = true});
    fields.push_back({.name = "recovery_rate",
                      .type = api::percent(),
                      .help = "Share that came back by a link or after an e-mail.",
                      .required = true});
    fields.push_back({.name = "total_recovered_value",
                      .type = api::money(),
                      .help = "Totals of those bookings, without any that were called off.",
                      .required = true});
    fields.push_back({.name = "open_value", .type = api::money(), .help = "What may still come back."});
    fields.push_back({.name = "currency", .type = api::text(3), .required = true});
    fields.push_back({.name = "recovered_by_link", .type = sum_type(), .help = "By a link or coupon of an e-mail."});
    fields.push_back({.name = "recovered_by_time", .type = sum_type(), .help = "After an e-mail, without either."});
    fields.push_back({.name = "recovered_by_self", .type = sum_type(), .help = "Before any e-mail."});
    fields.push_back(
        {.name = "by_step",
         .type = api::list(api::object("AbandonedStep", {{.name = "step", .type = api::text(40), .required = true},
                                                         {.name = "fault", .type = api::text(200), .required = true},
                                                         {.name = "count", .type = api::integer(1), .required = true},
                                                         {.name = "recovered", .type = api::integer(0)}}),
                           20),
         .help = "Where they stopped, the most frequent first."});
    spec.answer = api::object("AbandonedStatistics", api::Schema(std::move(fields)));
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(request.query, site.zone()));
        const Instant from = period.from.value_or(Instant::from_micros(0)),
                      to = period.to.value_or(Instant::from_micros(INT64_MAX));
        return api::ok(site.store.reading<Value>(
            [&](store::Session& session) { return Repository::statistics(session, site.currency(), from, to); }));
    };
    return spec;
}

void add_settings_routes(const Site& site) {
    const api::Type answer = api::object("AbandonedBookingSettings", settings_schema());
    auto read = route(Method::get, "/abandoned-bookings/settings", "Return the settings of abandoned bookings.");
    read.answer = answer;
    read.handle = [&site](const api::Request&) { return api::ok(settings_json(site)); };
    site.routes.add(std::move(read));
    auto write = route(Method::put, "/abandoned-bookings/settings", "Change settings of abandoned bookings.");
    write.body = settings_schema();
    write.answer = answer;
    write.repeats_safely = true;
    write.rules = [&site](const api::Request& request) -> Result<std::vector<FieldError>> {
        const auto checked = check_settings(site, request.body);
        return checked ? std::vector<FieldError>() : checked.error().fields();
    };
    write.handle = [&site](const api::Request& request) -> api::Reply {
        SVC_RETURN_IF_ERROR(check_settings(site, request.body));
        SVC_RETURN_IF_ERROR(site.store.write(
            [&](store::Transaction& tx) { return write_settings(site, request.body, tx, request.caller.user_id); }));
        return api::ok(settings_json(site));
    };
    site.routes.add(std::move(write));
}

}  // namespace

api::RouteSpec route(Method method, std::string path, std::string summary) {
    api::RouteSpec spec{
        .method = method, .path = std::move(path), .who = api::Permission::can(std::string(capability)), .handle = {}};
    spec.module = std::string(module_slug);
    spec.summary = std::move(summary);
    return spec;
}

void add_staff_routes(const Site& site, Reminders& reminders) {
    const auto abandoned = abandoned_resource(site);
    auto list = abandoned.list_route();
    list.summary = "List abandoned bookings.";
    auto remove = abandoned.remove_route();
    remove.summary = "Delete an abandoned booking with all that is known of its customer.";
    site.routes.add(list, resource::Routes::headers());
    site.routes.add(statistics_route(site));
    add_settings_routes(site);
    const auto campaigns = campaign_resource(site);
    auto campaign_list = campaigns.list_route();
    campaign_list.summary = "List recovery campaigns.";
    auto campaign_remove = campaigns.remove_route();
    campaign_remove.summary = "Delete a recovery campaign.";
    for (auto& spec :
         {campaign_list, campaigns.create_route(), campaigns.read_route(), campaigns.update_route(), campaign_remove})
        site.routes.add(spec, resource::Routes::headers());
    site.routes.add(read_route(site));
    site.routes.add(remove, resource::Routes::headers());
    site.routes.add(send_route(reminders));
}

}  // namespace svc::pro::abandoned_bookings
