// Traveler categories with ages: require a date of birth and check the age on the day of travel.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/catalog/trips/record/trip.hpp"
#include "shared/core/date.hpp"
#include "shared/core/result.hpp"
#include "shared/json/value.hpp"

namespace svc::booking::form {

// Of a trip's traveler category. Whole years, both ends included; neither bound: its travelers are of any age.
struct CategoryAges {
    std::int64_t id = 0;
    std::string label = {};
    std::optional<int> least = {}, most = {};

    [[nodiscard]] bool any() const { return least || most; }
    [[nodiscard]] bool holds(int age) const { return (!least || age >= *least) && (!most || age <= *most); }
    [[nodiscard]] Sentence sentence() const;  // "Infant is for ages 0 to 1 on the day of travel."
};
std::vector<CategoryAges> ages_of(const catalog::trips::Trip& trip);

// Age in years on that day.
int years_between(Date birth, Date on);

// Adds a date of birth to the form if these categories have ages and the form has none, or one that other answers
// hide. The field's `categories` lists the categories for which it is required.
json::Value asking_births(const json::Value& form, const std::vector<CategoryAges>& categories);

// Each traveler against the ages of their category on the day of travel. A row without category_id counts for the
// category that its date of birth fits, among those that `counts` has travelers left of. `required`: everybody of a
// category with ages is named with a date of birth. Faults are travelers.N.date_of_birth: svc_validation_error for one
// that is missing, group_size for another age.
Result<void> check_category_ages(const json::Value& travelers, const std::map<std::int64_t, std::int64_t>& counts,
                                 const std::vector<CategoryAges>& categories, Date on, bool required);

}  // namespace svc::booking::form
