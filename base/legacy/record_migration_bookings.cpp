// Bookings of a former installation: the row with its lines, seats and payments, as they were there.
#include <algorithm>

#include "base/booking/record/imported.hpp"
#include "base/legacy/old_values.hpp"
#include "base/legacy/record_migration.hpp"
#include "base/transfer/task_rows.hpp"
#include "shared/core/country.hpp"
#include "shared/core/text.hpp"
#include "shared/store/read_rows.hpp"
#include "shared/store/typed.hpp"

namespace svc::legacy {
namespace {

using booking::Booking;
using json::Value;

constexpr std::int64_t most_party = 10'000;
constexpr const char* unnamed = "Guest";  // first names have two letters at least

// Maps a status of the former plugins. A past journey is completed, or cancelled if it was never confirmed; a future
// one that waits is on hold, so that it causes no e-mail and no job ends it.
std::string status_of(const std::string& old, bool is_over) {
    using namespace booking;
    if (old == "cancelled" || old == "canceled" || old == "refunded")
        return std::string(status::cancelled);
    if (old == "failed")
        return std::string(status::failed);
    const bool confirmed = old == "booked" || old == "completed" || old == "confirmed" || old == "publish";
    if (is_over)
        return std::string(confirmed || old == "processing" ? status::completed : status::cancelled);
    return std::string(confirmed ? status::confirmed : old == "processing" ? status::processing : status::on_hold);
}

Money amount_of(const Value& fields, const char* name, Currency currency) {
    const auto parsed = Money::parse(fields.text_or(name, "0"), currency);
    return parsed ? *parsed : Money::zero(currency);
}

// They add up to the total: the travelers' prices, less the discount, plus the tax.
std::vector<booking::Line> lines_of(const Booking& b) {
    const Money travelers = b.total - b.tax + b.discount;
    std::vector<booking::Line> lines{
        {.kind = "traveler", .label = "Travelers", .quantity = 1, .unit = travelers, .amount = travelers}};
    if (b.discount.minor() > 0)
        lines.push_back({.kind = "coupon",
                         .label = b.coupon_code.empty() ? "Discount" : b.coupon_code,
                         .unit = Money::zero(b.currency) - b.discount,
                         .amount = Money::zero(b.currency) - b.discount});
    if (b.tax.minor() > 0)
        lines.push_back({.kind = "tax", .label = "Tax", .unit = b.tax, .amount = b.tax});
    return lines;
}

// Stores a payment of the former installation; causes no notification.
void insert_payment(store::Transaction& tx, const Booking& b, const Money& paid, Date day) {
    tx.run(
        "INSERT INTO svc_payments (booking_id, customer_id, gateway, method, amount_minor, currency, status,"
        " payment_type, source, notes, payment_date, processed_at, completed_event_at, created_at, updated_at) VALUES"
        " (:booking, :customer, 'other', 'other', :amount, :currency, 'completed', 'initial', 'import', :notes, :day,"
        " :made, :made, :made, :made)",
        {{"booking", b.id},
         {"customer", b.customer_id},
         {"amount", paid.minor()},
         {"currency", b.currency.code()},
         {"notes", "Paid in the former installation."},
         {"day", day},
         {"made", b.created_at}});
}

}  // namespace

// Finds the customer by e-mail address, or creates one from the booking's contact.
Result<std::int64_t> RecordMigration::customer_of(store::Transaction& tx, const Value& fields) const {
    const auto& customers = *lower_.csv.named("customers");
    auto given = Value::object();
    for (const char* name : {"email", "first_name", "last_name", "phone"})
        old::set_if(given, name, fields.text_or(name));
    if (text::length(given.text_or("first_name")) < 2)
        given.set("first_name", unnamed);
    SVC_ASSIGN_OR_RETURN(const auto body, customers.whole.check(given, true));
    if (const auto id = customers.find(tx, body))
        return *id;
    return customers.create(tx, body);
}

// Finds the trip's departure on that day and time, or creates one.
Result<std::int64_t> RecordMigration::departure_of(store::Transaction& tx, const catalog::trips::Trip& trip,
                                                   const Value& fields, std::int64_t seats) const {
    const std::string day = fields.text_or("travel_date"), time = fields.text_or("time");
    if (const auto id = tx.number("SELECT MIN(id) FROM svc_departures WHERE trip_id = :trip AND start_date = :day AND "
                                  "COALESCE(start_time, '')"
                                  " = :time AND sale_state = 'open' AND status NOT IN ('cancelled', 'trash')",
                                  {{"trip", trip.id}, {"day", day}, {"time", time}});
        id > 0)
        return id;
    availability::DepartureChange change;
    change.start_date = Date::parse(day);
    if (const auto at = ClockTime::parse(time))
        change.time = at;
    change.capacity = static_cast<int>(std::max<std::int64_t>(seats, trip.default_capacity()));
    auto made = lower_.csv.availability().departures.create(tx, trip, change, availability::Origin::manual,
                                                            {.user_id = std::nullopt, .any_date = true});
    return made ? Result<std::int64_t>(made->id) : Result<std::int64_t>(made.error());
}

Result<Outcome> RecordMigration::migrate_booking(store::Transaction& tx, const Value& fields,
                                                 std::int64_t task_id) const {
    const auto trip = catalog::trips::Service::find(
        tx, tx.number("SELECT id FROM svc_trips WHERE slug = :slug OR (:slug = '' AND title = :title)",
                      {{"slug", fields.text_or("trip")}, {"title", fields.text_or("trip_title")}}));
    if (!trip)
        return invalid("trip", "The trip is not here. Migrate the trips first.");
    const auto day = Date::parse(fields.text_or("travel_date"));
    if (!day)
        return invalid("travel_date", "The booking has no day of travel.");
    Booking b;
    b.reference = text::first(fields.text_or("reference"), 60);
    if (b.reference.empty() ||
        tx.number("SELECT COUNT(*) FROM svc_bookings WHERE reference = :reference", {{"reference", b.reference}}) > 0)
        return b.reference.empty() ? Result<Outcome>(missing("reference")) : Result<Outcome>(Outcome::skipped);
    SVC_ASSIGN_OR_RETURN(const auto customer, customer_of(tx, fields));
    const auto booking_currency = Currency::parse(fields.text_or("currency"));
    b.currency = booking_currency ? *booking_currency : trip->currency;
    b.trip_id = trip->id;
    b.trip_title = trip->title;
    b.trip_slug = trip->slug;
    b.customer_id = customer;
    b.first_name = fields.text_or("first_name", unnamed);
    b.last_name = fields.text_or("last_name");
    b.email = fields.text_or("email");
    b.phone = text::first(fields.text_or("phone"), 40);
    b.country = country_code(fields.text_or("country"));
    b.travel_date = *day;
    b.end_date = day->plus_days(trip->length() - 1);
    b.departure_time = ClockTime::parse(fields.text_or("time"));
    b.travelers_count = std::clamp<std::int64_t>(old::sum_of(fields["travelers"]), 1, most_party);
    b.traveler_counts = Value::object();
    b.total = amount_of(fields, "total", b.currency);
    b.discount = amount_of(fields, "discount", b.currency);
    b.tax = amount_of(fields, "tax", b.currency);
    if (b.tax.minor() > b.total.minor())
        b.tax = Money::zero(b.currency);
    b.subtotal = b.total - b.tax + b.discount;
    b.pay_now = b.total;
    b.coupon_code = text::first(fields.text_or("coupon"), 60);
    b.payment_method = "full";
    b.payment_gateway = "other";
    b.source = "import";
    b.internal_notes = text::first(fields.text_or("notes"), 5'000);
    b.created_at = b.updated_at = Instant::parse(fields.text_or("made_at")).value_or(site_.clock.now());
    b.status = status_of(fields.text_or("old_status"), b.end_date < site_.settings.zone().date_at(site_.clock.now()));
    if (b.status == booking::status::confirmed || b.status == booking::status::completed)
        b.confirmed_at = b.created_at;
    Money paid = Money::zero(b.currency);
    std::vector<Money> payments;
    if (const Value* amounts = fields.find("paid"); amounts && amounts->is_array())
        for (const Value& amount : amounts->items())
            if (const auto one = Money::parse(old::decimal_of(old::text_of(amount)), b.currency);
                one && one->minor() > 0) {
                payments.push_back(*one);
                paid = paid + *one;
            }
    b.payment_status = paid.minor() >= b.total.minor() ? "paid" : paid.minor() > 0 ? "partial" : "pending";
    if (!booking::insert_imported(tx, b, lines_of(b), paid))
        return Outcome::skipped;
    for (const Money& one : payments)
        insert_payment(tx, b, one, site_.settings.zone().date_at(b.created_at));
    // Bookings created by a job notify nobody; the list of its rows names them.
    transfer::note_row(tx, {.task_id = task_id, .entity = "bookings", .old_id = b.reference, .new_id = b.id});
    if (!booking::holds_seats(b.status))
        return Outcome::migrated;
    SVC_ASSIGN_OR_RETURN(const auto departure, departure_of(tx, *trip, fields, b.travelers_count));
    auto held = lower_.csv.availability().seats.acquire(tx, departure, b.id, b.travelers_count, site_.clock.now(),
                                                        {.by_staff = true, .forced = true});
    return held ? Result<Outcome>(Outcome::migrated) : Result<Outcome>(held.error());
}

}  // namespace svc::legacy
