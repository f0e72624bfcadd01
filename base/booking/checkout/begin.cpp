// The first step of a booking: session, permission, date and party.
#include <algorithm>
#include <charconv>

#include "base/booking/checkout/creator.hpp"
#include "base/booking/form/ages.hpp"
#include "base/booking/form/form.hpp"
#include "base/booking/record/hooks.hpp"
#include "base/customers/service.hpp"
#include "base/identity/proven.hpp"
#include "shared/api/schema.hpp"

namespace svc::booking {
namespace {

CheckoutSession chosen_of(const std::optional<CheckoutSession>& session, const NewBooking& draft) {
    CheckoutSession chosen = session.value_or(CheckoutSession{});
    apply_choice(chosen, draft.choice);
    if (!draft.contact.country.empty())
        chosen.country = draft.contact.country;
    chosen.email = draft.contact.email;
    chosen.by_hand = draft.by_hand;
    // Named travelers may be fewer than paid ones: often only the lead is named.
    if (!chosen.travelers_chosen)
        chosen.travelers = std::max(chosen.travelers, static_cast<std::int64_t>(draft.travelers.size()));
    return chosen;
}

}  // namespace

Result<void> Creator::admitted(const NewBooking& draft, const api::Caller& caller) const {
    if (draft.by_staff || caller.is_user())
        return {};
    if (parts_.settings.flag("require_login"))
        return errc::login_required;
    if (!parts_.settings.flag("allow_guest_checkout"))
        return errc::guest_not_allowed;
    return {};
}

Result<Creator::CheckedRequest> Creator::check_request(std::string_view secret, const NewBooking& asked_for,
                                                       const api::Caller& caller) const {
    CheckedRequest checked{.session = {}, .chosen = {}, .draft = asked_for};
    if (!secret.empty() || !(asked_for.by_staff || caller.is_user())) {
        auto found = parts_.store.reading<Result<CheckoutSession>>(
            [&](store::Session& reading) { return sessions_.live(reading, secret, caller); });
        if (!found)
            return found.error();
        checked.session = std::move(*found);
        if (checked.session->status == "converted")
            return checked;
    }
    SVC_RETURN_IF_ERROR(admitted(asked_for, caller));
    // For staff's bookings the customer's record is read once it is known; its data needs no input.
    const auto user = caller.is_user() ? std::optional(caller.user_id) : std::nullopt;
    if (!asked_for.by_staff && parts_.store.reading<bool>([&](store::Session& reading) {
            return customers::Service::is_blocked(reading, asked_for.contact.email, user);
        }))
        return errc::customer_blocked;
    SVC_ASSIGN_OR_RETURN(auto choice,
                         offers_.named(asked_for.choice, checked.session ? checked.session->trip_id : std::nullopt));
    checked.draft.choice = std::move(choice);
    if (checked.draft.gateway.empty())
        checked.draft.gateway = checked.session && !checked.session->payment_gateway.empty()
                                    ? checked.session->payment_gateway
                                    : default_gateway;
    checked.chosen = chosen_of(checked.session, checked.draft);
    // The caller who books now; they may have signed in after opening the session.
    if (asked_for.by_staff || user)
        checked.chosen.user_id = asked_for.by_staff ? asked_for.contact.user_id : user;
    count_by_rows(checked.chosen, checked.draft.travelers);
    return checked;
}

void Creator::count_by_rows(CheckoutSession& chosen, const json::Value& travelers) const {
    const auto people = static_cast<std::int64_t>(travelers.size());
    if (!chosen.trip_id || !chosen.travel_date || !chosen.traveler_counts.empty() || people == 0 ||
        (chosen.travelers_chosen && chosen.travelers != people))
        return;
    const auto trip = parts_.trips.published(*chosen.trip_id);
    if (!trip)
        return;
    const std::vector<std::int64_t> known = forms_.categories_of(trip->id);
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

Result<std::vector<FieldError>> Creator::faults(std::string_view secret, const NewBooking& asked_for,
                                                const api::Caller& caller) const {
    SVC_ASSIGN_OR_RETURN(auto checked, this->check_request(secret, asked_for, caller));
    if (checked.session && checked.session->status == "converted")
        return std::vector<FieldError>{};
    const CheckoutSession& chosen = checked.chosen;
    const auto customer_form = check_answers(chosen, checked.draft, is_to_wait(chosen, checked.draft));
    std::vector<FieldError> all = customer_form ? std::vector<FieldError>{} : customer_form.error().fields();
    for (const auto& [name, known] :
         {std::pair("trip_id", chosen.trip_id.has_value()), std::pair("travel_date", chosen.travel_date.has_value())})
        if (!known)
            all.push_back({name, missing(name).message()});
    return all;
}

bool Creator::is_to_wait(const CheckoutSession& chosen, const NewBooking& draft) const {
    if (!draft.join_waitlist || !chosen.trip_id || !chosen.travel_date)
        return false;
    const auto quote = offers_.quote_for_display(chosen, {.by_staff = draft.by_staff, .forced = draft.forced});
    return !quote && quote.error().code().name == errc::sold_out.name;
}

Result<Forms::CustomerForm> Creator::check_answers(const CheckoutSession& chosen, NewBooking& draft, bool waits) const {
    auto customer_form = forms_.customer_form(chosen.trip_id);
    if (!customer_form)
        return customer_form.error();
    const json::Value& config = **customer_form;
    std::optional<Error> faults;
    const auto note = [&](const Result<void>& good) {
        if (good)
            return;
        if (!faults)
            faults.emplace(good.error().code(), good.error().message());
        for (const FieldError& fault : good.error().fields())
            faults->at(fault.field, fault.sentence);
    };
    if (!draft.by_staff && !draft.terms_accepted && parts_.settings.integer("terms_page_id") > 0)
        note(invalid("terms_accepted", "Please accept the terms."));
    auto taken = form::taken(config, {.contact = draft.contact_data,
                                      .emergency = draft.emergency,
                                      .travelers = draft.travelers,
                                      .by_staff = draft.by_staff,
                                      .waits = waits});
    if (!taken) {
        note(taken.error());
        return std::move(*faults);
    }
    form::Answers& answers = *taken;
    draft.contact_data = answers.contact;
    draft.emergency = answers.emergency;
    draft.travelers = answers.travelers;
    if (!answers.contact.is_object())
        answers.contact = json::Value::object();
    const customers::Contact& contact = draft.contact;
    for (const auto& [name, value] : {std::pair("first_name", &contact.first_name),
                                      std::pair("last_name", &contact.last_name), std::pair("email", &contact.email),
                                      std::pair("phone", &contact.phone), std::pair("country", &contact.country)})
        answers.contact.set(name, *value);
    note(form::check(config, answers));
    note(form::check_births(draft.travelers, parts_.settings.zone().date_at(parts_.clock.now())));
    const auto trip = chosen.trip_id ? parts_.trips.published(*chosen.trip_id) : nullptr;
    if (trip && chosen.travel_date)
        note(form::check_ages(draft.travelers, *chosen.travel_date, trip->age_min, trip->age_max));
    if (trip && chosen.travel_date)
        note(form::check_category_ages(draft.travelers, chosen.traveler_counts, form::ages_of(*trip),
                                       *chosen.travel_date, !draft.by_staff && !waits));
    if (faults)
        return std::move(*faults);
    return customer_form;
}

std::optional<std::int64_t> Creator::acting_user_of(store::Transaction& tx, const customers::Contact& contact,
                                                    std::int64_t trip_id, const api::Caller& caller) const {
    // An account with an unverified address owns no bookings: it books as a guest.
    const auto own = identity::is_proven(caller) ? std::optional(caller.user_id) : contact.user_id;
    const json::Value answer = parts_.hooks.apply(acting_user, own.value_or(0), {trip_id, contact.email}, &tx);
    const std::string& number = answer.number_text();
    std::int64_t named = 0;
    if (const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), named);
        fault != std::errc() || end != number.data() + number.size())
        return own;
    if (named == 0)
        return std::nullopt;
    return named == own || Repository::has_user(tx, named) ? std::optional(named) : own;
}

}  // namespace svc::booking
