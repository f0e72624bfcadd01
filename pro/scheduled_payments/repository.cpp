// Statements of scheduled payments, each a whole literal.
#include "pro/scheduled_payments/repository.hpp"

#include "shared/core/words.hpp"
#include "shared/store/like.hpp"
#include "shared/store/sorting.hpp"

namespace svc::pro::scheduled_payments {
namespace {

#define SVC_SCHEDULED_COLUMNS                                                                                        \
    "s.id, s.booking_id, s.plan_no, s.sequence_no, s.kind, s.payment_type, s.amount_minor, s.currency,"              \
    " s.planned_total_minor, s.scheduled_date, s.days_before_tour, s.status, s.attempts, s.max_attempts,"            \
    " s.next_attempt_at, s.last_attempt_at, s.reminder_sent_at, s.link_sent_at, s.cancelled_at, s.asked_minor,"      \
    " s.permanent_failure, s.last_error, s.gateway, s.saved_method_id, s.payment_id, s.cancel_reason, s.created_at," \
    " s.updated_at, b.reference, b.contact_first_name, b.contact_last_name"
#define SVC_SCHEDULED_FROM " FROM svc_scheduled_payments s JOIN svc_booking_v1 b ON b.id = s.booking_id"
constexpr store::Columns scheduled_columns = "iiiittitititiiiiiiiiittiitiittt";

#define SVC_SEEN " (:guide = 0 OR b.id IN (SELECT booking_id FROM svc_booking_guide_v1 WHERE guide_user_id = :guide))"
#define SVC_SCHEDULED_WHERE                                                                              \
    " WHERE (:any_status = 1 OR s.status = :status) AND (:booking_id = 0 OR s.booking_id = :booking_id)" \
    " AND" SVC_SEEN                                                                                      \
    " AND (:no_from = 1 OR s.scheduled_date >= :from) AND (:no_to = 1 OR s.scheduled_date <= :to)"       \
    " AND (:no_search = 1 OR b.search LIKE :search ESCAPE '\\')"

#define SVC_SCHEDULED_LIST(order)                                                             \
    "SELECT " SVC_SCHEDULED_COLUMNS SVC_SCHEDULED_FROM SVC_SCHEDULED_WHERE " ORDER BY " order \
    " LIMIT :limit OFFSET :offset"

using Sorting = store::Sorting<>;
#define SVC_SORTED(key, column) \
    Sorting { key, SVC_SCHEDULED_LIST(column " ASC, s.id ASC"), SVC_SCHEDULED_LIST(column " DESC, s.id DESC") }
constexpr Sorting sortings[] = {SVC_SORTED("scheduled_date", "s.scheduled_date"),
                                SVC_SORTED("created_at", "s.created_at"),
                                SVC_SORTED("amount", "s.amount_minor"),
                                SVC_SORTED("status", "s.status"),
                                SVC_SORTED("name", "b.contact_last_name"),
                                Sorting{"id", SVC_SCHEDULED_LIST("s.id ASC"), SVC_SCHEDULED_LIST("s.id DESC")}};

ScheduledPayment read(const store::Row& row) {
    const Currency currency = Currency::parse(row.text(7)).value();
    return {.id = row.integer(0),
            .booking_id = row.integer(1),
            .plan_no = row.integer(2),
            .sequence_no = row.integer(3),
            .kind = row.text(4),
            .payment_type = row.text(5),
            .amount = Money{row.integer(6), currency},
            .planned_total = row.integer(8),
            .date = row.date(9),
            .days_before_tour = row.maybe_integer(10),
            .status = row.text(11),
            .attempts = row.integer(12),
            .max_attempts = row.integer(13),
            .next_attempt_at = row.maybe_instant(14),
            .last_attempt_at = row.maybe_instant(15),
            .reminder_sent_at = row.maybe_instant(16),
            .link_sent_at = row.maybe_instant(17),
            .cancelled_at = row.maybe_instant(18),
            .asked = row.maybe_integer(19),
            .permanent = row.flag(20),
            .last_error = row.text(21),
            .gateway = row.text(22),
            .saved_method_id = row.maybe_integer(23),
            .payment_id = row.maybe_integer(24),
            .cancel_reason = row.maybe_text(25),
            .created_at = row.instant(26),
            .updated_at = row.instant(27),
            .booking_reference = row.text(28),
            .customer_name = row.text(29) + " " + row.text(30)};
}

#define SVC_OWING_COLUMNS                                                                                             \
    "b.id, b.reference, b.contact_first_name, b.contact_last_name, b.contact_email, b.status, b.user_id, b.currency," \
    " b.total_minor, b.amount_paid_minor, b.travel_date"
constexpr store::Columns owing_columns = "itttttitiit", outstanding_columns = "itttttitiitt";

Owing read_owing(const store::Row& row) {
    const Currency currency = Currency::parse(row.text(7)).value();
    return {.id = row.integer(0),
            .reference = row.text(1),
            .first_name = row.text(2),
            .last_name = row.text(3),
            .email = row.text(4),
            .status = row.text(5),
            .user_id = row.maybe_integer(6),
            .total = Money{row.integer(8), currency},
            .paid = Money{row.integer(9), currency},
            .travel_date = row.date(10)};
}

#define SVC_OUTSTANDING                                                                                            \
    " FROM svc_booking_v1 b LEFT JOIN svc_unscheduled_bookings u ON u.booking_id = b.id"                           \
    " WHERE b.status IN ('pending', 'confirmed', 'processing', 'on-hold') AND b.total_minor > b.amount_paid_minor" \
    " AND NOT EXISTS (SELECT 1 FROM svc_scheduled_payments s WHERE s.booking_id = b.id"                            \
    " AND s.status IN ('scheduled', 'processing')) AND" SVC_SEEN                                                   \
    " AND (:no_from = 1 OR b.travel_date >= :from) AND (:no_to = 1 OR b.travel_date <= :to)"                       \
    " AND (:no_search = 1 OR b.search LIKE :search ESCAPE '\\')"

// With rows that are no more to come, it was called off: by hand, or by what staff did (a refund, another total).
#define SVC_OUTSTANDING_LIST(order)                                                                             \
    "SELECT " SVC_OWING_COLUMNS                                                                                 \
    ", CASE WHEN b.user_id IS NULL THEN 'guest_booking'"                                                        \
    " WHEN EXISTS (SELECT 1 FROM svc_scheduled_payments s WHERE s.booking_id = b.id AND s.status = 'failed')"   \
    " THEN 'charge_failed'"                                                                                     \
    " WHEN EXISTS (SELECT 1 FROM svc_scheduled_payments s WHERE s.booking_id = b.id) THEN 'cancelled_by_admin'" \
    " WHEN u.reason IS NOT NULL THEN u.reason WHEN b.amount_paid_minor > 0 THEN 'module_enabled_later'"         \
    " ELSE 'no_saved_method' END" SVC_OUTSTANDING " ORDER BY " order " LIMIT :limit OFFSET :offset"

#define SVC_OUTSTANDING_SORTED(key, column) \
    Sorting { key, SVC_OUTSTANDING_LIST(column " ASC, b.id ASC"), SVC_OUTSTANDING_LIST(column " DESC, b.id DESC") }
constexpr Sorting outstanding_sortings[] = {
    SVC_OUTSTANDING_SORTED("tour_date", "b.travel_date"), SVC_OUTSTANDING_SORTED("created_at", "b.created_at"),
    SVC_OUTSTANDING_SORTED("name", "b.contact_last_name"), SVC_OUTSTANDING_SORTED("status", "b.status"),
    Sorting{"id", SVC_OUTSTANDING_LIST("b.id ASC"), SVC_OUTSTANDING_LIST("b.id DESC")}};

store::Params conditions(const Query& query) {
    return {{"any_status", query.status.empty() || query.status == "all"},
            {"status", query.status},
            {"booking_id", query.booking_id},
            {"guide", query.guide_id},
            {"no_from", !query.from},
            {"from", query.from.value_or(Date())},
            {"no_to", !query.to},
            {"to", query.to.value_or(Date())},
            {"no_search", query.search.empty()},
            {"search", store::like_contains(text::search_key(query.search))},
            {"limit", query.limit},
            {"offset", query.offset}};
}

std::int64_t id_of(const store::Row& row) { return row.integer(0); }

}  // namespace

std::vector<std::string> sort_keys() { return store::keys_of(sortings); }
std::vector<std::string> outstanding_sort_keys() { return store::keys_of(outstanding_sortings); }

std::optional<Owing> Repository::lock(store::Transaction& tx, std::int64_t booking_id) {
    const store::Params params{{"id", booking_id}};
    if (tx.dialect() == store::Dialect::postgresql)  // SQLite has one writer at a time
        tx.each("SELECT id FROM svc_booking_v1 WHERE id = :id FOR NO KEY UPDATE", "i", params,
                [](const store::Row&) {});
    return tx.first<Owing>("SELECT " SVC_OWING_COLUMNS " FROM svc_booking_v1 b WHERE b.id = :id", owing_columns, params,
                           read_owing);
}

bool Repository::refunded_since(store::Session& session, std::int64_t booking_id, Instant since) {
    return session.number(
               "SELECT COUNT(*) FROM svc_refund_v1 WHERE booking_id = :id AND status = 'completed'"
               " AND processed_at >= :since",
               {{"id", booking_id}, {"since", since}}) > 0;
}

std::optional<PagePayment> Repository::last_by_page(store::Session& session, std::int64_t booking_id) {
    std::optional<PagePayment> last;
    // What staff recorded or charged by a saved method has no page.
    session.each(
        "SELECT id, amount_minor, currency, processed_at, by_page FROM svc_payment_v1"
        " WHERE booking_id = :id AND status = 'completed' ORDER BY processed_at DESC, id DESC LIMIT 1",
        "iitii", {{"id", booking_id}}, [&](const store::Row& row) {
            if (row.flag(4))
                last = PagePayment{.id = row.integer(0),
                                   .amount = Money{row.integer(1), Currency::parse(row.text(2)).value()},
                                   .at = row.instant(3)};
        });
    return last;
}

std::optional<ScheduledPayment> Repository::find(store::Session& session, std::int64_t id) {
    return session.first<ScheduledPayment>("SELECT " SVC_SCHEDULED_COLUMNS SVC_SCHEDULED_FROM " WHERE s.id = :id",
                                           scheduled_columns, {{"id", id}}, read);
}

std::vector<ScheduledPayment> Repository::list(store::Session& session, const Query& query) {
    return session.all<ScheduledPayment>(store::sorted_by(sortings, query.order_by, query.ascending), scheduled_columns,
                                         conditions(query), read);
}

std::int64_t Repository::count(store::Session& session, const Query& query) {
    return session.number("SELECT COUNT(*)" SVC_SCHEDULED_FROM SVC_SCHEDULED_WHERE, conditions(query));
}

std::vector<ScheduledPayment> Repository::of_booking(store::Session& session, std::int64_t booking_id) {
    return session.all<ScheduledPayment>("SELECT " SVC_SCHEDULED_COLUMNS SVC_SCHEDULED_FROM
                                         " WHERE s.booking_id = :id ORDER BY s.plan_no, s.sequence_no",
                                         scheduled_columns, {{"id", booking_id}}, read);
}

std::vector<Counted> Repository::counted(store::Session& session, std::string_view currency, std::int64_t guide_id) {
    return session.all<Counted>(
        "SELECT s.status, COUNT(*), CAST(SUM(CASE WHEN s.currency = :currency THEN s.amount_minor ELSE 0 END)"
        " AS BIGINT)" SVC_SCHEDULED_FROM " WHERE" SVC_SEEN " GROUP BY s.status",
        "tii", {{"currency", currency}, {"guide", guide_id}}, [](const store::Row& row) {
            return Counted{.status = row.text(0), .count = row.integer(1), .sum = row.integer(2)};
        });
}

std::int64_t Repository::coming(store::Session& session, Date from, Date to, std::int64_t guide_id) {
    return session.number("SELECT COUNT(*)" SVC_SCHEDULED_FROM
                          " WHERE s.status = 'scheduled' AND s.kind = 'charge' AND s.scheduled_date >= :from"
                          " AND s.scheduled_date <= :to AND" SVC_SEEN,
                          {{"from", from}, {"to", to}, {"guide", guide_id}});
}

std::vector<Outstanding> Repository::outstanding(store::Session& session, const Query& query) {
    return session.all<Outstanding>(
        store::sorted_by(outstanding_sortings, query.order_by, query.ascending), outstanding_columns, conditions(query),
        [](const store::Row& row) { return Outstanding{.booking = read_owing(row), .reason = row.text(11)}; });
}

std::int64_t Repository::count_outstanding(store::Session& session, const Query& query) {
    return session.number("SELECT COUNT(*)" SVC_OUTSTANDING, conditions(query));
}

std::vector<std::int64_t> Repository::due(store::Session& session, Date today, Instant now, std::int64_t most) {
    return session.all<std::int64_t>(
        "SELECT id FROM svc_scheduled_payments WHERE status = 'scheduled' AND kind = 'charge'"
        " AND scheduled_date <= :today AND (next_attempt_at IS NULL OR next_attempt_at <= :now)"
        " ORDER BY scheduled_date, id LIMIT :most",
        "i", {{"today", today}, {"now", now}, {"most", most}}, id_of);
}

std::vector<std::int64_t> Repository::stuck(store::Session& session, Instant since, std::int64_t most) {
    return session.all<std::int64_t>(
        "SELECT id FROM svc_scheduled_payments WHERE status = 'processing' AND last_attempt_at <= :since"
        " ORDER BY last_attempt_at, id LIMIT :most",
        "i", {{"since", since}, {"most", most}}, id_of);
}

std::vector<std::int64_t> Repository::to_remind(store::Session& session, Date today, Date until, std::int64_t most) {
    return session.all<std::int64_t>(
        "SELECT id FROM svc_scheduled_payments WHERE status = 'scheduled' AND kind = 'charge'"
        " AND reminder_sent_at IS NULL AND attempts = 0 AND scheduled_date >= :today AND scheduled_date <= :until"
        " ORDER BY scheduled_date, id LIMIT :most",
        "i", {{"today", today}, {"until", until}, {"most", most}}, id_of);
}

std::int64_t Repository::insert(store::Transaction& tx, const ScheduledPayment& payment) {
    return tx.insert(
        "INSERT INTO svc_scheduled_payments (booking_id, plan_no, sequence_no, kind, payment_type, amount_minor,"
        " currency, planned_total_minor, scheduled_date, days_before_tour, status, max_attempts, gateway,"
        " saved_method_id, link_sent_at, created_at, updated_at) VALUES (:booking_id, :plan_no, :sequence_no, :kind,"
        " :payment_type, :amount, :currency, :planned_total, :date, :days_before_tour, :status, :max_attempts,"
        " :gateway, :saved_method_id, :link_sent_at, :now, :now)"
        " RETURNING id",
        {{"booking_id", payment.booking_id},
         {"plan_no", payment.plan_no},
         {"sequence_no", payment.sequence_no},
         {"kind", payment.kind},
         {"payment_type", payment.payment_type},
         {"amount", payment.amount.minor()},
         {"currency", payment.amount.currency().code()},
         {"planned_total", payment.planned_total},
         {"date", payment.date},
         {"days_before_tour", payment.days_before_tour},
         {"status", payment.status},
         {"max_attempts", payment.max_attempts},
         {"gateway", payment.gateway},
         {"saved_method_id", payment.saved_method_id},
         {"link_sent_at", payment.link_sent_at},
         {"now", payment.created_at}});
}

void Repository::update(store::Transaction& tx, const ScheduledPayment& payment, Instant now) {
    tx.run(
        "UPDATE svc_scheduled_payments SET amount_minor = :amount, planned_total_minor = :planned_total,"
        " scheduled_date = :date, status = :status, attempts = :attempts, next_attempt_at = :next_attempt_at,"
        " last_attempt_at = :last_attempt_at, asked_minor = :asked, permanent_failure = :permanent,"
        " last_error = :last_error, payment_id = :payment_id, reminder_sent_at = :reminder_sent_at, updated_at = :now"
        " WHERE id = :id",
        {{"amount", payment.amount.minor()},
         {"planned_total", payment.planned_total},
         {"date", payment.date},
         {"status", payment.status},
         {"attempts", payment.attempts},
         {"next_attempt_at", payment.next_attempt_at},
         {"last_attempt_at", payment.last_attempt_at},
         {"asked", payment.asked},
         {"permanent", payment.permanent},
         {"last_error", payment.last_error},
         {"payment_id", payment.payment_id},
         {"reminder_sent_at", payment.reminder_sent_at},
         {"now", now},
         {"id", payment.id}});
}

void Repository::cancel(store::Transaction& tx, std::int64_t id, std::string_view reason,
                        std::optional<std::int64_t> user_id, Instant now) {
    tx.run(
        "UPDATE svc_scheduled_payments SET status = 'cancelled', cancelled_at = :now, cancelled_by = :user_id,"
        " cancel_reason = :reason, updated_at = :now WHERE id = :id AND status = 'scheduled'",
        {{"now", now}, {"user_id", user_id}, {"reason", reason}, {"id", id}});
}

void Repository::note(store::Transaction& tx, std::int64_t booking_id, std::string_view reason, Instant now) {
    tx.run(
        "INSERT INTO svc_unscheduled_bookings (booking_id, reason, noted_at) VALUES (:booking_id, :reason, :now)"
        " ON CONFLICT (booking_id) DO NOTHING",
        {{"booking_id", booking_id}, {"reason", reason}, {"now", now}});
}

}  // namespace svc::pro::scheduled_payments
