// The statements of reviews.
#include "base/people/reviews/repository.hpp"

#include <algorithm>

#include "base/people/identity/whose.hpp"
#include "base/people/reviews/review.hpp"
#include "shared/core/mailbox.hpp"
#include "shared/core/text.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::reviews {

catalog::trips::TripRating Repository::rating_of(store::Transaction& tx, std::int64_t trip_id) {
    if (tx.dialect() == store::Dialect::postgresql)  // SQLite has one writer at a time
        tx.number("SELECT id FROM svc_trips WHERE id = :trip FOR NO KEY UPDATE", {{"trip", trip_id}});
    catalog::trips::TripRating rating;
    store::each_row(tx,
                    "SELECT COUNT(*), CAST(COALESCE(SUM(rating), 0) AS BIGINT) FROM svc_reviews WHERE trip_id = :trip"
                    " AND status = 'approved'",
                    {{"trip", trip_id}}, [&](std::int64_t reviews, std::int64_t stars) {
                        rating = {.reviews = reviews,
                                  .hundredths = reviews > 0 ? (stars * 200 + reviews) / (2 * reviews) : 0};
                    });
    return rating;
}

std::array<std::int64_t, 5> Repository::distribution(store::Session& session, std::int64_t trip_id) {
    std::array<std::int64_t, 5> counts{};
    store::each_row(session,
                    "SELECT rating, COUNT(*) FROM svc_reviews WHERE trip_id = :trip AND status = 'approved'"
                    " GROUP BY rating",
                    {{"trip", trip_id}}, [&](std::int64_t rating, std::int64_t reviews) {
                        counts.at(static_cast<std::size_t>(rating - 1)) = reviews;
                    });
    return counts;
}

bool Repository::has_trip(store::Session& session, std::int64_t trip_id) {
    return session.number("SELECT COUNT(*) FROM svc_trips WHERE id = :trip AND status <> 'trash'",
                          {{"trip", trip_id}}) > 0;
}

std::optional<std::int64_t> Repository::journey_of(store::Session& session, std::int64_t user_id, std::int64_t trip_id,
                                                   Date today) {
    return store::first_row(
        session,
        "SELECT id FROM svc_bookings WHERE user_id = :user AND trip_id = :trip AND (status = 'completed'"
        " OR (status = 'confirmed' AND end_date < :today)) ORDER BY end_date DESC, id DESC LIMIT 1",
        {{"user", user_id}, {"trip", trip_id}, {"today", today}}, [](std::int64_t id) { return id; });
}

Author Repository::account(store::Session& session, std::int64_t user_id) {
    Author author{.key = "u:" + std::to_string(user_id), .user_id = user_id};
    store::each_row(session,
                    "SELECT COALESCE(NULLIF(u.display_name, ''), c.full_name, ''), c.id FROM svc_users u"
                    " LEFT JOIN svc_customers c ON c.user_id = u.id WHERE u.id = :user",
                    {{"user", user_id}}, [&](const std::string& name, std::optional<std::int64_t> customer_id) {
                        author.name = name;
                        author.customer_id = customer_id;
                    });
    return author;
}

std::optional<std::int64_t> Repository::written_by(store::Session& session, std::int64_t trip_id,
                                                   const Author& author) {
    return store::first_row(
        session,
        "SELECT id FROM svc_reviews WHERE trip_id = :trip AND author_key IS NOT NULL AND (author_key = :key"
        " OR user_id = :user OR booking_id = :booking OR (mailbox = :mailbox AND mailbox <> ''))"
        " ORDER BY id LIMIT 1",
        {{"trip", trip_id},
         {"key", author.key},
         {"user", author.user_id},
         {"booking", author.booking_id},
         {"mailbox", mailbox_key(author.email)}},
        [](std::int64_t id) { return id; });
}

void Repository::set_moderated(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id,
                               Instant now) {
    tx.run("UPDATE svc_reviews SET moderated_at = :now, moderated_by = :user WHERE id = :id",
           {{"id", id}, {"user", user_id}, {"now", now}});
}

void Repository::set_replied(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id,
                             std::optional<Instant> now) {
    tx.run("UPDATE svc_reviews SET replied_at = :now, replied_by = :user WHERE id = :id",
           {{"id", id}, {"user", user_id}, {"now", now}});
}

Repository::Overall Repository::overall(store::Session& session, Instant month_began) {
    Overall all;
    all.this_month = session.number(
        "SELECT COUNT(*) FROM svc_reviews WHERE created_at >= :since AND status NOT IN ('spam', 'trash')",
        {{"since", month_began}});
    store::each_row(session,
                    "SELECT COUNT(*), CAST(COALESCE(SUM(rating), 0) AS BIGINT) FROM svc_reviews WHERE"
                    " status = 'approved'",
                    {}, [&](std::int64_t approved, std::int64_t stars) {
                        all.approved = approved;
                        all.stars = stars;
                    });
    return all;
}

std::vector<std::int64_t> Repository::to_ask(store::Session& session, Instant since, Instant until, std::int64_t most) {
    return store::numbers(session,
                          "SELECT b.id FROM svc_bookings b WHERE b.completed_at > :since AND b.completed_at <= :until"
                          " AND b.status = 'completed' AND NOT EXISTS (SELECT 1 FROM svc_review_requests q WHERE"
                          " q.booking_id = b.id) ORDER BY b.completed_at, b.id LIMIT :most",
                          {{"since", since}, {"until", until}, {"most", most}});
}

bool Repository::claim_request(store::Transaction& tx, std::int64_t booking_id, Instant now) {
    return tx.run(
               "INSERT INTO svc_review_requests (booking_id, sent_at) VALUES (:booking, :now) ON CONFLICT (booking_id)"
               " DO NOTHING",
               {{"booking", booking_id}, {"now", now}}) == 1;
}

std::vector<std::int64_t> Repository::ids_of(store::Session& session, std::string_view email, std::int64_t user_id) {
    return store::numbers(
        session,
        "SELECT id FROM svc_reviews WHERE " SVC_IS_OF_PERSON("user_id", "email_lower") " AND (user_id IS NOT NULL OR"
        " email_lower <> '') ORDER BY id",
        {{"user", user_id}, {"email", text::folded(email)}});
}

Repository::Removed Repository::remove_of(store::Transaction& tx, std::string_view email, std::int64_t user_id) {
    static constexpr auto trips =
        SVC_BY_IDS("SELECT DISTINCT trip_id FROM svc_reviews WHERE", "id", "ORDER BY trip_id");
    static constexpr auto deletion = SVC_BY_IDS("DELETE FROM svc_reviews WHERE", "id", "");
    const auto ids = ids_of(tx, email, user_id);
    Removed removed;
    if (ids.empty())
        return removed;
    store::each_row_of(tx, trips, ids, [&](std::int64_t trip_id) { removed.trip_ids.push_back(trip_id); });
    removed.rows = store::run_of(tx, deletion, ids);
    return removed;
}

void rate_anew(store::Transaction& tx, std::int64_t trip_id) {
    catalog::trips::Service::set_rating(tx, trip_id, Repository::rating_of(tx, trip_id));
}

}  // namespace svc::reviews
