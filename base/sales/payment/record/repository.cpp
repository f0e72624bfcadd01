// SQL of payments.
#include "base/sales/payment/record/repository.hpp"

#include <algorithm>

#include "base/sales/payment/record/intent.hpp"
#include "base/sales/payment/record/payment_record.hpp"
#include "shared/core/words.hpp"
#include "shared/record/orders.hpp"
#include "shared/store/like.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::payment {
namespace {

#define SVC_PAYMENT_OTHERWISE                                                                    \
    " (:status = '' OR r.status = :status_is) AND (:gateway = '' OR r.gateway = :gateway_is)"    \
    " AND (:reconciliation = '' OR r.reconciliation = :reconciliation_is)"                       \
    " AND (CAST(:booking_id AS BIGINT) = 0 OR r.booking_id = :booking_id_is)"                    \
    " AND (:from = '' OR r.payment_date >= :from_is) AND (:to = '' OR r.payment_date <= :to_is)" \
    " AND r.updated_at >= :updated_since"
#define SVC_PAYMENT_SEARCH                                                                                 \
    " AND (:search = '' OR CASE WHEN r.transaction_search = '' THEN LOWER(COALESCE(r.transaction_id, ''))" \
    " ELSE r.transaction_search END LIKE :search_transaction ESCAPE '\\'"                                  \
    " OR b.search LIKE :search_booking ESCAPE '\\')"

store::Params where(const Filter& filter) {
    const std::int64_t booking = filter.booking_id.value_or(0);
    const std::string search = text::search_key(filter.search);
    return {{"status", filter.status},
            {"status_is", filter.status},
            {"gateway", filter.gateway},
            {"gateway_is", filter.gateway},
            {"reconciliation", filter.reconciliation},
            {"reconciliation_is", filter.reconciliation},
            {"booking_id", booking},
            {"booking_id_is", booking},
            {"from", filter.from ? filter.from->text() : ""},
            {"from_is", filter.from.value_or(Date::from(1, 1, 1))},
            {"to", filter.to ? filter.to->text() : ""},
            {"to_is", filter.to.value_or(Date::from(9999, 12, 31))},
            {"updated_since", filter.updated_since.value_or(Instant::from_micros(INT64_MIN))},
            {"search", search},
            {"search_transaction", store::like_contains(search)},
            {"guide", filter.guide_id.value_or(0)},
            {"search_booking", store::like_contains(search)}};
}

#define SVC_PAYMENT_DAYS " r.payment_date >= :from_is AND r.payment_date <= :to_is"

const record::Orders& payment_orders() {
    static const record::Orders orders{"r.id",
                                       {{"created_at", {"r.created_at"}},
                                        {"payment", {"r.id"}},
                                        {"customer", {"b.contact_last_name"}},
                                        {"amount", {"r.amount_minor"}},
                                        {"method", {"r.gateway"}},
                                        {"status", {"r.status"}},
                                        {"date", {"r.payment_date"}},
                                        {"payment_date", {"r.payment_date"}},
                                        {"updated_at", {"r.updated_at"}},
                                        {"transaction_id", {"COALESCE(r.transaction_id, '')"}}}};
    return orders;
}

// All payments, or those of one status, booking, guide or period: separate statements, since each has an index.
const record::Head& list_of(const Filter& filter) {
#define SVC_PAYMENT_HEAD(condition) \
    record::Head { payment_record().select("WHERE" condition SVC_PAYMENT_OTHERWISE SVC_PAYMENT_SEARCH) }
    static const record::Head of_all = SVC_PAYMENT_HEAD(""), of_status = SVC_PAYMENT_HEAD(" r.status = :status_is AND"),
                              of_booking = SVC_PAYMENT_HEAD(" r.booking_id = :booking_id_is AND"),
                              of_days = SVC_PAYMENT_HEAD(SVC_PAYMENT_DAYS " AND"),
                              of_guide = SVC_PAYMENT_HEAD(SVC_GUIDED " AND");
    return filter.guide_id            ? of_guide
           : filter.booking_id        ? of_booking
           : filter.from || filter.to ? of_days
           : !filter.status.empty()   ? of_status
                                      : of_all;
}

}  // namespace

std::vector<std::string> sort_keys() { return payment_orders().keys(); }

std::optional<Payment> Repository::find(store::Session& session, std::int64_t id) {
    return payment_record().find(session, id);
}

std::optional<Payment> Repository::find_transaction(store::Session& session, std::string_view transaction_id) {
    static const std::string statement = payment_record().select("WHERE r.transaction_id = :transaction_id");
    return payment_record().first(session, statement, {{"transaction_id", transaction_id}});
}

std::optional<Payment> Repository::of_intent(store::Session& session, std::int64_t intent_id) {
    static const std::string statement = payment_record().select("WHERE r.intent_id = :id ORDER BY r.id DESC LIMIT 1");
    return payment_record().first(session, statement, {{"id", intent_id}});
}

// The latest is picked here: both databases take longer to find it alone than to answer the few there are.
Standing Repository::standing(store::Session& session, const store::Params& params) {
    static const auto& record = payment_record();
    static const std::string statement =
        record.select_with(SVC_ACCESS_COLUMNS
                           ", b.payment_status, b.currency, b.total_minor, b.pay_now_minor, b.amount_paid_minor,"
                           " CASE WHEN b.payable_since IS NULL THEN b.pay_by END",
                           SVC_ACCESS_FROM " LEFT JOIN svc_payments r ON r.booking_id = b.id");
    static const std::string columns = std::string(record.column_types()) + SVC_ACCESS_TYPES "ttiiii";
    Standing standing;
    session.each(statement, columns, params, [&](const store::Row& row) {
        std::size_t at = record.column_types().size();
        standing.access = booking::read_access(row, at);
        if (standing.access.status.empty())
            return;
        at += sizeof(SVC_ACCESS_TYPES) - 1;
        const Currency currency = Currency::parse(row.text(at + 1)).value();
        standing.account = booking::Account{.status = standing.access.status,
                                            .payment_status = row.text(at),
                                            .total = Money{row.integer(at + 2), currency},
                                            .pay_now = Money{row.integer(at + 3), currency},
                                            .amount_paid = Money{row.integer(at + 4), currency}};
        if (!row.is_null(at + 5))
            standing.pay_by = row.instant(at + 5);
        if (!row.is_null(0) && (!standing.latest || standing.latest->id < row.integer(0)))
            standing.latest = record.read(row);
    });
    return standing;
}

std::vector<Payment> Repository::of_booking(store::Session& session, std::int64_t booking_id) {
    static const std::string statement = payment_record().select("WHERE r.booking_id = :id ORDER BY r.id");
    return payment_record().all(session, statement, {{"id", booking_id}});
}

std::vector<Payment> Repository::list(store::Session& session, const Filter& filter, const api::Page& page) {
    store::Params params = where(filter);
    params.emplace_back("limit", page.per_page);
    params.emplace_back("offset", page.offset());
    return payment_record().all(session, payment_orders().page(list_of(filter), page.order_by, page.ascending), params);
}

#define SVC_PAYMENT_COUNT_BOOKED "SELECT COUNT(*) FROM svc_payments r JOIN svc_bookings b ON b.id = r.booking_id WHERE"
// Only joins bookings for searches and guides.
std::int64_t Repository::count(store::Session& session, const Filter& filter) {
    const bool by_more = !filter.gateway.empty() || !filter.reconciliation.empty() || filter.updated_since;
    const std::string_view counting =
        filter.guide_id            ? SVC_PAYMENT_COUNT_BOOKED SVC_PAYMENT_OTHERWISE SVC_PAYMENT_SEARCH SVC_AND_GUIDED
        : !filter.search.empty()   ? SVC_PAYMENT_COUNT_BOOKED SVC_PAYMENT_OTHERWISE SVC_PAYMENT_SEARCH
        : filter.booking_id        ? "SELECT COUNT(*) FROM svc_payments r WHERE r.booking_id = :booking_id_is"
                                     " AND" SVC_PAYMENT_OTHERWISE
        : filter.from || filter.to ? "SELECT COUNT(*) FROM svc_payments r WHERE" SVC_PAYMENT_DAYS
                                     " AND" SVC_PAYMENT_OTHERWISE
        : by_more               ? "SELECT COUNT(*) FROM svc_payments r WHERE" SVC_PAYMENT_OTHERWISE
        : filter.status.empty() ? "SELECT COUNT(*) FROM svc_payments"
                                : "SELECT COUNT(*) FROM svc_payments WHERE status = :status_is";
    return session.number(counting, where(filter));
}

std::optional<std::int64_t> Repository::insert(store::Transaction& tx, const Payment& payment,
                                               std::int64_t customer_id) {
    static const std::string statement = payment_record().insert_statement("ON CONFLICT (transaction_id) DO NOTHING");
    Payment stored = payment;
    stored.customer_id = customer_id;
    return payment_record().insert_new(tx, statement, stored, {.now = payment.created_at}) ? std::optional(stored.id)
                                                                                           : std::nullopt;
}

void Repository::update(store::Transaction& tx, const Payment& payment, Instant now) {
    Payment written = payment;
    payment_record().update(tx, written, {.now = now});
}

void Repository::remove(store::Transaction& tx, std::int64_t id) {
    tx.run("DELETE FROM svc_payments WHERE id = :id", {{"id", id}});
}

void Repository::note_completed_event(store::Transaction& tx, std::int64_t id, Instant now) {
    tx.run("UPDATE svc_payments SET completed_event_at = :now WHERE id = :id", {{"now", now}, {"id", id}});
}

void Repository::reconcile(store::Transaction& tx, std::int64_t id, std::string_view reconciliation) {
    tx.run("UPDATE svc_payments SET reconciliation = :reconciliation WHERE id = :id",
           {{"reconciliation", reconciliation}, {"id", id}});
}

void Repository::none_unasked(store::Transaction& tx, std::int64_t booking_id) {
    tx.run(
        "UPDATE svc_payments SET reconciliation = CASE source WHEN 'manual' THEN 'manual' ELSE 'matched' END"
        " WHERE booking_id = :id AND reconciliation = 'refund_due'",
        {{"id", booking_id}});
}

void Repository::set_type(store::Transaction& tx, std::int64_t id, std::string_view type, Instant now) {
    tx.run("UPDATE svc_payments SET payment_type = :type, updated_at = :now WHERE id = :id",
           {{"type", type}, {"now", now}, {"id", id}});
}

void Repository::set_refunded(store::Transaction& tx, const Payment& payment, Instant now) {
    tx.run("UPDATE svc_payments SET refunded_minor = :refunded, status = :status, updated_at = :now WHERE id = :id",
           {{"refunded", payment.refunded.minor()}, {"status", payment.status}, {"now", now}, {"id", payment.id}});
}

void Ledger::add(const Payment& newest) {
    completed += newest.amount;
    last_failed = false;
}

Ledger Repository::ledger(store::Session& session, std::int64_t booking_id, Currency currency) {
    Ledger ledger{.completed = Money::zero(currency), .refunded = Money::zero(currency)};
    bool any_pending = false;
    // Added up here, not by SUM(): SQLite and PostgreSQL answer it in different types.
    store::each_row(
        session,
        "SELECT id, status, amount_minor, refunded_minor, reconciliation, COALESCE(processed_at, created_at),"
        " payment_type FROM svc_payments WHERE booking_id = :id ORDER BY id",
        {{"id", booking_id}},
        [&](std::int64_t id, const std::string& status, std::int64_t amount, std::int64_t refunded,
            const std::string& reconciled, Instant since, const std::string& type) {
            if (status == status::completed || status == status::refunded) {
                ledger.places.push_back({.id = id,
                                         .since = since,
                                         .amount = Money{amount, currency},
                                         .refunded = Money{refunded, currency},
                                         .type = type});
                ledger.completed += ledger.places.back().amount;
                ledger.refunded += ledger.places.back().refunded;
            }
            any_pending = any_pending || status == status::pending;
            ledger.last_failed = status == status::failed;
            ledger.holds_unasked =
                ledger.holds_unasked || (status == status::completed && reconciled == reconciliation::refund_due);
        });
    ledger.last_failed = ledger.last_failed && !any_pending;
    std::stable_sort(ledger.places.begin(), ledger.places.end(),
                     [](const Ledger::Place& one, const Ledger::Place& other) { return one.since < other.since; });
    return ledger;
}

json::Value Repository::counts(store::Session& session, std::optional<std::int64_t> guide_id) {
#define SVC_OF_GUIDE(columns, table) \
    "SELECT " columns " FROM " table " p JOIN svc_bookings b ON b.id = p.booking_id WHERE" SVC_GUIDED
#define SVC_SEEN(table, condition) \
    (guide_id ? SVC_OF_GUIDE("COUNT(*)", table) " AND " condition : "SELECT COUNT(*) FROM " table " p WHERE " condition)
    const store::Params params{{"guide", guide_id.value_or(0)}};
    json::Value counts = json::Value::object();
    for (const std::string_view status : status::all)
        counts.set(std::string(status), 0);
    std::int64_t all = 0;
    store::each_row(session,
                    guide_id ? SVC_OF_GUIDE("p.status, COUNT(*)", "svc_payments") " GROUP BY p.status"
                             : "SELECT status, COUNT(*) FROM svc_payments GROUP BY status",
                    params, [&](const std::string& status, std::int64_t number) {
                        counts.set(status, number);
                        all += number;
                    });
    const auto count = [&](std::string_view statement) { return session.number(statement, params); };
    counts.set("all", all);
    counts.set("partial", count(SVC_SEEN("svc_payments", "p.status = 'completed' AND p.payment_type <> 'final'")));
    counts.set("refund_due",
               count(SVC_SEEN("svc_payments", "p.reconciliation = 'refund_due' AND p.status = 'completed'")));
    // Payments without a booking belong to no guide.
    const auto unbooked = [&](std::string_view statement) { return guide_id ? 0 : count(statement); };
    counts.set("in_review", count(SVC_SEEN("svc_payment_intents", "p.reconciliation = 'review'")) +
                                unbooked("SELECT COUNT(*) FROM svc_held_charges WHERE reconciliation = 'review'"));
    counts.set("parked", unbooked("SELECT COUNT(*) FROM svc_gateway_events WHERE status = 'parked'"));
    counts.set("unreconciled", count(SVC_SEEN("svc_payment_intents", "p.reconciliation = 'open'")));
    return counts;
}

}  // namespace svc::payment
