// Gives accounts their records.
#include "base/people/customers/account_records.hpp"

#include "base/people/customers/service.hpp"
#include "base/people/identity/registration.hpp"

namespace svc::customers {

void AccountRecords::add(store::Transaction& tx, const identity::NewAccount& account) {
    Service::of(tx, site_.hooks,
                {.first_name = account.first_name,
                 .last_name = account.last_name,
                 .email = account.email,
                 .phone = account.phone,
                 .source = "registration",
                 .is_own = true},
                site_.clock.now());
}

void AccountRecords::own(store::Transaction& tx, std::int64_t user_id, const std::string& email) {
    Service::own(tx, site_.hooks, user_id, email, site_.clock.now());
}

}  // namespace svc::customers
