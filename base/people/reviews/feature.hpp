// The feature of reviews: visitors write and read them, staff moderate them, customers receive requests for them.
#pragma once

#include "base/catalog/trips/feature.hpp"
#include "base/feature/feature.hpp"
#include "base/people/reviews/repository.hpp"
#include "base/people/reviews/review.hpp"
#include "base/sales/booking/feature.hpp"
#include "shared/resource/resource.hpp"

namespace svc::reviews {

// Built at start; afterwards any thread. It has nothing in memory that another process could change; the trips' means
// and counts are theirs.
class Feature final : public svc::Feature {
  public:
    struct Needs {
        catalog::trips::Feature& trips;
        booking::Feature& bookings;
    };
    Feature(const Site& site, const Needs& lower);

    void declare() override;
    void add_routes() override;
    void add_jobs() override;

    [[nodiscard]] const record::Record<Review>& record() const { return record_; }
    // The page where a booking's customer writes the review, with the token that proves the booking.
    [[nodiscard]] std::string page_of(const json::Value& booking) const;
    // Deletes a person's reviews and recalculates ratings; returns the rows. 0: without an account.
    std::int64_t forget(store::Transaction& tx, std::string_view email, std::int64_t user_id) const;
    // A person's reviews, as the author sees them.
    [[nodiscard]] json::Value written_by(store::Session& session, std::string_view email, std::int64_t user_id) const;
    // Requests reviews of trips that ended some days ago; run by the job. Returns how many.
    Result<json::Value> ask_for_reviews(Instant now) const;

  private:
    [[nodiscard]] resource::Options options() const;
    [[nodiscard]] resource::Rules<Review> rules() const;
    [[nodiscard]] api::RouteSpec status_route() const;
    [[nodiscard]] api::RouteSpec stats_route() const;
    // visitors.cpp
    [[nodiscard]] api::RouteSpec shown_route() const;
    [[nodiscard]] api::RouteSpec write_route() const;
    [[nodiscard]] api::RouteSpec may_write_route() const;
    [[nodiscard]] api::RouteSpec page_route() const;  // requests.cpp
    [[nodiscard]] api::RouteSpec form_route() const;
    [[nodiscard]] api::RouteSpec change_route() const;
    [[nodiscard]] api::RouteSpec own_route() const;
    [[nodiscard]] api::Schema shown_answer() const;
    [[nodiscard]] api::Schema own_answer() const;
    [[nodiscard]] json::Value public_json(const Review& review) const;
    [[nodiscard]] json::Value shown_to_author(const Review& review) const;
    // The author of a review of the trip. svc_unauthorized, needs_verification, reviews_disabled, booking_required,
    // invalid_token, duplicate_review with the member review_id.
    [[nodiscard]] Result<Author> author_of(store::Session& session, const api::Caller& caller, std::int64_t trip_id,
                                           std::string_view token, std::string_view email) const;
    [[nodiscard]] Result<booking::Booking> booking_of(store::Session& session, std::string_view token) const;
    [[nodiscard]] Result<Author> author_by_token(store::Session& session, std::int64_t trip_id,
                                                 std::string_view token) const;
    Result<Review> write(store::Transaction& tx, const api::Request& request, std::int64_t trip_id,
                         std::string_view token) const;
    [[nodiscard]] api::Reply written(const api::Request& request, std::int64_t trip_id, std::string_view token) const;
    void count_more(store::Session& session, json::Value& counts) const;
    [[nodiscard]] bool takes_reviews() const;
    [[nodiscard]] Date today() const { return site_.settings.zone().date_at(site_.clock.now()); }

    catalog::trips::Service& trips_;
    booking::Feature& bookings_;
    const record::Record<Review> record_;
    const resource::Resource<Review> reviews_;
};

// "r1.7." and a digest that only we can make of booking 7 and its address: another address ends it.
std::string review_token(const crypto::Keyring& keyring, std::int64_t booking_id, std::string_view email);

}  // namespace svc::reviews
