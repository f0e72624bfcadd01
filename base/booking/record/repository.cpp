// SQL of bookings.
#include "base/booking/record/repository.hpp"

#include "base/booking/record/columns.hpp"
#include "shared/core/words.hpp"
#include "shared/store/later.hpp"

namespace svc::booking {

Booking read_booking(const store::Row& row) {
    const Currency currency = Currency::parse(row.text(17)).value();
    const auto money = [&](std::size_t column) { return Money{row.integer(column), currency}; };
    const auto maybe_text = [&](std::size_t column) { return row.maybe_text(column); };
    return {.id = row.integer(0),
            .reference = row.text(1),
            .trip_id = row.integer(2),
            .trip_title = row.text(3),
            .trip_slug = row.text(4),
            .customer_id = row.integer(5),
            .user_id = row.maybe_integer(6),
            .first_name = row.text(7),
            .last_name = row.text(8),
            .email = row.text(9),
            .phone = row.text(10),
            .country = row.text(11),
            .travel_date = row.date(12),
            .end_date = row.date(13),
            .departure_time = row.is_null(14) ? std::nullopt : ClockTime::parse(row.text(14)),
            .travelers_count = row.integer(15),
            .traveler_counts = json::parse(row.text(16)).value(),
            .subtotal = money(18),
            .discount = money(19),
            .services = money(20),
            .itinerary = money(21),
            .tax = money(22),
            .total = money(23),
            .pay_now = money(24),
            .amount_paid = money(25),
            .tax_inclusive = row.flag(26),
            .tax_rate = Rate{row.integer(44)},
            .coupon_code = row.text(43),
            .payment_method = row.text(27),
            .payment_gateway = row.text(28),
            .payment_status = row.text(29),
            .status = row.text(30),
            .cancellation_reason = maybe_text(31),
            .attention_reason = maybe_text(32),
            .confirmed_at = row.maybe_instant(33),
            .completed_at = row.maybe_instant(34),
            .cancelled_at = row.maybe_instant(35),
            .needs_attention = row.flag(36),
            .special_requests = row.text(37),
            .internal_notes = row.text(38),
            .source = row.text(39),
            .row_version = row.integer(40),
            .created_at = row.instant(41),
            .updated_at = row.instant(42),
            .payable_since = row.maybe_instant(45),
            .departure_id = row.maybe_integer(46),
            .entered_afterwards = row.flag(47)};
}

std::optional<Booking> Repository::find(store::Session& session, std::int64_t id) {
    return session.first<Booking>("SELECT " SVC_BOOKING_COLUMNS " FROM svc_bookings b WHERE b.id = :id",
                                  booking_columns, {{"id", id}}, read_booking);
}

store::Params params_of(const Booking& b) {
    return {{"trip_id", b.trip_id},
            {"trip_title", b.trip_title},
            {"trip_slug", b.trip_slug},
            {"customer_id", b.customer_id},
            {"first_name", b.first_name},
            {"last_name", b.last_name},
            {"email", b.email},
            {"phone", b.phone},
            {"country", b.country},
            {"travel_date", b.travel_date},
            {"end_date", b.end_date},
            {"departure_time", b.departure_time},
            {"travelers_count", b.travelers_count},
            {"traveler_counts", b.traveler_counts.dump()},
            {"subtotal", b.subtotal.minor()},
            {"discount", b.discount.minor()},
            {"services", b.services.minor()},
            {"itinerary", b.itinerary.minor()},
            {"tax", b.tax.minor()},
            {"tax_inclusive", b.tax_inclusive},
            {"total", b.total.minor()},
            {"pay_now", b.pay_now.minor()},
            {"coupon_code", b.coupon_code},
            {"tax_rate", b.tax_rate.ppm},
            {"payment_method", b.payment_method},
            {"payment_gateway", b.payment_gateway},
            {"special_requests", b.special_requests},
            {"internal_notes", b.internal_notes},
            {"search",
             text::search_key(b.reference + " " + b.first_name + " " + b.last_name + " " + b.email + " " + b.phone)}};
}

bool Repository::insert(store::Transaction& tx, Booking& b, const json::Value& quote,
                        std::optional<std::int64_t> form_id) {
    store::Params params = params_of(b);
    for (store::Param& own : std::vector<store::Param>{{"reference", b.reference},
                                                       {"user_id", b.user_id},
                                                       {"currency", b.total.currency().code()},
                                                       {"payment_status", b.payment_status},
                                                       {"status", b.status},
                                                       {"confirmed_at", b.confirmed_at},
                                                       {"source", b.source},
                                                       {"quote", quote.dump()},
                                                       {"created_at", b.created_at},
                                                       {"updated_at", b.updated_at},
                                                       {"form_id", form_id},
                                                       {"entered_afterwards", b.entered_afterwards}})
        params.push_back(std::move(own));
    const auto id = tx.first<std::int64_t>(
        "INSERT INTO svc_bookings (reference, trip_id, trip_title, trip_slug, customer_id, user_id,"
        " contact_first_name, contact_last_name, contact_email, contact_phone, contact_country, travel_date, end_date,"
        " departure_time, travelers_count, traveler_counts, currency, subtotal_minor, discount_minor, services_minor,"
        " itinerary_minor, tax_minor, tax_inclusive, total_minor, pay_now_minor, payment_method, payment_gateway,"
        " payment_status, status, confirmed_at, special_requests, internal_notes, source, quote, search, created_at,"
        " updated_at, contact_sealed, emergency_sealed, form_id, coupon_code, tax_rate_ppm, entered_afterwards) VALUES "
        "(:reference, "
        ":trip_id, :trip_title, :trip_slug, :customer_id, :user_id, :first_name,"
        " :last_name, :email, :phone, :country, :travel_date, :end_date, :departure_time, :travelers_count,"
        " :traveler_counts, :currency, :subtotal, :discount, :services, :itinerary, :tax, :tax_inclusive, :total,"
        " :pay_now, :payment_method, :payment_gateway, :payment_status, :status, :confirmed_at, :special_requests,"
        " :internal_notes, :source, :quote, :search, :created_at, :updated_at, '', '', :form_id, :coupon_code, "
        ":tax_rate, :entered_afterwards)"
        " ON CONFLICT (reference) DO NOTHING RETURNING id",
        "i", params, [](const store::Row& row) { return row.integer(0); });
    b.id = id.value_or(0);
    return id.has_value();
}

void Repository::insert_lines(store::Transaction& tx, std::int64_t booking_id, const std::vector<Line>& lines) {
    std::int64_t number = 0;
    for (const Line& line : lines)
        store::run_later(
            tx,
            "INSERT INTO svc_booking_lines (booking_id, line_no, kind, label, quantity, unit_minor, amount_minor)"
            " VALUES (:booking_id, :line_no, :kind, :label, :quantity, :unit, :amount)",
            {{"booking_id", booking_id},
             {"line_no", ++number},
             {"kind", line.kind},
             {"label", line.label},
             {"quantity", line.quantity},
             {"unit", line.unit.minor()},
             {"amount", line.amount.minor()}});
}

std::vector<Line> Repository::lines(store::Session& session, std::int64_t booking_id, Currency currency) {
    return session.all<Line>(
        "SELECT kind, label, quantity, unit_minor, amount_minor FROM svc_booking_lines WHERE booking_id = :id"
        " ORDER BY line_no",
        "ttiii", {{"id", booking_id}}, [&](const store::Row& row) {
            return Line{.kind = row.text(0),
                        .label = row.text(1),
                        .quantity = row.integer(2),
                        .unit = Money{row.integer(3), currency},
                        .amount = Money{row.integer(4), currency}};
        });
}

std::optional<Booking> Repository::lock(store::Transaction& tx, std::int64_t id) {
    lock_row(tx, id);
    return find(tx, id);
}

// SQLite has one writer at a time, and this transaction is it. Elsewhere the booking is read once its row is locked, by
// a statement of its own: what is read beside it is then of the same moment.
void Repository::lock_row(store::Transaction& tx, std::int64_t id) {
    if (tx.dialect() == store::Dialect::postgresql)
        store::run_later(tx, "SELECT 1 FROM svc_bookings WHERE id = :id FOR NO KEY UPDATE", {{"id", id}});
}

std::optional<Booking> Repository::change_status(store::Transaction& tx, const Booking& booking, std::string_view to,
                                                 Cause cause, const Actor& actor, std::string_view reason,
                                                 Instant now) {
    // Restored, it keeps the moments and the reason it had.
    const auto reached = [&](std::string_view one) { return to == one && booking.status != status::trash; };
    const auto changed = tx.run(
        "UPDATE svc_bookings SET status = :status, row_version = row_version + 1, updated_at = :now,"
        " status_before_trash = CASE WHEN :to_trash = 1 THEN status ELSE NULL END,"
        " confirmed_at = CASE WHEN :to_confirmed = 1 THEN :confirmed_at ELSE confirmed_at END,"
        " expired_at = CASE WHEN :by_expiry = 1 THEN :expired_at ELSE expired_at END,"
        " completed_at = CASE WHEN :to_completed = 1 THEN :completed_at ELSE completed_at END,"
        " cancelled_at = CASE WHEN :to_cancelled = 1 THEN :cancelled_at ELSE cancelled_at END,"
        " cancelled_via = CASE WHEN :to_cancelled2 = 1 THEN :via ELSE cancelled_via END,"
        " cancellation_reason = CASE WHEN :to_cancelled3 = 1 THEN :reason ELSE cancellation_reason END"
        " WHERE id = :id AND status = :from",
        {{"status", to},
         {"now", now},
         {"to_trash", to == status::trash},
         {"to_confirmed", reached(status::confirmed)},
         {"confirmed_at", now},
         {"by_expiry", reached(status::cancelled) && cause == Cause::sweep},
         {"expired_at", now},
         {"to_completed", reached(status::completed)},
         {"completed_at", now},
         {"to_cancelled", reached(status::cancelled)},
         {"cancelled_at", now},
         {"to_cancelled2", reached(status::cancelled)},
         {"via", cause == Cause::sweep     ? std::string_view{"expiry"}
                 : actor.kind == "gateway" ? std::string_view{"system"}
                                           : actor.kind},
         {"to_cancelled3", reached(status::cancelled)},
         {"reason", reason},
         {"id", booking.id},
         {"from", booking.status}});
    if (changed == 0)
        return std::nullopt;
    store::run_later(
        tx,
        "INSERT INTO svc_booking_status_log (booking_id, from_status, to_status, actor_kind, actor_id, through, reason,"
        " at) VALUES (:booking_id, :from, :to, :actor_kind, :actor_id, :through, :reason, :at)",
        {{"booking_id", booking.id},
         {"from", booking.status},
         {"to", to},
         {"actor_kind", actor.kind},
         {"actor_id", actor.id},
         {"through", actor.through},
         {"reason", reason},
         {"at", now}});
    Booking after = booking;
    // What was taken up again has not ended; its history tells that it had.
    if (stands(to) && booking.status != status::trash && (after.cancelled_at || after.completed_at)) {
        const bool is_completed = to == status::completed;
        store::run_later(
            tx,
            "UPDATE svc_bookings SET cancelled_at = NULL, cancelled_via = NULL, cancellation_reason = NULL,"
            " expired_at = NULL, completed_at = CASE WHEN :completed = 1 THEN completed_at ELSE NULL END"
            " WHERE id = :id",
            {{"completed", is_completed}, {"id", booking.id}});
        after.cancelled_at.reset();
        after.cancellation_reason.reset();
        after.completed_at.reset();
    }
    after.status = to;
    after.row_version = booking.row_version + 1;
    after.updated_at = now;
    if (reached(status::confirmed))
        after.confirmed_at = now;
    if (reached(status::completed))
        after.completed_at = now;
    if (reached(status::cancelled)) {
        after.cancelled_at = now;
        after.cancellation_reason = reason;
    }
    return after;
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

void Repository::unflag(store::Transaction& tx, std::int64_t id, Instant now) {
    tx.run("UPDATE svc_bookings SET needs_attention = 0, attention_reason = NULL, updated_at = :now WHERE id = :id",
           {{"now", now}, {"id", id}});
}

std::string Repository::status_before_trash(store::Session& session, std::int64_t booking_id) {
    return session
        .first<std::string>("SELECT status_before_trash FROM svc_bookings WHERE id = :id", "t", {{"id", booking_id}},
                            [](const store::Row& row) { return row.maybe_text(0).value_or(""); })
        .value_or("");
}

}  // namespace svc::booking
