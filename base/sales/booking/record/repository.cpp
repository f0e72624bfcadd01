// SQL of bookings.
#include "base/sales/booking/record/repository.hpp"

#include "base/sales/booking/record/booking_record.hpp"
#include "base/sales/booking/record/guided.hpp"
#include "shared/core/mailbox.hpp"
#include "shared/core/words.hpp"
#include "shared/store/later.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::booking {
namespace {

// The parameters of a booking's row. Searches match names across the space between their parts.
store::Params written(const Booking& b) {
    store::Params params = booking_record().params_of(&b);
    params.emplace_back("search", text::search_key(b.reference + " " + b.first_name + " " + b.last_name + " " +
                                                   b.email + " " + b.phone));
    return params;
}

}  // namespace

std::optional<Booking> Repository::find(store::Session& session, std::int64_t id) {
    return booking_record().find(session, id);
}

bool Repository::insert(store::Transaction& tx, Booking& b, const json::Value& quote,
                        std::optional<std::int64_t> form_id) {
    store::Params params = written(b);
    params.emplace_back("quote", quote.dump());
    params.emplace_back("form_id", form_id);
    const auto id = store::first_row(
        tx,
        "INSERT INTO svc_bookings (reference, trip_id, trip_title, trip_slug, customer_id, user_id, contact_first_name,"
        " contact_last_name, contact_email, contact_phone, contact_country, travel_date, end_date, departure_time,"
        " travelers_count, traveler_counts, currency, subtotal_minor, discount_minor, services_minor, itinerary_minor,"
        " tax_minor, tax_inclusive, total_minor, pay_now_minor, payment_method, payment_gateway, payment_status, "
        "status,"
        " confirmed_at, special_requests, internal_notes, source, quote, search, created_at, updated_at, form_id,"
        " coupon_code, tax_rate_ppm, entered_afterwards, payments_unknown, locale, pay_by, rest_on,"
        " contact_sealed, emergency_sealed)"
        " VALUES (:reference, "
        ":trip_id,"
        " :trip_title, :trip_slug, :customer_id, :user_id, :contact_first_name, :contact_last_name, :contact_email,"
        " :contact_phone, :contact_country, :travel_date, :end_date, :departure_time, :travelers_count, "
        ":traveler_counts,"
        " :currency, :subtotal_minor, :discount_minor, :services_minor, :itinerary_minor, :tax_minor, :tax_inclusive,"
        " :total_minor, :pay_now_minor, :payment_method, :payment_gateway, :payment_status, :status, :confirmed_at,"
        " :special_requests, :internal_notes, :source, :quote, :search, :created_at, :updated_at, :form_id, "
        ":coupon_code,"
        " :tax_rate_ppm, :entered_afterwards, :payments_unknown, :locale, :pay_by, :rest_on, '', '')"
        " ON CONFLICT (reference) DO NOTHING "
        "RETURNING id",
        params, [](std::int64_t new_id) { return new_id; });
    b.id = id.value_or(0);
    return id.has_value();
}

void Repository::insert_lines(store::Transaction& tx, std::int64_t booking_id, const std::vector<Line>& lines) {
    std::int64_t number = 0;
    for (const Line& line : lines)
        store::run_later(
            tx,
            "INSERT INTO svc_booking_lines (booking_id, line_no, kind, label, quantity, people, unit_minor,"
            " amount_minor) VALUES (:booking_id, :line_no, :kind, :label, :quantity, :people, :unit, :amount)",
            {{"booking_id", booking_id},
             {"line_no", ++number},
             {"kind", line.kind},
             {"label", line.label},
             {"quantity", line.quantity},
             {"people", line.people},
             {"unit", line.unit.minor()},
             {"amount", line.amount.minor()}});
}

std::vector<Line> Repository::lines(store::Session& session, std::int64_t booking_id, Currency currency) {
    return store::all_rows(
        session,
        "SELECT kind, label, quantity, unit_minor, amount_minor, people FROM svc_booking_lines WHERE booking_id = :id"
        " ORDER BY line_no",
        {{"id", booking_id}},
        [&](const std::string& kind, const std::string& label, std::int64_t quantity, std::int64_t unit,
            std::int64_t amount, std::optional<std::int64_t> people) {
            return Line{.kind = kind,
                        .label = label,
                        .quantity = quantity,
                        .unit = Money{unit, currency},
                        .amount = Money{amount, currency},
                        .people = people};
        });
}

std::optional<Booking> Repository::lock(store::Transaction& tx, std::int64_t id) {
    lock_row(tx, id);
    return find(tx, id);
}

// SQLite's single writer is this transaction. Elsewhere the row is locked first and read by a second statement, so that
// related rows are of the same moment.
void Repository::lock_row(store::Transaction& tx, std::int64_t id) {
    if (tx.dialect() == store::Dialect::postgresql)
        store::run_later(tx, "SELECT 1 FROM svc_bookings WHERE id = :id FOR NO KEY UPDATE", {{"id", id}});
}

void Repository::set_paid(store::Transaction& tx, std::int64_t id, const Money& paid, std::string_view payment_status,
                          Instant now) {
    store::run_later(tx,
                     "UPDATE svc_bookings SET amount_paid_minor = :paid, payment_status = :payment_status,"
                     " row_version = row_version + 1, updated_at = :now WHERE id = :id",
                     {{"paid", paid.minor()}, {"payment_status", payment_status}, {"now", now}, {"id", id}});
}

void Repository::flag(store::Transaction& tx, std::int64_t id, std::string_view reason, Instant now) {
    tx.run("UPDATE svc_bookings SET needs_attention = 1, attention_reason = :reason, updated_at = :now WHERE id = :id",
           {{"reason", reason}, {"now", now}, {"id", id}});
}

void Repository::know_payments(store::Transaction& tx, std::int64_t id, Instant now) {
    tx.run(
        "UPDATE svc_bookings SET payments_unknown = 0, row_version = row_version + 1, updated_at = :now WHERE id = :id",
        {{"now", now}, {"id", id}});
}

void Repository::unflag(store::Transaction& tx, std::int64_t id, Instant now) {
    tx.run("UPDATE svc_bookings SET needs_attention = 0, attention_reason = NULL, updated_at = :now WHERE id = :id",
           {{"now", now}, {"id", id}});
}

std::string Repository::status_before_trash(store::Session& session, std::int64_t booking_id) {
    return store::first_row(session, "SELECT status_before_trash FROM svc_bookings WHERE id = :id",
                            {{"id", booking_id}},
                            [](const std::optional<std::string>& before) { return before.value_or(""); })
        .value_or("");
}

void Repository::update(store::Transaction& tx, const Booking& b, Instant now) {
    store::Params params = written(b);
    params.emplace_back("now", now);
    tx.run(
        "UPDATE svc_bookings SET reminder_sent_at = CASE WHEN travel_date = :travel_date THEN reminder_sent_at ELSE "
        "NULL"
        " END, trip_id = :trip_id, trip_title = :trip_title, trip_slug = :trip_slug, customer_id = :customer_id, "
        "user_id"
        " = :user_id, contact_first_name = :contact_first_name, contact_last_name = :contact_last_name, contact_email ="
        " :contact_email, contact_phone = :contact_phone, contact_country = :contact_country, travel_date = "
        ":travel_date,"
        " end_date = :end_date, departure_time = :departure_time, travelers_count = :travelers_count, traveler_counts ="
        " :traveler_counts, subtotal_minor = :subtotal_minor, discount_minor = :discount_minor, services_minor ="
        " :services_minor, itinerary_minor = :itinerary_minor, tax_minor = :tax_minor, tax_inclusive = :tax_inclusive,"
        " total_minor = :total_minor, pay_now_minor = :pay_now_minor, coupon_code = :coupon_code, tax_rate_ppm ="
        " :tax_rate_ppm, payment_method = :payment_method, payment_gateway = :payment_gateway, special_requests ="
        " :special_requests, internal_notes = :internal_notes, search = :search, row_version = row_version + 1,"
        " pay_by = :pay_by, rest_on = :rest_on, updated_at = :now WHERE id = :id",
        params);
}

void Repository::reschedule(store::Transaction& tx, std::int64_t id, Date start, Date end,
                            std::optional<ClockTime> time, Instant departs, Instant now) {
    tx.run(
        "UPDATE svc_bookings SET travel_date = :start, end_date = :end, departure_time = :time,"
        " pay_by = CASE WHEN pay_by > :departs AND :departs > :now THEN :departs ELSE pay_by END,"
        " rest_on = CASE WHEN rest_on > :start THEN :start ELSE rest_on END,"
        " reminder_sent_at = CASE WHEN travel_date = :start THEN reminder_sent_at ELSE NULL END, row_version = "
        "row_version + 1, updated_at = :now WHERE id = :id",
        {{"start", start}, {"end", end}, {"time", time}, {"departs", departs}, {"now", now}, {"id", id}});
}

// Two statements, since each has its own index.
bool Repository::has_booked(store::Session& session, std::string_view email_lower, std::int64_t user_id,
                            std::int64_t except_booking_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_bookings b JOIN svc_customers c ON c.id = b.customer_id"
               " WHERE (c.email_lower = :email"
               " OR c.email_lower = (SELECT u.email_lower FROM svc_users u WHERE u.id = :user)"
               // Another spelling of the same mailbox is the same customer.
               " OR (c.email_key <> '' AND (c.email_key = :mailbox"
               " OR c.email_key = (SELECT k.email_key FROM svc_customers k WHERE k.user_id = :holder))))"
               " AND b.id <> :except AND b.status NOT IN ('cancelled', 'failed', 'trash', 'refunded')",
               {{"email", email_lower},
                {"user", user_id},
                {"mailbox", mailbox_key(email_lower)},
                {"holder", user_id},
                {"except", except_booking_id}}) > 0 ||
           (user_id > 0 &&
            session.number("SELECT COUNT(*) FROM svc_bookings b WHERE b.user_id = :user AND b.id <> :except"
                           " AND b.status NOT IN ('cancelled', 'failed', 'trash', 'refunded')",
                           {{"user", user_id}, {"except", except_booking_id}}) > 0);
}

void Repository::end_sessions(store::Transaction& tx, std::int64_t booking_id, Instant now) {
    tx.run("UPDATE svc_booking_sessions SET expires_at = :now WHERE booking_id = :booking_id AND expires_at > :now",
           {{"now", now}, {"booking_id", booking_id}});
}

bool Repository::is_guided(store::Session& session, std::int64_t id, std::int64_t user_id) {
    return session.number("SELECT COUNT(*) FROM svc_bookings b WHERE b.id = :id" SVC_AND_GUIDED,
                          {{"id", id}, {"guide", user_id}}) > 0;
}

}  // namespace svc::booking
