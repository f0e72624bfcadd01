// Registers what identity has.
#include "base/people/identity/feature.hpp"

#include "base/people/identity/capabilities.hpp"
#include "base/people/identity/hooks.hpp"
#include "base/people/identity/routes.hpp"

namespace svc::identity {

Feature::Feature(const Site& site)
    : svc::Feature(site),
      service(site.store, site.keyring, site.settings, site.hooks, site.limits, site.clock,
              {.cookie_secure = site.installation.cookie_secure, .site_url = site.installation.address}),
      gatekeeper(
          site.store, site.keyring, site.limits, site.clock,
          {.cookie_secure = site.installation.cookie_secure, .trusted_proxies = site.installation.trusted_proxies}),
      human(site.settings, site.hooks, site.fetch) {
    gatekeeper.take_account_passwords(
        [this](const std::string& name, const std::string& password, const std::string& address) {
            return service.by_account_password(name, password, address);
        });
}

void Feature::declare() {
    declare_hooks(site_.hooks);
    declare_human_check(site_.settings, site_.hooks);
    declare_address_proof(site_.hooks);
    declare_registration(site_.settings, site_.hooks);
    address_proof = std::make_unique<AddressProof>(
        AddressParts{.store = site_.store,
                     .keyring = site_.keyring,
                     .hooks = site_.hooks,
                     .limits = site_.limits,
                     .clock = site_.clock,
                     .identity = service,
                     .follow = [this](store::Transaction& tx, std::int64_t user_id, const std::string& email) {
                         if (records_)
                             records_->own(tx, user_id, email);
                     }});
    registration = std::make_unique<Registration>(Registration::Parts{
        .store = site_.store,
        .settings = site_.settings,
        .hooks = site_.hooks,
        .limits = site_.limits,
        .clock = site_.clock,
        .accounts = service.accounts(),
        .proof = *address_proof,
        .made =
            [this](store::Transaction& tx, const NewAccount& account) {
                if (records_)
                    records_->add(tx, account);
            },
        .is_human = [this](const std::string& token,
                           const std::string& address) { return human.check("registration", token, address); }});
}

void Feature::add_routes() {
    identity::add_routes(site_.routes, service);
    add_own_session_routes(site_.routes, site_.store, site_.clock);
    add_me_route(site_.routes, service, site_.settings);
    add_registration_routes(site_.routes, *registration);
    add_address_proof_routes(site_.routes, *address_proof, service, site_.settings);
}

// Capabilities of a plugin's own are known once it is attached.
void Feature::load() {
    service.accounts().prepare();
    gatekeeper.know_besides(declared_capabilities(site_.hooks));
}

}  // namespace svc::identity
