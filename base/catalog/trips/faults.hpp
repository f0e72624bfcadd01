// The fields of a write that are at fault, collected so that a form shows them all at once.
#pragma once

#include "base/catalog/trips/change.hpp"

namespace svc::catalog::trips {

class Faults {
  public:
    void at(std::string field, std::string sentence) { all_.push_back({std::move(field), std::move(sentence)}); }
    [[nodiscard]] bool none() const { return all_.empty(); }
    [[nodiscard]] Error error() {
        Error error{errc::validation_error, all_.front().sentence};
        for (FieldError& each : all_)
            error.at(std::move(each.field), std::move(each.sentence));
        return error;
    }

  private:
    std::vector<FieldError> all_;
};

void take_money(std::optional<Money>& field, const Sent<std::string>& sent, Currency currency, const std::string& name,
                Faults& faults);
// Everything that costs: the trip's own prices, those by category, deposits.
void take_prices(Trip& trip, const TripChange& change, Faults& faults);

}  // namespace svc::catalog::trips
