// Fields about people that staff may store for any traveler, in the form or not. Constants.
#pragma once

#include <array>
#include <utility>

namespace svc::booking::form {

inline constexpr std::array fields_of_travelers{"title",
                                                "first_name",
                                                "last_name",
                                                "email",
                                                "phone",
                                                "gender",
                                                "date_of_birth",
                                                "nationality",
                                                "passport_number",
                                                "passport_expiry",
                                                "dietary_requirements",
                                                "medical_conditions",
                                                "special_requests"};
// Their types where no form has them; of all others any text is an answer.
inline constexpr std::array<std::pair<const char*, const char*>, 4> types_of_people{
    {{"email", "email"}, {"date_of_birth", "date"}, {"passport_expiry", "date"}, {"country", "country"}}};

}  // namespace svc::booking::form
