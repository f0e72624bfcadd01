// What comes before a booking is made: the session, who may book, which date and party are meant.
#include <algorithm>

#include "base/booking/record/service.hpp"
#include "base/customers/service.hpp"
#include "shared/api/schema.hpp"

namespace svc::booking {
namespace {

CheckoutSession chosen_of(const std::optional<CheckoutSession>& session, const NewBooking& wanted) {
    CheckoutSession chosen = session.value_or(CheckoutSession{});
    lay_over(chosen, wanted.choice);
    if (!wanted.contact.country.empty())
        chosen.country = wanted.contact.country;
    chosen.email = wanted.contact.email;
    chosen.by_hand = wanted.by_hand;
    // Who is named may be fewer than who is paid for: often the lead alone.
    if (!chosen.travelers_chosen)
        chosen.travelers = std::max(chosen.travelers, static_cast<std::int64_t>(wanted.travelers.size()));
    return chosen;
}

}  // namespace

Result<void> Service::admitted(const NewBooking& wanted, const api::Caller& caller) const {
    if (wanted.by_staff || caller.is_user())
        return {};
    if (parts_.settings.flag("require_login"))
        return errc::login_required;
    if (!parts_.settings.flag("allow_guest_checkout"))
        return errc::guest_not_allowed;
    return {};
}

Result<Service::Begun> Service::begun(std::string_view secret, const NewBooking& asked_for,
                                      const api::Caller& caller) const {
    Begun begun{.session = {}, .chosen = {}, .wanted = asked_for};
    if (!secret.empty() || !(asked_for.by_staff || caller.is_user())) {
        auto found = parts_.store.reading<Result<CheckoutSession>>(
            [&](store::Session& reading) { return live(reading, secret, caller); });
        if (!found)
            return found.error();
        begun.session = std::move(*found);
        if (begun.session->status == "converted")
            return begun;
    }
    if (auto allowed = admitted(asked_for, caller); !allowed)
        return allowed.error();
    // Of staff's bookings the record that they are for is asked, once it is known. Who is told here need fill in
    // nothing.
    const auto user = caller.is_user() ? std::optional(caller.user_id) : std::nullopt;
    if (!asked_for.by_staff && parts_.store.reading<bool>([&](store::Session& reading) {
            return customers::Service::is_blocked(reading, asked_for.contact.email, user);
        }))
        return errc::customer_blocked;
    auto choice = named(asked_for.choice, begun.session ? begun.session->trip_id : std::nullopt);
    if (!choice)
        return choice.error();
    begun.wanted.choice = std::move(*choice);
    if (begun.wanted.gateway.empty())
        begun.wanted.gateway =
            begun.session && !begun.session->payment_gateway.empty() ? begun.session->payment_gateway : default_gateway;
    begun.chosen = chosen_of(begun.session, begun.wanted);
    // Who books now; the session may have been opened before they signed in.
    if (asked_for.by_staff || user)
        begun.chosen.user_id = asked_for.by_staff ? asked_for.contact.user_id : user;
    count_by_rows(begun.chosen, begun.wanted.travelers);
    return begun;
}

void Service::count_by_rows(CheckoutSession& chosen, const json::Value& travelers) const {
    const auto people = static_cast<std::int64_t>(travelers.size());
    if (!chosen.trip_id || !chosen.travel_date || !chosen.traveler_counts.empty() || people == 0 ||
        (chosen.travelers_chosen && chosen.travelers != people))
        return;
    const auto trip = parts_.trips.published(*chosen.trip_id);
    if (!trip)
        return;
    const std::vector<std::int64_t> known = categories_of(trip->id);
    std::map<std::int64_t, std::int64_t> counts;
    for (const json::Value& each : travelers.items()) {
        const auto category = api::id().check(each["category_id"], "category_id");
        if (!category || !category->is_number() ||
            std::find(known.begin(), known.end(), category->integer()) == known.end())
            return;
        ++counts[category->integer()];
    }
    const auto date =
        parts_.availability.dates.find_shown(*trip, *chosen.travel_date, chosen.departure_time, 0, parts_.clock.now());
    if (!(date ? date->traveler_based : trip->traveler_based))
        return;
    chosen.traveler_counts = std::move(counts);
    chosen.travelers = people;
}

Result<std::vector<FieldError>> Service::faults(std::string_view secret, const NewBooking& asked_for,
                                                const api::Caller& caller) {
    auto begun = this->begun(secret, asked_for, caller);
    if (!begun)
        return begun.error();
    if (begun->session && begun->session->status == "converted")
        return std::vector<FieldError>{};
    const CheckoutSession& chosen = begun->chosen;
    const auto asked = answered(chosen, begun->wanted);
    std::vector<FieldError> all = asked ? std::vector<FieldError>{} : asked.error().fields();
    for (const auto& [name, known] :
         {std::pair("trip_id", chosen.trip_id.has_value()), std::pair("travel_date", chosen.travel_date.has_value())})
        if (!known)
            all.push_back({name, missing(name).message()});
    return all;
}

}  // namespace svc::booking
