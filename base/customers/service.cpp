// Finding and making customer records.
#include "base/customers/service.hpp"

#include "base/customers/hooks.hpp"
#include "base/customers/repository.hpp"

namespace svc::customers {

std::optional<Customer> Service::find(store::Session& session, std::int64_t id) {
    return Repository::find(session, id);
}

bool Service::is_blocked(store::Session& session, std::string_view email, std::optional<std::int64_t> user_id) {
    return Repository::is_blocked(session, email, user_id);
}

void Service::own(store::Transaction& tx, hooks::Hooks& hooks, std::int64_t user_id, std::string_view email,
                  Instant now) {
    if (const auto id = Repository::own(tx, user_id, email, now))
        hooks.emit(tx, customer_updated, {*id});
}

Customer Service::of(store::Transaction& tx, hooks::Hooks& hooks, const Contact& contact, Instant now) {
    if (auto made = Repository::insert(tx, contact, now)) {
        hooks.emit(tx, customer_created, {made->id});
        return std::move(*made);
    }
    Customer customer = Repository::find(tx, contact.email).value();
    const auto blank = [](const std::string& ours, const std::string& theirs) {
        return ours.empty() && !theirs.empty();
    };
    if (blank(customer.first_name, contact.first_name) || blank(customer.last_name, contact.last_name) ||
        blank(customer.phone, contact.phone) || blank(customer.country, contact.country)) {
        Repository::fill_blanks(tx, customer.id, contact, now);
        hooks.emit(tx, customer_updated, {customer.id});
    }
    return customer;
}

}  // namespace svc::customers
