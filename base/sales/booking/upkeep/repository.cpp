// SQL of which bookings the clock has something to do with.
#include "base/sales/booking/upkeep/repository.hpp"

#include "shared/record/rows.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::booking {
namespace {

const record::Rows<UpkeepRepository::Candidate>& candidate_record() {
    using Candidate = UpkeepRepository::Candidate;
    static const record::Rows<Candidate> candidates{
        {.table = "svc_bookings"},
        {record::id(&Candidate::id), record::column("travel_date", &Candidate::travel_date, api::date()),
         record::column("created_at", &Candidate::created_at, api::instant())}};
    return candidates;
}

}  // namespace

std::vector<std::int64_t> UpkeepRepository::unpaid(store::Session& session, Instant since, Instant before, Instant now,
                                                   std::int64_t most, std::int64_t offset) {
    return store::numbers(
        session,
        "SELECT b.id FROM svc_bookings b WHERE b.status = 'pending' AND b.amount_paid_minor = 0 AND b.total_minor > 0"
        " AND b.payments_unknown = 0 AND b.created_at >= :since AND (b.pay_by < :now OR (b.pay_by IS NULL"
        " AND COALESCE(b.payable_since, b.created_at) < :before))"
        " ORDER BY b.created_at, b.id LIMIT :most OFFSET :offset",
        {{"since", since}, {"before", before}, {"now", now}, {"most", most}, {"offset", offset}});
}

std::vector<UpkeepRepository::Candidate> UpkeepRepository::owing(store::Session& session, const Owing& which,
                                                                 const std::optional<Candidate>& behind,
                                                                 std::int64_t most) {
    static const std::string candidates = candidate_record().select(
        "WHERE r.status IN ('pending', 'confirmed') AND r.payment_gateway = :gateway AND r.amount_paid_minor = 0"
        " AND r.total_minor > 0 AND ((r.pay_by > :now AND r.pay_by < :until)"
        " OR (r.pay_by IS NULL AND r.created_at > :recent))"
        " AND r.payments_unknown = 0 AND r.created_at >= :from AND (r.created_at, r.id) > (:from, :behind)"
        " ORDER BY r.created_at, r.id LIMIT :most");
    return candidate_record().all(session, candidates,
                                  {{"gateway", which.gateway},
                                   {"now", which.now},
                                   {"until", which.until},
                                   {"recent", which.recent},
                                   {"from", behind ? behind->created_at : Instant{}},
                                   {"behind", behind ? behind->id : 0},
                                   {"most", most}});
}

std::optional<std::int64_t> UpkeepRepository::reminded_deadline(store::Session& session, std::int64_t id) {
    const auto row = store::first_row(session, "SELECT deadline_told FROM svc_bookings WHERE id = :id", {{"id", id}},
                                      [](std::optional<std::int64_t> days) { return days; });
    return row.value_or(std::nullopt);
}

void UpkeepRepository::note_reminder(store::Transaction& tx, std::int64_t id, std::int64_t days) {
    tx.run("UPDATE svc_bookings SET deadline_told = :days WHERE id = :id", {{"days", days}, {"id", id}});
}

std::vector<UpkeepRepository::Candidate> UpkeepRepository::due_for_reminder(store::Session& session, Date today,
                                                                            Date last,
                                                                            const std::optional<Candidate>& behind,
                                                                            std::int64_t most) {
    static const std::string candidates = candidate_record().select(
        "WHERE r.travel_date >= :from AND (r.travel_date, r.id) > (:from, :behind) AND r.travel_date <= :last"
        " AND r.reminder_sent_at IS NULL AND r.payments_unknown = 0 AND (r.status = 'confirmed' OR (r.status = "
        "'pending' AND r.amount_paid_minor "
        "> 0))"
        " ORDER BY r.travel_date, r.id LIMIT :most");
    return candidate_record().all(session, candidates,
                                  {{"from", behind ? behind->travel_date : today},
                                   {"behind", behind ? behind->id : INT64_MAX},
                                   {"last", last},
                                   {"most", most}});
}

std::vector<std::int64_t> UpkeepRepository::find_ended(store::Session& session, Date since, Date today,
                                                       std::int64_t most) {
    return store::numbers(
        session,
        "SELECT id FROM svc_bookings WHERE status = 'confirmed' AND end_date < :today AND end_date >= :since"
        " ORDER BY end_date, id LIMIT :most",
        {{"since", since}, {"today", today}, {"most", most}});
}

bool UpkeepRepository::claim_reminder(store::Transaction& tx, std::int64_t id, Instant now) {
    return tx.run("UPDATE svc_bookings SET reminder_sent_at = :now WHERE id = :id AND reminder_sent_at IS NULL",
                  {{"now", now}, {"id", id}}) == 1;
}

void UpkeepRepository::add_up_counts(store::Transaction& tx) {
    if (tx.dialect() == store::Dialect::sqlite)
        return;  // written as bookings are
    tx.run(
        "WITH gone AS (DELETE FROM svc_booking_count_changes RETURNING status, payment_status, trip_id, hour, bookings)"
        " INSERT INTO svc_booking_tallies AS t (kind, word, number, status, bookings)"
        " SELECT kind, word, number, status, CAST(SUM(bookings) AS BIGINT) FROM ("
        "SELECT 'all' AS kind, '' AS word, CAST(0 AS BIGINT) AS number, status, bookings FROM gone"
        " UNION ALL SELECT 'payment', payment_status, 0, status, bookings FROM gone"
        " UNION ALL SELECT 'trip', '', trip_id, status, bookings FROM gone"
        " UNION ALL SELECT 'day', '', hour / 24, status, bookings FROM gone"
        " UNION ALL SELECT 'hour', '', hour, status, bookings FROM gone"
        ") AS changed GROUP BY kind, word, number, status HAVING SUM(bookings) <> 0 ORDER BY 1, 2, 3, 4"
        " ON CONFLICT (kind, word, number, status) DO UPDATE SET bookings = t.bookings + excluded.bookings",
        {});
}

std::int64_t UpkeepRepository::index_search(store::Transaction& tx, Instant before, std::int64_t most) {
    // Up to the last one made before that moment: none with a lower number is still on its way to its commit.
    if (tx.dialect() == store::Dialect::sqlite)
        return tx.run(
            "INSERT INTO svc_booking_search (rowid, search) SELECT b.id, b.search FROM svc_bookings b"
            " WHERE b.id > (SELECT COALESCE(MAX(id), 0) FROM svc_booking_search_docsize)"
            " AND b.id <= (SELECT COALESCE(MAX(o.id), 0) FROM svc_bookings o WHERE o.created_at < :before)"
            " ORDER BY b.id LIMIT :most",
            {{"before", before}, {"most", most}});
    return tx.run(
        "INSERT INTO svc_booking_search (booking_id, grams) SELECT b.id, svc_grams_of(b.search) FROM svc_bookings b"
        " WHERE b.id > (SELECT COALESCE(MAX(booking_id), 0) FROM svc_booking_search)"
        " AND b.id <= (SELECT COALESCE(MAX(o.id), 0) FROM svc_bookings o WHERE o.created_at < :before)"
        " ORDER BY b.id LIMIT :most ON CONFLICT (booking_id) DO NOTHING",
        {{"before", before}, {"most", most}});
}

std::vector<Passenger> UpkeepRepository::passengers(store::Session& session, std::int64_t least, std::int64_t most) {
    return store::all_rows(
        session,
        "SELECT l.departure_id, b.id, t.id, COALESCE(t.is_lead, 1), b.reference, b.contact_first_name,"
        " b.contact_last_name, b.contact_email, b.contact_phone, COALESCE(t.fields, '{}'), b.travelers_count,"
        " b.amount_paid_minor, b.currency"
        " FROM svc_booking_departures l JOIN svc_bookings b ON b.id = l.booking_id"
        " LEFT JOIN svc_booking_travelers t ON t.booking_id = b.id"
        " WHERE l.departure_id BETWEEN :least AND :most AND l.released_at IS NULL"
        " ORDER BY l.departure_id, b.id, t.traveler_index",
        {{"least", least}, {"most", most}},
        [](std::int64_t departure_id, std::int64_t booking_id, std::optional<std::int64_t> traveler_id, bool is_lead,
           const std::string& reference, const std::string& first_name, const std::string& last_name,
           const std::string& email, const std::string& phone, const std::string& fields, std::int64_t party,
           std::int64_t paid_minor, const std::string& currency) {
            return Passenger{.departure_id = departure_id,
                             .booking_id = booking_id,
                             .traveler_id = traveler_id,
                             .is_lead = is_lead,
                             .reference = reference,
                             .first_name = first_name,
                             .last_name = last_name,
                             .email = email,
                             .phone = phone,
                             .fields = json::parse(fields).value(),
                             .party = party,
                             .paid = Money{paid_minor, Currency::parse(currency).value()}};
        });
}

}  // namespace svc::booking
