// Creates booking links and pay links and checks them against the current booking.
#include "base/sales/booking/record/pay_link.hpp"

#include <charconv>

#include "base/sales/booking/record/service.hpp"
#include "shared/core/text.hpp"
#include "shared/store/typed.hpp"

namespace svc::booking {
namespace {

std::string signed_subject(const LinkSubject& subject) {
    return std::to_string(subject.booking_id) + ":" + address_digest(subject.email) + ":" +
           std::to_string(subject.counter);
}

// The number between a token's mark and the next dot.
std::optional<std::int64_t> number_after(std::string_view token, std::string_view mark) {
    if (!token.starts_with(mark))
        return std::nullopt;
    token.remove_prefix(mark.size());
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(token.data(), token.data() + token.size(), number);
    const bool is_whole = failed == std::errc{} && end != token.data() + token.size() && *end == '.' && number > 0;
    return is_whole ? std::optional(number) : std::nullopt;
}

std::int64_t counter_of(store::Session& session, std::int64_t booking_id) {
    return session.number("SELECT link_counter FROM svc_bookings WHERE id = :id", {{"id", booking_id}});
}

}  // namespace

std::string address_digest(std::string_view email) { return crypto::sha256_hex(text::folded(email)).substr(0, 16); }

std::string BookingLinks::token(const LinkSubject& subject) const {
    return std::string(mark) + std::to_string(subject.booking_id) + "." +
           crypto::hex(keyring.mac("booking_link", signed_subject(subject)));
}

std::int64_t BookingLinks::booking_of(std::string_view token) { return number_after(token, mark).value_or(0); }

std::string PayLinks::token(const LinkSubject& subject, Instant issued) const {
    const std::string at = std::to_string(issued.seconds());
    return std::string(mark) + at + "." + crypto::hex(keyring.mac("pay_link", signed_subject(subject) + ":" + at));
}

std::optional<Instant> PayLinks::issued_at(std::string_view token) {
    const auto seconds = number_after(token, mark);
    // Instants end with the year 9999.
    return seconds && *seconds <= 253'402'300'799 ? std::optional(Instant::from_micros(*seconds * 1'000'000))
                                                  : std::nullopt;
}

Service::LinkProof Service::pay_link(std::string_view token, std::int64_t booking_id) const {
    const auto issued = PayLinks::issued_at(token);
    const auto linked = issued ? linked_booking(booking_id) : std::nullopt;
    if (!linked || !parts_.keyring.any([&](const crypto::Keyring& one) {
            return crypto::equal(PayLinks{one}.token(linked->subject(), *issued), token);
        }))
        return LinkProof::foreign;
    const Booking& booking = linked->booking;
    const Instant now = parts_.clock.now();
    const bool owes = holds_seats(booking.status) && !booking.amount_owed().is_zero();
    const bool is_in_time =
        now < issued->plus(pay_link_lifetime) && parts_.settings.zone().date_at(now) <= booking.travel_date;
    return owes && is_in_time ? LinkProof::proves : LinkProof::ended;
}

Service::LinkProof Service::booking_link(std::string_view token, std::int64_t booking_id) const {
    const bool names_it = booking_id != 0 && BookingLinks::booking_of(token) == booking_id;
    const auto linked = names_it ? linked_booking(booking_id) : std::nullopt;
    if (!linked || !parts_.keyring.any([&](const crypto::Keyring& one) {
            return crypto::equal(BookingLinks{one}.token(linked->subject()), token);
        }))
        return LinkProof::foreign;
    const Date today = parts_.settings.zone().date_at(parts_.clock.now());
    return today <= linked->booking.end_date.plus_days(booking_link_days) ? LinkProof::proves : LinkProof::ended;
}

std::optional<Service::Linked> Service::linked_booking(std::int64_t booking_id) const {
    std::optional<Linked> linked;
    parts_.store.read([&](store::Session& session) {
        if (auto booking = Repository::find(session, booking_id))
            linked = Linked{std::move(*booking), counter_of(session, booking_id)};
    });
    return linked;
}

std::string Service::new_booking_link(std::int64_t booking_id) const {
    const auto linked = linked_booking(booking_id);
    return linked ? BookingLinks{parts_.keyring}.token(linked->subject()) : std::string();
}

std::optional<Service::Mailed> Service::mailed(std::int64_t booking_id) const {
    std::optional<Mailed> mailed;
    std::int64_t counter = 0;
    parts_.store.read([&](store::Session& session) {
        auto booking = Repository::find(session, booking_id);
        if (!booking)
            return;
        counter = counter_of(session, booking_id);
        const MoneyTerms money = money_terms(session, *booking);
        mailed = Mailed{.booking = std::move(*booking), .link_token = {}, .money = money};
    });
    if (mailed)
        mailed->link_token = BookingLinks{parts_.keyring}.token(
            {.booking_id = mailed->booking.id, .email = mailed->booking.email, .counter = counter});
    return mailed;
}

std::string Service::new_pay_link(std::int64_t booking_id) const {
    const auto linked = linked_booking(booking_id);
    return linked ? PayLinks{parts_.keyring}.token(linked->subject(), parts_.clock.now()) : std::string();
}

void Service::end_links(store::Transaction& tx, std::int64_t booking_id) {
    tx.run("UPDATE svc_bookings SET link_counter = link_counter + 1 WHERE id = :id", {{"id", booking_id}});
}

}  // namespace svc::booking
