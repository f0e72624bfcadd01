// Customers: the people behind bookings, one record an e-mail address, compared in lower case.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace svc::customers {

struct Customer {
    std::int64_t id = 0;
    std::string email = {}, first_name = {}, last_name = {}, phone = {}, country = {};
    std::string status = {};  // active, inactive, blocked
    [[nodiscard]] bool is_blocked() const { return status == "blocked"; }
};

// The customer fields that a booking supplies.
struct Contact {
    std::string first_name = {}, last_name = {}, email = {}, phone = {}, country = {};
    std::optional<std::int64_t> user_id = {};
    std::string source = "booking";
};

}  // namespace svc::customers
