// Declares the record of abandoned bookings.
#include "pro/abandoned_bookings/abandoned_booking.hpp"

#include "shared/api/named.hpp"
#include "shared/core/ascii.hpp"

namespace svc::pro::abandoned_bookings {
namespace {

using json::Value;

Value counts_json(const std::map<std::int64_t, std::int64_t>& counts) {
    Value all = Value::object();
    for (const auto& [id, count] : counts)
        all.set(std::to_string(id), count);
    return all;
}

Value booking_data(const AbandonedBooking& row) {
    return Value::object({{"departure_time", row.departure_time},
                          {"traveler_counts", counts_json(row.traveler_counts)},
                          {"selected_services", counts_json(row.services)},
                          {"coupon_code", row.coupon_code.empty() ? Value() : Value(row.coupon_code)}});
}

api::Type booking_data_type() {
    return api::object("AbandonedChoice",
                       {{.name = "departure_time", .type = api::time().or_null()},
                        {.name = "traveler_counts", .type = api::map(api::integer(0)), .help = "By traveler category."},
                        {.name = "selected_services", .type = api::map(api::integer(0)), .help = "By service."},
                        {.name = "coupon_code", .type = api::text(255).or_null()}});
}

Value recovered_value(const AbandonedBooking& row) {
    const auto currency = row.recovered_currency ? Currency::parse(*row.recovered_currency) : errc::not_found;
    return currency && row.recovered_minor ? Value(Money{*row.recovered_minor, *currency}) : Value();
}

record::Layout layout() {
    return {.table = "svc_abandoned_bookings",
            .component = "AbandonedBooking",
            .joins =
                "LEFT JOIN svc_trip_v2 t ON t.id = r.trip_id"
                " LEFT JOIN svc_booking_v1 b ON b.id = r.recovered_booking_id",
            .where = "r.abandoned_at IS NOT NULL",
            .search_column = "search",
            .sorts = {{"created_at", {"r.created_at"}},
                      {"id", {"r.id"}},
                      {"last_activity_at", {"r.last_activity_at"}},
                      {"departure_date", {"COALESCE(r.travel_date, '')"}},
                      {"total_amount", {"COALESCE(r.total_minor, 0)"}}},
            .default_sort = "last_activity_at",
            .conditions = {{"trip_id", "r.trip_id = :trip_id"}, {"step", "r.step = :step"}}};
}

}  // namespace

const record::Record<AbandonedBooking>& abandoned_record() {
    using namespace record;
    using A = AbandonedBooking;
    static const Record<A> declared{
        layout(),
        {id(&A::id),
         stored("uid", &A::uid),
         stored("checkout_id", &A::checkout_id),
         column("customer_name", &A::customer_name, api::text(200), by_server | searched),
         column("customer_email", &A::email, api::text(254), by_server | searched | stored_as("email"),
                "Empty once the person's data is blanked."),
         stored("email_lower", &A::email_lower),
         column("customer_phone", &A::customer_phone, api::text(60), by_server | null_if_empty),
         column("country", &A::country, api::text(2), by_server),
         column("locale", &A::locale, api::text(20), by_server),
         column("trip_id", &A::trip_id, api::id(), by_server),
         derived("trip_name", &A::trip_name, "t.title", api::text(255)),
         derived("trip_slug", &A::trip_slug, "t.slug", api::text(255)),
         column("departure_date", &A::travel_date, api::date(), by_server | stored_as("travel_date")),
         stored("departure_time", &A::departure_time),
         column("travelers_count", &A::travelers, api::integer(1), by_server | stored_as("travelers")),
         stored("traveler_counts", &A::traveler_counts),
         stored("services", &A::services),
         stored("coupon_code", &A::coupon_code),
         column("currency", &A::currency, api::text(3), by_server),
         money("total_amount", &A::total, &A::currency, api::money(), by_server | stored_as("total_minor"),
               "What the visitor saw."),
         computed<A>("booking_data", booking_data_type(), booking_data),
         column("step", &A::step, api::text(40), by_server, "Where the visitor stopped: details or pay."),
         column("fault", &A::fault, api::text(200), by_server, "The fault that was shown there."),
         column("consent", &A::consent, api::choice({"opt_in", "customer", "notice"}), by_server,
                "Why it may be kept: the visitor agreed, has booked before, or was told."),
         column("consent_at", &A::consent_at, api::instant(), by_server),
         column("status", &A::status, api::choice({"abandoned", "contacted", "recovered", "expired"}),
                by_other | sortable),
         column("end_reason", &A::end_reason, api::text(40), by_other,
                "Why no further reminder is sent: booked, unsubscribed, date_gone, trip_gone, recently_reminded or "
                "all_sent."),
         stored("stage", &A::stage, by_other),
         column("recovery_emails_sent", &A::emails_sent, api::integer(0, most_reminders),
                by_other | stored_as("emails_sent")),
         column("last_email_sent_at", &A::last_email_at, api::instant(), by_other | stored_as("last_email_at")),
         column("next_email_at", &A::next_email_at, api::instant(), by_other),
         column("link_used_at", &A::link_used_at, api::instant(), by_other, "When a visitor went on by a link."),
         column("unsubscribed", &A::unsubscribed, api::boolean(), by_other),
         column("recovered_booking_id", &A::recovered_booking_id, api::id(), by_other),
         derived("recovered_booking_reference", &A::recovered_reference, "b.reference", api::text(32)),
         column("recovered_by", &A::recovered_by, api::choice({"link", "time", "self"}), by_other,
                "link: by a link or coupon of an e-mail; time: later, without either; self: before any e-mail."),
         column("recovered_at", &A::recovered_at, api::instant(), by_other),
         derived("booking_currency", &A::recovered_currency, "b.currency", api::text(3), {}, hidden),
         derived("booking_minor", &A::recovered_minor, "b.total_minor", api::integer(), {}, hidden),
         computed<A>("recovered_amount", api::money().or_null(), recovered_value, {}, {}, "The booking's total."),
         column("abandoned_at", &A::abandoned_at, api::instant(), by_other),
         stored("blanked_at", &A::blanked_at, by_other),
         column("last_activity_at", &A::last_activity_at, api::instant(), by_server),
         column("expires_at", &A::expires_at, api::instant(), by_server,
                "Then its links end and the person's data is blanked."),
         timestamps<A>()}};
    return declared;
}

std::string lower_case(std::string email) {
    for (char& c : email)
        c = ascii::lower(c);
    return email;
}

Value choice_of(const AbandonedBooking& row) {
    Value choice = Value::object({{"trip_id", row.trip_id}, {"travel_date", row.travel_date}});
    if (row.departure_time)
        choice.set("departure_time", *row.departure_time);
    if (row.traveler_counts.empty())
        choice.set("travelers_count", row.travelers);
    else
        choice.set("traveler_counts", counts_json(row.traveler_counts));
    if (!row.services.empty())
        choice.set("selected_services", counts_json(row.services));
    return choice;
}

}  // namespace svc::pro::abandoned_bookings
