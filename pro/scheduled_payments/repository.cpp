// Declares the records of scheduled payments and of bookings that owe, with the statements that these do not have.
#include "pro/scheduled_payments/repository.hpp"

#include "shared/record/rows.hpp"
#include "shared/store/by_ids.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::scheduled_payments {
namespace {

#define SVC_SEEN(booking) \
    " (:guide = 0 OR " booking " IN (SELECT booking_id FROM svc_booking_guide_v1 WHERE guide_user_id = :guide))"

const record::Rows<ScheduledPayment>& scheduled_record() {
    using namespace record;
    using S = ScheduledPayment;
    const auto text = api::text(500);
    static const record::Rows<S> scheduled{
        {.table = "svc_scheduled_payments",
         .joins = "JOIN svc_booking_v1 b ON b.id = r.booking_id",
         .searched = "b.search",
         .sorts = {{"scheduled_date", {"r.scheduled_date"}},
                   {"created_at", {"r.created_at"}},
                   {"amount", {"r.amount_minor"}},
                   {"status", {"r.status"}},
                   {"name", {"b.contact_last_name"}},
                   {"id", {"r.id"}}},
         .conditions = {{"booking_id", "r.booking_id = :booking_id"},
                        {"holder", "b.user_id = :holder"},
                        {"guide", SVC_SEEN("r.booking_id")},
                        {"from_day", "r.scheduled_date >= :from_day"},
                        {"to_day", "r.scheduled_date <= :to_day"}}},
        {id(&S::id),
         column("booking_id", &S::booking_id, api::id(), by_server_on_create),
         column("plan_no", &S::plan_no, api::integer(), by_server_on_create),
         column("sequence_no", &S::sequence_no, api::integer(), by_server_on_create),
         column("kind", &S::kind, text, by_server_on_create),
         column("payment_type", &S::payment_type, text, by_server_on_create),
         column("currency", &S::currency, text, by_server_on_create),
         money("amount", &S::amount, &S::currency),
         column("planned_total_minor", &S::planned_total, api::integer()),
         column("scheduled_date", &S::date, api::date()),
         column("days_before_tour", &S::days_before_tour, api::integer(), by_server_on_create),
         column("status", &S::status, api::choice({"scheduled", "processing", "paid", "failed", "cancelled"})),
         column("attempts", &S::attempts, api::integer()),
         column("max_attempts", &S::max_attempts, api::integer(), by_server_on_create),
         column("next_attempt_at", &S::next_attempt_at, api::instant()),
         column("last_attempt_at", &S::last_attempt_at, api::instant()),
         column("reminder_sent_at", &S::reminder_sent_at, api::instant()),
         column("link_sent_at", &S::link_sent_at, api::instant(), by_server_on_create),
         column("cancelled_at", &S::cancelled_at, api::instant(), by_other),
         column("asked_minor", &S::attempted_minor, api::integer()),
         column("owed_minor", &S::owed_minor, api::integer()),
         column("permanent_failure", &S::permanent, api::boolean()),
         column("last_error", &S::last_error, text),
         column("gateway", &S::gateway, text, by_server_on_create),
         column("saved_method_id", &S::saved_method_id, api::id(), by_server_on_create),
         column("payment_id", &S::payment_id, api::id()),
         column("cancel_reason", &S::cancel_reason, text, by_other),
         column("card_notice", &S::card_notice, text),
         timestamps<S>(),
         derived("booking_reference", &S::booking_reference, "b.reference", text),
         derived("customer_name", &S::customer_name, "b.contact_first_name || ' ' || b.contact_last_name", text)}};
    return scheduled;
}

const record::Rows<Owing>& owing_record() {
    using namespace record;
    using O = Owing;
    const auto text = api::text(500);
    static const record::Rows<O> owing{
        {.table = "svc_booking_v1"},
        {id(&O::id), column("reference", &O::reference, text),
         column("first_name", &O::first_name, text, stored_as("contact_first_name")),
         column("last_name", &O::last_name, text, stored_as("contact_last_name")),
         column("email", &O::email, text, stored_as("contact_email")), column("status", &O::status, text),
         column("user_id", &O::user_id, api::id()), column("currency", &O::currency, text),
         money("total", &O::total, &O::currency),
         money("paid", &O::paid, &O::currency, api::money(), stored_as("amount_paid_minor")),
         column("travel_date", &O::travel_date, api::date())}};
    return owing;
}

// Its rows without outstanding parts were cancelled: by staff, or by a refund or another total.
const record::Rows<Outstanding>& outstanding_record() {
    using namespace record;
    using O = Outstanding;
    const auto text = api::text(500);
    const auto of = [](auto member) { return within(&O::booking, member); };
    static const record::Rows<O> outstanding{
        {.table = "svc_booking_v1",
         .joins = "LEFT JOIN svc_unscheduled_bookings u ON u.booking_id = r.id",
         .where =
             "r.status IN ('pending', 'confirmed', 'processing', 'on-hold') AND r.total_minor > r.amount_paid_minor"
             " AND NOT EXISTS (SELECT 1 FROM svc_scheduled_payments s WHERE s.booking_id = r.id"
             " AND s.status IN ('scheduled', 'processing'))",
         .searched = "r.search",
         .sorts = {{"tour_date", {"r.travel_date"}},
                   {"created_at", {"r.created_at"}},
                   {"name", {"r.contact_last_name"}},
                   {"status", {"r.status"}},
                   {"id", {"r.id"}}},
         .conditions = {{"guide", SVC_SEEN("r.id")},
                        {"from_day", "r.travel_date >= :from_day"},
                        {"to_day", "r.travel_date <= :to_day"}}},
        {column("id", of(&Owing::id), api::id()), column("reference", of(&Owing::reference), text),
         column("first_name", of(&Owing::first_name), text, stored_as("contact_first_name")),
         column("last_name", of(&Owing::last_name), text, stored_as("contact_last_name")),
         column("email", of(&Owing::email), text, stored_as("contact_email")),
         column("status", of(&Owing::status), text), column("user_id", of(&Owing::user_id), api::id()),
         column("currency", of(&Owing::currency), text), money("total", of(&Owing::total), of(&Owing::currency)),
         money("paid", of(&Owing::paid), of(&Owing::currency), api::money(), stored_as("amount_paid_minor")),
         column("travel_date", of(&Owing::travel_date), api::date()),
         derived("reason", &O::reason,
                 "CASE WHEN r.user_id IS NULL THEN 'guest_booking'"
                 " WHEN EXISTS (SELECT 1 FROM svc_scheduled_payments s WHERE s.booking_id = r.id"
                 " AND s.status = 'failed') THEN 'charge_failed'"
                 " WHEN EXISTS (SELECT 1 FROM svc_scheduled_payments s WHERE s.booking_id = r.id)"
                 " THEN 'cancelled_by_admin'"
                 " WHEN u.reason IS NOT NULL THEN u.reason WHEN r.amount_paid_minor > 0 THEN 'module_enabled_later'"
                 " ELSE 'no_saved_method' END",
                 text)}};
    return outstanding;
}

record::Query record_query(const Query& query) {
    record::Query result{.status = query.status,
                         .search = query.search,
                         .filters = {{"guide", query.guide_id}},
                         .order_by = query.order_by,
                         .ascending = query.ascending,
                         .limit = query.limit,
                         .offset = query.offset};
    if (query.holder_id != 0)
        result.filters.emplace_back("holder", query.holder_id);
    if (query.booking_id != 0)
        result.filters.emplace_back("booking_id", query.booking_id);
    if (query.updated_since)
        result.filters.emplace_back("updated_since", query.updated_since->micros());
    if (query.from)
        result.filters.emplace_back("from_day", query.from->text());
    if (query.to)
        result.filters.emplace_back("to_day", query.to->text());
    return result;
}

}  // namespace

std::vector<std::string> sort_keys() { return scheduled_record().sort_keys(); }
std::vector<std::string> outstanding_sort_keys() { return outstanding_record().sort_keys(); }

std::optional<Owing> Repository::booking(store::Session& session, std::int64_t booking_id) {
    return owing_record().find(session, booking_id);
}

std::optional<Owing> Repository::lock(store::Transaction& tx, std::int64_t booking_id) {
    if (tx.dialect() == store::Dialect::postgresql)  // SQLite has one writer at a time
        tx.number("SELECT id FROM svc_booking_v1 WHERE id = :id FOR NO KEY UPDATE", {{"id", booking_id}});
    return owing_record().find(tx, booking_id);
}

bool Repository::refunded_since(store::Session& session, std::int64_t booking_id, Instant since) {
    return session.number(
               "SELECT COUNT(*) FROM svc_refund_v1 WHERE booking_id = :id AND status = 'completed'"
               " AND processed_at >= :since",
               {{"id", booking_id}, {"since", since}}) > 0;
}

std::optional<PagePayment> Repository::last_by_page(store::Session& session, std::int64_t booking_id) {
    // Payments that staff recorded, or charged with a saved method, have no page.
    const auto last = store::tuple<std::int64_t, std::int64_t, std::string, Instant, bool>(
        session,
        "SELECT id, amount_minor, currency, processed_at, by_page FROM svc_payment_v1"
        " WHERE booking_id = :id AND status = 'completed' ORDER BY processed_at DESC, id DESC LIMIT 1",
        {{"id", booking_id}});
    if (!last)
        return std::nullopt;
    const auto& [id, minor, currency, at, by_page] = *last;
    return by_page ? std::optional(PagePayment{id, Money{minor, Currency::parse(currency).value()}, at}) : std::nullopt;
}

std::optional<std::int64_t> Repository::last_unplanned(store::Session& session, std::int64_t booking_id,
                                                       Instant since) {
    const auto last = store::tuple<std::int64_t, std::int64_t>(
        session,
        "SELECT p.id, (SELECT COUNT(*) FROM svc_scheduled_payments s WHERE s.payment_id = p.id) FROM svc_payment_v1 p"
        " WHERE p.booking_id = :id AND p.status = 'completed' AND p.processed_at >= :since"
        " ORDER BY p.processed_at DESC, p.id DESC LIMIT 1",
        {{"id", booking_id}, {"since", since}});
    return last && std::get<1>(*last) == 0 ? std::optional(std::get<0>(*last)) : std::nullopt;
}

std::optional<ScheduledPayment> Repository::find(store::Session& session, std::int64_t id) {
    return scheduled_record().find(session, id);
}

std::vector<ScheduledPayment> Repository::list(store::Session& session, const Query& query) {
    return scheduled_record().list(session, record_query(query));
}

std::int64_t Repository::count(store::Session& session, const Query& query) {
    return scheduled_record().count(session, record_query(query));
}

std::vector<ScheduledPayment> Repository::of_booking(store::Session& session, std::int64_t booking_id) {
    static const std::string statement =
        scheduled_record().select("WHERE r.booking_id = :id ORDER BY r.plan_no, r.sequence_no");
    return scheduled_record().all(session, statement, {{"id", booking_id}});
}

std::vector<Counted> Repository::counted(store::Session& session, std::string_view currency, std::int64_t guide_id) {
    return store::structs<Counted, std::string, std::int64_t, std::int64_t>(
        session,
        "SELECT s.status, COUNT(*), CAST(SUM(CASE WHEN s.currency = :currency THEN s.amount_minor ELSE 0 END)"
        " AS BIGINT) FROM svc_scheduled_payments s WHERE" SVC_SEEN("s.booking_id") " GROUP BY s.status",
        {{"currency", currency}, {"guide", guide_id}});
}

std::int64_t Repository::coming(store::Session& session, Date from, Date to, std::int64_t guide_id) {
    return session.number(
        "SELECT COUNT(*) FROM svc_scheduled_payments s"
        " WHERE s.status = 'scheduled' AND s.kind = 'charge' AND s.scheduled_date >= :from"
        " AND s.scheduled_date <= :to AND" SVC_SEEN("s.booking_id"),
        {{"from", from}, {"to", to}, {"guide", guide_id}});
}

std::vector<Outstanding> Repository::outstanding(store::Session& session, const Query& query) {
    return outstanding_record().list(session, record_query(query));
}

std::int64_t Repository::count_outstanding(store::Session& session, const Query& query) {
    return outstanding_record().count(session, record_query(query));
}

std::vector<std::int64_t> Repository::due(store::Session& session, Date today, Instant now, std::int64_t most) {
    return store::values<std::int64_t>(
        session,
        "SELECT id FROM svc_scheduled_payments WHERE status = 'scheduled' AND kind = 'charge'"
        " AND scheduled_date <= :today AND (next_attempt_at IS NULL OR next_attempt_at <= :now)"
        " ORDER BY scheduled_date, id LIMIT :most",
        {{"today", today}, {"now", now}, {"most", most}});
}

std::vector<std::int64_t> Repository::stuck(store::Session& session, Instant since, std::int64_t most) {
    return store::values<std::int64_t>(
        session,
        "SELECT id FROM svc_scheduled_payments WHERE status = 'processing' AND last_attempt_at <= :since"
        " ORDER BY last_attempt_at, id LIMIT :most",
        {{"since", since}, {"most", most}});
}

std::vector<std::int64_t> Repository::to_remind(store::Session& session, Date today, Date until, std::int64_t most) {
    return store::values<std::int64_t>(
        session,
        "SELECT id FROM svc_scheduled_payments WHERE status = 'scheduled' AND kind = 'charge'"
        " AND reminder_sent_at IS NULL AND attempts = 0 AND scheduled_date >= :today AND scheduled_date <= :until"
        " ORDER BY scheduled_date, id LIMIT :most",
        {{"today", today}, {"until", until}, {"most", most}});
}

// Its last month is before the charge's.
#define SVC_ENDS_BEFORE                                                           \
    " m.status = 'active' AND m.exp_year > 0 AND m.exp_year * 12 + m.exp_month <" \
    " CAST(SUBSTR(s.scheduled_date, 1, 4) AS BIGINT) * 12 + CAST(SUBSTR(s.scheduled_date, 6, 2) AS BIGINT)"

std::vector<std::int64_t> Repository::with_ending_card(store::Session& session, Date today, Date until,
                                                       std::int64_t most) {
    return store::values<std::int64_t>(
        session,
        "SELECT s.id FROM svc_scheduled_payments s JOIN svc_saved_method_v1 m ON m.id = s.saved_method_id"
        " WHERE s.status = 'scheduled' AND s.kind = 'charge' AND s.scheduled_date >= :today"
        " AND s.scheduled_date <= :until AND s.card_notice <> CAST(s.saved_method_id AS TEXT) || ' ' ||"
        " s.scheduled_date AND" SVC_ENDS_BEFORE " ORDER BY s.scheduled_date, s.id LIMIT :most",
        {{"today", today}, {"until", until}, {"most", most}});
}

std::optional<Card> Repository::ending_card(store::Session& session, const ScheduledPayment& payment) {
    const auto found = store::structs<Card, std::int64_t, std::string, std::string, std::int64_t, std::int64_t>(
        session,
        "SELECT m.id, m.brand, m.last4, m.exp_month, m.exp_year FROM svc_scheduled_payments s"
        " JOIN svc_saved_method_v1 m ON m.id = s.saved_method_id WHERE s.id = :id AND" SVC_ENDS_BEFORE,
        {{"id", payment.id}});
    return found.empty() ? std::nullopt : std::optional(found.front());
}

std::int64_t Repository::insert(store::Transaction& tx, ScheduledPayment payment) {
    payment.currency = payment.amount.currency();
    scheduled_record().insert(tx, payment, {.now = payment.created_at});
    return payment.id;
}

void Repository::update(store::Transaction& tx, ScheduledPayment payment, Instant now) {
    scheduled_record().update(tx, payment, {.now = now});
}

void Repository::cancel(store::Transaction& tx, std::int64_t id, std::string_view reason,
                        std::optional<std::int64_t> user_id, Instant now) {
    tx.run(
        "UPDATE svc_scheduled_payments SET status = 'cancelled', cancelled_at = :now, cancelled_by = :user_id,"
        " cancel_reason = :reason, updated_at = :now WHERE id = :id AND status = 'scheduled'",
        {{"now", now}, {"user_id", user_id}, {"reason", reason}, {"id", id}});
}

void Repository::take_method(store::Transaction& tx, std::int64_t booking_id, std::int64_t method_id,
                             std::string_view gateway, Instant now) {
    tx.run(
        "UPDATE svc_scheduled_payments SET saved_method_id = :method, gateway = :gateway, updated_at = :now"
        " WHERE booking_id = :id AND kind = 'charge' AND status = 'scheduled'"
        " AND (saved_method_id IS NULL OR saved_method_id <> :method)",
        {{"method", method_id}, {"gateway", gateway}, {"now", now}, {"id", booking_id}});
}

void Repository::note(store::Transaction& tx, std::int64_t booking_id, std::string_view reason, Instant now) {
    tx.run(
        "INSERT INTO svc_unscheduled_bookings (booking_id, reason, noted_at) VALUES (:booking_id, :reason, :now)"
        " ON CONFLICT (booking_id) DO NOTHING",
        {{"booking_id", booking_id}, {"reason", reason}, {"now", now}});
}

}  // namespace svc::pro::scheduled_payments
