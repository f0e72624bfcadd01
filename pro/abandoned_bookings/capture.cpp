// Consent is decided before anything is stored.
#include "pro/abandoned_bookings/capture.hpp"

#include "pro/abandoned_bookings/links.hpp"
#include "pro/crypto/hmac.hpp"
#include "shared/core/country.hpp"
#include "shared/core/email.hpp"
#include "shared/core/person_name.hpp"

namespace svc::pro::abandoned_bookings {
namespace {

using json::Value;

constexpr auto writes_per_mailbox = 30;  // an hour: typing is several

std::map<std::int64_t, std::int64_t> counts_in(const std::string& text) {
    std::map<std::int64_t, std::int64_t> counts;
    const auto value = json::parse(text);
    if (!value || !value->is_object())
        return counts;
    for (const auto& [id, count] : value->members())
        if (count.is_number() && !id.empty() && id.size() < 19 &&
            id.find_first_not_of("0123456789") == std::string::npos)
            counts.emplace(std::stoll(id), count.integer());
    return counts;
}

void take_choice(AbandonedBooking& row, const Checkout& checkout) {
    row.checkout_id = checkout.id;
    row.trip_id = checkout.trip_id;
    row.travel_date = checkout.travel_date;
    row.departure_time = checkout.departure_time;
    row.travelers = std::max<std::int64_t>(1, checkout.travelers);
    row.traveler_counts = counts_in(checkout.traveler_counts);
    row.services = counts_in(checkout.services);
    row.coupon_code = checkout.coupon_code;
}

void take_report(AbandonedBooking& row, const Report& report, const std::string& email, Instant now) {
    row.email = email;
    row.email_lower = lower_case(email);
    // A page that no longer shows a field says nothing of it.
    if (!report.name.empty())
        row.customer_name = report.name;
    if (!report.phone.empty())
        row.customer_phone = report.phone;
    if (!report.country.empty())
        row.country = report.country;
    if (!report.locale.empty())
        row.locale = report.locale;
    row.step = report.step;
    row.fault = report.fault;
    row.last_activity_at = now;
    row.expires_at = now.plus(kept_for);
}

}  // namespace

Result<Checkout> Capture::checkout_of(const Report& report, const api::Caller& caller, const std::string& address,
                                      Instant now) const {
    std::optional<std::int64_t> id;
    if (is_page_mark(report.token)) {
        id = checkout_of_mark(site_.secrets, report.token);
    } else {
        // The base alone knows its secrets, and counts wrong ones.
        SVC_ASSIGN_OR_RETURN(const auto session,
                             calls_({.path = "/booking/session",
                                     .as = caller.is_user() ? plugin::Calls::As::user : plugin::Calls::As::visitor,
                                     .user_id = caller.is_user() ? caller.user_id : 0,
                                     .address = address,
                                     .headers = {{"X-Svc-Session", report.token}}}));
        if (session.status == errc::rate_limited.status)
            return errc::rate_limited;
        if (session.is_good())
            id = session.data().maybe_integer("id");
    }
    if (!id)
        return errc::session_expired;
    auto checkout = site_.store.reading<std::optional<Checkout>>(
        [&](store::Session& session) { return Repository::checkout(session, *id); });
    if (!checkout || (checkout->status == "open" && checkout->expires_at <= now))
        return errc::session_expired;
    return std::move(*checkout);
}

std::string Capture::consent_of(const Report& report, const Checkout& checkout, std::string_view email_lower) const {
    if (report.agreed)
        return "opt_in";
    const std::string country = report.country.empty() ? country_code(checkout.country) : report.country;
    switch (consent_in(site_, country)) {
        case Consent::notice:
            return "notice";
        case Consent::customers:
            return site_.store.reading<bool>(
                       [&](store::Session& session) { return Repository::has_booked(session, email_lower); })
                       ? "customer"
                       : "";
        case Consent::opt_in:
            break;
    }
    return "";
}

Result<json::Value> Capture::quote(const AbandonedBooking& row) const {
    Value wanted = choice_of(row);
    if (!row.coupon_code.empty())
        wanted.set("coupon_code", row.coupon_code);
    return bookings_.quote(wanted);
}

namespace {

void take_consent(AbandonedBooking& kept, const std::string& consent, bool is_new, Instant now) {
    if (is_new || kept.consent != "opt_in") {
        kept.consent = consent;
        kept.consent_at = now;
    }
}

}  // namespace

void Capture::store(const Report& report, const Checkout& checkout, const std::string& email,
                    const std::string& consent, Instant now) const {
    AbandonedBooking priced;
    take_choice(priced, checkout);
    std::optional<Money> total;
    Currency currency = site_.currency();
    if (priced.trip_id && priced.travel_date)
        if (const auto quoted = quote(priced); quoted && (*quoted)["final_total"].is_number())
            if (const auto of_trip = Currency::parse(quoted->text_or("currency")); of_trip) {
                currency = *of_trip;
                if (const auto amount = Money::parse((*quoted)["final_total"].number_text(), currency))
                    total = *amount;
            }
    const std::string email_lower = lower_case(email);
    const auto work = [&](store::Transaction& tx) -> Result<void> {
        if (Repository::has_declined(tx, checkout.id) || Repository::has_stopped(tx, email_lower))
            return {};
        auto row = Repository::of_checkout(tx, checkout.id);
        // The same person's earlier try at this trip goes on as one.
        auto earlier = Repository::of_person(tx, email_lower, *checkout.trip_id);
        if (row && !row->is_open())
            return {};
        if (row && earlier && row->id != earlier->id) {
            Repository::remove(tx, row->id);
            row = std::move(earlier);
        } else if (!row) {
            row = std::move(earlier);
        }
        const bool is_new = !row;
        AbandonedBooking kept = row ? std::move(*row) : AbandonedBooking{};
        const std::string step_before = kept.step;
        take_choice(kept, checkout);
        take_report(kept, report, email, now);
        if (kept.country.empty())
            kept.country = country_code(checkout.country);
        kept.currency = currency;
        kept.total = total;
        take_consent(kept, consent, is_new, now);
        if (is_new) {
            kept.uid = crypto::random_hex(16);
            abandoned_record().insert(tx, kept, {.now = now});
            Repository::add_event(tx, kept.id, "began", kept.step, now);
            return {};
        }
        abandoned_record().update(tx, kept, {.now = now});
        if (kept.step != step_before)
            Repository::add_event(tx, kept.id, "reached", kept.step, now);
        return {};
    };
    const auto write = [&] {
        try {
            return site_.store.write(work);
        } catch (const store::UniqueViolation&) {  // the same checkout reported twice at once
            return site_.store.write(work);
        }
    };
    if (const auto written = write(); !written)
        throw std::runtime_error("An unfinished booking was not stored: " + written.error().message().english());
}

Result<bool> Capture::take(const Report& report, const api::Caller& caller, const std::string& address,
                           Instant now) const {
    SVC_ASSIGN_OR_RETURN(const auto checkout, checkout_of(report, caller, address, now));
    if (report.declined) {
        SVC_RETURN_IF_ERROR(site_.store.write([&](store::Transaction& tx) -> Result<void> {
            Repository::decline(tx, checkout.id, now);
            return {};
        }));
        return false;
    }
    const auto email = email_address(report.email);
    if (!email)
        return invalid("customer_email", "Enter a valid e-mail address."_sentence);
    SVC_RETURN_IF_ERROR(check_person_name("customer_name", report.name));
    if (!is_tracking(site_) || checkout.status != "open" || !checkout.trip_id)
        return false;
    if (limits_)
        SVC_RETURN_IF_ERROR(limits_->take({.action = "abandoned_track",
                                           .by = plugin::Limits::By::mailbox,
                                           .subject = *email,
                                           .burst = writes_per_mailbox,
                                           .per = std::chrono::hours(1)}));
    const std::string consent = consent_of(report, checkout, lower_case(*email));
    if (!consent.empty())
        store(report, checkout, *email, consent, now);
    else  // the box was ticked and is no longer, or another address is typed
        SVC_RETURN_IF_ERROR(site_.store.write([&](store::Transaction& tx) -> Result<void> {
            if (const auto row = Repository::of_checkout(tx, checkout.id); row && !row->abandoned_at)
                Repository::remove(tx, row->id);
            return {};
        }));
    // Of customers alone it is not said: who is one is nobody's business.
    const std::string country = report.country.empty() ? country_code(checkout.country) : report.country;
    return !consent.empty() || consent_in(site_, country) == Consent::customers;
}

}  // namespace svc::pro::abandoned_bookings
