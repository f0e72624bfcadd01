// SQL of bookings.
#include "base/booking/repository.hpp"

#include "shared/core/text.hpp"
#include "shared/store/like.hpp"

namespace svc::booking {
namespace {

#define SVC_BOOKING_COLUMNS                                                                                       \
    "b.id, b.reference, b.trip_id, b.trip_title, b.trip_slug, b.customer_id, b.user_id, b.contact_first_name,"    \
    " b.contact_last_name, b.contact_email, b.contact_phone, b.contact_country, b.travel_date, b.end_date,"       \
    " b.departure_time, b.travelers_count, b.traveler_counts, b.currency, b.subtotal_minor, b.discount_minor,"    \
    " b.services_minor, b.itinerary_minor, b.tax_minor, b.total_minor, b.pay_now_minor, b.amount_paid_minor,"     \
    " b.tax_inclusive, b.payment_method, b.payment_gateway, b.payment_status, b.status, b.cancellation_reason,"   \
    " b.attention_reason, b.confirmed_at, b.completed_at, b.cancelled_at, b.needs_attention, b.special_requests," \
    " b.internal_notes, b.source, b.row_version, b.created_at, b.updated_at,"                                     \
    " (SELECT MIN(l.departure_id) FROM svc_booking_departures l WHERE l.booking_id = b.id AND l.released_at IS NULL)"

// The filter's conditions, the same text for list and count. An absent value switches its condition off, so the
// statement stays one literal; the search text is lower-cased when a booking is written.
#define SVC_BOOKING_WHERE                                                                         \
    " WHERE (:status_any = 1 OR (:status = '' AND b.status <> 'trash') OR b.status = :status_is)" \
    " AND (:payment_status = '' OR b.payment_status = :payment_status_is)"                        \
    " AND (CAST(:trip_id AS BIGINT) = 0 OR b.trip_id = :trip_id_is)"                              \
    " AND (CAST(:customer_id AS BIGINT) = 0 OR b.customer_id = :customer_id_is)"                  \
    " AND (CAST(:user_id AS BIGINT) = 0 OR b.user_id = :user_id_is)"                              \
    " AND b.created_at >= :from AND b.created_at < :to"                                           \
    " AND (:search = '' OR b.search LIKE :search_like ESCAPE '\\')"

constexpr store::Columns booking_columns = "itittiittttttttittiiiiiiiiittttttiiiitttiiii";

Booking read(const store::Row& row) {
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
            .departure_id = row.maybe_integer(43)};
}

store::Params where(const Filter& filter) {
    const std::string search = text::folded(filter.search);
    const std::int64_t trip = filter.trip_id.value_or(0);
    const std::int64_t customer = filter.customer_id.value_or(0);
    return {{"status_any", filter.status == "all"},
            {"status", filter.status},
            {"status_is", filter.status},
            {"payment_status", filter.payment_status},
            {"payment_status_is", filter.payment_status},
            {"trip_id", trip},
            {"trip_id_is", trip},
            {"customer_id", customer},
            {"customer_id_is", customer},
            {"user_id", filter.user_id.value_or(0)},
            {"user_id_is", filter.user_id.value_or(0)},
            {"from", filter.from.value_or(Instant::from_micros(INT64_MIN))},
            {"to", filter.to.value_or(Instant::from_micros(INT64_MAX))},
            {"search", search},
            {"search_like", store::like_contains(search)}};
}

#define SVC_BOOKING_LIST(order)                                                               \
    "SELECT " SVC_BOOKING_COLUMNS " FROM svc_bookings b" SVC_BOOKING_WHERE " ORDER BY " order \
    " LIMIT :limit OFFSET :offset"

// Every way the list can be sorted, a whole statement each, so that no name from outside reaches SQL.
struct Sorting {
    std::string_view key, ascending, descending;
};
#define SVC_SORTED(key, column) \
    Sorting { key, SVC_BOOKING_LIST(column " ASC, b.id ASC"), SVC_BOOKING_LIST(column " DESC, b.id DESC") }
constexpr Sorting sortings[] = {SVC_SORTED("created_at", "b.created_at"),
                                SVC_SORTED("reference", "b.reference"),
                                SVC_SORTED("booking_number", "b.reference"),
                                SVC_SORTED("customer", "b.contact_last_name"),
                                SVC_SORTED("trip", "b.trip_title"),
                                SVC_SORTED("travelers", "b.travelers_count"),
                                SVC_SORTED("booking_date", "b.created_at"),
                                SVC_SORTED("travel_date", "b.travel_date"),
                                SVC_SORTED("amount", "b.total_minor"),
                                SVC_SORTED("total_amount", "b.total_minor"),
                                SVC_SORTED("payment_status", "b.payment_status"),
                                SVC_SORTED("booking_status", "b.status"),
                                SVC_SORTED("status", "b.status")};

}  // namespace

std::vector<std::string> sort_keys() {
    std::vector<std::string> keys;
    for (const Sorting& sorting : sortings)
        keys.emplace_back(sorting.key);
    return keys;
}

std::optional<Booking> Repository::find(store::Session& session, std::int64_t id) {
    return session.first<Booking>("SELECT " SVC_BOOKING_COLUMNS " FROM svc_bookings b WHERE b.id = :id",
                                  booking_columns, {{"id", id}}, read);
}

std::vector<Booking> Repository::list(store::Session& session, const Filter& filter, const api::Page& page) {
    store::Params params = where(filter);
    params.emplace_back("limit", page.per_page);
    params.emplace_back("offset", page.offset());
    const Sorting* chosen = &sortings[0];
    for (const Sorting& sorting : sortings)
        if (sorting.key == page.order_by)
            chosen = &sorting;
    return session.all<Booking>(page.ascending ? chosen->ascending : chosen->descending, booking_columns, params, read);
}

std::int64_t Repository::count(store::Session& session, const Filter& filter) {
    // What staff look at all day, from indexes alone: the rows are wide and many.
    const bool by_status_alone = filter.payment_status.empty() && filter.search.empty() && !filter.trip_id &&
                                 !filter.customer_id && !filter.user_id && !filter.from && !filter.to;
    if (by_status_alone && (filter.status.empty() || filter.status == "all"))
        return session.number("SELECT COUNT(*) FROM svc_bookings", {}) -
               (filter.status.empty() ? session.number("SELECT COUNT(*) FROM svc_bookings WHERE status = 'trash'", {})
                                      : 0);
    if (by_status_alone)
        return session.number("SELECT COUNT(*) FROM svc_bookings WHERE status = :status", {{"status", filter.status}});
    return session.number("SELECT COUNT(*) FROM svc_bookings b" SVC_BOOKING_WHERE, where(filter));
}

bool Repository::insert(store::Transaction& tx, Booking& b, const json::Value& quote) {
    const std::string search =
        text::folded(b.reference + " " + b.first_name + " " + b.last_name + " " + b.email + " " + b.phone);
    const auto id = tx.first<std::int64_t>(
        "INSERT INTO svc_bookings (reference, trip_id, trip_title, trip_slug, customer_id, user_id,"
        " contact_first_name, contact_last_name, contact_email, contact_phone, contact_country, travel_date, end_date,"
        " departure_time, travelers_count, traveler_counts, currency, subtotal_minor, discount_minor, services_minor,"
        " itinerary_minor, tax_minor, tax_inclusive, total_minor, pay_now_minor, payment_method, payment_gateway,"
        " payment_status, status, confirmed_at, special_requests, internal_notes, source, quote, search, created_at,"
        " updated_at) VALUES (:reference, :trip_id, :trip_title, :trip_slug, :customer_id, :user_id, :first_name,"
        " :last_name, :email, :phone, :country, :travel_date, :end_date, :departure_time, :travelers_count,"
        " :traveler_counts, :currency, :subtotal, :discount, :services, :itinerary, :tax, :tax_inclusive, :total,"
        " :pay_now, :payment_method, :payment_gateway, :payment_status, :status, :confirmed_at, :special_requests,"
        " :internal_notes, :source, :quote, :search, :created_at, :updated_at)"
        " ON CONFLICT (reference) DO NOTHING RETURNING id",
        "i",
        {{"reference", b.reference},
         {"trip_id", b.trip_id},
         {"trip_title", b.trip_title},
         {"trip_slug", b.trip_slug},
         {"customer_id", b.customer_id},
         {"user_id", b.user_id},
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
         {"currency", b.total.currency().code()},
         {"subtotal", b.subtotal.minor()},
         {"discount", b.discount.minor()},
         {"services", b.services.minor()},
         {"itinerary", b.itinerary.minor()},
         {"tax", b.tax.minor()},
         {"tax_inclusive", b.tax_inclusive},
         {"total", b.total.minor()},
         {"pay_now", b.pay_now.minor()},
         {"payment_method", b.payment_method},
         {"payment_gateway", b.payment_gateway},
         {"payment_status", b.payment_status},
         {"status", b.status},
         {"confirmed_at", b.confirmed_at},
         {"special_requests", b.special_requests},
         {"internal_notes", b.internal_notes},
         {"source", b.source},
         {"quote", quote.dump()},
         {"search", search},
         {"created_at", b.created_at},
         {"updated_at", b.updated_at}},
        [](const store::Row& row) { return row.integer(0); });
    b.id = id.value_or(0);
    return id.has_value();
}

void Repository::insert_lines(store::Transaction& tx, std::int64_t booking_id, const std::vector<Line>& lines) {
    std::int64_t number = 0;
    for (const Line& line : lines)
        tx.run(
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
    // An update that changes nothing locks the row on both databases, where FOR UPDATE exists on one alone.
    if (tx.run("UPDATE svc_bookings SET row_version = row_version WHERE id = :id", {{"id", id}}) == 0)
        return std::nullopt;
    return find(tx, id);
}

bool Repository::change_status(store::Transaction& tx, const Booking& booking, std::string_view to, Cause cause,
                               const Actor& actor, std::string_view reason, Instant now) {
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
        return false;
    tx.run(
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
    return true;
}

void Repository::set_paid(store::Transaction& tx, std::int64_t id, const Money& paid, std::string_view payment_status,
                          Instant now) {
    tx.run(
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
