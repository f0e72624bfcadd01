// Whom the site asks for a review, and the link that proves the booking of who was asked.
#include <charconv>

#include "base/booking/record/pay_link.hpp"
#include "base/booking/record/wire.hpp"
#include "base/reviews/feature.hpp"
#include "base/reviews/hooks.hpp"
#include "shared/core/text.hpp"

namespace svc::reviews {
namespace {

using json::Value;

constexpr std::int64_t most_asked = 200;
constexpr std::string_view token_mark = "r1.";
// Whoever traveled longer ago is not asked any more, such as when requests are switched on.
constexpr auto asked_within = std::chrono::hours(24 * 30);

}  // namespace

std::string review_token(const crypto::Keyring& keyring, std::int64_t booking_id, std::string_view email) {
    return std::string(token_mark) + std::to_string(booking_id) + "." +
           crypto::hex(keyring.mac("review", std::to_string(booking_id) + ":" + booking::address_digest(email)));
}

std::string Feature::page_of(const Value& booking) const {
    const auto id = booking.maybe_integer("trip_id");
    const auto trip = id ? trips_.published(*id) : nullptr;
    return trips_.showing().trip_address() + (trip ? trip->slug : booking.text_or("trip_slug")) +
           "/review?token=" + review_token(*site_.keyring, booking["id"].integer(), booking.text_or("customer_email"));
}

Result<Author> Feature::author_by_token(store::Session& session, std::int64_t trip_id, std::string_view token) const {
    const auto dot = token.find('.', token_mark.size());
    if (!token.starts_with(token_mark) || dot == std::string_view::npos)
        return errc::invalid_token;
    std::int64_t id = 0;
    std::from_chars(token.data() + token_mark.size(), token.data() + dot, id);
    const auto booking = booking::Service::read(session, id);
    if (!booking || booking->trip_id != trip_id || !site_.keyring->any([&](const crypto::Keyring& one) {
            return crypto::equal(review_token(one, booking->id, booking->email), token);
        }))
        return errc::invalid_token;
    const bool is_over = booking->status == booking::status::completed ||
                         (booking->status == booking::status::confirmed && booking->end_date < today());
    if (!is_over)
        return errc::booking_required;
    return Author{.key = "m:" + text::folded(booking->email),
                  .name = text::clean(booking->first_name + " " + booking->last_name),
                  .email = booking->email,
                  .user_id = booking->user_id,
                  .customer_id = booking->customer_id,
                  .booking_id = booking->id};
}

Result<Value> Feature::ask_for_reviews(Instant now) const {
    const auto days = site_.settings.integer("review_reminder_days");
    std::int64_t asked = 0;
    if (days == 0 || !takes_reviews())
        return Value::object({{"asked", asked}});
    const Instant until = now.minus(std::chrono::hours(24 * days));
    const auto due = site_.store.reading<std::vector<std::int64_t>>([&](store::Session& session) {
        return Repository::to_ask(session, until.minus(asked_within), until, most_asked);
    });
    for (const std::int64_t id : due) {
        const auto done = site_.store.transact<bool>([&](store::Transaction& tx) -> Result<bool> {
            const auto booking = booking::Service::read(tx, id);
            if (!booking || !Repository::claim_request(tx, id, now))
                return false;
            const Author author{.key = booking->user_id ? "u:" + std::to_string(*booking->user_id)
                                                        : "m:" + text::folded(booking->email),
                                .email = booking->email,
                                .user_id = booking->user_id,
                                .booking_id = id};
            if (booking->email.empty() || Repository::written_by(tx, booking->trip_id, author) ||
                !trips_.published(booking->trip_id))
                return false;
            site_.hooks.emit(tx, review_request_due, {id, booking::to_json(*booking)});
            return true;
        });
        if (!done)
            return done.error();
        asked += *done ? 1 : 0;
    }
    return Value::object({{"asked", asked}});
}

}  // namespace svc::reviews
