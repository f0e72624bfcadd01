// All faults of staff's input at once, so that a form can show every invalid field.
#include "base/people/customers/service.hpp"
#include "base/sales/booking/desk/desk.hpp"
#include "base/sales/booking/form/form.hpp"
#include "base/sales/booking/record/price.hpp"
#include "shared/core/exact_money.hpp"

namespace svc::booking {
namespace {

// Who books for others cannot give a booking to staff's accounts.
constexpr SentenceId not_a_customer = "This is not the account of a customer."_sentence;

using Faults = std::vector<FieldError>;

void note(Faults& faults, const Result<void>& good) {
    if (!good)
        faults.insert(faults.end(), good.error().fields().begin(), good.error().fields().end());
}

// Parts of a price count when it is made; a booking that is sent back as it was read changes nothing.
void note_parts(Faults& faults, const Booking& booking, const pricing::ByHand& sent) {
    constexpr SentenceId sentence = "This has no effect without recalculate."_sentence;
    if (sent.charges) {
        Money sum = Money::zero(booking.total.currency());
        bool whole = true;
        for (const json::Value& charge : sent.charges->items())
            if (const auto cost = charge["total_cost"].is_number()
                                      ? parse_exact(charge["total_cost"].number_text(), sum.currency())
                                      : Result<Money>(errc::not_found))
                sum += *cost;
            else
                whole = false;
        if (!whole || sum != booking.itinerary)
            faults.push_back({"itinerary_costs", sentence});
    }
    if (sent.tax_inclusive && *sent.tax_inclusive != booking.tax_inclusive)
        faults.push_back({"tax_inclusive", sentence});
    if (sent.tax_rate && *sent.tax_rate != booking.tax_rate)
        faults.push_back({"tax_rate", sentence});
    if (sent.tax_amount)
        if (const auto amount = parse_exact(*sent.tax_amount, booking.tax.currency());
            !amount || *amount != booking.tax)
            faults.push_back({"tax_amount", sentence});
}

}  // namespace

Result<void> Desk::none_of(const std::vector<FieldError>& faults) {
    if (faults.empty())
        return {};
    Error error{errc::validation_error, faults.front().sentence};
    for (const FieldError& fault : faults)
        error.at(fault.field, fault.sentence);
    return error;
}

std::vector<FieldError> Desk::faults_at_desk(NewBooking& draft) const {
    Faults faults;
    draft.by_staff = true;
    bool is_known = true;
    if (draft.customer_id) {
        const auto customer = parts_.store.reading<std::optional<customers::Customer>>(
            [&](store::Session& session) { return customers::Service::find(session, *draft.customer_id); });
        is_known = customer.has_value();
        if (!customer)
            faults.push_back({"customer_id", "This customer does not exist."_sentence});
        const auto fill = [](std::string& member, const std::string& known) {
            if (member.empty())
                member = known;
        };
        if (customer) {
            fill(draft.contact.first_name, customer->first_name);
            fill(draft.contact.last_name, customer->last_name);
            fill(draft.contact.phone, customer->phone);
            fill(draft.contact.country, customer->country);
            draft.contact.email = customer->email;
        }
    }
    if (is_known && draft.contact.email.empty())
        note(faults, missing("contact_email"));
    if (is_known && draft.contact.first_name.empty())
        note(faults, missing("contact_first_name"));
    if (draft.payment_status == "refunded" || draft.payment_status == "failed")
        faults.push_back({"payment_status", follows_from_payments});
    if (draft.contact.user_id && !is_customer(*draft.contact.user_id))
        faults.push_back({"user_id", not_a_customer});
    return faults;
}

bool Desk::is_customer(std::int64_t user_id) const {
    return parts_.store.reading<bool>(
        [&](store::Session& session) { return customers::Service::has_account(session, user_id); });
}

std::vector<FieldError> Desk::faults_of_edit(std::int64_t id, const Edit& edit) const {
    const auto booking = parts_.store.reading<std::optional<Booking>>(
        [&](store::Session& session) { return Repository::find(session, id); });
    if (!booking || booking->status == status::trash)
        return {};
    Faults faults;
    for (const auto& [name, given] :
         {std::pair("contact_first_name", &edit.first_name), std::pair("payment_gateway", &edit.gateway)})
        if (*given && (*given)->empty())
            note(faults, missing(name));
    const auto choice = offers_.named(edit.choice);
    if (!choice)
        note(faults, choice.error());
    if (!edit.recalculate) {
        note_parts(faults, *booking, edit.by_hand);
        if (edit.choice.coupon_code &&
            discounts::code_of(*edit.choice.coupon_code) != discounts::code_of(booking->coupon_code))
            faults.push_back({"coupon_code", "Changing the coupon code requires recalculate."_sentence});
        if (edit.choice.services && *edit.choice.services != services_booked(id))
            faults.push_back({"additional_services", "Changing services requires recalculate."_sentence});
    }
    if (edit.customer_id && *edit.customer_id != booking->customer_id &&
        !parts_.store.reading<bool>(
            [&](store::Session& session) { return customers::Service::find(session, *edit.customer_id).has_value(); }))
        faults.push_back({"customer_id", "This customer does not exist."_sentence});
    if (edit.user_id && edit.user_id != booking->user_id && !is_customer(*edit.user_id))
        faults.push_back({"user_id", not_a_customer});
    if (const auto trip_id = choice ? choice->trip_id : std::nullopt; trip_id && *trip_id != booking->trip_id) {
        const auto trip = parts_.trips.published(*trip_id);
        if (!trip)
            faults.push_back({"trip_id", "This trip does not exist or is not published."_sentence});
        else if (trip->currency != booking->total.currency())
            faults.push_back({"trip_id", "This trip is priced in another currency."_sentence});
    }
    if (edit.total)
        if (const auto total = parse_exact(*edit.total, booking->total.currency()); !total)
            faults.push_back({"total", total.error().message()});
    if (edit.payment_status && *edit.payment_status != booking->payment_status && *edit.payment_status != "paid")
        faults.push_back({"payment_status", follows_from_payments});
    if (!edit.has_answers() && !edit.phone)
        return faults;
    const auto known = find_stored(id);
    if (!known)
        return faults;
    const auto read = read_answers(*known, edit);
    if (!read)
        note(faults, read.error());
    if (!edit.travelers)
        return faults;
    if (read)
        note(faults, form::check_births(read->travelers, parts_.settings.zone().date_at(parts_.clock.now())));
    const auto party = choice && choice->travelers ? *choice->travelers : booking->travelers_count;
    if (static_cast<std::int64_t>(edit.travelers->size()) > party)
        faults.push_back({"travelers", "There are more travelers than were booked."_sentence});
    return faults;
}

}  // namespace svc::booking
