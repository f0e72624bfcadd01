// Stores each purchase, each begun payment and each refund once.
#include "pro/tracking/occurrences.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "pro/tracking/settings.hpp"

namespace svc::pro::tracking {
namespace {

using json::Value;

// A payment for a booking that has ended is stored for staff and buys nothing; a waiting one has no seats yet.
bool is_bought(std::string_view booking_status) {
    constexpr std::array<std::string_view, 5> running{"pending", "processing", "on-hold", "confirmed", "completed"};
    return std::find(running.begin(), running.end(), booking_status) != running.end();
}

TrackedEvent event_of(const Partner& partner, std::string_view event, std::string event_id, std::int64_t booking_id,
                      const Money& value, Instant now) {
    TrackedEvent row;
    row.partner = partner.key;
    row.event = event;
    row.event_id = std::move(event_id);
    row.booking_id = booking_id;
    row.value = value;
    row.next_attempt_at = now;
    row.occurred_at = now;
    row.created_at = now;
    return row;
}

}  // namespace

Result<void> Occurrences::store_purchase(store::Transaction& tx, std::int64_t booking_id, std::int64_t payment_id,
                                         Instant now) {
    const auto booking = Repository::booking(tx, booking_id);
    if (!booking || !is_bought(booking->status) ||
        (payment_id > 0 && Repository::has_earlier_payment(tx, booking_id, payment_id)))
        return {};
    if (!Repository::claim_occasion(tx, partner_, occasion_of(events::purchase, booking_id), booking_id, now))
        return {};
    // Without the server's half the browser alone reports it; the occasion is over all the same.
    if (!site_.settings.get(partner_.server_setting).boolean())
        return {};
    TrackedEvent event = event_of(partner_, events::purchase, booking->reference, booking_id, booking->total, now);
    Repository::insert(tx, partner_, event);
    return {};
}

Result<void> Occurrences::store_paying(store::Transaction& tx, std::int64_t booking_id, Instant now) {
    const auto booking = Repository::booking(tx, booking_id);
    if (!booking || !is_bought(booking->status) || !site_.settings.get(partner_.server_setting).boolean() ||
        !Repository::claim_occasion(tx, partner_, occasion_of(events::add_payment_info, booking_id), booking_id, now))
        return {};
    TrackedEvent event =
        event_of(partner_, events::add_payment_info, booking->reference + "-payment", booking_id, booking->total, now);
    Repository::insert(tx, partner_, event);
    return {};
}

// At the moment of the choice, as the browser reported it: who never books is reported by the browser alone.
Result<void> Occurrences::store_cart(store::Transaction& tx, std::int64_t booking_id, Instant now) {
    const auto cart = Repository::cart(tx, booking_id);
    const auto booking = Repository::booking(tx, booking_id);
    if (!cart || !booking || !site_.settings.get(partner_.server_setting).boolean() ||
        !Repository::claim_occasion(tx, partner_, occasion_of(events::add_to_cart, booking_id), booking_id, now))
        return {};
    TrackedEvent event = event_of(partner_, events::add_to_cart, cart->event_id, booking_id, booking->total, now);
    event.occurred_at = std::min(cart->at, now);
    Repository::insert(tx, partner_, event);
    return {};
}

Result<void> Occurrences::store_refund(store::Transaction& tx, std::int64_t booking_id, std::int64_t refund_id,
                                       const Value& refund, Instant now) {
    SVC_ASSIGN_OR_RETURN(const auto currency, Currency::parse(refund.text_or("currency")));
    SVC_ASSIGN_OR_RETURN(const auto amount, Money::parse(refund["amount"].number_text(), currency));
    const auto booking = Repository::booking(tx, booking_id);
    if (!booking || !site_.settings.get(partner_.server_setting).boolean() ||
        !Repository::claim_occasion(tx, partner_, occasion_of(events::refund, refund_id), booking_id, now))
        return {};
    TrackedEvent event = event_of(partner_, events::refund, booking->reference + "-refund-" + std::to_string(refund_id),
                                  booking_id, amount, now);
    Repository::insert(tx, partner_, event);
    return {};
}

void Occurrences::store(std::string_view what, const std::function<Result<void>(store::Transaction&)>& work) {
    if (!reports(site_, partner_, *find_event(what)))
        return;
    if (const auto stored = site_.store.write(work); !stored)
        throw std::runtime_error("an event for " + std::string(partner_.name) +
                                 " was not stored: " + stored.error().message().english());
    if (site_.jobs)
        site_.jobs->wake(partner_.job);
}

void Occurrences::purchase(std::int64_t booking_id, std::int64_t payment_id) {
    const auto now = site_.clock.now();
    store(events::purchase, [&](store::Transaction& tx) { return store_purchase(tx, booking_id, payment_id, now); });
}

void Occurrences::booked(std::int64_t booking_id) {
    if (!is_by_server(*find_event(events::add_to_cart), partner_))
        return;
    // Most bookings have none: nothing is written for them.
    if (!site_.store.reading<bool>(
            [&](store::Session& session) { return Repository::cart(session, booking_id).has_value(); }))
        return;
    const auto now = site_.clock.now();
    store(events::add_to_cart, [&](store::Transaction& tx) { return store_cart(tx, booking_id, now); });
}

void Occurrences::paying(std::int64_t booking_id) {
    const auto now = site_.clock.now();
    store(events::add_payment_info, [&](store::Transaction& tx) { return store_paying(tx, booking_id, now); });
}

void Occurrences::paid(const Value& payment) {
    const auto booking_id = payment.maybe_integer("booking_id");
    if (booking_id)
        purchase(*booking_id, payment.maybe_integer("id").value_or(0));
}

void Occurrences::confirmed(std::int64_t booking_id) { purchase(booking_id, 0); }

void Occurrences::refunded(const Value& refund) {
    const auto now = site_.clock.now();
    const auto booking_id = refund.maybe_integer("booking_id"), refund_id = refund.maybe_integer("id");
    if (booking_id && refund_id && refund["amount"].is_number())
        store(events::refund,
              [&](store::Transaction& tx) { return store_refund(tx, *booking_id, *refund_id, refund, now); });
}

}  // namespace svc::pro::tracking
