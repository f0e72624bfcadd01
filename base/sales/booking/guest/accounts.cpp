// Accounts of those who book: made by the registration of the site.
#include "base/sales/booking/guest/accounts.hpp"

namespace svc::booking {
namespace {

// The faults of a registration, by the names that a booking has for the fields.
Error by_booking_fields(const Error& error) {
    if (error.fields().empty())
        return error;
    Error renamed{error.code(), error.message()};
    for (const FieldError& fault : error.fields()) {
        const std::string name = fault.field == "password" ? "account_password" : "contact_" + fault.field;
        renamed.at(name, fault.sentence);
    }
    return renamed;
}

}  // namespace

Result<Accounts::Create> RegisteredAccounts::prepare(const customers::Contact& contact,
                                                     const std::string& password) const {
    auto makes = registration_.prepare({.first_name = contact.first_name,
                                        .last_name = contact.last_name,
                                        .email = contact.email,
                                        .phone = contact.phone,
                                        .password = password});
    return makes ? std::move(makes) : Result<Create>(by_booking_fields(makes.error()));
}

}  // namespace svc::booking
