// Declarations, listeners, notice and jobs of Google Calendar.
#include "pro/google_calendar/feature.hpp"

#include "pro/common/module.hpp"
#include "pro/common/sealed_rows.hpp"
#include "pro/common/steps.hpp"
#include "pro/common/tables.hpp"
#include "pro/google_calendar/kept.hpp"
#include "pro/google_calendar/mails.hpp"
#include "pro/google_calendar/privacy.hpp"
#include "pro/google_calendar/routes.hpp"

namespace svc::pro::google_calendar {
namespace {

using json::Value;

hooks::Listener listener() { return {.name = "svc_google_calendar", .module = std::string(module_slug)}; }

Value with_notice(const Connected& now, const Value& notices) {
    Value all = notices;
    const bool is_gone = now.problem == problem::calendar_gone;
    if (!all.is_array() || (now.state != state::reconnect && !is_gone))
        return all;
    all.push(Value::object(
        {{"id", "google_calendar_reconnect"},
         {"type", "error"},
         {"title", is_gone ? "The Google calendar was deleted" : "Google Calendar must be connected again"},
         {"message", "Changes of departures and bookings wait until it works again. Nothing is lost."},
         {"actions", Value::array({Value::object({{"label", "Google Calendar"}, {"url", "/google-calendar"}})})},
         {"since", now.changed_at},
         {"dismissible", true}}));
    return all;
}

}  // namespace

Feature::Feature(const Site& site)
    : pro::Feature(site),
      google(site, site.host.need<plugin::FetchTwo>()),
      connection(site, google, site.host.need<plugin::Calls>()),
      sync(site, google, connection, site.host.need<plugin::Calls>()) {}

bool Feature::fits(const Site& site) {
    return site.jobs && site.host.find<plugin::FetchTwo>() && site.host.find<plugin::Calls>() &&
           site.hooks.knows("svc_departure_saved");
}

void Feature::listen() {
    site_.listen_if_known("svc_departure_saved", listener(),
                          [this](const json::Array& arguments) { sync.departure_changed(arguments.at(0).integer()); });
    for (const char* action : {"svc_booking_created", "svc_booking_updated", "svc_booking_confirmed",
                               "svc_booking_cancelled", "svc_booking_deleted"})
        site_.listen_if_known(action, listener(), [this](const json::Array& arguments) {
            sync.booking_changed(arguments.at(0).integer());
        });
    site_.listen_if_known("svc_booking_rescheduled", listener(), [this](const json::Array& arguments) {
        const Value& old_date = arguments.at(2);
        sync.booking_changed(arguments.at(0).integer(), old_date.is_string() ? old_date.text() : std::string());
    });
    site_.listen_if_known("svc_trip_updated", listener(),
                          [this](const json::Array& arguments) { sync.trip_changed(arguments.at(0).integer()); });
}

void Feature::declare() {
    site_.modules.declare(module_named(module_slug, {step("0270_google_calendar.sql")}));
    declare_settings(site_.settings);
    listen();
    site_.filter_if_known("svc_notices", listener(), [this](store::Transaction*, const json::Array& given) {
        return with_notice(site_.store.reading<Connected>(connected_now), given.front());
    });
    take_part_in_privacy(site_);
    renews_sealed(site_, "svc_google_calendar", sealed_columns());
    // Visits to Google's page last minutes: those that are under way begin again.
    site_.filter_if_known("svc_sealed_renewal", {.name = "svc_google_calendar_visits", .module = {}},
                          [this](store::Transaction*, const json::Array& given) {
                              must_be_kept(site_.store.write([](store::Transaction& tx) -> Result<void> {
                                  if (has_table(tx, "svc_google_calendar_states"))
                                      tx.run("DELETE FROM svc_google_calendar_states", {});
                                  return {};
                              }),
                                           "the end of visits to Google");
                              return given.front();
                          });
}

void Feature::connect() { declare_mails(site_); }

void Feature::add_routes() {
    add_connection_routes(site_, connection, google, sync);
    add_sync_routes(site_, sync);
}

void Feature::add_jobs() {
    site_.jobs->add({.name = std::string(sync_job),
                     .help = "Copies changes of departures and bookings to Google Calendar.",
                     .every = std::chrono::seconds(15),
                     .run = [this](Instant) -> Result<Value> {
                         if (!site_.modules.enabled(module_slug))
                             return Value::object({{"sent", 0}, {"failed", 0}});  // it may have no tables
                         return sync.run();
                     }});
    site_.jobs->add({.name = "google_calendar_check",
                     .help = "Looks once a day for departures and bookings that Google Calendar lacks.",
                     .daily_at = ClockTime::from_minutes(4 * 60 + 10),
                     .run = [this](Instant) -> Result<Value> {
                         if (!site_.modules.enabled(module_slug))
                             return Value::object({{"deleted", 0}});
                         return sync.check();
                     }});
}

}  // namespace svc::pro::google_calendar
