// Registers what messaging has, and listens to what happens to bookings and accounts.
#include "base/messaging/feature.hpp"

#include "base/messaging/hooks.hpp"
#include "base/messaging/repository.hpp"
#include "base/messaging/routes.hpp"
#include "base/messaging/settings.hpp"

namespace svc::messaging {

static std::vector<std::filesystem::path> folders_of(const Site& site) {
    if (site.installation.theme_folder.empty())
        return {};
    return {std::filesystem::path(site.installation.theme_folder) / mail_folder};
}

Feature::Feature(const Site& site, const Accounts& accounts, const Bookings& bookings)
    : svc::Feature(site),
      service(
          site.settings, site.events, *site.keyring, site.clock, site.installation.address,
          [&site] { site.jobs.wake("email_queue"); }, folders_of(site)),
      sender(site.store, *site.keyring, site.clock, site.metrics,
             {.server = [&site] { return smtp_server(site.settings, site.installation.allowed); },
              .go_on = [&site] { site.jobs.wake("email_queue"); }}),
      accounts_(accounts),
      bookings_(bookings) {}

void Feature::declare() {
    declare_hooks(site_.hooks);
    messaging::declare_settings(site_.settings, site_.hooks);
    listen();
}

void Feature::listen() {
    const auto find = [this](std::int64_t id) { return bookings_.find(id); };
    const auto pay_page = [this](const json::Value& booking) { return bookings_.pay_page(booking); };
    service.listen();
    service.listen_to_bookings([this](const json::Value& booking) { return bookings_.verification_page(booking); });
    service.listen_to_departures(pay_page);
    service.listen_to_payments(find);
    service.listen_to_refunds(find, [this](const json::Value& refund) -> Service::CreditNote {
        auto note = bookings_.credit_note(refund);
        return {.number = std::move(note.number), .url = std::move(note.url)};
    });
    service.listen_to_scheduled_payments(find, pay_page);
    service.ask(
        {.instructions = [this](const std::string& gateway,
                                const json::Value& booking) { return bookings_.instructions(gateway, booking); },
         .gateway_title = [this](const std::string& gateway) { return bookings_.gateway_title(gateway); },
         .trip_url = [this](const json::Value& booking) { return bookings_.trip_page(booking); },
         .answers = [this](std::int64_t id) { return bookings_.answers(id); },
         .trip = [this](std::int64_t id) { return bookings_.trip(id); },
         .account_locale =
             [this](std::int64_t user_id) {
                 std::string locale;
                 site_.store.read(
                     [&](store::Session& session) { locale = account::Repository::locale(session, user_id); });
                 return locale;
             }});
    service.name_travelers([this](std::int64_t id) { return bookings_.travelers(id); });
    service.listen_to_reviews([this](const json::Value& booking) { return accounts_.reviews.page_of(booking); });
    service.listen_to_enquiries();
    listen_to_accounts();
}

void Feature::listen_to_accounts() {
    const std::string& root = site_.installation.root;  // outlives the feature
    const auto sent_at = [this](const json::Value& account) {
        return Instant::parse(account.text_or("sent_at")).value_or(site_.clock.now());
    };
    service.listen_to_accounts(
        {.proof =
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
             }});
}

void Feature::add_routes() {
    const Sources sources{.booking = [this](std::int64_t id) { return bookings_.detail(id); },
                          .last_payment = [this](std::int64_t id) { return bookings_.last_payment(id); },
                          .event_booking = [this](std::int64_t id) { return bookings_.find(id); },
                          .trip = [this](std::int64_t id) { return bookings_.trip(id); },
                          .server = [this] { return smtp_server(site_.settings, site_.installation.allowed); },
                          .hooks = &site_.hooks};
    messaging::add_routes(site_.routes, service, sources);
    add_history_route(site_.routes, site_.store, sources);
}

void Feature::add_jobs() {
    const auto kept = [this](const char* setting) { return std::chrono::hours(24 * site_.settings.integer(setting)); };
    site_.housekeeping.add("email_bodies", [kept](store::Transaction& tx, Instant now, int most) {
        return outbox::purge_bodies_before(tx, now.minus(kept("email_text_retention_days")), most);
    });
    site_.housekeeping.add("emails", [kept](store::Transaction& tx, Instant now, int most) {
        return outbox::purge_before(tx, now.minus(kept("email_retention_days")), most);
    });
    site_.jobs.add(sender.job());
}

void Feature::stop() { sender.stop(); }

Result<std::int64_t> Feature::renew_sealed() { return sender.renew_sealed(); }

}  // namespace svc::messaging
