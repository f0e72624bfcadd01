// SQL of which bookings the clock has something to do with.
#include "base/booking/record/repository.hpp"

namespace svc::booking {
namespace {
std::int64_t id_of(const store::Row& row) { return row.integer(0); }

Repository::Candidate candidate_of(const store::Row& row) {
    return {.id = row.integer(0), .travel_date = row.date(1), .created_at = row.instant(2)};
}

}  // namespace

std::vector<std::int64_t> Repository::unpaid(store::Session& session, Instant since, Instant before, std::int64_t most,
                                             std::int64_t offset) {
    return session.all<std::int64_t>(
        "SELECT b.id FROM svc_bookings b WHERE b.status = 'pending' AND b.amount_paid_minor = 0 AND b.total_minor > 0"
        " AND b.created_at >= :since AND COALESCE(b.payable_since, b.created_at) < :before"
        " ORDER BY b.created_at, b.id LIMIT :most OFFSET :offset",
        "i", {{"since", since}, {"before", before}, {"most", most}, {"offset", offset}}, id_of);
}

std::vector<Repository::Candidate> Repository::owing(store::Session& session, std::string_view gateway, Instant before,
                                                     Instant recent, const std::optional<Candidate>& behind,
                                                     std::int64_t most) {
    return session.all<Candidate>(
        "SELECT id, travel_date, created_at FROM svc_bookings"
        " WHERE (status = 'pending' OR (status = 'confirmed' AND created_at > :recent))"
        " AND payment_gateway = :gateway AND amount_paid_minor = 0 AND total_minor > 0 AND created_at < :before"
        " AND created_at >= :from AND (created_at, id) > (:from, :behind)"
        " ORDER BY created_at, id LIMIT :most",
        "iti",
        {{"recent", recent},
         {"gateway", gateway},
         {"before", before},
         {"from", behind ? behind->created_at : Instant{}},
         {"behind", behind ? behind->id : 0},
         {"most", most}},
        candidate_of);
}

std::optional<std::int64_t> Repository::deadline_told(store::Session& session, std::int64_t id) {
    const auto told = session.first<std::optional<std::int64_t>>(
        "SELECT deadline_told FROM svc_bookings WHERE id = :id", "i", {{"id", id}},
        [](const store::Row& row) { return row.maybe_integer(0); });
    return told.value_or(std::nullopt);
}

void Repository::tell_deadline(store::Transaction& tx, std::int64_t id, std::int64_t days) {
    tx.run("UPDATE svc_bookings SET deadline_told = :days WHERE id = :id", {{"days", days}, {"id", id}});
}

std::vector<Repository::Candidate> Repository::due_for_reminder(store::Session& session, Date today, Date last,
                                                                const std::optional<Candidate>& behind,
                                                                std::int64_t most) {
    return session.all<Candidate>(
        "SELECT id, travel_date, created_at FROM svc_bookings"
        " WHERE travel_date >= :from AND (travel_date, id) > (:from, :behind) AND travel_date <= :last"
        " AND reminder_sent_at IS NULL AND (status = 'confirmed' OR (status = 'pending' AND amount_paid_minor > 0))"
        " ORDER BY travel_date, id LIMIT :most",
        "iti",
        {{"from", behind ? behind->travel_date : today},
         {"behind", behind ? behind->id : INT64_MAX},
         {"last", last},
         {"most", most}},
        candidate_of);
}

std::vector<std::int64_t> Repository::ended(store::Session& session, Date since, Date today, std::int64_t most) {
    return session.all<std::int64_t>(
        "SELECT id FROM svc_bookings WHERE status = 'confirmed' AND end_date < :today AND end_date >= :since"
        " ORDER BY end_date, id LIMIT :most",
        "i", {{"since", since}, {"today", today}, {"most", most}}, id_of);
}

bool Repository::claim_reminder(store::Transaction& tx, std::int64_t id, Instant now) {
    return tx.run("UPDATE svc_bookings SET reminder_sent_at = :now WHERE id = :id AND reminder_sent_at IS NULL",
                  {{"now", now}, {"id", id}}) == 1;
}

}  // namespace svc::booking
