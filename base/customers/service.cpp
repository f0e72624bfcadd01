// Finding and making customer records.
#include "base/customers/service.hpp"

#include "base/customers/hooks.hpp"
#include "base/customers/repository.hpp"

namespace svc::customers {

std::optional<Customer> Service::find(store::Session& session, std::int64_t id) {
    return Repository::find(session, id);
}

std::optional<Customer> Service::find(store::Session& session, std::string_view email) {
    return Repository::find(session, email);
}

std::optional<std::int64_t> Service::id_of_user(store::Session& session, std::int64_t user_id) {
    return Repository::id_of_user(session, user_id);
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
    if (auto created = Repository::insert(tx, contact, now)) {
        hooks.emit(tx, customer_created, {created->id});
        return std::move(*created);
    }
    Customer customer = Repository::find(tx, contact.email).value();
    bool filled = false;
    for (const auto& [ours, theirs] : {std::pair{&customer.first_name, &contact.first_name},
                                       {&customer.last_name, &contact.last_name},
                                       {&customer.phone, &contact.phone},
                                       {&customer.country, &contact.country}})
        if (ours->empty() && !theirs->empty()) {
            *ours = *theirs;
            filled = true;
        }
    if (filled) {
        Repository::rewrite(tx, customer, now);
        hooks.emit(tx, customer_updated, {customer.id});
    }
    return customer;
}

}  // namespace svc::customers
