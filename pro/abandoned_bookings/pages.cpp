// Makes the models of pro/pages/booking-recovery.html, no-reminders.html and booking-reminders.html.
#include "pro/abandoned_bookings/pages.hpp"

#include "pro/common/page_files.hpp"
#include "shared/core/country.hpp"
#include "shared/core/uri.hpp"

namespace svc::pro::abandoned_bookings {
namespace {

using json::Value;

constexpr const char* parts_filter = "svc_booking_page_parts";

Value amount(const Money& money) { return Value::object({{"amount", money}, {"currency", money.currency().code()}}); }

std::string booking_path(const Site& site, const std::string& slug) {
    return "/" + text::uri_component(site.settings.text("booking_base")) + "/" + text::uri_component(slug);
}

// The hidden fields by which the form of the booking's details begins with what was chosen.
Value carried(const Offer& offer) {
    Value fields = Value::array();
    const auto add = [&](const std::string& name, const std::string& value) {
        if (!value.empty())
            fields.push(Value::object({{"name", name}, {"value", value}}));
    };
    const AbandonedBooking& row = offer.row;
    add("_date", row.travel_date->text());
    if (row.departure_time)
        add("_time", row.departure_time->text());
    for (const auto& [category, count] : row.traveler_counts)
        add("_c" + std::to_string(category), std::to_string(count));
    if (row.traveler_counts.empty())
        add("_travelers", std::to_string(row.travelers));
    for (const auto& [service, count] : row.services)
        add("_s" + std::to_string(service), std::to_string(count));
    add("_coupon", offer.coupon_code);
    for (const auto& [name, value] : contact_of(row).members())
        add(name, value.text());
    return fields;
}

Value recovery_model(const Site& site, const Offer& offer) {
    const AbandonedBooking& row = offer.row;
    Value model = Value::object({{"is_booked", offer.is_booked()},
                                 {"can_go_on", offer.gone.empty() && !offer.is_booked()},
                                 {"is_trip_gone", offer.gone == "trip"},
                                 {"is_date_gone", offer.gone == "date"},
                                 {"is_sold_out", offer.gone == "sold_out"},
                                 {"is_choice_gone", offer.gone == "choice"},
                                 {"travelers", row.travelers},
                                 {"coupon", offer.coupon_code},
                                 {"has_changed", offer.has_changed()},
                                 {"is_dearer", offer.has_changed() && *offer.before < *offer.now}});
    if (row.travel_date)
        model.set("day", Value::object({{"date", *row.travel_date}}));
    if (row.departure_time)
        model.set("time", *row.departure_time);
    if (offer.now)
        model.set("total", amount(*offer.now));
    if (offer.has_changed())
        model.set("before", amount(*offer.before));
    if (offer.trip) {
        model.set("title", offer.trip->title);
        model.set("choose", booking_path(site, offer.trip->slug));
        if (offer.gone.empty()) {
            model.set("action", booking_path(site, offer.trip->slug) + "/details");
            model.set("carried", carried(offer));
        }
    }
    return model;
}

Result<Value> recovery_page(const Site& site, const Recovery& recovery, const Value& request) {
    const Instant now = site.clock.now();
    SVC_ASSIGN_OR_RETURN(const auto offer, recovery.offer(request["names"].text_or("token"), now));
    // Sent by the page's script when the visitor goes on: programs that look at mailed links do not.
    if (request.text_or("method") == "POST" && offer.gone.empty())
        recovery.use(offer.row, now);
    return Value::object({{"title", "Your booking"}, {"model", recovery_model(site, offer)}});
}

Result<Value> stop_page(const Site& site, const Recovery& recovery, const Value& request) {
    const Instant now = site.clock.now();
    const std::string token = request["names"].text_or("token");
    const auto row = recovery.opened(LinkKind::stop, token, now);
    // A link that has ended has nothing left to stop.
    const bool has_ended = !row && row.error().code().name == errc::token_expired.name;
    if (!row && !has_ended)
        return row.error();
    bool is_done = has_ended || row->unsubscribed;
    if (!is_done && request.text_or("method") == "POST") {
        SVC_RETURN_IF_ERROR(recovery.stop(token, now));
        is_done = true;
    }
    Value model = Value::object({{"is_done", is_done}, {"action", request.text_or("path")}});
    if (row)
        model.set("email", row->email);
    return Value::object({{"title", "Reminders of your booking"}, {"model", std::move(model)}});
}

// The rules of consent by country; the empty name is that of all others.
Value rules_of(const Site& site) {
    Value rules = Value::object({{"", name_of(consent_in(site, ""))}});
    const Value settings = settings_json(site);  // outlives the loop over its member
    for (const auto& [country, rule] : settings["consent_by_country"].members())
        rules.set(country, rule);
    return rules;
}

Value with_notice(const Site& site, const std::string& base_path, const json::Array& given) {
    Value parts = given.at(0);
    const std::string type = given.at(1).text();
    const auto checkout = given.at(2).maybe_integer("id");
    if (!checkout || !is_tracking(site))
        return parts;
    bool has_declined = false, has_agreed = false;
    site.store.read([&](store::Session& session) {
        has_declined = Repository::has_declined(session, *checkout);
        const auto row = Repository::of_checkout(session, *checkout);
        has_agreed = row && row->consent == "opt_in";
    });
    if (has_declined)
        return parts;
    parts.push(Value::object({{"page", "booking-reminders"},
                              {"model", Value::object({{"is_part", true},
                                                       {"mark", page_mark(site.secrets, *checkout)},
                                                       {"track_url", base_path + "/abandoned-bookings/track"},
                                                       {"rules", rules_of(site).dump()},
                                                       {"step", type == "booking-pay" ? "pay" : "details"},
                                                       {"has_agreed", has_agreed}})}}));
    return parts;
}

}  // namespace

void add_pages(const Site& site, const Recovery& recovery, Reminders& reminders) {
    if (!site.pages)
        return;  // an older base: e-mails are sent and links open nothing, so the module is not built there
    site.pages->add(
        {.path = "/booking-recovery/{token}",
         .type = "booking-recovery",
         .template_source = page_template("booking-recovery.html"),
         .module = std::string(module_slug),
         .takes_forms = true,
         .show = [&site, &recovery](const Value& request) { return recovery_page(site, recovery, request); }});
    site.pages->add({.path = "/no-reminders/{token}",
                     .type = "no-reminders",
                     .template_source = page_template("no-reminders.html"),
                     .module = std::string(module_slug),
                     .takes_forms = true,
                     .show = [&site, &recovery](const Value& request) { return stop_page(site, recovery, request); }});
    site.pages->add({.path = "/booking-reminders",
                     .type = "booking-reminders",
                     .template_source = page_template("booking-reminders.html"),
                     .module = std::string(module_slug),
                     .show = [](const Value&) -> Result<Value> {
                         return Value::object({{"title", "Reminders of your booking"}, {"model", Value::object()}});
                     }});
    for (const char* script : {"recovery.js", "reminders.js"})
        add_page_script(*site.pages, script);
    site.filter_if_known(parts_filter, {.name = "svc_abandoned_bookings", .module = std::string(module_slug)},
                         [&site, &reminders](store::Transaction*, const json::Array& given) {
                             const auto base_path = reminders.base_path();
                             return base_path ? with_notice(site, *base_path, given) : given.at(0);
                         });
}

}  // namespace svc::pro::abandoned_bookings
