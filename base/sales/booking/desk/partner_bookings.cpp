// Quotes, holds, confirms and cancels for a plugin.
#include "base/sales/booking/desk/partner_bookings.hpp"

#include "base/people/identity/capabilities.hpp"
#include "base/sales/booking/checkout/checkout_parts.hpp"
#include "base/sales/booking/record/locks.hpp"
#include "base/sales/booking/record/wire.hpp"

namespace svc::booking {
namespace {

// Carries the error of `also` out of the transaction that it ends.
struct Ended : std::runtime_error {
    explicit Ended(Error why) : std::runtime_error("a plugin ended its booking"), error(std::move(why)) {}
    Error error;
};

Actor actor_of(const PartnerBookings::By& by) {
    return {.kind = by.cause == Cause::channel    ? "channel"
                    : by.cause == Cause::customer ? "customer"
                                                  : "system",
            .through = by.name};
}

const api::Caller& system_caller() {
    static const api::Caller caller{.kind = api::Caller::Kind::user,
                                    .login = "system",
                                    .email = {},
                                    .capabilities = *identity::capabilities_of("administrator"),
                                    .session_key = {}};
    return caller;
}

Result<pricing::Quote> priced(const Offers& offers, Choice choice) {
    if (choice.fault)
        return *choice.fault;
    SVC_ASSIGN_OR_RETURN(choice, offers.named(std::move(choice)));
    if (!choice.trip_id)
        return missing("trip_id");
    if (!choice.travel_date)
        return missing("travel_date");
    CheckoutSession chosen;
    apply_choice(chosen, choice);
    return offers.quote_for_display(chosen, {});
}

}  // namespace

json::Value PartnerBookings::described(store::Session& session, const Booking& booking) const {
    json::Value value = to_json(booking);
    value.set("expires_at", records_.expires_at(session, booking));
    return value;
}

Result<json::Value> PartnerBookings::quote(const json::Value& wanted) const {
    SVC_ASSIGN_OR_RETURN(const auto body, checkout_choice_fields().check(wanted));
    SVC_ASSIGN_OR_RETURN(auto quote, priced(offers_, choice_of(body)));
    return std::move(quote.shown);
}

Result<json::Value> PartnerBookings::hold(const json::Value& wanted, const By& by, const Also& also) {
    api::Request request;
    request.caller = system_caller();
    SVC_ASSIGN_OR_RETURN(request.body, create_fields().check(wanted));
    NewBooking draft = draft_of(request);
    // Staff may book later and beyond the site's rules; a partner sells what the site sells.
    SVC_RETURN_IF_ERROR(priced(offers_, draft.choice));
    if (auto faults = desk_.faults_at_desk(draft); !faults.empty()) {
        Error error{errc::validation_error, faults.front().sentence};
        for (auto& fault : faults)
            error.at(std::move(fault.field), std::move(fault.sentence));
        return error;
    }
    draft.source = by.cause == Cause::channel ? "channel" : "api";
    draft.made_by = actor_of(by);
    draft.internal_notes = wanted.text_or("internal_notes");
    json::Value made;
    try {
        SVC_RETURN_IF_ERROR(
            creator_.create("", draft, system_caller(), [&](store::Transaction& tx, const CreatedBooking& created) {
                made = described(tx, created.booking);
                if (!also)
                    return;
                if (const auto followed = also(tx, made); !followed)
                    throw Ended(followed.error());
            }));
    } catch (const Ended& ended) {
        return ended.error;
    }
    return made;
}

Result<json::Value> PartnerBookings::confirm(store::Transaction& tx, std::int64_t id, const By& by) {
    // A channel has no row of its own for it: it confirms as staff do, and the log names it.
    return change(tx, id, status::confirmed, Cause::staff, by);
}

Result<json::Value> PartnerBookings::cancel(store::Transaction& tx, std::int64_t id, const By& by) {
    return change(tx, id, status::cancelled, by.cause, by);
}

Result<json::Value> PartnerBookings::change(store::Transaction& tx, std::int64_t id, std::string_view to, Cause cause,
                                            const By& by) {
    const Instant now = clock_.now();
    const auto booking = lock_with_seats(tx, id);
    if (!booking || booking->status == status::trash)
        return errc::booking_not_found;
    SVC_RETURN_IF_ERROR(records_.lifecycle().change(tx, *booking, to, cause, actor_of(by), by.reason, now));
    if (to == status::cancelled && booking->status != status::cancelled && by.cause != Cause::staff &&
        !booking->amount_paid.is_zero())
        Service::flag(tx, id,
                      by.cause == Cause::channel ? "cancelled by its channel after paying"
                                                 : "cancelled by the customer after paying",
                      now);
    return described(tx, Service::read(tx, id).value());
}

}  // namespace svc::booking
