// Declares the record of reviews.
#include "base/people/reviews/review.hpp"

#include "shared/core/mailbox.hpp"
#include "shared/core/text.hpp"

namespace svc::reviews {

bool is_editable(const Review& review, Instant now) {
    constexpr auto editable_for = std::chrono::hours(24);
    return review.status == Status::pending && !review.author_key.empty() && now < review.created_at.plus(editable_for);
}

record::Record<Review> make_record(const Clock& clock) {
    using namespace record;
    using R = Review;
    return Record<R>{
        {.table = "svc_reviews",
         .component = "Review",
         .search_column = "search",
         .tuning = {.grams = "svc_reviews_grams", .tallied = true},
         .sorts =
             {{"created_at", {"r.created_at"}}, {"id", {"r.id"}}, {"rating", {"r.rating"}}, {"status", {"r.status"}}},
         .default_sort = "created_at",
         .conditions = {{"trip_id", "r.trip_id = :trip_id"}, {"rating", "r.rating = :rating"}}},
        {id(&R::id),
         column("trip_id", &R::trip_id, api::id(), required | by_client_on_create, "Id of the trip."),
         derived("trip_title", &R::trip_title, "(SELECT t.title FROM svc_trips t WHERE t.id = r.trip_id)",
                 api::text(255)),
         derived("trip_slug", &R::trip_slug, "(SELECT t.slug FROM svc_trips t WHERE t.id = r.trip_id)", api::text(255)),
         column("user_id", &R::user_id, api::id(), by_server, "The author's account."),
         column("customer_id", &R::customer_id, api::id(), by_server),
         column("booking_id", &R::booking_id, api::id(), by_server, "The booking that proves the journey."),
         column("rating", &R::rating, api::integer(1, 5), by_client | required, "Whole stars."),
         column("title", &R::title, api::text(255), by_client | searched),
         column("content", &R::content, api::raw_text(5'000), by_client | required | searched | also({"comment"})),
         column("author_name", &R::author_name, api::text(150, 1),
                by_client | required | searched | also({"customer_name"})),
         column("author_email", &R::author_email, api::email(), by_client | searched | also({"customer_email"}),
                "Never shown to visitors."),
         stored_text<R>("email_lower", [](const R& r) { return text::folded(r.author_email); }),
         stored_text<R>("mailbox", [](const R& r) { return mailbox_key(r.author_email); }),
         column("author_location", &R::author_location, api::text(150), by_client, "Where the author lives."),
         choice("status", &R::status, statuses, by_client | default_value("pending")),
         derived("is_verified", &R::is_verified,
                 "(SELECT COUNT(*) FROM svc_bookings b WHERE b.id = r.booking_id"
                 " AND b.status IN ('completed', 'confirmed'))",
                 api::boolean(), "A booking proves that the author traveled."),
         column("helpful_count", &R::helpful_count, api::integer(0), by_other),
         column("is_featured", &R::is_featured, api::boolean(), by_client_on_update),
         column("reply", &R::reply, api::raw_text(5'000), by_client_on_update,
                "The operator's reply, shown with the review."),
         column("replied_at", &R::replied_at, api::instant(), by_other),
         column("replied_by", &R::replied_by, api::id(), by_other),
         column("moderated_at", &R::moderated_at, api::instant(), by_other, "When staff last set the status."),
         column("moderated_by", &R::moderated_by, api::id(), by_other),
         computed<R>(
             "can_edit", api::boolean(), [&clock](const R& r) { return json::Value(is_editable(r, clock.now())); }, {},
             {}, "The author may still change it: for 24 hours, while it is pending."),
         column("author_key", &R::author_key, api::text(300), hidden | by_server_on_create | null_if_empty),
         column("ip_hash", &R::ip_hash, api::text(100), hidden | by_server_on_create),
         row_version<R>(),
         timestamps<R>(),
         authors<R>(Names::left_out, hidden),
         trashed_at<R>(),
         status_before_trash<R>()}};
}

}  // namespace svc::reviews
