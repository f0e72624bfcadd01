// Offers plugins the platform and payments.
#include "base/plugins/feature.hpp"

#include "base/modules/hooks.hpp"
#include "base/people/identity/capabilities.hpp"
#include "base/people/identity/hooks.hpp"
#include "base/platform/outbound/client_certificate.hpp"
#include "base/platform/store/changes.hpp"
#include "base/platform/store/transaction.hpp"
#include "base/plugins/hooks.hpp"
#include "shared/plugin/codec_gateway.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::plugins {
namespace {

Result<FetchReply> fetch_for_plugin(const Site& site, const FetchRequest& request) {
    std::optional<outbound::ClientCertificate> certificate;
    if (!request.certificate_chain.empty())
        certificate.emplace(request.certificate_chain, request.certificate_key);
    SVC_ASSIGN_OR_RETURN(auto answer, site.fetch({.url = request.url,
                                                  .method = request.method,
                                                  .headers = request.headers,
                                                  .body = request.body,
                                                  .timeout = std::chrono::milliseconds(request.timeout_ms),
                                                  .most_bytes = request.limit}));
    return FetchReply{.status = answer.status, .headers = std::move(answer.headers), .body = std::move(answer.body)};
}

Result<json::Value> charge_saved(payment::Checkout& checkout, const ChargeRequest& asked) {
    SVC_ASSIGN_OR_RETURN(const auto outcome, checkout.saved.charge({.booking_id = asked.booking_id,
                                                                    .method_id = asked.method_id,
                                                                    .amount = asked.amount,
                                                                    .balance = asked.balance,
                                                                    .key = asked.key,
                                                                    .scheduled = true}));
    json::Value answer = json::Value::object({{"progress", plugin::name_of(outcome.progress)}});
    if (const auto& payment = outcome.payment) {
        answer.set("payment_id", payment->id);
        answer.set("transaction_id", payment->transaction_id.value_or(""));
        answer.set("gateway", payment->gateway);
        answer.set("method", payment->method);
        answer.set("reason", payment->notes);
    }
    return answer;
}

Charges charges_of(payment::Checkout& checkout) {
    return {.kept = [&checkout](std::int64_t payment_id) -> Result<json::Value> {
                SVC_ASSIGN_OR_RETURN(const auto agreed, checkout.saved.agreed_with(payment_id));
                return json::Value::object({{"method_id", agreed.method_id},
                                            {"gateway", agreed.gateway},
                                            {"keeps_methods", agreed.keeps_methods}});
            },
            .charge = [&checkout](const ChargeRequest& asked) { return charge_saved(checkout, asked); }};
}

MailOffers mails_of(messaging::PluginMails& service) {
    return {.check = [&service](const mails::OfferedTemplate& offered) { return service.check(offered); },
            .add = [&service](const std::string& plugin,
                              const mails::OfferedTemplate& offered) { service.add(plugin, offered); },
            .queue = [&service](store::Transaction& tx, const std::string& plugin,
                                const mails::QueuedMail& mail) { return service.queue(tx, plugin, mail); },
            .log = [&service](const std::string& plugin,
                              const mails::LogQuery& query) { return service.log(plugin, query); }};
}

booking::PartnerBookings::By by_of(const BookedBy& by) {
    return {.cause = by.cause == "channel"    ? booking::Cause::channel
                     : by.cause == "customer" ? booking::Cause::customer
                                              : booking::Cause::staff,
            .name = by.name,
            .reason = by.reason};
}

BookingOffers offers_of(booking::PartnerBookings& bookings) {
    return {.quote = [&bookings](const json::Value& wanted) { return bookings.quote(wanted); },
            .hold = [&bookings](const json::Value& wanted, const BookedBy& by,
                                const BookingOffers::Also& also) { return bookings.hold(wanted, by_of(by), also); },
            .confirm = [&bookings](store::Transaction& tx, std::int64_t id,
                                   const BookedBy& by) { return bookings.confirm(tx, id, by_of(by)); },
            .cancel = [&bookings](store::Transaction& tx, std::int64_t id,
                                  const BookedBy& by) { return bookings.cancel(tx, id, by_of(by)); }};
}

// The base's channels that plugins may follow: svc_changes.h lists them.
const std::vector<std::string>& channels_of_base() {
    static const std::vector<std::string> all{"trips",     "departures", "classifications",
                                              "discounts", "settings",   "modules"};
    return all;
}

limits::Verdict take_limit(const Site& site, std::string_view bucket, std::string_view subject, limits::Limit limit,
                           bool strict) {
    return strict ? site.limits.take_strictly({{.bucket = bucket, .subject = subject, .limit = limit}})
                  : site.limits.take(bucket, subject, limit);
}

}  // namespace

Feature::Feature(const Site& site, modules::SiteModules& modules, booking::Services& bookings,
                 payment::Feature& payments, pages::Feature& pages, messaging::Feature& messaging,
                 documents::Feature& documents)
    : svc::Feature(site),
      bookings_(
          {.records = bookings.records, .offers = bookings.offers, .creator = bookings.creator, .desk = bookings.desk},
          site.clock),
      service(
          {.routes = site.routes,
           .hooks = site.hooks,
           .store = site.store,
           .settings = site.settings,
           .modules = modules,
           .jobs = site.jobs,
           .gateways = payments.gateways,
           .keyring = *site.keyring,
           .clock = site.clock,
           .knows_capability = identity::is_capability,
           .capabilities_filter = identity::module_capabilities.name,
           .fetch = [&site](const FetchRequest& request) { return fetch_for_plugin(site, request); },
           .confirms = [&payments](std::int64_t booking_id,
                                   bool settles) { return payments.service.would_confirm(booking_id, settles); },
           .charges = charges_of(payments.checkout),
           .pages = {.check = [&pages](const pages::OfferedPage& page) { return pages.partners.check(page); },
                     .add = [&pages](pages::OfferedPage page) { pages.partners.add(std::move(page)); },
                     .add_asset = [&pages](const pages::OfferedAsset& asset) { pages.partners.add(asset); },
                     .declare = [&pages](const std::string& of,
                                         const pages::Origins& origins) { pages.partners.declare(of, origins); },
                     .check_tag = [&pages](const pages::OfferedTag& tag) { return pages.partners.check(tag); },
                     .add_tag = [&pages](pages::OfferedTag tag) { pages.partners.add(std::move(tag)); }},
           .call = [this](const CallRequest& request) { return calls(request); },
           .bookings = offers_of(bookings_),
           .changes = {.follow = [this](const std::string& channel,
                                        std::function<void()> changed) { hub_.follow(channel, std::move(changed)); },
                       .of_base = channels_of_base(),
                       .touched = [this] { report_change(true); }},
           .take_limit = [&site](std::string_view bucket, std::string_view subject, limits::Limit limit,
                                 bool strict) { return take_limit(site, bucket, subject, limit, strict); },
           .add_old_rows =
               [&site](std::string name, jobs::Housekeeping::Piece piece) {
                   site.housekeeping.add(std::move(name), std::move(piece));
               },
           .print = [&documents](const json::Value& document) { return documents.partners.pdf(document); },
           .is_in_transaction = store::is_inside,
           .mails = mails_of(messaging.plugin_mails)}),
      modules_(modules) {
    site.hooks.declare(sealed_renewal);
}

void Feature::follow_changes() {
    for (const std::string& channel : channels_of_base())
        site_.changes.on(channel, [this, channel] { hub_.report(channel); });
    for (const std::string& channel : own_channels())
        site_.changes.on(channel, [this, channel] {
            hub_.report(channel);
            report_change(false);
        });
}

void Feature::report_change(bool here) const {
    for (const auto& work : when_changed_)
        work(here);
}

void Feature::connect() {
    // Pro's modules can be enabled while its library is attached.
    modules_.set_available([this](const modules::Module& module) {
        return !module.requires_pro || site_.hooks.apply(modules::is_pro_active, is_pro(), {}).boolean();
    });
}

// The licence decides how long modules stay on: each process reads them again once it has changed.
void Feature::follow_license() {
    constexpr std::string_view updated = "svc_pro_license_data_updated";
    if (!site_.hooks.knows(updated))
        return;  // no Pro
    static_cast<void>(site_.hooks.on(updated, {.name = "svc_modules", .module = {}}, [this](const json::Array&) {
        static_cast<void>(site_.store.write([](store::Transaction& tx) -> Result<void> {
            store::touch(tx, modules::changes_channel);
            return {};
        }));
        modules_.reload();
    }));
}

void Feature::attach(svc_plugin_entry_fn* pro, const std::vector<svc_plugin_entry_fn*>& others) {
    if (pro)
        static_cast<void>(service.attach(pro));
    for (svc_plugin_entry_fn* other : others)
        static_cast<void>(service.attach_beside_pro(other));
    follow_license();
    for (const plugin::ProModule& row : plugin::pro_modules)
        if (!modules_.find(row.slug)) {
            modules::Module absent{.slug = std::string(row.slug),
                                   .name = std::string(row.name),
                                   .description = std::string(row.description),
                                   .category = std::string(row.category),
                                   .plan = std::string(row.plan),
                                   .requires_pro = true,
                                   .is_absent = true};
            if (!row.depends_on.empty())
                absent.depends_on.emplace_back(row.depends_on);
            modules_.declare(std::move(absent));
        }
}

}  // namespace svc::plugins
