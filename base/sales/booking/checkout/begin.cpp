// The first step of a booking: session, permission, date and party.
#include <algorithm>
#include <array>
#include <charconv>

#include "base/people/customers/service.hpp"
#include "base/people/identity/proven.hpp"
#include "base/sales/booking/checkout/creator.hpp"
#include "base/sales/booking/form/ages.hpp"
#include "base/sales/booking/form/files.hpp"
#include "base/sales/booking/form/form.hpp"
#include "base/sales/booking/form/show_if.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/pricing/wire.hpp"
#include "shared/api/schema.hpp"
#include "shared/core/exact_money.hpp"

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

// Files that the answers name are those that were sent in this session.
Result<void> files_fit(store::Store& store, const json::Value& config, const form::Answers& answers,
                       const std::optional<CheckoutSession>& session) {
    const auto named = form::named_files(config, answers);
    if (named.empty())
        return {};
    return store.reading<Result<void>>([&](store::Session& reading) {
        return form::check_files(named, form::FileRepository::of_session(reading, session ? session->id : 0));
    });
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
    auto choice = offers_.named(asked_for.choice, checked.session ? checked.session->trip_id : std::nullopt);
    if (!choice && &choice.error().code() != &errc::validation_error)
        return choice.error();
    if (choice)
        checked.draft.choice = std::move(*choice);
    else  // reported with the faults of the form
        checked.draft.choice.fault = choice.error();
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
    const auto customer_form = check_answers(checked);
    return customer_form ? std::vector<FieldError>{} : customer_form.error().fields();
}

bool Creator::is_to_wait(const CheckoutSession& chosen, const NewBooking& draft) const {
    if (!draft.join_waitlist || !chosen.trip_id || !chosen.travel_date)
        return false;
    const auto quote = offers_.quote_for_display(chosen, {.by_staff = draft.by_staff, .forced = draft.forced});
    return !quote && quote.error().code().name == errc::sold_out.name;
}

namespace {

// What is wrong with trip, date and party.
void take_choice_faults(const NewBooking& draft, const CheckoutSession& chosen, svc::Faults& faults) {
    if (draft.choice.fault) {  // then nothing is known of date and party
        faults.take(*draft.choice.fault);
    } else {
        if (!chosen.trip_id)
            faults.take(missing("trip_id"));
        if (!chosen.travel_date)
            faults.take(missing("travel_date"));
        if (static_cast<std::int64_t>(draft.travelers.size()) > chosen.travelers)
            faults.take(invalid("travelers", "There are more travelers than travelers_count."_sentence));
    }
}

}  // namespace

Result<Forms::CustomerForm> Creator::check_answers(CheckedRequest& request) const {
    const CheckoutSession& chosen = request.chosen;
    NewBooking& draft = request.draft;
    auto customer_form = forms_.customer_form(chosen.trip_id);
    if (!customer_form)
        return customer_form.error();
    const json::Value& config = **customer_form;
    svc::Faults faults;
    take_choice_faults(draft, chosen, faults);
    if (!draft.by_staff && !draft.terms_accepted && parts_.settings.integer("terms_page_id") > 0)
        faults.take(invalid("terms_accepted", "Please accept the terms."_sentence));
    const bool waits = is_to_wait(chosen, draft);
    const Date today = parts_.settings.zone().date_at(parts_.clock.now());
    auto [answers, all_do] = form::take_answers(config, {.contact = draft.contact_data,
                                                         .emergency = draft.emergency,
                                                         .travelers = draft.travelers,
                                                         .by_staff = draft.by_staff,
                                                         .waits = waits,
                                                         .today = today,
                                                         .travel_date = chosen.travel_date});
    faults.take(all_do);
    if (!answers.contact.is_object())
        answers.contact = json::Value::object();
    const customers::Contact& contact = draft.contact;
    const std::array own{std::pair("first_name", &contact.first_name), std::pair("last_name", &contact.last_name),
                         std::pair("email", &contact.email), std::pair("phone", &contact.phone),
                         std::pair("country", &contact.country)};
    for (const auto& [name, value] : own)
        answers.contact.set(name, *value);
    form::drop_hidden(config, answers);
    faults.take(form::check(config, answers));
    faults.take(files_fit(parts_.store, config, answers, request.session));
    draft.contact_data = answers.contact;
    for (const auto& [name, value] : own)
        draft.contact_data.erase(name);
    draft.emergency = answers.emergency;
    draft.travelers = answers.travelers;
    faults.take(form::check_births(draft.travelers, today));
    const auto trip = chosen.trip_id ? parts_.trips.published(*chosen.trip_id) : nullptr;
    if (trip && chosen.travel_date) {
        faults.take(form::check_ages(draft.travelers, *chosen.travel_date, trip->age_min, trip->age_max));
        faults.take(form::check_category_ages(draft.travelers, chosen.traveler_counts, form::ages_of(*trip),
                                              *chosen.travel_date, !draft.by_staff && !waits));
    }
    for (const FieldError& fault : draft.faults)
        faults.take(invalid(fault.field, fault.sentence));
    if (faults.none())
        return customer_form;
    if (trip && chosen.travel_date && !draft.choice.fault)
        note_priced_faults(request, faults);
    return faults.error();
}

void Creator::note_priced_faults(const CheckedRequest& request, svc::Faults& faults) const {
    const NewBooking& draft = request.draft;
    const auto quote = offers_.quote_for_display(request.chosen, {.by_staff = draft.by_staff, .forced = draft.forced});
    if (!quote)
        return;  // without a price, or without seats: reported once the answers fit
    faults.take(form::check_categories(draft.travelers, pricing::to_wire(quote->traveler_counts, quote->travelers),
                                       forms_.categories_of(*request.chosen.trip_id)));
    if (draft.expected_total)
        if (const auto expected = parse_exact(*draft.expected_total, quote->total.currency()); !expected)
            faults.take(invalid("expected_total", expected.error().message()));
    if (draft.asks_gateway && ports_.gateways)
        if (const auto may = ports_.gateways->allows(draft.gateway, quote->amount_due); !may)
            faults.take(invalid("payment_gateway", may.error().message()));
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
