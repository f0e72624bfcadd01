// Creates a booking: all checks without a lock first, then one short transaction.
#include "base/people/customers/service.hpp"
#include "base/people/identity/proven.hpp"
#include "base/people/identity/tokens.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/sales/booking/cancellation/agreed.hpp"
#include "base/sales/booking/checkout/creator.hpp"
#include "base/sales/booking/checkout/repository.hpp"
#include "base/sales/booking/checkout/seat_share.hpp"
#include "base/sales/booking/form/files.hpp"
#include "base/sales/booking/form/form.hpp"
#include "base/sales/booking/record/deadline.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/booking/record/payment_plan.hpp"
#include "base/sales/booking/record/price.hpp"
#include "base/sales/booking/record/seats.hpp"
#include "base/sales/booking/record/verification.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "base/sales/pricing/wire.hpp"
#include "shared/core/exact_money.hpp"

namespace svc::booking {
namespace {

constexpr std::string_view reference_alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

// Answered as a reply, carried out of the transaction as an error: the caller answers the booking made before.
const Error already_made{errc::conflict, "This session has already been booked."_sentence};

// Others prove the booking by its token.
bool owns(const api::Caller& caller, const Booking& booking) {
    return identity::is_proven(caller) && booking.user_id == caller.user_id;
}

template <class T>
bool is_sold_out(const Result<T>& result) {
    return !result && result.error().code().name == errc::sold_out.name;
}

// The amount that staff report as received.
std::optional<Money> received_by(const NewBooking& draft, const Booking& booking) {
    if (!draft.by_staff)
        return std::nullopt;
    if (draft.payment_status == "paid")
        return booking.balance();
    const auto paid = draft.paid ? parse_exact(*draft.paid, booking.total.currency()) : Result<Money>(errc::not_found);
    return paid && !paid->is_zero() ? std::optional(*paid) : std::nullopt;
}

// The booking as it is asked for, without price, status and times.
Booking requested(const catalog::trips::Trip& trip, const customers::Contact& contact, const CheckoutSession& chosen,
                  const NewBooking& draft) {
    Booking booking;
    booking.trip_id = trip.id;
    booking.trip_title = trip.title;
    booking.trip_slug = trip.slug;
    booking.user_id = contact.user_id;
    booking.first_name = contact.first_name;
    booking.last_name = contact.last_name;
    booking.email = contact.email;
    booking.phone = contact.phone;
    booking.country = contact.country;
    booking.travel_date = *chosen.travel_date;
    booking.end_date = chosen.travel_date->plus_days(static_cast<std::int32_t>(trip.length() - 1));
    booking.special_requests = draft.special_requests;
    booking.internal_notes = draft.internal_notes;
    booking.source = draft.source;
    booking.locale = draft.locale;
    return booking;
}

// Compares the current price with the one the customer saw and accepted.
Result<void> check_expected_price(const NewBooking& draft, const pricing::Quote& quote, const settings::Look& look) {
    if (const Error* fault = quote.code_fault())
        return as_field_error(*fault);
    if (draft.expected_total) {
        const auto expected = parse_exact(*draft.expected_total, quote.total.currency());
        if (!expected)
            return invalid("expected_total", expected.error().message());
        if (*expected != quote.total)
            return Error{errc::price_changed}.with("quote", pricing::summary_of(quote, look).dump());
    }
    return {};
}

}  // namespace

Result<CreatedBooking> Creator::repeat(const CheckoutSession& session, const api::Caller& caller) {
    // The session's secret proves the same as the booking's token: its holder gets a new token.
    return parts_.store.transact<CreatedBooking>([&](store::Transaction& tx) -> Result<CreatedBooking> {
        auto booking = Repository::find(tx, session.booking_id.value());
        if (!booking)
            return errc::booking_not_found;
        CreatedBooking earlier{.booking = std::move(*booking), .booking_token = {}, .repeated = true};
        // A cancellation or a new address that ended the booking's tokens also ended this way to them.
        if (!owns(caller, earlier.booking) && earlier.booking.status != status::trash &&
            !identity::tokens::was_revoked(tx, "booking_guest", "booking", earlier.booking.id))
            earlier.booking_token = identity::tokens::issue(tx, "booking_guest", "booking", earlier.booking.id,
                                                            parts_.clock.now(), guest_token_lifetime);
        earlier.expires_at = records_.expires_at(tx, earlier.booking);
        return earlier;
    });
}

Result<Creator::CheckedBooking> Creator::check_booking(std::string_view secret, const NewBooking& asked_for,
                                                       const api::Caller& caller) const {
    SVC_ASSIGN_OR_RETURN(auto checked, this->check_request(secret, asked_for, caller));
    CheckedBooking ready{.request = std::move(checked), .form = {}, .quote = {}};
    if (ready.request.session && ready.request.session->status == "converted")
        return ready;
    CheckoutSession& chosen = ready.request.chosen;
    NewBooking& draft = ready.request.draft;
    if (chosen.trip_id && !parts_.trips.published(*chosen.trip_id))
        return errc::trip_not_found;
    SVC_ASSIGN_OR_RETURN(auto customer_form, check_answers(ready.request));
    ready.form = std::move(customer_form);

    // Reports sold out, closed or changed prices before anything is locked.
    auto quote = offers_.quote_for_display(chosen, {.by_staff = draft.by_staff, .forced = draft.forced});
    ready.waiting = draft.join_waitlist && is_sold_out(quote);
    if (ready.waiting) {
        // Nothing is paid while one waits, so there is nothing to choose about paying either.
        chosen.payment_method = "full";
        chosen.method_chosen = false;
        quote = parts_.store.reading<Result<pricing::Quote>>([&](store::Session& reading) -> Result<pricing::Quote> {
            auto found = offers_.priced(reading, chosen, draft.by_staff, true);
            return found ? Result<pricing::Quote>(std::move(found->quote)) : found.error();
        });
    }
    if (!quote)
        return offers_.with_waitlist_hint(quote.error(), chosen);
    if (static_cast<std::int64_t>(draft.travelers.size()) > quote->travelers)
        return invalid("travelers", "There are more travelers than the booking is priced for."_sentence);
    SVC_RETURN_IF_ERROR(form::check_categories(draft.travelers,
                                               pricing::to_wire(quote->traveler_counts, quote->travelers),
                                               forms_.categories_of(*chosen.trip_id)));
    SVC_RETURN_IF_ERROR(check_expected_price(draft, *quote, settings::look_of(parts_.settings)));
    ready.quote = std::move(*quote);
    return ready;
}

Result<pricing::Quote> Creator::check(std::string_view secret, const NewBooking& draft, const api::Caller& caller) {
    SVC_ASSIGN_OR_RETURN(auto ready, check_booking(secret, draft, caller));
    if (!ready.quote)
        return already_made;
    return std::move(*ready.quote);
}

Result<CreatedBooking> Creator::create(std::string_view secret, const NewBooking& asked_for, const api::Caller& caller,
                                       const Finally& finally) {
    SVC_ASSIGN_OR_RETURN(auto ready, check_booking(secret, asked_for, caller));
    const std::optional<CheckoutSession>& session = ready.request.session;
    if (!ready.quote)
        return repeat(*session, caller);
    CheckoutSession& chosen = ready.request.chosen;
    NewBooking& draft = ready.request.draft;
    const auto& customer_form = ready.form;
    const auto& quote = ready.quote;
    const bool waiting = ready.waiting;
    if (!waiting && !draft.by_staff && ports_.gateways)
        SVC_RETURN_IF_ERROR(ports_.gateways->allows(draft.gateway, quote->amount_due));

    Accounts::Create makes_account;
    if (draft.account_password && !draft.by_staff && !caller.is_user() && ports_.accounts) {
        SVC_ASSIGN_OR_RETURN(auto prepared, ports_.accounts->prepare(draft.contact, *draft.account_password));
        makes_account = std::move(prepared);
    }
    const auto work = [&](store::Transaction& tx) -> Result<CreatedBooking> {
        if (makes_account)
            SVC_RETURN_IF_ERROR(makes_account(tx));
        auto booked = book(tx, session, chosen, draft, *customer_form, caller, waiting);
        if (booked && draft.by_staff) {
            SVC_ASSIGN_OR_RETURN(auto finished,
                                 finish_for_staff(tx, booked->booking.id, draft, caller, parts_.clock.now()));
            booked->booking = std::move(finished);
        }
        if (booked && finally)
            finally(tx, *booked);
        return booked;
    };
    const auto transacted = [&]() -> Result<CreatedBooking> {
        try {
            return parts_.store.transact<CreatedBooking>(work);
        } catch (const store::UniqueViolation&) {
            if (!makes_account)
                throw;
            return parts_.store.transact<CreatedBooking>(work);  // the account was made elsewhere at the same moment
        }
    };
    auto result = transacted();
    // Another request may have turned this very session into a booking while we worked.
    if (!result && session && result.error().code().name == already_made.code().name)
        if (auto now = parts_.store.reading<Result<CheckoutSession>>(
                [&](store::Session& reading) { return sessions_.live(reading, secret, caller); });
            now && now->status == "converted")
            return repeat(*now, caller);
    // Another buyer took the last seats meanwhile: joins the waitlist if requested.
    if (!waiting && draft.join_waitlist && is_sold_out(result))
        return create(secret, draft, caller, finally);
    if (!result)
        return offers_.with_waitlist_hint(result.error(), chosen);
    return result;
}

Result<std::int64_t> Creator::seat(store::Transaction& tx, const catalog::trips::Trip& trip,
                                   const availability::Bookable& date, const Booking& booking, const NewBooking& draft,
                                   Instant now) {
    if (booking.status == status::waitlist)
        return parts_.availability.waitlist.join(tx, trip, booking.travel_date, booking.departure_time, booking.id,
                                                 seats_of(booking, parts_.settings), now);
    availability::Seats::Hold hold{.by_staff = draft.by_staff, .forced = draft.forced};
    if (booking.status == status::pending_verification)
        hold.until = now.plus(Verification::lifetime(parts_.hooks, booking.id));
    return parts_.availability.seats.take(tx, trip, date, booking.id, seats_of(booking, parts_.settings), now, hold);
}

Result<customers::Customer> Creator::customer_of(store::Transaction& tx, customers::Contact& contact,
                                                 const NewBooking& draft, std::int64_t trip_id,
                                                 const api::Caller& caller, Instant now) {
    contact = draft.contact;
    if (!draft.by_staff)
        contact.user_id = acting_user_of(tx, contact, trip_id, caller);
    contact.by_staff = draft.by_staff;
    contact.wants_newsletter = draft.newsletter;
    customers::Customer customer = customers::Service::of(tx, parts_.hooks, contact, now);
    if (customer.is_blocked() ||
        (!draft.by_staff && contact.user_id && customers::Service::is_blocked(tx, contact.email, contact.user_id)))
        return errc::customer_blocked;
    return customer;
}

Result<std::vector<Line>> Creator::set_price(store::Transaction& tx, Booking& booking, const NewBooking& draft,
                                             const pricing::Quote& quote, Instant now) {
    // The booking uses the quote after the listeners, for seats and balance too.
    take_price(booking, quote);
    if (booking.status == status::waitlist) {  // also where others must pay a part first
        booking.payment_method = "full";
        booking.pay_now = booking.total;
    }
    std::vector<Line> lines = lines_of(quote);
    if (draft.by_staff && draft.total) {
        const auto total = parse_exact(*draft.total, quote.total.currency());
        if (!total)
            return invalid("total", total.error().message());
        SVC_RETURN_IF_ERROR(set_total(booking, lines, *total, quote.shown, draft.by_hand.tax_amount.has_value()));
    }
    if (ports_.payments)
        take_deposit(booking, ports_.payments->deposit_of(tx, booking.payment_gateway));
    booking.payment_status = booking.total.is_zero() ? "paid" : "pending";
    // Of one that waits or is not proven yet it is fixed when it can be paid (Lifecycle).
    if (booking.status == status::pending && !booking.total.is_zero())
        booking.pay_by = pay_by_of(
            parts_.settings, ports_.payments ? ports_.payments->time_to_pay(tx, booking.payment_gateway) : TimeToPay{},
            booking, now);
    return lines;
}

void Creator::store_answers(store::Transaction& tx, std::int64_t id, std::int64_t session_id, const NewBooking& draft,
                            const json::Value& customer_form, Instant now) const {
    if (draft.travelers.size() > 0)
        Repository::insert_travelers(tx, id, draft.travelers, sealing_);
    if (draft.contact_data.size() + draft.emergency.size() > 0 || draft.newsletter || draft.terms_accepted)
        Repository::set_answers(tx, id,
                                {.contact_data = draft.contact_data,
                                 .emergency_contact = draft.emergency,
                                 .newsletter_optin = draft.newsletter,
                                 .terms_accepted_at = draft.terms_accepted ? std::optional(now) : std::nullopt},
                                sealing_);
    if (const auto files = form::named_files(
            customer_form, {.contact = draft.contact_data, .emergency = draft.emergency, .travelers = draft.travelers});
        !files.empty())
        form::FileRepository::keep(tx, session_id, id, files);
}

Result<CreatedBooking> Creator::book(store::Transaction& tx, const std::optional<CheckoutSession>& session,
                                     const CheckoutSession& chosen, const NewBooking& draft,
                                     const Forms::CustomerForm& customer_form, const api::Caller& caller,
                                     bool waiting) {
    const Instant now = parts_.clock.now();
    SVC_ASSIGN_OR_RETURN(const auto found, offers_.priced(tx, chosen, draft.by_staff, waiting, draft.forced));
    const pricing::Quote& quote = found.quote;
    SVC_RETURN_IF_ERROR(check_expected_price(draft, quote, settings::look_of(parts_.settings)));
    const auto trip = parts_.trips.published(*chosen.trip_id);
    if (!trip)
        return errc::trip_not_found;

    customers::Contact contact;
    SVC_ASSIGN_OR_RETURN(const auto customer, customer_of(tx, contact, draft, trip->id, caller, now));
    // Only a signed-in owner has proven an address. Anybody else just names one, and whether an account has proven it
    // must not show.
    const bool unproven =
        !draft.by_staff && !identity::is_proven(caller) && parts_.settings.flag("require_guest_email_verification");
    Booking booking = requested(*trip, contact, chosen, draft);
    booking.customer_id = customer.id;
    booking.departure_time = found.date.time;  // the date's time, if it has one
    booking.currency = quote.total.currency();
    booking.payment_gateway = waiting ? default_gateway : draft.gateway;
    booking.status = std::string(waiting    ? status::waitlist
                                 : unproven ? status::pending_verification
                                            : status::pending);
    booking.created_at = booking.updated_at = now;
    booking.entered_afterwards = draft.by_staff && *chosen.travel_date < parts_.settings.zone().date_at(now);
    SVC_ASSIGN_OR_RETURN(const auto lines, set_price(tx, booking, draft, quote, now));
    const std::int64_t form_id = forms_.store_form(tx, customer_form, now);
    do {
        booking.reference = "SVC-" + crypto::random_code(8, reference_alphabet);
    } while (!Repository::insert(tx, booking, quote.shown, form_id));
    Repository::insert_lines(tx, booking.id, lines);
    AgreedCancellations::insert(tx, booking.id, cancellation_offered(tx, trip->id, booking.currency, parts_.settings));
    store_answers(tx, booking.id, session ? session->id : 0, draft, *customer_form, now);
    offers_.store_services(tx, booking.id, quote);
    keep_last_day(
        tx, booking,
        planned(parts_.hooks, money_terms_of(booking),
                {.booking_id = booking.id, .trip_id = trip->id, .travel_date = booking.travel_date, .is_agreed = true},
                &tx));
    if (session && !SessionRepository::convert(tx, session->id, booking.id))
        return already_made;
    // Last, because every other buyer of the date waits for this row.
    SVC_ASSIGN_OR_RETURN(const auto departure, seat(tx, *trip, found.date, booking, draft, now));
    booking.departure_id = departure;
    SVC_RETURN_IF_ERROR(claim_share(tx, booking, draft.client, parts_.settings.integer("unpaid_seats_share")));
    if (booking.status != status::waitlist && !consumes_seats(parts_.hooks, tx, booking.status)) {
        parts_.availability.seats.release(tx, booking.id, "hold_lapsed", now);
        booking.departure_id.reset();
    }
    SVC_RETURN_IF_ERROR(offers_.hold_discounts(tx, quote, booking, now));
    return announce(tx, std::move(booking), draft, caller, departure, now);
}

Result<CreatedBooking> Creator::announce(store::Transaction& tx, Booking booking, const NewBooking& draft,
                                         const api::Caller& caller, std::int64_t departure_id, Instant now) {
    CreatedBooking result{.booking = std::move(booking), .booking_token = {}};
    // The expiry is known here without reading a row.
    result.expires_at = result.booking.status == status::pending_verification
                            ? std::optional(now.plus(Verification::lifetime(parts_.hooks, result.booking.id)))
                            : records_.unpaid_until(tx, result.booking);
    if (!draft.by_staff && !owns(caller, result.booking))
        result.booking_token =
            identity::tokens::issue(tx, "booking_guest", "booking", result.booking.id, now, guest_token_lifetime);
    const bool undecided = result.booking.status == status::pending && draft.status.empty();
    const bool confirms = undecided && ports_.gateways && ports_.gateways->confirms_new(tx, result.booking);
    const auto received = undecided && !confirms && ports_.payments ? received_by(draft, result.booking) : std::nullopt;
    const bool will_be = confirms || (received && ports_.payments->confirms(tx, result.booking, *received));
    // The final status: a booking confirmed at once needs no mail about its receipt.
    json::Value record = to_json(result.booking);
    for (const char* name : {"status", "booking_status"})
        if (will_be || !draft.status.empty())
            record.set(name, will_be ? std::string(status::confirmed) : draft.status);
    json::Array arguments{result.booking.id};
    arguments.push_back(std::move(record));
    parts_.hooks.emit(tx, booking_created, std::move(arguments));
    if (result.booking.status == status::waitlist) {
        parts_.availability.waitlist.promote(tx, departure_id, now);
        result.booking = Repository::find(tx, result.booking.id).value();
        result.expires_at = records_.expires_at(tx, result.booking);
    } else if (confirms) {
        SVC_RETURN_IF_ERROR(records_.lifecycle().change(tx, result.booking, status::confirmed, Cause::payment,
                                                        {.kind = "system", .through = "checkout"}, "made", now));
        result.booking = Repository::find(tx, result.booking.id).value();
        result.expires_at.reset();
    }
    return result;
}

}  // namespace svc::booking
