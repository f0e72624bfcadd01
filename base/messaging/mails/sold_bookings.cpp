// Reads bookings, payments and documents for the texts of e-mails.
#include "base/messaging/mails/sold_bookings.hpp"

#include <stdexcept>

#include "base/people/my_account/feature.hpp"
#include "base/sales/booking/record/cancelling.hpp"
#include "base/sales/booking/record/masking.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "base/sales/payment/gateways/gateways.hpp"
#include "base/sales/payment/record/wire.hpp"
#include "shared/core/text.hpp"

namespace svc::messaging {
namespace {

json::Value mailed_trip(const catalog::trips::Trip& trip, json::Value categories) {
    return json::Value::object({{"id", trip.id},
                                {"title", trip.title},
                                {"slug", trip.slug},
                                {"trip_type", catalog::trips::name_of(trip.type)},
                                {"categories", std::move(categories)}});
}

// A mail about an earlier event goes to the address of that time: links are for the present one.
bool is_to_contact(const json::Value& mailed, const booking::Booking& booking) {
    return text::folded(mailed.text_or("customer_email")) == text::folded(booking.email);
}

}  // namespace

// Nothing that is reported needs its form and its price again.
std::optional<json::Value> SoldBookings::find(std::int64_t booking_id) const {
    const auto found = parts_.bookings.records.find(booking_id);
    return found ? std::optional(booking::to_json(*found)) : std::nullopt;
}

std::optional<json::Value> SoldBookings::seen(std::int64_t booking_id, const api::Caller& caller) const {
    const auto found = parts_.bookings.records.seen(booking_id, caller);
    return found ? std::optional(booking::booking_for(caller, parts_.bookings.records.detail(*found, true)))
                 : std::nullopt;
}

json::Value SoldBookings::answers(std::int64_t booking_id) const {
    const auto found = parts_.bookings.records.find(booking_id);
    if (!found)
        return {};
    json::Value detail = parts_.bookings.records.detail(*found, false);
    for (const char* section : {"contact_data", "emergency_contact"})
        detail.set(section, booking::without_sealed(detail[section]));
    return detail;
}

json::Array SoldBookings::travelers(std::int64_t booking_id) const {
    json::Array all;
    parts_.site.store.read([&](store::Session& session) {
        for (booking::Traveler& traveler : booking::Service::travelers(session, booking_id))
            all.push_back(booking::without_sealed(std::move(traveler.fields)));
    });
    return all;
}

std::optional<json::Value> SoldBookings::last_payment(std::int64_t booking_id) const {
    std::optional<json::Value> last;
    parts_.site.store.read([&](store::Session& session) {
        for (const payment::Payment& each : payment::Service::of_booking(session, booking_id))
            if (each.status == payment::status::completed)
                last = payment::to_json(each);
    });
    return last;
}

// Of a trip that is not published now, the categories are its own without those above them.
json::Value SoldBookings::trip(std::int64_t trip_id) const {
    json::Value categories = json::Value::array();
    if (const auto shown = parts_.trips.service.public_trips().published(trip_id)) {
        for (const catalog::trips::ClassKey& each : shown->facts.classes)
            if (each.kind == catalog::trips::Kind::trip_category)
                categories.push(each.id);
        return mailed_trip(shown->trip, std::move(categories));
    }
    const auto read = parts_.trips.service.read(trip_id);
    if (!read)
        return {};
    for (const auto& [name, members] : read->members)
        if (name == "trip_category" && members.is_array())
            for (const json::Value& each : members.items())
                if (const auto category = each.maybe_integer("id"))
                    categories.push(*category);
    return mailed_trip(read->trip, std::move(categories));
}

std::string SoldBookings::verification_page(const json::Value& booking) const {
    const auto asked_at = Instant::parse(booking.text_or("asked_at", booking.text_or("created_at")));
    return parts_.site.installation.root + "/booking/verify-email?token=" +
           links_.token(booking["id"].integer(), booking.text_or("customer_email"),
                        asked_at.value_or(parts_.site.clock.now()));
}

std::string SoldBookings::pay_page(const json::Value& booking) const {
    const auto found = parts_.bookings.records.find(booking["id"].integer());
    if (!found)
        return parts_.site.installation.address;
    const std::string page = parts_.payments.checkout.confirmation_page(*found);
    return is_to_contact(booking, *found)
               ? page + "?pay=remaining&booking_token=" + parts_.bookings.records.new_pay_link(found->id)
               : page;
}

Bookings::OwnPage SoldBookings::booking_page(std::int64_t booking_id, const json::Value& booking) const {
    const auto mailed = parts_.bookings.records.mailed(booking_id);
    if (!mailed)
        return {.url = parts_.site.installation.address, .money = {}};
    std::string page = parts_.payments.checkout.confirmation_page(mailed->booking);
    if (is_to_contact(booking, mailed->booking))
        page += "?booking_token=" + mailed->link_token;
    return {.url = std::move(page),
            .money = booking::planned(parts_.site.hooks, mailed->money, {.booking_id = mailed->booking.id})};
}

// Where its page is now, whatever it was called when it was booked.
std::string SoldBookings::trip_page(const json::Value& booking) const {
    const auto id = booking.maybe_integer("trip_id");
    const auto trip = id ? parts_.trips.service.published(*id) : nullptr;
    return parts_.trips.service.showing().trip_address() + (trip ? trip->slug : booking.text_or("trip_slug"));
}

std::string SoldBookings::instructions(const std::string& gateway, const json::Value& booking,
                                       std::string_view locale) const {
    return parts_.payments.service.gateways.offline_instructions(gateway, booking, locale);
}

std::string SoldBookings::gateway_title(const std::string& gateway, std::string_view locale) const {
    return parts_.payments.service.gateways.way(gateway, locale);
}

booking::Meeting SoldBookings::meeting(std::int64_t booking_id) const {
    const auto found = parts_.bookings.records.find(booking_id);
    return found ? parts_.site.store.reading<booking::Meeting>(
                       [&](store::Session& session) { return booking::meeting_of(session, *found); })
                 : booking::Meeting{};
}

std::optional<booking::PlannedMoney> SoldBookings::money(std::int64_t booking_id) const {
    auto terms = parts_.bookings.records.money_terms(booking_id);
    return terms ? std::optional(booking::planned(parts_.site.hooks, std::move(*terms), {.booking_id = booking_id}))
                 : std::nullopt;
}

std::optional<booking::ShownCancellation> SoldBookings::cancellation(std::int64_t booking_id) const {
    const auto found = parts_.bookings.records.find(booking_id);
    if (!found)
        return std::nullopt;
    return parts_.site.store.reading<std::optional<booking::ShownCancellation>>([&](store::Session& session) {
        return booking::agreed_cancellation(session, *found, parts_.site.settings, parts_.site.clock.now());
    });
}

std::string SoldBookings::account_language(std::int64_t user_id) const {
    return parts_.site.store.reading<std::string>(
        [&](store::Session& session) { return my_account::Repository::locale(session, user_id); });
}

Bookings::CreditNote SoldBookings::credit_note(const json::Value& refund) const {
    const std::string payment_id = std::to_string(refund["payment_id"].integer());
    const std::int64_t refund_id = refund["id"].integer();
    const auto number = parts_.documents.service.credit_note_for(refund_id);
    if (!number)
        throw std::runtime_error("refund " + std::to_string(refund_id) +
                                 " has no credit note: " + number.error().message().english());
    const auto payment = parts_.payments.service.find(refund["payment_id"].integer());
    const std::string token = payment ? parts_.payments.service.invoice_token(*payment) : std::string();
    return {.number = *number,
            .url = parts_.site.installation.root + "/payment/" + payment_id +
                   "/credit-note?refund_id=" + std::to_string(refund_id) + "&invoice_token=" + token};
}

}  // namespace svc::messaging
