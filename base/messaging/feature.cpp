// Registers hooks, settings, listeners, routes and jobs.
#include "base/messaging/feature.hpp"

#include "base/messaging/mails/staff_digest.hpp"
#include "base/messaging/outbox/repository.hpp"
#include "base/messaging/routes.hpp"
#include "base/messaging/templates/hooks.hpp"
#include "base/messaging/templates/settings.hpp"

namespace svc::messaging {

static std::vector<std::filesystem::path> folders_of(const Site& site) {
    if (site.installation.theme_folder.empty())
        return {};
    return {std::filesystem::path(site.installation.theme_folder) / mail_folder};
}

Feature::Feature(const Site& site, const Accounts& accounts, const Bookings& bookings)
    : svc::Feature(site),
      service(
          {site.settings, site.events, site.clock, bookings, site.installation.address,
           std::make_shared<PluginTemplates>([&site](std::string_view slug) { return site.module_enabled(slug); })},
          *site.keyring, [&site] { site.jobs.wake("email_queue"); }, folders_of(site)),
      sender(site.store, *site.keyring, site.clock, site.metrics,
             {.server = [&site] { return smtp_server(site.settings, site.installation.allowed); },
              .go_on = [&site] { site.jobs.wake("email_queue"); }}),
      plugin_mails(site, service),
      accounts_(accounts) {}

void Feature::declare() {
    declare_hooks(site_.hooks);
    messaging::declare_settings(site_.settings, site_.hooks, service.parts.plugin_templates);
    listen_to_statuses(service);
    listen_to_bookings(service);
    listen_to_departures(service);
    listen_to_payments(service);
    plugin_mails.listen();
    listen_to_reviews(service, [this](const json::Value& booking) { return accounts_.reviews.page_of(booking); });
    listen_to_enquiries(service);
    listen_to_accounts(service, account_links());
}

AccountLinks Feature::account_links() const {
    const std::string& root = site_.installation.root;  // outlives the feature
    const auto sent_at = [this](const json::Value& account) {
        return Instant::parse(account.text_or("sent_at")).value_or(site_.clock.now());
    };
    return {.proof =
                [this, &root, sent_at](std::int64_t user_id, const json::Value& account) {
                    return root + "/auth/verify-email?token=" +
                           identity::AddressProof::token(*site_.keyring, user_id, account.text_or("email"),
                                                         sent_at(account));
                },
            .reset =
                [this, &root, sent_at](std::int64_t user_id, const json::Value& account) {
                    return root + "/auth/password/reset?token=" +
                           accounts_.identity.address_proof->reset_token(user_id, sent_at(account));
                },
            .change =
                [this, &root](std::int64_t user_id, const json::Value& account) {
                    return root + "/customers/me/email/confirm?token=" + accounts_.account.own.token(user_id, account);
                },
            .privacy =
                [this, &root, sent_at](std::int64_t user_id, const json::Value& account) {
                    const std::string wants = account.text_or("wants");
                    const auto wish = wants == "erasure" ? privacy::Wish::erasure : privacy::Wish::data;
                    return root + "/customers/me/" + wants +
                           "/confirm?token=" + accounts_.privacy.token(wish, user_id, sent_at(account));
                }};
}

void Feature::add_routes() {
    messaging::add_routes(site_.routes, service,
                          [this] { return smtp_server(site_.settings, site_.installation.allowed); });
    add_history_route(site_.routes, site_.store, service.parts.bookings);
}

void Feature::add_jobs() {
    const auto retention = [this](const char* setting) {
        return std::chrono::hours(24 * site_.settings.integer(setting));
    };
    site_.housekeeping.add("email_bodies", [retention](store::Transaction& tx, Instant now, int most) {
        return outbox::purge_bodies_before(tx, now.minus(retention("email_text_retention_days")), most);
    });
    site_.housekeeping.add("emails", [retention](store::Transaction& tx, Instant now, int most) {
        return outbox::purge_before(tx, now.minus(retention("email_retention_days")), most);
    });
    site_.jobs.add(sender.job());
    site_.jobs.add(digest_job(service, site_.store));
}

void Feature::stop() { sender.stop(); }

Result<std::int64_t> Feature::renew_sealed() { return sender.renew_sealed(); }

}  // namespace svc::messaging
