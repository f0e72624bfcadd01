// Extras sold with a trip: a transfer, a single room, an insurance. Module additional_services.
#pragma once

#include "shared/record/record.hpp"

namespace svc::pro::additional_services {

inline constexpr std::string_view module_slug = "additional_services";
inline constexpr std::int64_t most_services = 500;  // that one list has

// A price is an amount or, for `percentage`, a share of the trip's price, for which price_per means nothing.
struct Price {
    std::string type{"fixed"};  // fixed, percentage
    Currency currency = Currency::usd();
    Money amount = Money::zero(Currency::usd());  // of fixed; else zero
    Rate rate{};                                  // of percentage; else zero
    std::string per{"person"};                    // person, booking, day

    [[nodiscard]] bool is_share() const { return type == "percentage"; }
    // What one costs it for, for people: "per person", "per day", "per booking", "of the price".
    [[nodiscard]] std::string_view unit_label() const;
    // One of it is a piece for each traveler: what a stock counts.
    [[nodiscard]] bool is_for_each_traveler() const { return !is_share() && per == "person"; }
};

struct AdditionalService : record::Audit, record::Trash {
    std::int64_t id = 0;
    std::string name, description;
    Price price;
    // Null: no limit. The first counts for a booking, the last one in hours before the departure.
    std::optional<std::int64_t> max_quantity, max_per_traveler, stock_per_departure, deadline_hours;
    std::string icon;
    std::string status{"draft"};  // publish, draft, trash
    std::int64_t sort_order = 0;
    std::string applicable_to{"all"};      // all, specific_trips
    std::vector<std::int64_t> trip_ids{};  // when specific_trips
    bool is_required = false, is_included = false, is_taxable = true;
    // Read alone.
    json::Value trips = json::Value::array();  // id, title
    std::int64_t bookings_count = 0;
    Currency revenue_currency = Currency::usd();
    Money total_revenue = Money::zero(Currency::usd());

    // Comes with every booking, so that nobody chooses it.
    [[nodiscard]] bool is_automatic() const { return is_required || is_included; }
    [[nodiscard]] bool is_of(std::int64_t trip_id) const;
};
const record::Record<AdditionalService>& service_record();

// A service as a booking bought it.
struct BookedService {
    std::int64_t id = 0, booking_id = 0;
    std::optional<std::int64_t> service_id{};  // null once the service is deleted
    std::string name{}, price_type{"fixed"}, price_per{"booking"};
    Currency currency = Currency::usd();  // the booking's
    Money unit = Money::zero(Currency::usd()), amount = Money::zero(Currency::usd());
    std::optional<Money> price{};  // as it was listed; null: `unit`
    Rate rate{};
    std::int64_t quantity = 1, days = 1;
    bool is_required = false, is_included = false;
    Instant created_at{};
};
const record::Rows<BookedService>& booked_record();

}  // namespace svc::pro::additional_services
