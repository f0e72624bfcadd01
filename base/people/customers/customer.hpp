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
    bool newsletter_optin = false;
    [[nodiscard]] bool is_blocked() const { return status == "blocked"; }
};

// The customer fields that a booking supplies.
struct Contact {
    std::string first_name = {}, last_name = {}, email = {}, phone = {}, country = {};
    std::optional<std::int64_t> user_id = {};  // the signed-in account, whose address is proven
    std::string source = "booking";
    bool by_staff = false;
    bool is_own = false;            // of an account that has this address: never the record of another address
    bool wants_newsletter = false;  // ticked with this contact; false withdraws nothing
};

}  // namespace svc::customers
