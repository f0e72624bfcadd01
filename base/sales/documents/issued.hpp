// Issued invoices and credit notes: number, seller and customer stay as on that day.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/money.hpp"
#include "shared/json/value.hpp"

namespace svc::documents {

struct Company {
    std::string name = {}, address = {}, email = {}, phone = {}, website = {}, vat_number = {};
    std::string country = {};  // as the settings have it; empty also where an older release put it into the address
};

struct Customer {
    std::string name = {}, company = {}, address = {}, country = {}, email = {}, phone = {};
};

// The part of a tax that a document states; negative in a credit note.
struct IssuedTax {
    std::string label = {};
    Money amount;
};

struct Issued {
    std::string number = {};
    std::int64_t booking_id = 0, payment_id = 0, refund_id = 0;  // refund_id 0: an invoice
    Company seller = {};
    Customer customer = {};
    Date issued_on = {};  // in the site's zone
    Instant issued_at = {};
    std::vector<IssuedTax> taxes = {};
};

}  // namespace svc::documents
