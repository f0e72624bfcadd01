// The feature of enquiries: public form, staff's list, responses, counts (spec 2.5, 3.5, 4.9).
#pragma once

#include "base/catalog/trips/feature.hpp"
#include "base/feature/feature.hpp"
#include "base/people/enquiries/enquiry.hpp"
#include "base/people/identity/human_check.hpp"
#include "base/sales/booking/feature.hpp"
#include "shared/resource/resource.hpp"

namespace svc::enquiries {

// Built at start; afterwards any thread. It has nothing in memory that another process could change.
class Feature final : public svc::Feature, public booking::Enquiries {
  public:
    Feature(const Site& site, const catalog::trips::Feature& trips, booking::Feature& bookings);

    void connect() override { bookings_.ports.enquiries = this; }
    void declare() override;
    void add_routes() override;
    void add_jobs() override;

    Result<void> convert(store::Transaction& tx, std::int64_t enquiry_id, const booking::Booking& booking,
                         std::optional<std::int64_t> user_id, Instant now) const override;

  private:
    [[nodiscard]] resource::Options options() const;
    [[nodiscard]] resource::Rules<Enquiry> rules() const;
    [[nodiscard]] api::RouteSpec submit_route() const;
    [[nodiscard]] api::RouteSpec respond_route() const;
    [[nodiscard]] api::RouteSpec read_route() const;
    [[nodiscard]] api::Reply submit(const api::Request& request) const;
    // The published trip that a form means: its id, its slug, or the page that it was sent from. Nothing: none.
    [[nodiscard]] std::optional<std::int64_t> trip_of(const json::Value& body, std::string_view referrer) const;
    [[nodiscard]] std::optional<std::int64_t> trip_of_slug(const std::string& slug) const;
    void count_more(store::Session& session, json::Value& counts) const;

    const catalog::trips::Service& trips_;
    booking::Feature& bookings_;
    const identity::HumanCheck human_;
    const resource::Resource<Enquiry> enquiries_;
};

// The messages of an enquiry, the oldest first: the question, then responses.
json::Value thread_of(store::Session& session, const Enquiry& enquiry);
api::Type thread_answer();

}  // namespace svc::enquiries
