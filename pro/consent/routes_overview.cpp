// GET /bookings/{id}/consent-status and /consent/departures/{id}.
#include "pro/consent/configuration.hpp"
#include "pro/consent/overview.hpp"
#include "pro/consent/routes.hpp"
#include "shared/api/guided.hpp"
#include "shared/api/named.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::consent {
namespace {

using api::Method;
using json::Value;

api::Schema summary_schema() {
    return {{.name = "required", .type = api::integer(0), .help = "Signatures that are needed.", .required = true},
            {.name = "signed", .type = api::integer(0), .required = true},
            {.name = "pending", .type = api::integer(0), .help = "Asked and not signed yet.", .required = true},
            {.name = "travelers", .type = api::list(duty_type(), 5000), .required = true}};
}

bool guides_booking(store::Session& session, std::int64_t user_id, std::int64_t booking_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_booking_guide_v1 WHERE booking_id = :booking_id AND guide_user_id = :user_id",
               {{"booking_id", booking_id}, {"user_id", user_id}}) > 0;
}

api::RouteSpec status_route(const Site& site) {
    auto spec = route(Method::get, "/bookings/{id}/consent-status", "Say who of a booking has signed which form.");
    spec.who = api::Permission::can("svc_view_bookings");
    spec.answer = api::object("ConsentStatus", summary_schema());
    spec.errors = {&errc::booking_not_found};
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        const auto guide = api::guided_by(request.caller);
        const std::int64_t age = adult_age(site);
        const auto duties = site.store.reading<std::optional<std::vector<Duty>>>([&](store::Session& session) {
            const auto party = party_of(session, request.path_id());
            const bool may = party && (!guide || guides_booking(session, *guide, party->booking_id));
            return may ? std::optional(duties_of(session, *party, published_forms(session), age)) : std::nullopt;
        });
        return duties ? api::ok(summary_of(*duties)) : api::failed(errc::booking_not_found);
    };
    return spec;
}

struct Departure {
    std::int64_t id = 0, trip_id = 0;
    std::string trip_title;
    Date start_date{};
    std::optional<ClockTime> start_time{};
    std::optional<std::int64_t> guide{};
};

std::optional<Departure> departure_of(store::Session& session, std::int64_t id) {
    return store::first_struct<Departure, std::int64_t, std::int64_t, std::string, Date, std::optional<ClockTime>,
                               std::optional<std::int64_t>>(
        session,
        "SELECT d.id, d.trip_id, COALESCE(t.title, ''), d.start_date, d.start_time, d.guide_user_id"
        " FROM svc_departure_v1 d LEFT JOIN svc_trip_v1 t ON t.id = d.trip_id"
        " WHERE d.id = :id AND d.deleted_at IS NULL",
        {{"id", id}});
}

// A booking is of the departure of its trip, day and time.
std::vector<std::int64_t> bookings_of(store::Session& session, const Departure& departure) {
    return store::values<std::int64_t>(
        session,
        "SELECT id FROM svc_booking_v2 WHERE trip_id = :trip_id AND travel_date = :day"
        " AND COALESCE(departure_time, '') = :time AND status IN ('pending', 'processing', 'on-hold', 'confirmed',"
        " 'completed') ORDER BY id LIMIT 1000",
        {{"trip_id", departure.trip_id},
         {"day", departure.start_date},
         {"time", departure.start_time ? departure.start_time->text() : std::string()}});
}

Value with_only(Value summary, const std::string& wanted) {
    if (wanted.empty())
        return summary;
    Value kept = Value::array();
    for (const Value& each : summary["travelers"].items())
        if ((each.text_or("status") == "signed") == (wanted == "signed"))
            kept.push(each);
    return summary.set("travelers", std::move(kept));
}

api::RouteSpec departure_route(const Site& site) {
    auto spec = route(Method::get, "/consent/departures/{id}", "Say who of a departure has not signed yet.");
    spec.who = api::Permission::can("svc_view_bookings");
    spec.query = {{.name = "status", .type = api::choice({"unsigned", "signed"}), .help = "Left out: all travelers."}};
    spec.answer =
        api::object("ConsentDeparture",
                    api::Schema{{.name = "departure",
                                 .type = api::object("ConsentDepartureFacts",
                                                     {{.name = "id", .type = api::id(), .required = true},
                                                      {.name = "trip_id", .type = api::id(), .required = true},
                                                      {.name = "trip_title", .type = api::text(255), .required = true},
                                                      {.name = "start_date", .type = api::date(), .required = true},
                                                      {.name = "start_time", .type = api::time().or_null()}}),
                                 .required = true}}
                        .plus(summary_schema()));
    spec.errors = {&errc::not_found};
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        const auto guide = api::guided_by(request.caller);
        const std::int64_t age = adult_age(site);
        return site.store.reading<api::Reply>([&](store::Session& session) -> api::Reply {
            const auto departure = departure_of(session, request.path_id());
            if (!departure || (guide && departure->guide != guide))
                return api::failed(errc::not_found);
            Value shown = Value::object({{"departure", Value::object({{"id", departure->id},
                                                                      {"trip_id", departure->trip_id},
                                                                      {"trip_title", departure->trip_title},
                                                                      {"start_date", departure->start_date},
                                                                      {"start_time", departure->start_time}})}});
            const auto duties = duties_of(session, bookings_of(session, *departure), published_forms(session), age);
            for (auto& [name, value] : with_only(summary_of(duties), request.query.text_or("status")).members())
                shown.set(name, value);
            return api::ok(std::move(shown));
        });
    };
    return spec;
}

}  // namespace

void add_overview_routes(const Site& site) {
    site.routes.add(status_route(site));
    site.routes.add(departure_route(site));
}

}  // namespace svc::pro::consent
