// Bookings of a former installation: the row with its lines, seats and payments, as they were there.
#include <algorithm>

#include "base/data/import_export/task_rows.hpp"
#include "base/data/wordpress_import/old_payments.hpp"
#include "base/data/wordpress_import/old_values.hpp"
#include "base/data/wordpress_import/record_migration.hpp"
#include "base/sales/availability/record/slot_rows.hpp"
#include "base/sales/booking/record/imported.hpp"
#include "shared/core/country.hpp"
#include "shared/core/text.hpp"
#include "shared/store/read_rows.hpp"
#include "shared/store/typed.hpp"

namespace svc::wordpress_import {
namespace {

using booking::Booking;
using json::Value;

constexpr std::int64_t most_party = 10'000;
constexpr const char* unnamed = "Guest";

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

// A share of the subtotal, as WP Travel Engine stores discounts and taxes.
Money share_of(const Value& fields, const char* percent, const Money& base) {
    const auto rate = Rate::parse_percent(fields.text_or(percent, "0"));
    return rate ? base.share(*rate) : Money::zero(base.currency());
}

void set_amounts(Booking& b, const Value& fields) {
    b.total = amount_of(fields, "total", b.currency);
    b.discount = amount_of(fields, "discount", b.currency);
    b.tax = amount_of(fields, "tax", b.currency);
    const Money subtotal = amount_of(fields, "_subtotal", b.currency);
    if (fields.find("_discount_percent"))
        b.discount = share_of(fields, "_discount_percent", subtotal);
    if (fields.find("_tax_percent") && subtotal > b.discount)
        b.tax = share_of(fields, "_tax_percent", subtotal - b.discount);
    if (b.tax.minor() > b.total.minor())
        b.tax = Money::zero(b.currency);
    b.subtotal = b.total - b.tax + b.discount;
    b.pay_now = b.total;
}

// The coupon counts as used, whatever its limit: it was.
void redeem_coupon(store::Transaction& tx, const Booking& b) {
    if (b.coupon_code.empty() || !booking::is_active(b.status))
        return;
    tx.run(
        "INSERT INTO svc_discount_redemptions (discount_id, booking_id, customer_id, email_lower, is_coupon,"
        " amount_minor, currency, status, created_at, updated_at) SELECT id, :booking, :customer, :email, 1, :amount,"
        " :currency, 'active', :made, :made FROM svc_discounts WHERE UPPER(code) = UPPER(:code) AND status <> 'trash'"
        " ON CONFLICT (discount_id, booking_id) DO NOTHING",
        {{"booking", b.id},
         {"customer", b.customer_id},
         {"email", text::folded(b.email)},
         {"amount", b.discount.minor()},
         {"currency", b.currency.code()},
         {"made", b.created_at},
         {"code", b.coupon_code}});
}

}  // namespace

// Finds the customer by e-mail address, or creates one from the booking's contact.
Result<std::int64_t> RecordMigration::customer_of(store::Transaction& tx, const Value& fields) const {
    const auto& customers = *lower_.csv.named("customers");
    auto given = Value::object();
    for (const char* name : {"email", "first_name", "last_name", "phone"})
        old::set_if(given, name, fields.text_or(name));
    const api::Field* first_name = customers.whole.find("first_name");
    if (text::length(given.text_or("first_name")) < std::max<std::size_t>(1, first_name->type.shortest))
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
    if (const auto id = tx.number("SELECT COALESCE(MIN(CASE WHEN sale_state = 'open' THEN id END), MIN(id)) FROM"
                                  " svc_departures WHERE trip_id = :trip AND start_date = :day AND"
                                  " COALESCE(start_time, '') = :time AND deleted_at IS NULL"
                                  " AND status NOT IN ('cancelled', 'trash')",
                                  {{"trip", trip.id}, {"day", day}, {"time", time}});
        id > 0)
        return id;
    availability::DepartureChange change;
    change.start_date = Date::parse(day);
    if (const auto at = ClockTime::parse(time))
        change.time = at;
    change.capacity = static_cast<int>(std::max<std::int64_t>(seats, trip.default_capacity()));
    // A trip that starts on every day goes on to do so.
    const auto origin =
        availability::rows::is_planned(tx, trip.id) ? availability::Origin::manual : availability::Origin::open;
    auto made = lower_.csv.availability().departures.create(tx, trip, change, origin,
                                                            {.user_id = std::nullopt, .any_date = true});
    return made ? Result<std::int64_t>(made->id) : Result<std::int64_t>(made.error());
}

// On a day that was closed after the booking, too.
Result<void> RecordMigration::take_seats(store::Transaction& tx, const Booking& b, const catalog::trips::Trip& trip,
                                         const Value& fields) const {
    SVC_ASSIGN_OR_RETURN(const auto departure, departure_of(tx, trip, fields, b.travelers_count));
    const auto state =
        store::value<std::string>(tx, "SELECT sale_state FROM svc_departures WHERE id = :id", {{"id", departure}});
    const auto set_state = [&](const std::string& to) {
        if (state && *state != "open")
            tx.run("UPDATE svc_departures SET sale_state = :state WHERE id = :id", {{"state", to}, {"id", departure}});
    };
    set_state("open");
    auto held = lower_.csv.availability().seats.acquire(tx, departure, b.id, b.travelers_count, site_.clock.now(),
                                                        {.by_staff = true, .forced = true});
    if (!held)
        return held.error();
    set_state(state.value_or("open"));
    return {};
}

namespace {

std::vector<Money> payments_of(const Value& fields, Currency currency) {
    std::vector<Money> payments;
    if (const Value* amounts = fields.find("paid"); amounts && amounts->is_array())
        for (const Value& amount : amounts->items())
            if (const auto one = Money::parse(old::decimal_of(old::text_of(amount)), currency); one && one->minor() > 0)
                payments.push_back(*one);
    return payments;
}

}  // namespace

Result<Outcome> RecordMigration::migrate_booking(store::Transaction& tx, const Value& fields,
                                                 std::int64_t task_id) const {
    const auto trip = catalog::trips::Service::find(
        tx, tx.number("SELECT id FROM svc_trips WHERE slug = :slug OR (:slug = '' AND title = :title)",
                      {{"slug", fields.text_or("trip")}, {"title", fields.text_or("trip_title")}}));
    if (!trip)
        return invalid("trip", "The trip is not here. Migrate the trips first."_sentence);
    const auto day = Date::parse(fields.text_or("travel_date"));
    if (!day)
        return invalid("travel_date", "The booking has no day of travel."_sentence);
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
    set_amounts(b, fields);
    b.coupon_code = text::first(fields.text_or("coupon"), 60);
    b.payment_method = "full";
    b.payment_gateway = "other";
    b.source = "import";
    b.internal_notes = text::first(fields.text_or("notes"), 5'000);
    b.created_at = b.updated_at = Instant::parse(fields.text_or("made_at")).value_or(site_.clock.now());
    b.status = status_of(fields.text_or("old_status"), b.end_date < site_.settings.zone().date_at(site_.clock.now()));
    if (b.status == booking::status::confirmed || b.status == booking::status::completed)
        b.confirmed_at = b.created_at;
    const std::vector<Money> payments = payments_of(fields, b.currency);
    Money paid = Money::zero(b.currency);
    for (const Money& one : payments)
        paid = paid + one;
    b.payment_status = booking::payment_status_of(b.total, paid, Money::zero(b.currency), false);
    b.payments_unknown =
        fields.maybe_boolean("payments_unknown").value_or(false) && booking::is_active(b.status) && paid < b.total;
    if (!booking::insert_imported(tx, b, lines_of(b), paid))
        return Outcome::skipped;
    for (const Money& one : payments)
        insert_payment(tx, b, {.amount = one, .day = site_.settings.zone().date_at(b.created_at)}, b.created_at);
    redeem_coupon(tx, b);
    // Bookings created by a job notify nobody; the list of its rows names them.
    import_export::note_row(tx, {.task_id = task_id, .entity = "bookings", .old_id = b.reference, .new_id = b.id});
    if (booking::holds_seats(b.status))
        SVC_RETURN_IF_ERROR(take_seats(tx, b, *trip, fields));
    return Outcome::migrated;
}

}  // namespace svc::wordpress_import
