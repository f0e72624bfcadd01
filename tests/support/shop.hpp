// Trips, departures and prices over a database of the test's own, called through the real gate as anyone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/app/gate.hpp"
#include "base/availability/services.hpp"
#include "base/catalog/attributes/service.hpp"
#include "base/catalog/classifications/service.hpp"
#include "base/catalog/trips/service.hpp"
#include "base/platform/events/events.hpp"
#include "base/platform/metrics/metrics.hpp"
#include "base/pricing/quote.hpp"
#include "base/settings/site_settings.hpp"
#include "tests/support/databases.hpp"
#include "tests/support/set_clock.hpp"

namespace svc::tests {

// What a call was answered.
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
struct Shop {
    explicit Shop(Database& database);

    SetClock clock{"2026-05-04T10:00:00Z"};
    std::unique_ptr<store::Store> store;
    metrics::Registry metrics;
    events::Events hooks;
    settings::SiteSettings settings;
    catalog::classifications::Service classifications;
    catalog::attributes::ShownIds shown_attributes;
    catalog::trips::Service trips;
    catalog::attributes::Service attributes;
    availability::Services availability;
    pricing::Pricing pricing;
    api::RouteTable routes;
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
