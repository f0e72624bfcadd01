// Finding and making customer records.
#include "base/people/customers/service.hpp"

#include "base/people/customers/hooks.hpp"
#include "base/people/customers/repository.hpp"

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

bool Service::has_account(store::Session& session, std::int64_t user_id) {
    return Repository::has_account(session, user_id);
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
    auto known = Repository::find(tx, contact.email);
    if (!known)
        return Repository::find_former(tx, contact.email).value();
    Customer& customer = *known;
    if (!contact.by_staff &&
        (!contact.user_id || Repository::id_of_user(tx, *contact.user_id) != std::optional(customer.id)))
        return std::move(customer);
    bool filled = false;
    for (const auto& [ours, theirs] : {std::pair{&customer.first_name, &contact.first_name},
                                       {&customer.last_name, &contact.last_name},
                                       {&customer.phone, &contact.phone},
                                       {&customer.country, &contact.country}})
        if (ours->empty() && !theirs->empty()) {
            *ours = *theirs;
            filled = true;
        }
    // Of their own will, or as they told staff.
    if (contact.wants_newsletter && !customer.newsletter_optin) {
        customer.newsletter_optin = true;
        filled = true;
    }
    if (filled) {
        Repository::rewrite(tx, customer, now);
        hooks.emit(tx, customer_updated, {customer.id});
    }
    return std::move(customer);
}

}  // namespace svc::customers
