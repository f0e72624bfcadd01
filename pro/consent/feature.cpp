// Declarations, listeners and jobs of consent forms.
#include "pro/consent/feature.hpp"

#include "pro/common/module.hpp"
#include "pro/common/sealed_rows.hpp"
#include "pro/common/steps.hpp"
#include "pro/consent/configuration.hpp"
#include "pro/consent/mails.hpp"
#include "pro/consent/overview.hpp"
#include "pro/consent/page.hpp"
#include "pro/consent/privacy.hpp"
#include "pro/consent/routes.hpp"
#include "shared/json/sentence.hpp"

namespace svc::pro::consent {
namespace {

constexpr const char *send_job = "consent_send", *remind_job = "consent_reminders", *health_job = "consent_health";
constexpr std::string_view booking_cancelled = "svc_booking_cancelled";
constexpr int morning_minutes = 9 * 60, night_minutes = 3 * 60;

}  // namespace

Feature::Feature(const Site& site)
    : pro::Feature(site),
      requests(site, site.host.need<plugin::Calls>()),
      signing(site, requests, site.host.need<plugin::Documents>(), site.host.find<plugin::Limits>()) {}

bool Feature::fits(const Site& site) {
    return site.jobs && site.mails && site.pages && site.host.find<plugin::Calls>() &&
           site.host.find<plugin::Documents>() && site.hooks.knows(booking_cancelled);
}

void Feature::declare() {
    site_.modules.declare(module_named(module_slug, {step("0260_consent.sql")}));
    site_.hooks.declare(consent_signed);
    declare_settings(site_.settings);
    listen();
    take_part_in_privacy(site_);
    renews_sealed(site_, "svc_trip_consent", sealed_columns());
    add_housekeeping(site_);
    add_pages(site_, signing);
}

void Feature::listen() {
    const hooks::Listener listener{.name = "svc_consent", .module = std::string(module_slug)};
    site_.listen_if_known(booking_cancelled, listener, [this](const json::Array& arguments) {
        if (!arguments.empty() && arguments[0].is_number())
            requests.revoke_of_booking(arguments[0].integer(), site_.clock.now());
    });
    site_.listen_if_known("svc_booking_updated", listener, [this](const json::Array& arguments) {
        if (!arguments.empty() && arguments[0].is_number())
            requests.follow_party(arguments[0].integer(), site_.clock.now());
    });
    // A booking of next week is asked now and not an hour later.
    site_.listen_if_known("svc_booking_confirmed", listener,
                          [this](const json::Array&) { site_.jobs->wake(send_job); });
    site_.filter_if_known("svc_check_in_allowed", listener,
                          [this](store::Transaction* tx, const json::Array& given) { return check_in(tx, given); });
}

// value, booking_id, traveler_indexes
json::Value Feature::check_in(store::Transaction* tx, const json::Array& given) const {
    constexpr std::size_t booking = 1, travelers = 2;
    if (!blocks_check_in(site_) || given.size() <= booking || !given[booking].is_number() ||
        !given.front().maybe_boolean("allowed").value_or(true))
        return given.front();
    std::vector<std::int64_t> indexes;
    if (given.size() > travelers && given[travelers].is_array())
        for (const json::Value& each : given[travelers].items())
            if (each.is_number())
                indexes.push_back(each.integer());
    const std::int64_t age = adult_age(site_);
    const auto is_refused = [&](store::Session& session) {
        const auto party = party_of(session, given[booking].integer());
        return party && is_unsigned(duties_of(session, *party, published_forms(session), age), indexes);
    };
    if (!(tx ? is_refused(*tx) : site_.store.reading<bool>(is_refused)))
        return given.front();
    json::Value answer = given.front();
    constexpr SentenceId reason = "A consent form of this traveler is not signed yet."_sentence;
    return answer.set("allowed", false).set("reason", reason.english).set("sentence", json::to_json(reason));
}

void Feature::connect() { declare_mails(site_); }

void Feature::add_routes() {
    const auto& documents = site_.host.need<plugin::Documents>();
    add_form_routes(site_, requests);
    add_request_routes(site_, requests);
    add_signed_routes(site_, signing, documents);
    add_overview_routes(site_);
    add_public_routes(site_, signing);
}

void Feature::add_jobs() {
    site_.jobs->add({.name = send_job,
                     .help = "Sends consent forms of trips that begin soon, 200 at a time, and ends requests that are"
                             " over.",
                     .every = std::chrono::hours(1),
                     .run = [this](Instant now) { return requests.send_due(now); }});
    site_.jobs->add({.name = remind_job,
                     .help = "Reminds travelers of consent forms that they have not signed, 200 at a time.",
                     .daily_at = ClockTime::from_minutes(morning_minutes),
                     .run = [this](Instant now) { return requests.remind_due(now); }});
    site_.jobs->add({.name = health_job,
                     .help = "Deletes answers about health in signed consents, consent_health_days after the trip.",
                     .daily_at = ClockTime::from_minutes(night_minutes),
                     .run = [this](Instant now) { return delete_health(site_, now); }});
}

}  // namespace svc::pro::consent
