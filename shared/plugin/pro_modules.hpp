// The modules that the Pro edition brings: Pro declares them by these rows, and a base without it tells of them as
// absent.
#pragma once

#include <string_view>

namespace svc::plugin {

struct ProModule {
    std::string_view slug, name, description, category;
    std::string_view depends_on = {};  // another slug
};

inline constexpr ProModule pro_modules[] = {
    {"additional_services", "Additional services", "Extras sold with a trip.", "booking"},
    {"flexible_payments", "Flexible payments", "Deposits and part payments at checkout.", "payment"},
    {"advanced_discount", "Advanced discounts", "Discounts for groups, by party size or traveler category.", "pricing"},
    {"dynamic_form_field", "Form conditions", "Other booking fields for some trips, categories or types of trip.",
     "booking"},
    {"scheduled_payments", "Scheduled payments", "What is left of a booking is charged later by itself.", "payment",
     "flexible_payments"}};

}  // namespace svc::plugin
