// Finding and making customer records.
#include "base/customers/service.hpp"

#include "base/customers/repository.hpp"

namespace svc::customers {

std::optional<Customer> Service::find(store::Session& session, std::int64_t id) {
    return Repository::find(session, id);
}

Customer Service::of(store::Transaction& tx, const Contact& contact, Instant now) {
    if (auto made = Repository::insert(tx, contact, now))
        return std::move(*made);
    Customer customer = Repository::find(tx, contact.email).value();
    const auto blank = [](const std::string& ours, const std::string& theirs) {
        return ours.empty() && !theirs.empty();
    };
    if (blank(customer.first_name, contact.first_name) || blank(customer.last_name, contact.last_name) ||
        blank(customer.phone, contact.phone) || blank(customer.country, contact.country))
        Repository::fill_blanks(tx, customer.id, contact, now);
    return customer;
}

}  // namespace svc::customers
