// SQL of payments.
#include "base/payment/repository.hpp"

#include <algorithm>

#include "base/payment/intent.hpp"
#include "shared/core/words.hpp"
#include "shared/store/like.hpp"
#include "shared/store/sorting.hpp"

namespace svc::payment {
namespace {

#define SVC_TOLD_COLUMNS                                                                           \
    "p.id, p.booking_id, b.reference, b.contact_first_name, b.contact_last_name, b.contact_email," \
    " b.trip_title, p.transaction_id, p.gateway, p.method, p.amount_minor, p.currency, p.status,"  \
    " p.payment_type, p.source, p.notes, p.payment_date, p.processed_at, p.created_at,"            \
    " p.updated_at, p.fee_minor, p.refunded_minor, p.reconciliation"
#define SVC_TOLD_TYPES "iittttttttittttttiiiiit"
#define SVC_PAYMENT_COLUMNS SVC_TOLD_COLUMNS ", p.completed_event_at, p.recorded_by, p.intent_id, p.gateway_response"
#define SVC_PAYMENT_FROM "SELECT " SVC_PAYMENT_COLUMNS " FROM svc_payments p JOIN svc_bookings b ON b.id = p.booking_id"

constexpr store::Columns payment_columns = SVC_TOLD_TYPES "iiit";
constexpr std::size_t told_width = sizeof(SVC_TOLD_TYPES) - 1;

#define SVC_PAYMENT_OTHERWISE                                                                 \
    " (:status = '' OR p.status = :status_is) AND (:gateway = '' OR p.gateway = :gateway_is)" \
    " AND (:reconciliation = '' OR p.reconciliation = :reconciliation_is)"                    \
    " AND (CAST(:booking_id AS BIGINT) = 0 OR p.booking_id = :booking_id_is)"                 \
    " AND (:from = '' OR p.payment_date >= :from_is) AND (:to = '' OR p.payment_date <= :to_is)"
#define SVC_PAYMENT_SEARCH                                                                                 \
    " AND (:search = '' OR CASE WHEN p.transaction_search = '' THEN LOWER(COALESCE(p.transaction_id, ''))" \
    " ELSE p.transaction_search END LIKE :search_transaction ESCAPE '\\'"                                  \
    " OR b.search LIKE :search_booking ESCAPE '\\')"

// What callers are told of a payment.
Payment read_told(const store::Row& row) {
    const Currency currency = Currency::parse(row.text(11)).value();
    const std::string &first = row.text(3), &last = row.text(4);
    return {.id = row.integer(0),
            .booking_id = row.integer(1),
            .booking_reference = row.text(2),
            .customer_name = first.empty() || last.empty() ? first + last : first + " " + last,
            .customer_email = row.text(5),
            .trip_title = row.text(6),
            .transaction_id = row.maybe_text(7),
            .gateway = row.text(8),
            .method = row.text(9),
            .amount = Money{row.integer(10), currency},
            .refunded = Money{row.integer(21), currency},
            .status = row.text(12),
            .type = row.text(13),
            .source = row.text(14),
            .notes = row.text(15),
            .date = row.date(16),
            .processed_at = row.maybe_instant(17),
            .created_at = row.instant(18),
            .updated_at = row.instant(19),
            .fee = row.is_null(20) ? std::nullopt : std::optional(Money{row.integer(20), currency}),
            .reconciliation = row.text(22)};
}

Payment read_payment(const store::Row& row) {
    Payment payment = read_told(row);
    payment.completed_event_fired = !row.is_null(told_width);
    payment.recorded_by = row.maybe_integer(told_width + 1);
    payment.intent_id = row.maybe_integer(told_width + 2);
    payment.details = json::parse(row.text(told_width + 3)).value();
    return payment;
}

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
            {"search", search},
            {"search_transaction", store::like_contains(search)},
            {"guide", filter.guide_id.value_or(0)},
            {"search_booking", store::like_contains(search)}};
}

#define SVC_PAYMENT_LIST(condition, order)                                                          \
    SVC_PAYMENT_FROM " WHERE" condition SVC_PAYMENT_OTHERWISE SVC_PAYMENT_SEARCH " ORDER BY " order \
                     " LIMIT :limit OFFSET :offset"

// Of all payments, of one status, booking or guide, of some days: a statement each, as each has an index of its own.
struct Order {
    std::string_view of_all, of_status, of_booking, of_days, of_guide;
};
#define SVC_PAYMENT_DAYS " p.payment_date >= :from_is AND p.payment_date <= :to_is"
using Sorting = store::Sorting<Order>;
#define SVC_ORDER(order)                                                                                 \
    Order {                                                                                              \
        SVC_PAYMENT_LIST("", order), SVC_PAYMENT_LIST(" p.status = :status_is AND", order),              \
            SVC_PAYMENT_LIST(" p.booking_id = :booking_id_is AND", order),                               \
            SVC_PAYMENT_LIST(SVC_PAYMENT_DAYS " AND", order), SVC_PAYMENT_LIST(SVC_GUIDED " AND", order) \
    }
#define SVC_SORTED(key, column) \
    Sorting { key, SVC_ORDER(column " ASC, p.id ASC"), SVC_ORDER(column " DESC, p.id DESC") }
constexpr Sorting sortings[] = {SVC_SORTED("created_at", "p.created_at"),
                                SVC_SORTED("payment", "p.id"),
                                SVC_SORTED("customer", "b.contact_last_name"),
                                SVC_SORTED("amount", "p.amount_minor"),
                                SVC_SORTED("method", "p.gateway"),
                                SVC_SORTED("status", "p.status"),
                                SVC_SORTED("date", "p.payment_date"),
                                SVC_SORTED("payment_date", "p.payment_date"),
                                SVC_SORTED("transaction_id", "COALESCE(p.transaction_id, '')")};

}  // namespace

std::vector<std::string> sort_keys() { return store::keys_of(sortings); }

std::optional<Payment> Repository::find(store::Session& session, std::int64_t id) {
    return session.first<Payment>(SVC_PAYMENT_FROM " WHERE p.id = :id", payment_columns, {{"id", id}}, read_payment);
}

std::optional<Payment> Repository::find_transaction(store::Session& session, std::string_view transaction_id) {
    return session.first<Payment>(SVC_PAYMENT_FROM " WHERE p.transaction_id = :transaction_id", payment_columns,
                                  {{"transaction_id", transaction_id}}, read_payment);
}

std::optional<Payment> Repository::of_intent(store::Session& session, std::int64_t intent_id) {
    return session.first<Payment>(SVC_PAYMENT_FROM " WHERE p.intent_id = :id ORDER BY p.id DESC LIMIT 1",
                                  payment_columns, {{"id", intent_id}}, read_payment);
}

// The latest is picked here: both databases take longer to find it alone than to answer the few there are.
Standing Repository::standing(store::Session& session, const store::Params& asked) {
    Standing standing;
    session.each("SELECT " SVC_TOLD_COLUMNS ", " SVC_ACCESS_COLUMNS
                 ", b.payment_status, b.currency, b.total_minor, b.pay_now_minor, b.amount_paid_minor" SVC_ACCESS_FROM
                 " LEFT JOIN svc_payments p ON p.booking_id = b.id",
                 SVC_TOLD_TYPES SVC_ACCESS_TYPES "ttiii", asked, [&](const store::Row& row) {
                     standing.access = booking::read_access(row, told_width);
                     if (standing.access.status.empty())
                         return;
                     constexpr std::size_t at = told_width + sizeof(SVC_ACCESS_TYPES) - 1;
                     const Currency currency = Currency::parse(row.text(at + 1)).value();
                     standing.account = booking::Account{.status = standing.access.status,
                                                         .payment_status = row.text(at),
                                                         .total = Money{row.integer(at + 2), currency},
                                                         .pay_now = Money{row.integer(at + 3), currency},
                                                         .amount_paid = Money{row.integer(at + 4), currency}};
                     if (!row.is_null(0) && (!standing.latest || standing.latest->id < row.integer(0)))
                         standing.latest = read_told(row);
                 });
    return standing;
}

std::vector<Payment> Repository::of_booking(store::Session& session, std::int64_t booking_id) {
    return session.all<Payment>(SVC_PAYMENT_FROM " WHERE p.booking_id = :id ORDER BY p.id", payment_columns,
                                {{"id", booking_id}}, read_payment);
}

std::vector<Payment> Repository::list(store::Session& session, const Filter& filter, const api::Page& page) {
    store::Params params = where(filter);
    params.emplace_back("limit", page.per_page);
    params.emplace_back("offset", page.offset());
    const Order& order = store::sorted_by(sortings, page.order_by, page.ascending);
    const std::string_view page_of = filter.guide_id            ? order.of_guide
                                     : filter.booking_id        ? order.of_booking
                                     : filter.from || filter.to ? order.of_days
                                     : !filter.status.empty()   ? order.of_status
                                                                : order.of_all;
    return session.all<Payment>(page_of, payment_columns, params, read_payment);
}

#define SVC_PAYMENT_COUNT_BOOKED "SELECT COUNT(*) FROM svc_payments p JOIN svc_bookings b ON b.id = p.booking_id WHERE"
// Bookings are looked at for what is searched in them, and by guides, alone.
std::int64_t Repository::count(store::Session& session, const Filter& filter) {
    const bool by_more = !filter.gateway.empty() || !filter.reconciliation.empty();
    const std::string_view counting =
        filter.guide_id            ? SVC_PAYMENT_COUNT_BOOKED SVC_PAYMENT_OTHERWISE SVC_PAYMENT_SEARCH SVC_AND_GUIDED
        : !filter.search.empty()   ? SVC_PAYMENT_COUNT_BOOKED SVC_PAYMENT_OTHERWISE SVC_PAYMENT_SEARCH
        : filter.booking_id        ? "SELECT COUNT(*) FROM svc_payments p WHERE p.booking_id = :booking_id_is"
                                     " AND" SVC_PAYMENT_OTHERWISE
        : filter.from || filter.to ? "SELECT COUNT(*) FROM svc_payments p WHERE" SVC_PAYMENT_DAYS
                                     " AND" SVC_PAYMENT_OTHERWISE
        : by_more               ? "SELECT COUNT(*) FROM svc_payments p WHERE" SVC_PAYMENT_OTHERWISE
        : filter.status.empty() ? "SELECT COUNT(*) FROM svc_payments"
                                : "SELECT COUNT(*) FROM svc_payments WHERE status = :status_is";
    return session.number(counting, where(filter));
}

std::optional<std::int64_t> Repository::insert(store::Transaction& tx, const Payment& payment,
                                               std::int64_t customer_id) {
    return tx.first<std::int64_t>(
        "INSERT INTO svc_payments (booking_id, customer_id, intent_id, transaction_id, transaction_search, gateway, "
        "method, amount_minor,"
        " fee_minor, currency, status, payment_type, source, notes, gateway_response, reconciliation, payment_date,"
        " processed_at, recorded_by, created_at, updated_at, completed_event_at) VALUES (:booking_id, :customer_id, "
        ":intent_id,"
        " :transaction_id, :transaction_search, :gateway, :method, :amount, :fee, :currency, :status, :type, :source, "
        ":notes, :details,"
        " :reconciliation, :payment_date, :processed_at, :recorded_by, :created_at, :updated_at,"
        " :completed_event_at) ON CONFLICT (transaction_id) DO NOTHING RETURNING id",
        "i",
        {{"booking_id", payment.booking_id},
         {"customer_id", customer_id},
         {"intent_id", payment.intent_id},
         {"fee", payment.fee ? std::optional(payment.fee->minor()) : std::nullopt},
         {"details", payment.details.dump()},
         {"reconciliation", payment.reconciliation},
         {"transaction_id", payment.transaction_id},
         {"transaction_search", text::search_key(payment.transaction_id.value_or(""))},
         {"gateway", payment.gateway},
         {"method", payment.method},
         {"amount", payment.amount.minor()},
         {"currency", payment.amount.currency().code()},
         {"status", payment.status},
         {"type", payment.type},
         {"source", payment.source},
         {"notes", payment.notes},
         {"payment_date", payment.date},
         {"processed_at", payment.processed_at},
         {"recorded_by", payment.recorded_by},
         {"created_at", payment.created_at},
         {"updated_at", payment.updated_at},
         {"completed_event_at", payment.completed_event_fired ? std::optional(payment.updated_at) : std::nullopt}},
        [](const store::Row& row) { return row.integer(0); });
}

void Repository::update(store::Transaction& tx, const Payment& payment, Instant now) {
    tx.run(
        "UPDATE svc_payments SET transaction_id = :transaction_id,"
        " transaction_search = :transaction_search, gateway = :gateway, method = :method,"
        " amount_minor = :amount, status = :status, payment_type = :type, source = :source, recorded_by = :recorded_by,"
        " intent_id = :intent_id, fee_minor = :fee, gateway_response = :details, reconciliation = :reconciliation,"
        " notes = :notes, payment_date = :payment_date, processed_at = :processed_at, updated_at = :now"
        " WHERE id = :id",
        {{"transaction_id", payment.transaction_id},
         {"transaction_search", text::search_key(payment.transaction_id.value_or(""))},
         {"gateway", payment.gateway},
         {"method", payment.method},
         {"amount", payment.amount.minor()},
         {"status", payment.status},
         {"type", payment.type},
         {"source", payment.source},
         {"recorded_by", payment.recorded_by},
         {"intent_id", payment.intent_id},
         {"fee", payment.fee ? std::optional(payment.fee->minor()) : std::nullopt},
         {"details", payment.details.dump()},
         {"reconciliation", payment.reconciliation},
         {"notes", payment.notes},
         {"payment_date", payment.date},
         {"processed_at", payment.processed_at},
         {"now", now},
         {"id", payment.id}});
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
    session.each(
        "SELECT status, amount_minor, refunded_minor, reconciliation, id, COALESCE(processed_at, created_at),"
        " payment_type FROM svc_payments WHERE booking_id = :id ORDER BY id",
        "tiitiit", {{"id", booking_id}}, [&](const store::Row& row) {
            const std::string& status = row.text(0);
            if (status == status::completed || status == status::refunded) {
                ledger.places.push_back({.id = row.integer(4),
                                         .since = row.instant(5),
                                         .amount = Money{row.integer(1), currency},
                                         .refunded = Money{row.integer(2), currency},
                                         .type = row.text(6)});
                ledger.completed += ledger.places.back().amount;
                ledger.refunded += ledger.places.back().refunded;
            }
            any_pending = any_pending || status == status::pending;
            ledger.last_failed = status == status::failed;
            ledger.holds_unasked =
                ledger.holds_unasked || (status == status::completed && row.text(3) == reconciliation::refund_due);
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
    session.each(guide_id ? SVC_OF_GUIDE("p.status, COUNT(*)", "svc_payments") " GROUP BY p.status"
                          : "SELECT status, COUNT(*) FROM svc_payments GROUP BY status",
                 "ti", params, [&](const store::Row& row) {
                     counts.set(row.text(0), row.integer(1));
                     all += row.integer(1);
                 });
    const auto count = [&](std::string_view statement) { return session.number(statement, params); };
    counts.set("all", all);
    counts.set("partial", count(SVC_SEEN("svc_payments", "p.status = 'completed' AND p.payment_type <> 'final'")));
    counts.set("refund_due",
               count(SVC_SEEN("svc_payments", "p.reconciliation = 'refund_due' AND p.status = 'completed'")));
    // What fits no booking is nobody's to guide.
    const auto unbooked = [&](std::string_view statement) { return guide_id ? 0 : count(statement); };
    counts.set("in_review", count(SVC_SEEN("svc_payment_intents", "p.reconciliation = 'review'")) +
                                unbooked("SELECT COUNT(*) FROM svc_held_charges WHERE reconciliation = 'review'"));
    counts.set("parked", unbooked("SELECT COUNT(*) FROM svc_gateway_events WHERE status = 'parked'"));
    counts.set("unreconciled", count(SVC_SEEN("svc_payment_intents", "p.reconciliation = 'open'")));
    return counts;
}

std::optional<StoredConfig> GatewayRepository::find(store::Session& session, std::string_view slug) {
    return session.first<StoredConfig>(
        "SELECT is_enabled, config FROM svc_payment_gateways WHERE slug = :slug", "it", {{"slug", slug}},
        [](const store::Row& row) { return StoredConfig{.enabled = row.flag(0), .config = row.text(1)}; });
}

std::optional<std::string> GatewayRepository::listed(store::Session& session) {
    return session.first<std::string>("SELECT value FROM svc_settings WHERE key = 'payment_gateways'", "t", {},
                                      [](const store::Row& row) { return row.text(0); });
}

void GatewayRepository::lock(store::Transaction& tx) {
    if (tx.dialect() == store::Dialect::postgresql)
        tx.each("SELECT CAST(pg_advisory_xact_lock(7381920471) AS TEXT)", "t", {}, [](const store::Row&) {});
}

void GatewayRepository::save(store::Transaction& tx, std::string_view slug, const StoredConfig& stored, Instant now) {
    tx.run(
        "INSERT INTO svc_payment_gateways (slug, is_enabled, config, updated_at)"
        " VALUES (:slug, :is_enabled, :config, :now) ON CONFLICT (slug) DO UPDATE SET"
        " is_enabled = excluded.is_enabled, config = excluded.config, updated_at = excluded.updated_at",
        {{"slug", slug}, {"is_enabled", stored.enabled}, {"config", stored.config}, {"now", now}});
}

}  // namespace svc::payment
