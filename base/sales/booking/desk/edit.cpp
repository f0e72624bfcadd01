// Staff's changes of bookings: move, recalculate, mark as paid.
#include <algorithm>

#include "base/people/customers/service.hpp"
#include "base/sales/booking/desk/desk.hpp"
#include "base/sales/booking/desk/edit_contact.hpp"
#include "base/sales/booking/desk/stored_answers.hpp"
#include "base/sales/booking/form/ages.hpp"
#include "base/sales/booking/form/files.hpp"
#include "base/sales/booking/form/form.hpp"
#include "base/sales/booking/record/changes.hpp"
#include "base/sales/booking/record/deadline.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/booking/record/locks.hpp"
#include "base/sales/booking/record/owner_repository.hpp"
#include "base/sales/booking/record/price.hpp"
#include "base/sales/booking/record/seats.hpp"
#include "base/sales/booking/record/service_stock.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "base/sales/pricing/party.hpp"
#include "shared/api/schema.hpp"
#include "shared/core/exact_money.hpp"

namespace svc::booking {
namespace {

// Whether the party has the same numbers by category.
bool equals_counts(const Booking& booking, const std::map<std::int64_t, std::int64_t>& counts) {
    const json::Value& known = booking.traveler_counts;
    return known.is_object() && known.size() == counts.size() &&
           std::all_of(counts.begin(), counts.end(), [&](const auto& each) {
               const json::Value* count = known.find(std::to_string(each.first));
               return count && count->is_number() && count->integer() == each.second;
           });
}

bool moves(const Booking& booking, const Edit& edit) {
    const Choice& to = edit.choice;
    return (to.trip_id && to.trip_id != booking.trip_id) || (to.travel_date && to.travel_date != booking.travel_date) ||
           (to.departure_time && to.departure_time != booking.departure_time) ||
           (edit.without_time && booking.departure_time) ||
           (to.travelers && (*to.travelers != booking.travelers_count ||
                             (!to.traveler_counts.empty() && !equals_counts(booking, to.traveler_counts))));
}

// The services in a booking's price that were selected, without automatic ones.
std::map<std::int64_t, std::int64_t> services_of(const json::Value& quote) {
    std::map<std::int64_t, std::int64_t> chosen;
    if (const json::Value& services = quote["additional_services"]; services.is_array())
        for (const json::Value& each : services.items())
            if (const auto id = each.maybe_integer("id");
                id && each["selected"].is_boolean() && each["selected"].boolean())
                chosen[*id] = std::max<std::int64_t>(1, each.maybe_integer("quantity").value_or(1));
    return chosen;
}

// The choice that would lead to the booking today: with its code and services unless others are sent.
CheckoutSession chosen_of(const Booking& booking, const json::Value& quote, const Choice& sent) {
    CheckoutSession chosen{.trip_id = booking.trip_id,
                           .travel_date = booking.travel_date,
                           .departure_time = booking.departure_time,
                           .travelers = booking.travelers_count,
                           .payment_method = sent.payment_method.value_or(booking.payment_method)};
    chosen.method_chosen = sent.payment_method.has_value();
    chosen.country = booking.country;
    chosen.booking_id = booking.id;
    chosen.email = booking.email;
    chosen.user_id = booking.user_id;
    chosen.coupon_code = sent.coupon_code.value_or(booking.coupon_code);
    chosen.services = sent.services ? *sent.services : services_of(quote);
    if (booking.traveler_counts.is_object())
        for (const auto& [category, count] : booking.traveler_counts.members())
            if (category != "0" && count.is_number())
                chosen.traveler_counts.emplace(std::stoll(category), count.integer());
    return chosen;
}

std::int64_t named_id(const json::Value& answer) {
    const auto id = api::id().check(answer, "id");
    return id && id->is_number() ? id->integer() : 0;
}

// A total equal to the current one changes nothing.
bool sets_total(const Edit& edit, const Booking& booking) {
    if (!edit.total)
        return false;
    const auto total = parse_exact(*edit.total, booking.total.currency());
    return !total || *total != booking.total;
}

// Compares the members that Repository::update writes.
bool is_same_record(const Booking& a, const Booking& b) {
    return to_json(a) == to_json(b) && a.special_requests == b.special_requests &&
           a.internal_notes == b.internal_notes && a.pay_now == b.pay_now && a.rest_on == b.rest_on &&
           a.departure_id == b.departure_id;
}

// A booking keeps its payment method; another one must be offered by the price.
bool offers(const json::Value& quote, std::string_view method) {
    const json::Value& options = quote["payment_methods"];
    return options.is_array() && std::any_of(options.items().begin(), options.items().end(), [&](const auto& option) {
               return option.is_object() && option.text_or("id") == method;
           });
}

}  // namespace

std::map<std::int64_t, std::int64_t> Desk::services_booked(std::int64_t id) const {
    return parts_.store.reading<std::map<std::int64_t, std::int64_t>>(
        [&](store::Session& session) { return services_of(Repository::quote(session, id)); });
}

Result<void> Desk::move(store::Transaction& tx, Booking& booking, const Edit& edit, Instant now) {
    const bool waits = booking.status == status::waitlist;
    const bool sits =
        holds_seats(booking.status) && booking.status != status::pending_verification && booking.departure_id;
    if (!waits && !sits)
        return Error{errc::conflict,
                     "Only bookings that hold seats or are on the waitlist can change trip, date or party."_sentence};
    const Choice& to = edit.choice;
    const Date before = booking.travel_date;
    const bool same_place = (!to.trip_id || to.trip_id == booking.trip_id) &&
                            (!to.travel_date || to.travel_date == booking.travel_date) &&
                            (!to.departure_time || to.departure_time == booking.departure_time) && !edit.without_time;
    booking.trip_id = to.trip_id.value_or(booking.trip_id);
    booking.travel_date = to.travel_date.value_or(booking.travel_date);
    if (to.departure_time || edit.without_time)
        booking.departure_time = to.departure_time;
    booking.travelers_count = to.travelers.value_or(booking.travelers_count);
    if (to.travelers) {
        if (const auto sold = parts_.trips.published(booking.trip_id))
            SVC_RETURN_IF_ERROR(pricing::whole_party_fits(*sold, booking.travelers_count, to.traveler_counts));
        SVC_RETURN_IF_ERROR(check_seated(booking.travelers_count, to.traveler_counts, parts_.settings));
        booking.traveler_counts = json::Value::object();
        for (const auto& [category, count] : to.traveler_counts)
            booking.traveler_counts.set(std::to_string(category), count);
        if (to.traveler_counts.empty())
            booking.traveler_counts.set("0", booking.travelers_count);
    }
    const std::int64_t seats = seats_of(booking, parts_.settings);
    if (same_place && sits)
        return parts_.availability.waitlist.move(tx, booking.id, *booking.departure_id, seats, now);
    const auto trip = parts_.trips.published(booking.trip_id);
    if (!trip)
        return invalid("trip_id", "This trip does not exist or is not published."_sentence);
    if (same_place)
        return parts_.availability.waitlist.change_waiting(tx, *trip, std::nullopt, booking.id, seats, now);
    if (trip->currency != booking.total.currency())
        return invalid("trip_id", "This trip is priced in another currency."_sentence);
    if (!booking.departure_time)
        SVC_RETURN_IF_ERROR(parts_.availability.dates.check_time(&tx, *trip, booking.travel_date, true, now));
    SVC_ASSIGN_OR_RETURN(const auto date,
                         parts_.availability.dates.find_bookable(tx, *trip, booking.travel_date, booking.departure_time,
                                                                 waits ? 0 : static_cast<int>(seats), true, now));
    booking.trip_title = trip->title;
    booking.trip_slug = trip->slug;
    booking.departure_time = date.time;
    booking.end_date = booking.travel_date.plus_days(static_cast<std::int32_t>(trip->length() - 1));
    if (const Instant departs = departure_of(parts_.settings, booking.travel_date, booking.departure_time);
        booking.pay_by && departs > now)
        booking.pay_by = std::min(*booking.pay_by, departs);
    if (booking.rest_on)
        booking.rest_on = std::min(*booking.rest_on, booking.travel_date);
    if (auto moved = waits ? parts_.availability.waitlist.change_waiting(tx, *trip, date, booking.id, seats, now)
                           : parts_.availability.waitlist.move(tx, *trip, date, booking.id, seats, now);
        !moved)
        return moved;
    if (booking.travel_date != before)
        parts_.hooks.emit(tx, booking_rescheduled, {booking.id, to_json(booking), before});
    return {};
}

Result<void> Desk::reprice(store::Transaction& tx, Booking& booking, const Edit& edit, Instant now) {
    std::vector<Line> lines = Repository::lines(tx, booking.id, booking.total.currency());
    if (edit.recalculate) {
        const auto trip = parts_.trips.published(booking.trip_id);
        if (!trip)
            return errc::trip_not_found;
        CheckoutSession chosen = chosen_of(booking, Repository::quote(tx, booking.id), edit.choice);
        chosen.by_hand = edit.by_hand;
        // Releases its own uses of discounts, and takes them again with the new price.
        discounts::Service::follow(tx, booking.id, true, false, now);
        // Its own seats count as free: only the date's price is needed.
        SVC_ASSIGN_OR_RETURN(const auto date,
                             parts_.availability.dates.find_bookable(tx, *trip, booking.travel_date,
                                                                     booking.departure_time, 0, true, now));
        // Categories no longer apply when everybody pays the same price now.
        if (!trip->traveler_based && !date.traveler_based && edit.choice.traveler_counts.empty())
            chosen.traveler_counts.clear();
        auto quote = offers_.price_of(*trip, date, chosen, &tx);
        // Its deposit is no longer offered: requires the default amount.
        if (!quote && &quote.error().code() == &errc::payment_method_unavailable && !chosen.method_chosen) {
            chosen.payment_method = "full";
            quote = offers_.price_of(*trip, date, chosen, &tx);
        }
        if (!quote)
            return quote.error();
        if (const Error* fault = quote->code_fault())
            return as_field_error(*fault);
        if (quote->travelers != booking.travelers_count)
            return invalid(
                "recalculate",
                "Pricing rules changed the number of travelers; set travelers_count to {travelers}."_sentence.with(
                    "travelers", quote->travelers));
        if (is_active(booking.status))
            SVC_RETURN_IF_ERROR(offers_.hold_discounts(tx, *quote, booking, now));
        take_price(booking, *quote);
        lines = lines_of(*quote);
        Repository::set_quote(tx, booking.id, quote->shown);
        offers_.store_services(tx, booking.id, *quote);
    } else if (const auto& method = edit.choice.payment_method) {
        const json::Value quote = Repository::quote(tx, booking.id);
        if (*method != booking.payment_method && *method != "full" && !offers(quote, *method))
            return errc::payment_method_unavailable;
        booking.payment_method = *method;
        set_pay_now(booking, quote);
    }
    if (edit.recalculate ? edit.total.has_value() : sets_total(edit, booking)) {
        const auto total = parse_exact(*edit.total, booking.total.currency());
        if (!total)
            return invalid("total", total.error().message());
        const bool tax_by_hand = edit.recalculate && edit.by_hand.tax_amount;
        SVC_RETURN_IF_ERROR(set_total(booking, lines, *total, Repository::quote(tx, booking.id), tax_by_hand));
    }
    if (ports_.payments)
        take_deposit(booking, ports_.payments->deposit_of(tx, booking.payment_gateway));
    Repository::replace_lines(tx, booking.id, lines);
    return {};
}

// The amount a form sends back (equal to `answer`) changes nothing; more than that is recorded as a manual payment.
Result<void> Desk::receive_up_to(store::Transaction& tx, const Booking& answer, const std::string& sum,
                                 const Actor& actor, Instant now) const {
    const auto paid = parse_exact(sum, answer.total.currency());
    if (!paid)
        return invalid("amount_paid", paid.error().message());
    if (*paid == answer.amount_paid || !ports_.payments)
        return {};
    const Booking booking = Repository::find(tx, answer.id).value();  // paid in full by this change, perhaps
    if (*paid < booking.amount_paid)
        return invalid("amount_paid",
                       "The total is less than the amount paid. Refund a payment or delete its record first."_sentence);
    if (*paid > booking.total)
        return invalid("amount_paid", "This exceeds the total."_sentence);
    const Money more = *paid - booking.amount_paid;
    return more.is_zero() ? Result<void>{} : ports_.payments->receive(tx, booking, more, actor.id, now);
}

namespace {

Result<void> travelers_fit(const Parts& parts, const Forms& forms, const Booking& booking, const json::Value& travelers,
                           Instant now) {
    if (static_cast<std::int64_t>(travelers.size()) > booking.travelers_count)
        return invalid("travelers", "There are more travelers than were booked."_sentence);
    if (auto fits = form::check_categories(travelers, booking.traveler_counts, forms.categories_of(booking.trip_id));
        !fits)
        return fits.error();
    SVC_RETURN_IF_ERROR(form::check_births(travelers, parts.settings.zone().date_at(now)));
    return {};
}

// The deposit of another gateway counts.
void follow_gateway(store::Transaction& tx, auto& payments, Booking& booking, const std::string& gateway_before) {
    const auto left = payments.deposit_of(tx, gateway_before);
    const auto deposit = payments.deposit_of(tx, booking.payment_gateway);
    if (left || deposit)
        set_pay_now(booking, Repository::quote(tx, booking.id));
    take_deposit(booking, deposit);
}

void ask_to_verify(store::Transaction& tx, hooks::Hooks& hooks, const Booking& booking, Instant now) {
    json::Value answer = to_json(booking);
    answer.set("asked_at", now);
    hooks.emit(tx, verification_requested, {booking.id, std::move(answer)});
}

void set_attention(store::Transaction& tx, const Booking& booking, const Edit& edit, Instant now) {
    if (edit.needs_attention && *edit.needs_attention != booking.needs_attention) {
        if (*edit.needs_attention)
            Repository::flag(tx, booking.id, "marked by our staff", now);
        else
            Repository::unflag(tx, booking.id, now);
    }
}

// What has to follow a changed total, and a payment status of staff.
Result<void> settle(store::Transaction& tx, const Ports& ports, Booking& booking, const Edit& edit,
                    const Money& total_before, const Actor& actor, Instant now) {
    if (booking.total != total_before && ports.payments)
        SVC_RETURN_IF_ERROR(ports.payments->reckon(tx, booking, now));
    if (booking.amount_paid > booking.total && booking.total < total_before)
        Repository::flag(tx, booking.id, "overpaid", now);
    else if (booking.amount_paid <= booking.total && booking.attention_reason == "overpaid")
        Repository::unflag(tx, booking.id, now);
    if (edit.payment_status && *edit.payment_status != booking.payment_status) {
        if (*edit.payment_status != "paid" || !ports.payments)
            return invalid("payment_status", follows_from_payments);
        if (const Money balance = booking.balance(); !balance.is_zero())
            SVC_RETURN_IF_ERROR(ports.payments->receive(tx, booking, balance, actor.id, now));
    }
    return {};
}

}  // namespace

Result<Booking> Desk::changed_by_staff(store::Transaction& tx, std::int64_t id, const Edit& edit, const Actor& actor) {
    const Instant now = parts_.clock.now();
    auto found = lock_with_seats(tx, id);
    if (!found)
        return errc::booking_not_found;
    Booking& booking = *found;
    if (edit.row_version && *edit.row_version != booking.row_version)
        return Error{errc::conflict}.with("row_version", std::to_string(booking.row_version));
    if (booking.status == status::trash)
        return Error{errc::conflict, "The booking is in the trash. Restore it before changing it."_sentence};
    const Booking stored = booking;
    const Snapshot before(tx, booking, sealing_);
    const Money total_before = booking.total;
    const std::string email_before = booking.email;
    const std::int64_t party_before = booking.travelers_count;
    const std::string gateway_before = booking.payment_gateway;
    SVC_RETURN_IF_ERROR(set_contact(tx, parts_, ports_, lifecycle_, booking, edit, now));
    if (moves(booking, edit)) {
        SVC_RETURN_IF_ERROR(move(tx, booking, edit, now));
        if (!edit.recalculate)
            SVC_RETURN_IF_ERROR(services_fit(parts_.hooks, tx, booking));
    }
    const bool prices = edit.recalculate || sets_total(edit, booking) ||
                        (edit.choice.payment_method && *edit.choice.payment_method != booking.payment_method);
    if (prices)
        SVC_RETURN_IF_ERROR(reprice(tx, booking, edit, now));
    if (booking.payment_gateway != gateway_before && ports_.payments)
        follow_gateway(tx, *ports_.payments, booking, gateway_before);
    bool others = false;  // than the booking's own record
    if (edit.travelers) {
        SVC_RETURN_IF_ERROR(travelers_fit(parts_, forms_, booking, *edit.travelers, now));
        others = write_travelers(tx, id, edit);
    } else if (booking.travelers_count < party_before) {
        Repository::keep_travelers(tx, id, booking.travelers_count);
    }
    if (edit.contact_data.size() + edit.emergency.size() > 0)
        others = store_answers(tx, id, edit) || others;
    if (others || booking.travelers_count < party_before)
        form::FileRepository::settle(tx, id, sealing_);
    if (others || prices || !is_same_record(stored, booking)) {
        Repository::update(tx, booking, now);
        parts_.hooks.emit(tx, booking_updated, {id});
    }
    if (booking.status == status::pending_verification && booking.email != email_before)
        ask_to_verify(tx, parts_.hooks, booking, now);
    set_attention(tx, booking, edit, now);
    if (edit.payments_known && booking.payments_unknown)
        Repository::know_payments(tx, id, now);
    SVC_RETURN_IF_ERROR(settle(tx, ports_, booking, edit, total_before, actor, now));
    if (edit.paid)
        SVC_RETURN_IF_ERROR(receive_up_to(tx, booking, *edit.paid, actor, now));
    const Booking after = Repository::find(tx, id).value();
    log_changes(tx, before, Snapshot(tx, after, sealing_), actor, now);
    if (edit.status)
        SVC_RETURN_IF_ERROR(lifecycle_.change(tx, after, *edit.status, Cause::staff, actor, edit.cancellation_reason,
                                              now, edit.forced));
    return Repository::find(tx, id).value();
}

Result<Booking> Desk::edit(std::int64_t id, const Edit& requested, const Actor& actor) {
    SVC_RETURN_IF_ERROR(none_of(faults_of_edit(id, requested)));
    SVC_ASSIGN_OR_RETURN(auto choice, offers_.named(requested.choice));
    Edit edit = requested;
    edit.choice = std::move(choice);
    if (edit.travelers)
        for (const json::Value& each : edit.travelers->items())
            edit.traveler_ids.push_back(named_id(each["id"]));
    SVC_ASSIGN_OR_RETURN(const auto known, find_stored(id));
    if (edit.has_answers() || edit.phone) {
        SVC_ASSIGN_OR_RETURN(auto answer, read_answers(known, edit));
        take_travelers(known.travelers, std::move(answer.travelers), edit);
        edit.contact_data = std::move(answer.contact);
        edit.emergency = std::move(answer.emergency);
    }
    SVC_RETURN_IF_ERROR(ages_fit(known, edit));
    return parts_.store.transact<Booking>(
        [&](store::Transaction& tx) -> Result<Booking> { return changed_by_staff(tx, id, edit, actor); });
}

}  // namespace svc::booking
