// The field of a body, its checks, and the rows.
#include "base/sales/booking/record/tracking_consent.hpp"

#include <algorithm>

#include "shared/core/ascii.hpp"
#include "shared/store/later.hpp"
#include "shared/store/typed.hpp"

namespace svc::booking {
namespace {

using json::Value;

constexpr std::size_t longest_agent = 500;

bool is_digits(std::string_view text) {
    return !text.empty() && text.size() <= 20 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

bool is_ga_client_id(std::string_view text) {
    const auto dot = text.find('.');
    return dot != std::string_view::npos && is_digits(text.substr(0, dot)) && is_digits(text.substr(dot + 1));
}

// "fb.1.1558571054389.1098115397", "fb.1.1554763741205.AbCdEfGh-i_j"
bool is_meta_browser(std::string_view text) {
    constexpr std::size_t longest = 500;
    if (!text.starts_with("fb.") || text.size() > longest)
        return false;
    text.remove_prefix(3);
    for (int part = 0; part < 2; ++part) {
        const auto dot = text.find('.');
        if (dot == std::string_view::npos || !is_digits(text.substr(0, dot)))
            return false;
        text.remove_prefix(dot + 1);
    }
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '.';
    });
}

api::Field tracking_consent_field() {
    return {
        .name = "tracking_consent",
        .type = api::object(
            {{.name = "analytics", .type = api::boolean(), .help = "Visits may be counted by a partner."},
             {.name = "marketing",
              .type = api::boolean(),
              .help = "The purchase may be reported to advertising partners."},
             {.name = "ga_client_id",
              .type = api::text(64),
              .help = "Client id of Google Analytics, two numbers with a dot."},
             {.name = "fbp", .type = api::text(500), .help = "Meta's cookie _fbp."},
             {.name = "fbc", .type = api::text(500), .help = "Meta's cookie _fbc."},
             {.name = "decided_at", .type = api::instant(), .help = "When the visitor decided; defaults to now."}}),
        .help =
            "What the visitor agreed to when asked; without it nothing of the booking is reported to partners. With "
            "consent to"
            " marketing, address and User-Agent of this request are stored too. A request with Sec-GPC: 1 refuses"
            " marketing."};
}

std::vector<FieldError> tracking_consent_faults(const Value& body) {
    std::vector<FieldError> faults;
    const Value& given = body["tracking_consent"];
    if (!given.is_object())
        return faults;
    const auto check = [&](const char* name, bool (*is_good)(std::string_view), SentenceId help) {
        if (const std::string text = given.text_or(name); !text.empty() && !is_good(text))
            faults.push_back({"tracking_consent." + std::string(name), help});
    };
    check("ga_client_id", is_ga_client_id,
          "This must be two numbers with a dot, such as 1234567890.1700000000."_sentence);
    for (const char* name : {"fbp", "fbc"})
        check(name, is_meta_browser,
              "This must be the content of Meta's cookie, such as fb.1.1700000000000.1234567890."_sentence);
    return faults;
}

std::optional<TrackingConsent> tracking_consent_of(const api::Request& request) {
    const Value& given = request.body["tracking_consent"];
    if (!given.is_object())
        return std::nullopt;
    // Global Privacy Control refuses marketing whatever was decided, as on pages (base/website/pages/consent.hpp).
    const bool is_private = ascii::trimmed(request.header("Sec-GPC")) == "1";
    TrackingConsent consent{.analytics = given.maybe_boolean("analytics").value_or(false),
                            .marketing = given.maybe_boolean("marketing").value_or(false) && !is_private,
                            .decided_at = request.now};
    if (!consent.analytics && !consent.marketing)
        return std::nullopt;
    if (const auto at = Instant::parse(given.text_or("decided_at")); at && *at < request.now)
        consent.decided_at = *at;
    if (consent.analytics)
        consent.ga_client_id = given.text_or("ga_client_id");
    if (consent.marketing) {
        consent.fbp = given.text_or("fbp");
        consent.fbc = given.text_or("fbc");
        consent.client_address = request.address;
        for (const char c : request.header("User-Agent").substr(0, longest_agent))
            if (c >= ' ' && c <= '~')
                consent.user_agent += c;
    }
    return consent;
}

void TrackingConsents::insert(store::Transaction& tx, std::int64_t booking_id, const TrackingConsent& consent) {
    store::run_later(tx,
                     "INSERT INTO svc_booking_consents (booking_id, analytics, marketing, ga_client_id, fbp, fbc,"
                     " client_address, user_agent, decided_at) VALUES (:booking, :analytics, :marketing, :ga_client_id,"
                     " :fbp, :fbc, :client_address, :user_agent, :decided_at)",
                     {{"booking", booking_id},
                      {"analytics", consent.analytics},
                      {"marketing", consent.marketing},
                      {"ga_client_id", consent.ga_client_id},
                      {"fbp", consent.fbp},
                      {"fbc", consent.fbc},
                      {"client_address", consent.client_address},
                      {"user_agent", consent.user_agent},
                      {"decided_at", consent.decided_at}});
}

std::optional<TrackingConsents::Allowed> TrackingConsents::find(store::Session& session, std::int64_t booking_id) {
    return store::first_row(session,
                            "SELECT analytics, marketing, CASE WHEN purchase_shown_at IS NULL THEN 0 ELSE 1 END"
                            " FROM svc_booking_consents WHERE booking_id = :booking",
                            {{"booking", booking_id}}, [](bool analytics, bool marketing, bool purchase_shown) {
                                return Allowed{
                                    .analytics = analytics, .marketing = marketing, .purchase_shown = purchase_shown};
                            });
}

bool TrackingConsents::note_purchase_shown(store::Transaction& tx, std::int64_t booking_id, Instant now) {
    return tx.run(
               "UPDATE svc_booking_consents SET purchase_shown_at = :now"
               " WHERE booking_id = :booking AND purchase_shown_at IS NULL",
               {{"now", now}, {"booking", booking_id}}) > 0;
}

void TrackingConsents::withdraw(store::Transaction& tx, std::int64_t booking_id, bool analytics, bool marketing) {
    if (!analytics && !marketing) {
        tx.run("DELETE FROM svc_booking_consents WHERE booking_id = :booking", {{"booking", booking_id}});
        return;
    }
    if (!analytics)
        tx.run("UPDATE svc_booking_consents SET analytics = 0, ga_client_id = '' WHERE booking_id = :booking",
               {{"booking", booking_id}});
    if (!marketing)
        tx.run(
            "UPDATE svc_booking_consents SET marketing = 0, fbp = '', fbc = '', client_address = '',"
            " user_agent = '' WHERE booking_id = :booking",
            {{"booking", booking_id}});
}

}  // namespace svc::booking
