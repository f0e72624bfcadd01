// Booking links: exchange, request by reference and address, renewal.
#include "base/sales/booking/guest/links.hpp"

#include "base/people/identity/tokens.hpp"
#include "base/sales/booking/checkout/session.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "shared/core/mailbox.hpp"
#include "shared/core/text.hpp"

namespace svc::booking {
namespace {

namespace tokens = identity::tokens;

constexpr limits::Limit links_of_network{.burst = 20, .per = std::chrono::hours(1)};
constexpr limits::Limit links_to_mailbox{.burst = 3, .per = std::chrono::minutes(30)};

// Whether its secrets have ended for good, so that its link reads and nothing acts.
bool has_ended(const Booking& booking) { return !is_active(booking.status); }

std::int64_t of_reference(store::Session& session, const std::string& reference) {
    return session.number("SELECT COALESCE(MAX(id), 0) FROM svc_bookings WHERE reference = :reference",
                          {{"reference", reference}});
}

}  // namespace

Result<Links::Opened> Links::open(std::string_view link, std::string_view address) {
    SVC_RETURN_IF_ERROR(tokens::may_try(limits_, address));
    const std::int64_t id = BookingLinks::booking_of(link);
    const auto proof = records_.booking_link(link, id);
    if (proof == Service::LinkProof::foreign) {
        SVC_RETURN_IF_ERROR(tokens::wrong_guess(limits_, address));
        return errc::invalid_token;
    }
    if (proof == Service::LinkProof::ended)
        return errc::token_expired;
    return parts_.store.transact<Opened>([&](store::Transaction& tx) -> Result<Opened> {
        auto booking = Repository::lock(tx, id);
        if (!booking || booking->status == status::trash)
            return errc::invalid_token;
        Opened opened{.booking = std::move(*booking), .booking_token = {}};
        if (has_ended(opened.booking))
            return opened;
        const Instant now = parts_.clock.now();
        opened.booking_token = tokens::issue(tx, "booking_guest", "booking", id, now, guest_token_lifetime);
        opened.expires_at = now.plus(guest_token_lifetime);
        return opened;
    });
}

Result<void> Links::send_again(const std::string& reference, const std::string& email, std::string_view address) {
    const std::string network = limits::network_of(address), folded = text::folded(email);
    SVC_RETURN_IF_ERROR(
        limits::answer_of(limits_.take_strictly({{"booking_link_network", network, links_of_network},
                                                 {"booking_link_mailbox", mailbox_key(email), links_to_mailbox}})));
    // Written whether or not they belong together, so that neither the answer nor its time says it.
    return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        const auto booking = Repository::find(tx, of_reference(tx, reference));
        const bool fits =
            booking && booking->status != status::trash && !folded.empty() && text::folded(booking->email) == folded;
        parts_.hooks.emit(tx, link_wanted, {fits ? booking->id : 0, false});
        return {};
    });
}

Result<Booking> Links::renew(std::int64_t id, bool silently) {
    return parts_.store.transact<Booking>([&](store::Transaction& tx) -> Result<Booking> {
        const auto booking = Repository::lock(tx, id);
        if (!booking)
            return errc::booking_not_found;
        if (booking->status == status::trash)
            return Error{errc::conflict, "The booking is in the trash. Restore it before sending its link."_sentence};
        if (booking->email.empty())
            return Error{errc::conflict,
                         "The booking has no e-mail address. Enter one; its link is sent there."_sentence};
        Service::end_links(tx, id);
        Lifecycle::end_secrets(tx, id, parts_.clock.now());
        if (!silently)
            parts_.hooks.emit(tx, link_wanted, {id, true});
        return *booking;
    });
}

}  // namespace svc::booking
