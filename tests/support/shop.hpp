// Trips, departures and prices over a database of the test's own, called through the real gate as anyone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/app/gate.hpp"
#include "base/catalog/attributes/feature.hpp"
#include "base/catalog/classifications/feature.hpp"
#include "base/catalog/media/feature.hpp"
#include "base/catalog/trips/feature.hpp"
#include "base/sales/availability/services.hpp"
#include "base/sales/discounts/feature.hpp"
#include "base/sales/pricing/feature.hpp"
#include "base/settings/feature.hpp"
#include "tests/support/test_site.hpp"

namespace svc::tests {

// The answer of a call.
struct Answered {
    int status = 0;
    std::vector<HttpHeader> headers;
    std::string text;
    json::Value body;  // null when there is none

    [[nodiscard]] std::string header(std::string_view name) const;
    [[nodiscard]] const json::Value& data() const { return body["data"]; }
    [[nodiscard]] std::string code() const { return body.text_or("code"); }
    [[nodiscard]] std::string field() const { return body["data"].text_or("field"); }
    // The values of one member of each row of a list.
    [[nodiscard]] std::string column(std::string_view name) const;
};

// The site's day is 2026-05-04, 10:00 UTC, until the clock is moved.
class Shop {
    TestSite base_;
    settings::Feature settings_{base_.site};
    catalog::media::Feature media_{base_.site};
    catalog::classifications::Feature classifications_{base_.site, media_};
    catalog::trips::Feature trips_{base_.site, settings_, media_, classifications_};
    catalog::attributes::Feature attributes_{base_.site, classifications_, trips_};
    discounts::Feature discounts_{base_.site, trips_};
    pricing::Feature pricing_{base_.site, discounts_};

  public:
    explicit Shop(Database& database);

    SetClock& clock = base_.clock;
    store::Store* const store = &base_.store;
    metrics::Registry& metrics = base_.metrics;
    events::Events& hooks = base_.hooks;
    settings::SiteSettings& settings = base_.settings;
    catalog::classifications::Service& classifications = classifications_.service;
    catalog::trips::Service& trips = trips_.service;
    catalog::attributes::Service& attributes = attributes_.service;
    availability::Services availability;
    pricing::Pricing& pricing = pricing_.service;
    api::RouteTable& routes = base_.routes;
    api::Caller caller;  // may do everything; see as()
    std::int64_t staff_id = 0;

    // Registration ends with the first call of these.
    Answered get(const std::string& target, std::vector<HttpHeader> headers = {});
    Answered send(const std::string& method, const std::string& target, const json::Value& body = {},
                  std::vector<HttpHeader> headers = {});

    // From now on the caller has these capabilities alone; none: nobody is signed in.
    void as(std::vector<std::string> capabilities);

    // A published trip; `change` is laid over "Nile cruise", four days, 200.00.
    catalog::trips::Trip given_trip(catalog::trips::TripChange change = {});
    availability::Departure given_departure(std::int64_t trip_id, const char* date, int capacity = 10,
                                            availability::DepartureChange change = {});
    // Names of the actions written so far, in order.
    [[nodiscard]] std::vector<std::string> fired() const;

    // Seats outside of bookings, in a transaction of their own.
    Result<std::int64_t> take(const catalog::trips::Trip& trip, const char* date, std::int64_t booking_id,
                              std::int64_t seats = 1, const char* time = "");
    bool release(std::int64_t booking_id, std::string_view reason = "cancelled");

  private:
    std::unique_ptr<app::Gate> gate_;
};

// A shop on a fresh database of each kind.
void each_shop(const std::function<void(Shop&)>& body);

}  // namespace svc::tests
