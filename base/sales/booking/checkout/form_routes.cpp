// RouteSpecs of the booking form and of a trip's booking page.
#include "base/catalog/trips/record/display.hpp"
#include "base/sales/booking/cancellation/trip_terms.hpp"
#include "base/sales/booking/checkout/routes.hpp"
#include "base/sales/booking/form/form.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "base/sales/pricing/wire.hpp"
#include "base/settings/values/site_pages.hpp"
#include "shared/api/named.hpp"

namespace svc::booking {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

constexpr int dates_shown = 60;

api::Type form_answer() {
    const api::Type section = api::map(api::anything());
    return api::object(
        "BookingForm",
        {{.name = "contact_form", .type = section, .help = "title, description, enabled, fields.", .required = true},
         {.name = "emergency_contact_form", .type = section, .help = "Same members as contact_form.", .required = true},
         {.name = "traveler_form",
          .type = section,
          .help = "Same members; applies_to of a field is lead or all.",
          .required = true}});
}

void add_form(api::RouteTable& routes, Forms& forms, settings::Settings& settings) {
    routes.add({.method = Method::get,
                .path = "/settings/booking-form",
                .who = Permission::any_of({"svc_view_bookings", "svc_edit_bookings", "svc_manage_settings"}),
                .summary = "Return the stored booking form, or with trip_id the form shown for that trip.",
                .query = {{.name = "trip_id", .type = api::id(), .help = "Id of a trip of any status."}},
                .answer = form_answer(),
                .errors = {&errc::trip_not_found},
                .handle = [&forms](const Request& request) {
                    const auto trip_id = request.query.maybe_integer("trip_id");
                    return api::respond(trip_id ? forms.form_for_staff(*trip_id) : forms.form(std::nullopt, false),
                                        [](Value form) { return api::ok(std::move(form)); });
                }});
    routes.add({.method = Method::put,
                .path = "/settings/booking-form",
                .who = Permission::can("svc_manage_settings"),
                .summary = "Store the booking form. Drops unknown types, widths and members; keeps locked fields.",
                .answer = form_answer(),
                .free_body = true,
                .repeats_safely = true,
                .handle = [&forms, &settings](const Request& request) -> Reply {
                    SVC_RETURN_IF_ERROR(form::check_shape(request.body));
                    auto written =
                        settings.write(Value::object({{"booking_form_config", request.body}}), request.caller.user_id);
                    if (!written)
                        return api::failed(written.error());
                    return api::respond(forms.form(std::nullopt, false),
                                        [](Value form) { return api::ok(std::move(form)); });
                }});
}

Value price_types_json(const catalog::trips::Trip& trip) {
    return json::array_of(trip.price_types,
                          [&](const catalog::trips::PriceType& type) { return catalog::trips::to_json(type); });
}

// The date that a visitor has chosen already; nothing: none, or one that is not offered.
const availability::Bookable* date_named(const std::vector<availability::Bookable>& dates, const Value& query) {
    const std::string day = query.text_or("travel_date"), time = query.text_or("departure_time");
    for (const availability::Bookable& date : dates)
        if (!day.empty() && date.date.text() == day && (time.empty() || (date.time && date.time->text() == time)))
            return &date;
    return nullptr;
}

// The payment options and extras to choose from, priced for the smallest party on the date that is chosen, else on the
// next one that has a price.
void add_choices(Value& page, const CheckoutRoutes& checkout, const catalog::trips::Trip& trip,
                 const std::vector<availability::Bookable>& dates, const Value& query) {
    std::optional<pricing::Quote> quote;
    if (const auto* chosen = date_named(dates, query))
        quote = checkout.offers.first_price(trip, *chosen);
    for (std::size_t i = 0; !quote && i < dates.size() && i < dates_shown; ++i)
        quote = checkout.offers.first_price(trip, dates[i]);
    page.set(
        "payment_methods",
        quote ? pricing::summary_of(*quote, settings::look_of(checkout.settings))["payment_methods"] : Value::array());
    page.set("additional_services", quote ? checkout.offers.services_for(trip, *quote) : Value::array());
}

Value page_named(const CheckoutRoutes& checkout, std::string_view key) {
    const auto page = settings::page_named_by(checkout.settings, key, checkout.site_url);
    return page ? page->json() : Value();
}

// `texts`: includes the texts that trips in memory lack.
Value page_json(const CheckoutRoutes& checkout, const catalog::trips::Trip& trip, const catalog::trips::Trip& texts,
                Value form, const Value& query) {
    const settings::Settings& settings = checkout.settings;
    const catalog::trips::PricePair pair = price_of(trip);
    Value dates = Value::array();
    const auto found = checkout.offers.dates_of(trip.id);
    if (found)
        for (const availability::Bookable& date : *found) {
            if (dates.size() >= dates_shown)
                break;
            dates.push(Value::object(
                {{"date", date.date}, {"time", date.time}, {"available", std::max(0, date.available())}}));
        }
    Value page = Value::object({{"id", trip.id},
                                {"title", trip.title},
                                {"slug", trip.slug},
                                {"featured_image", trip.featured_image_id},
                                {"featured_image_id", trip.featured_image_id},
                                {"duration_days", trip.duration_days},
                                {"duration_nights", trip.duration_nights},
                                {"difficulty_level", trip.difficulty_level_id},
                                {"min_travelers", trip.min_travelers},
                                {"max_travelers", trip.default_capacity()},
                                {"age_min", trip.age_min},
                                {"age_max", trip.age_max},
                                {"regular_price", trip.regular_price},
                                {"sale_price", trip.sale_price},
                                {"price", pair.effective()},
                                {"currency", trip.currency.code()},
                                {"pricing_type", trip.traveler_based ? "traveler_based" : "regular"},
                                {"price_types", price_types_json(trip)},
                                {"starting_location", texts.starting_location},
                                {"ending_location", texts.ending_location},
                                {"cancellation_policy", texts.cancellation_policy},
                                {"payment_terms", texts.payment_terms},
                                {"dates", std::move(dates)},
                                {"form", std::move(form)},
                                {"gateways", checkout.pages.usable(pair.effective(), std::nullopt)},
                                {"require_login", settings.flag("require_login")},
                                {"allow_guest_checkout", settings.flag("allow_guest_checkout")},
                                {"verifies_guests", settings.flag("require_guest_email_verification")},
                                {"recaptcha_site_key", checkout.is_human && settings.flag("recaptcha_enabled") &&
                                                               settings.flag("recaptcha_protect_booking")
                                                           ? Value(settings.text("recaptcha_site_key"))
                                                           : Value()},
                                {"terms_page_id", settings.integer("terms_page_id")},
                                {"terms_page", page_named(checkout, "terms_page_id")},
                                {"privacy_policy_page_id", settings.integer("privacy_policy_page_id")},
                                {"privacy_policy_page", page_named(checkout, "privacy_policy_page_id")}});
    const auto offered = checkout.store.reading<AgreedCancellation>(
        [&](store::Session& session) { return cancellation_offered(session, trip.id, trip.currency, settings); });
    page.set(std::string(cancellation_terms_name), to_json(offered.terms));
    add_choices(page, checkout, trip, found ? *found : std::vector<availability::Bookable>{}, query);
    return page;
}

api::Type page_answer(const CheckoutRoutes& checkout) {
    using namespace api;
    using api::text;
    const Schema date_row{{.name = "date", .type = date(), .required = true},
                          {.name = "time", .type = time().or_null()},
                          {.name = "available", .type = integer(0)}};
    return object(
        "BookingPage",
        {{.name = "id", .type = id(), .required = true},
         {.name = "title", .type = text(255)},
         {.name = "slug", .type = text(255)},
         {.name = "featured_image", .type = id().or_null(), .help = "Id of the trip's featured image."},
         {.name = "featured_image_id", .type = id().or_null(), .help = "Same members as contact_form."},
         {.name = "duration_days", .type = integer(0)},
         {.name = "duration_nights", .type = integer(0)},
         {.name = "difficulty_level", .type = id().or_null()},
         {.name = "min_travelers", .type = integer(1)},
         {.name = "max_travelers", .type = integer(1)},
         {.name = "age_min", .type = integer(0).or_null()},
         {.name = "age_max", .type = integer(0).or_null()},
         {.name = "regular_price", .type = money()},
         {.name = "sale_price", .type = money().or_null()},
         {.name = "price", .type = money(), .help = "Price per traveler before date-specific prices and rules."},
         {.name = "currency", .type = text(3)},
         {.name = "pricing_type", .type = choice({"regular", "traveler_based"})},
         {.name = "price_types",
          .type = list(catalog::trips::price_type_answer(), 1000),
          .help = "Prices by traveler category, if the trip has them."},
         {.name = "starting_location", .type = text(255)},
         {.name = "ending_location", .type = text(255)},
         {.name = "cancellation_policy", .type = raw_text(64 * 1024)},
         {.name = "cancellation_terms",
          .type = cancellation_terms_type(),
          .help = "What cancelling costs: the trip's own terms, else the setting's; empty: nothing is said."},
         {.name = "payment_terms", .type = raw_text(64 * 1024)},
         {.name = "dates", .type = list(object(date_row)), .help = "The next ones that can be booked, at most 60."},
         {.name = "form", .type = form_answer(), .help = "The booking form."},
         {.name = "gateways",
          .type = list(checkout.pages.usable_answer()),
          .help = "The gateways that the customer can choose."},
         {.name = "payment_methods",
          .type = pricing::payment_options_answer(),
          .help = "Payment options for the smallest party on the chosen or the next date; empty without one."},
         {.name = "additional_services",
          .type = list(map(anything()), 1000),
          .help = "Available additional services, priced for that party."},
         {.name = "require_login", .type = boolean(), .help = "Booking requires signing in."},
         {.name = "allow_guest_checkout", .type = boolean()},
         {.name = "verifies_guests",
          .type = boolean(),
          .help = "Guests must confirm their e-mail address by a mailed link."},
         {.name = "recaptcha_site_key",
          .type = text(200).or_null(),
          .help = "reCAPTCHA is required for booking; null: not required."},
         {.name = "terms_page_id", .type = integer(0), .help = "Above 0, terms_accepted is required."},
         {.name = "terms_page", .type = settings::page_answer().or_null(), .help = "The terms page (terms_page_id)."},
         {.name = "privacy_policy_page_id", .type = integer(0)},
         {.name = "privacy_policy_page",
          .type = settings::page_answer().or_null(),
          .help = "The privacy policy page (privacy_policy_page_id)."}});
}

void add_page(api::RouteTable& routes, const CheckoutRoutes& checkout) {
    routes.add({.method = Method::get,
                .path = "/booking/trip/{id}",
                .who = Permission::everyone(),
                .summary = "Return the data for the booking page of a published trip.",
                .query = {{.name = "travel_date",
                           .type = api::date(),
                           .help = "A date that is chosen already: payment options and additional"
                                   " services are those of that date, with what is left of them."},
                          {.name = "departure_time", .type = api::time(), .help = "Its departure time."}},
                .answer = page_answer(checkout),
                .errors = {&errc::trip_not_found},
                .handle = [checkout](const Request& request) -> Reply {
                    const auto trip = checkout.offers.published(request.path_id());
                    const auto texts = checkout.records.whole_trip(request.path_id());
                    if (!trip || !texts)
                        return api::failed(errc::trip_not_found);
                    return api::respond(checkout.forms.form(trip->id, true), [&](Value form) {
                        return api::ok(page_json(checkout, *trip, *texts, std::move(form), request.query));
                    });
                }});
}

}  // namespace

void add_form_routes(api::RouteTable& routes, const CheckoutRoutes& checkout) {
    add_form(routes, checkout.forms, checkout.settings);
    add_page(routes, checkout);
}

}  // namespace svc::booking
