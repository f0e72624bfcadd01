// SQL of what staff ask of bookings and change in them: sums, edits, histories, removal.
#include "base/booking/record/repository.hpp"

#include "base/booking/record/access.hpp"
#include "base/booking/record/columns.hpp"
#include "shared/core/text.hpp"
#include "shared/store/later.hpp"

namespace svc::booking {
namespace {

constexpr auto earliest = INT64_MIN, latest = INT64_MAX;

// A snapshot that cannot be read is no reason not to show the booking.
json::Value json_or_null(const std::string& text) {
    auto parsed = json::parse(text);
    return parsed ? std::move(*parsed) : json::Value();
}

store::Params period_of(const Filter& filter) {
    return {{"from", filter.from.value_or(Instant::from_micros(earliest))},
            {"to", filter.to.value_or(Instant::from_micros(latest))},
            {"guide", filter.guide_id.value_or(0)}};
}

}  // namespace

json::Value Repository::count_by_status(store::Session& session, const Filter& filter) {
    json::Value counts = json::Value::object();
    for (const std::string_view status : status::all)
        counts.set(std::string(status), 0);
#define SVC_COUNTED "SELECT b.status, COUNT(*) FROM svc_bookings b WHERE b.created_at >= :from AND b.created_at < :to"
    session.each(filter.guide_id ? SVC_COUNTED SVC_AND_GUIDED " GROUP BY b.status" : SVC_COUNTED " GROUP BY b.status",
                 "ti", period_of(filter), [&](const store::Row& row) { counts.set(row.text(0), row.integer(1)); });
    return counts;
}

Totals Repository::totals(store::Session& session, const Filter& filter, std::string_view currency, Instant month_start,
                          Date today) {
    Totals totals;
    store::Params params = period_of(filter);
    params.emplace_back("currency", currency);
    params.emplace_back("start", month_start);
    params.emplace_back("today", today);
// What was paid stays with us in the trash too, until it is refunded.
#define SVC_BROUGHT                                                                                           \
    "SELECT CAST(COALESCE(SUM(CASE WHEN b.status IN ('cancelled', 'refunded', 'failed', 'waitlist', 'trash')" \
    " THEN 0 ELSE b.total_minor END), 0) AS BIGINT), CAST(COALESCE(SUM(b.amount_paid_minor), 0) AS BIGINT)"   \
    " FROM svc_bookings b WHERE b.currency = :currency AND b.created_at >= :from AND b.created_at < :to"
#define SVC_OF_MONTH "SELECT COUNT(*) FROM svc_bookings b WHERE b.status <> 'trash' AND b.created_at >= :start"
#define SVC_UPCOMING                                                    \
    "SELECT COUNT(*) FROM svc_bookings b WHERE b.travel_date >= :today" \
    " AND b.status IN ('pending', 'processing', 'on-hold', 'confirmed')"
    const bool of_guide = filter.guide_id.has_value();
    session.each(of_guide ? SVC_BROUGHT SVC_AND_GUIDED : SVC_BROUGHT, "ii", params, [&](const store::Row& row) {
        totals.revenue_minor = row.integer(0);
        totals.collected_minor = row.integer(1);
    });
    totals.this_month = session.number(of_guide ? SVC_OF_MONTH SVC_AND_GUIDED : SVC_OF_MONTH, params);
    totals.upcoming = session.number(of_guide ? SVC_UPCOMING SVC_AND_GUIDED : SVC_UPCOMING, params);
    return totals;
}

void Repository::update(store::Transaction& tx, const Booking& b, Instant now) {
    store::Params params = params_of(b);
    params.emplace_back("user_id", b.user_id);
    params.emplace_back("now", now);
    params.emplace_back("id", b.id);
    tx.run(
        "UPDATE svc_bookings SET reminder_sent_at = CASE WHEN travel_date = :travel_date THEN reminder_sent_at"
        " ELSE NULL END, trip_id = :trip_id, trip_title = :trip_title, trip_slug = :trip_slug,"
        " customer_id = :customer_id, user_id = :user_id, contact_first_name = :first_name, contact_last_name = "
        ":last_name,"
        " contact_email = :email, contact_phone = :phone, contact_country = :country, travel_date = :travel_date,"
        " end_date = :end_date, departure_time = :departure_time, travelers_count = :travelers_count,"
        " traveler_counts = :traveler_counts, subtotal_minor = :subtotal, discount_minor = :discount,"
        " services_minor = :services, itinerary_minor = :itinerary, tax_minor = :tax, tax_inclusive = :tax_inclusive,"
        " total_minor = :total, pay_now_minor = :pay_now, coupon_code = :coupon_code, tax_rate_ppm = :tax_rate,"
        " payment_method = :payment_method,"
        " payment_gateway = :payment_gateway, special_requests = :special_requests,"
        " internal_notes = :internal_notes, search = :search, row_version = row_version + 1, updated_at = :now"
        " WHERE id = :id",
        params);
}

std::int64_t Repository::keep_form(store::Transaction& tx, std::string_view digest, const std::string& text,
                                   Instant now) {
    const auto known = [&] {
        return tx.number("SELECT id FROM svc_booking_forms WHERE digest = :digest", {{"digest", digest}});
    };
    if (const std::int64_t id = known(); id > 0)
        return id;
    tx.run(
        "INSERT INTO svc_booking_forms (digest, form, created_at) VALUES (:digest, :form, :now)"
        " ON CONFLICT (digest) DO NOTHING",
        {{"digest", digest}, {"form", text}, {"now", now}});
    return known();
}

void Repository::set_quote(store::Transaction& tx, std::int64_t id, const json::Value& quote) {
    tx.run("UPDATE svc_bookings SET quote = :quote WHERE id = :id", {{"quote", quote.dump()}, {"id", id}});
}

json::Value Repository::quote(store::Session& session, std::int64_t id) {
    const auto text = session.first<std::string>("SELECT quote FROM svc_bookings WHERE id = :id", "t", {{"id", id}},
                                                 [](const store::Row& row) { return row.text(0); });
    return text ? json_or_null(*text) : json::Value();
}

void Repository::replace_lines(store::Transaction& tx, std::int64_t booking_id, const std::vector<Line>& lines) {
    tx.run("DELETE FROM svc_booking_lines WHERE booking_id = :id", {{"id", booking_id}});
    insert_lines(tx, booking_id, lines);
}

bool Repository::has_user(store::Session& session, std::int64_t id) {
    return session.number("SELECT COUNT(*) FROM svc_users WHERE id = :id", {{"id", id}}) > 0;
}

Particulars Repository::particulars(store::Session& session, std::int64_t id, const Sealing* sealing) {
    const auto answers = [&](const store::Row& row, std::size_t plain, std::size_t sealed, const std::string& place) {
        json::Value known = json::parse(row.text(plain)).value();
        return sealing && !row.is_null(sealed) ? sealing->opened(std::move(known), row.text(sealed), place) : known;
    };
    const auto read = [&](const store::Row& row) {
        return Particulars{.contact_data = answers(row, 0, 8, Sealing::of_contact(id)),
                           .emergency_contact = answers(row, 1, 9, Sealing::of_emergency(id)),
                           .newsletter_optin = row.flag(2),
                           .terms_accepted_at = row.maybe_instant(3),
                           .verified_at = row.maybe_instant(4),
                           .expired_at = row.maybe_instant(5),
                           .reminder_sent_at = row.maybe_instant(6),
                           .cancelled_via = row.maybe_text(7),
                           .quote = json_or_null(row.text(10)),
                           .form = row.is_null(11) ? json::Value() : json_or_null(row.text(11))};
    };
    return session
        .first<Particulars>(
            "SELECT contact_data, emergency_contact, newsletter_optin, terms_accepted_at, verified_at, expired_at,"
            " reminder_sent_at, cancelled_via, contact_sealed, emergency_sealed, quote,"
            " (SELECT f.form FROM svc_booking_forms f WHERE f.id = b.form_id) FROM svc_bookings b WHERE id = :id",
            "ttiiiiittttt", {{"id", id}}, read)
        .value_or(Particulars{});
}

void Repository::remove(store::Transaction& tx, std::int64_t id) {
    tx.run("DELETE FROM svc_bookings WHERE id = :id", {{"id", id}});
}

void Repository::note_made(store::Transaction& tx, const Booking& booking, const Actor& actor) {
    store::run_later(tx,
                     "INSERT INTO svc_booking_status_log (booking_id, from_status, to_status, actor_kind, actor_id,"
                     " through, reason, at) VALUES (:booking_id, '', :to, :actor_kind, :actor_id, :through, '', :at)",
                     {{"booking_id", booking.id},
                      {"to", booking.status},
                      {"actor_kind", actor.kind},
                      {"actor_id", actor.id},
                      {"through", actor.through},
                      {"at", booking.created_at}});
}

json::Value Repository::status_log(store::Session& session, const Booking& booking) {
    json::Value log = json::Value::array();
    const auto made = [&](const std::string& first_status) {
        const bool at_checkout = booking.source == "web";
        log.push(json::Value::object({{"from", ""},
                                      {"to", first_status},
                                      {"actor", at_checkout                 ? "customer"
                                                : booking.source == "admin" ? "admin"
                                                                            : "system"},
                                      {"actor_id", json::Value()},  // whose it is now tells nothing of then
                                      {"actor_name", json::Value()},
                                      {"through", at_checkout ? "checkout" : ""},
                                      {"reason", ""},
                                      {"at", booking.created_at}}));
    };
    session.each(
        "SELECT l.from_status, l.to_status, l.actor_kind, l.actor_id, u.login, l.through, l.reason, l.at"
        " FROM svc_booking_status_log l LEFT JOIN svc_users u ON u.id = l.actor_id"
        " WHERE l.booking_id = :id ORDER BY l.id",
        "tttittti", {{"id", booking.id}}, [&](const store::Row& row) {
            if (log.size() == 0 && !row.text(0).empty())
                made(row.text(0));
            log.push(json::Value::object({{"from", row.text(0)},
                                          {"to", row.text(1)},
                                          {"actor", row.text(2)},
                                          {"actor_id", row.maybe_integer(3)},
                                          {"actor_name", row.maybe_text(4)},
                                          {"through", row.text(5)},
                                          {"reason", row.text(6)},
                                          {"at", row.instant(7)}}));
        });
    if (log.size() == 0)
        made(booking.status);
    return log;
}

}  // namespace svc::booking
