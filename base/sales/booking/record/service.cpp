// Bookings as callers see them, and what payments write into them.
#include "base/sales/booking/record/service.hpp"

#include "base/sales/booking/record/cancelling.hpp"
#include "base/sales/booking/record/deadline.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/booking/record/meeting.hpp"
#include "base/sales/booking/record/payment_plan.hpp"
#include "base/sales/booking/record/repository.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "shared/api/guided.hpp"

namespace svc::booking {
namespace {

// Of a detail's terms, with the plan of their rest.
json::Value with_plan(const hooks::Hooks& hooks, const json::Value& terms, const Booking& booking,
                      store::Transaction* tx = nullptr) {
    return to_json(planned(hooks, money_terms_from(terms).value(),
                           {.booking_id = booking.id, .travel_date = booking.travel_date}, tx));
}

}  // namespace

Booking Service::set_paid(store::Transaction& tx, const Booking& booking, const Money& paid,
                          std::string_view payment_status, Instant now) {
    Repository::set_paid(tx, booking.id, paid, payment_status, now);
    parts_.hooks.emit(tx, booking_updated, {booking.id});
    Booking after = booking;
    after.amount_paid = paid;
    after.payment_status = payment_status;
    after.row_version = booking.row_version + 1;
    after.updated_at = now;
    return after;
}

std::optional<Booking> Service::find(std::int64_t id) const {
    return parts_.store.reading<std::optional<Booking>>(
        [&](store::Session& session) { return Repository::find(session, id); });
}

std::optional<Booking> Service::seen(std::int64_t id, const api::Caller& staff) const {
    if (!api::may_read_bookings(staff))
        return std::nullopt;
    auto booking = find(id);
    const auto guide = api::guided_by(staff);
    const bool is_seen = !guide || parts_.store.reading<bool>([&](store::Session& session) {
        return Repository::is_guided(session, id, *guide);
    });
    return is_seen ? std::move(booking) : std::nullopt;
}

std::optional<Instant> Service::expires_at(store::Session& session, const Booking& booking) const {
    if (booking.status != status::pending && booking.status != status::pending_verification)
        return std::nullopt;
    std::optional<Instant> end = availability::Seats::holds_until(session, booking.id);
    if (booking.status == status::pending_verification)
        return end;
    if (!booking.amount_paid.is_zero() || booking.total.is_zero() ||
        (ports_.payments && ports_.payments->is_awaited(session, booking.id, parts_.clock.now())))
        return std::nullopt;
    if (const auto unpaid = unpaid_until(session, booking))
        end = end ? std::min(*end, *unpaid) : unpaid;
    return end;
}

std::optional<Instant> Service::pay_by(store::Session& session, const Booking& booking) const {
    if (booking.pay_by)
        return booking.pay_by;
    // Made by a release that fixed no deadline.
    return pay_by_of(parts_.settings,
                     ports_.payments ? ports_.payments->time_to_pay(session, booking.payment_gateway) : TimeToPay{},
                     booking, booking.payable_since.value_or(booking.created_at));
}

std::optional<Instant> Service::unpaid_until(store::Session& session, const Booking& booking) const {
    const auto since = Instant::parse(parts_.settings.text("booking_expiry_since"));
    // Bookings from before the sweep's first run never expire by it.
    const bool ends = booking.status == status::pending && booking.amount_paid.is_zero() && !booking.total.is_zero() &&
                      parts_.settings.integer("booking_expiry_hours") > 0 && since && booking.created_at >= *since;
    return ends ? pay_by(session, booking) : std::nullopt;
}

MoneyTerms Service::money_terms(store::Session& session, const Booking& booking) const {
    MoneyTerms terms = money_terms_of(booking);
    if (ports_.payments)
        terms.refunded = ports_.payments->refunded(session, booking);
    terms.paid += terms.refunded;  // the stored amount is after refunds
    if (terms.stage == MoneyTerms::Stage::open && !booking.amount_owed().is_zero()) {
        const auto ends = expires_at(session, booking);
        terms.seats_lapse = ends.has_value();
        terms.due_by = ends ? ends : pay_by(session, booking);
    }
    return terms;
}

std::optional<MoneyTerms> Service::money_terms(std::int64_t id) const {
    return parts_.store.reading<std::optional<MoneyTerms>>([&](store::Session& session) -> std::optional<MoneyTerms> {
        const auto booking = Repository::find(session, id);
        return booking ? std::optional(money_terms(session, *booking)) : std::nullopt;
    });
}

json::Value Service::stored_detail(store::Session& session, const Booking& booking, bool for_staff) const {
    json::Value detail =
        to_detail(booking, Repository::travelers(session, booking.id, &sealing_),
                  Repository::lines(session, booking.id, booking.total.currency()),
                  Repository::particulars(session, booking.id, &sealing_), settings::look_of(parts_.settings));
    detail.set("expires_at", expires_at(session, booking));
    detail.set("meeting", to_json(meeting_of(session, booking)));
    detail.set("payment_terms", to_json(money_terms(session, booking)));
    detail.set("cancellation", cancellation_of(session, booking, parts_.settings, parts_.clock.now()));
    // Its promotion made it payable: others are not looked up.
    detail.set("waitlist_offer", booking.status == status::pending && booking.payable_since.has_value() &&
                                     booking.amount_paid.is_zero() &&
                                     availability::Waitlist::was_promoted(session, booking.id));
    if (for_staff) {
        detail.set("internal_notes", booking.internal_notes);
        detail.set("attention_reason", booking.attention_reason);
        json::Value meta = detail["meta"];
        detail.set("meta", std::move(meta.set("attention_reason", booking.attention_reason)));
        detail.set("status_log", Repository::status_log(session, booking));
    }
    if (ports_.payments)
        ports_.payments->add_payments(session, booking.id, for_staff, detail);
    return detail;
}

json::Value Service::detail(store::Transaction& tx, const Booking& booking, bool for_staff) const {
    json::Value detail = stored_detail(tx, booking, for_staff);
    detail.set("additional_services",
               parts_.hooks.apply(get_services, detail["additional_services"], {booking.id}, &tx));
    detail.set("payment_terms", with_plan(parts_.hooks, detail["payment_terms"], booking, &tx));
    return detail;
}

json::Value Service::detail(const Booking& booking, bool for_staff) const {
    json::Value detail;
    parts_.store.read([&](store::Session& session) { detail = stored_detail(session, booking, for_staff); });
    // After the session is released: a listener may read with its own session.
    detail.set("additional_services", parts_.hooks.apply(get_services, detail["additional_services"], {booking.id}));
    detail.set("payment_terms", with_plan(parts_.hooks, detail["payment_terms"], booking));
    return detail;
}

json::Value Service::record_of(store::Session& session, const Booking& booking) const {
    // Events are stored unencrypted, so encrypted answers are left out.
    json::Value record = to_detail(booking, Repository::travelers(session, booking.id),
                                   Repository::lines(session, booking.id, booking.total.currency()),
                                   Repository::particulars(session, booking.id));
    record.set("internal_notes", booking.internal_notes);
    record.set("attention_reason", booking.attention_reason);
    record.set("status_log", Repository::status_log(session, booking));
    if (ports_.payments)
        ports_.payments->add_payments(session, booking.id, true, record);
    return record;
}

}  // namespace svc::booking
