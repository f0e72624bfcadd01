// Checkout sessions: create, read, change, end, and their price.
#include "base/sales/booking/checkout/sessions.hpp"

#include "base/platform/crypto/crypto.hpp"
#include "base/sales/booking/checkout/draft.hpp"
#include "base/sales/booking/checkout/repository.hpp"
#include "base/sales/booking/record/hooks.hpp"

namespace svc::booking {

void apply_choice(CheckoutSession& session, const Choice& choice) {
    if (choice.trip_id && choice.trip_id != session.trip_id) {
        session.trip_id = choice.trip_id;
        session.travel_date.reset();
        session.departure_time.reset();
        session.travelers = 1;
        session.travelers_chosen = false;
        session.traveler_counts.clear();
        session.coupon_code.clear();
        session.services.clear();
    }
    if (choice.no_date) {
        session.travel_date.reset();
        session.departure_time.reset();
    }
    if (choice.travel_date && choice.travel_date != session.travel_date) {
        session.travel_date = choice.travel_date;
        session.departure_time.reset();
    }
    if (choice.departure_time || choice.no_time)
        session.departure_time = choice.departure_time;
    if (choice.travelers) {
        session.travelers = *choice.travelers;
        session.travelers_chosen = true;
        session.traveler_counts = choice.traveler_counts;
    }
    if (choice.payment_method) {
        session.payment_method = *choice.payment_method;
        session.method_chosen = true;
    }
    if (choice.payment_gateway)
        session.payment_gateway = *choice.payment_gateway;
    if (choice.coupon_code)
        session.coupon_code = *choice.coupon_code;
    if (choice.country)
        session.country = *choice.country;
    if (choice.services)
        session.services = *choice.services;
}

Result<void> Sessions::keepable(const Choice& choice) const {
    if (choice.form_data)
        SVC_RETURN_IF_ERROR(check_draft(*choice.form_data));
    // Whether the method accepts the amount is checked when the booking is created.
    if (choice.payment_gateway && !choice.payment_gateway->empty() && ports_.gateways)
        return ports_.gateways->allows(*choice.payment_gateway, Money::zero(parts_.settings.currency()));
    return {};
}

void Sessions::keep_draft(CheckoutSession& session, const Choice& choice) const {
    if (choice.form_data)
        session.draft = sealing_.seal_whole(*choice.form_data, Sealing::of_session(session.token_hash));
}

Result<CheckoutSession> Sessions::live(store::Session& session, std::string_view secret,
                                       const api::Caller& caller) const {
    if (secret.empty())
        return errc::session_expired;
    auto found = SessionRepository::find(session, crypto::sha256_hex(secret));
    if (!found || found->status == "closed" || found->expires_at <= parts_.clock.now())
        return errc::session_expired;
    // Bound to the account of its first use: a stolen secret is useless to another account.
    if (found->user_id && found->user_id != caller.user_id)
        return errc::session_expired;
    return std::move(*found);
}

bool Sessions::knows(std::string_view secret) {
    return parts_.store.reading<bool>([&](store::Session& session) {
        return SessionRepository::find(session, crypto::sha256_hex(secret)).has_value();
    });
}

bool Sessions::tries_code(std::string_view secret, std::string_view code) {
    if (discounts::code_of(code).empty())
        return false;
    if (secret.empty())
        return true;
    return parts_.store.reading<bool>([&](store::Session& session) {
        const auto found = SessionRepository::find(session, crypto::sha256_hex(secret));
        return found && discounts::code_of(found->coupon_code) != discounts::code_of(code);
    });
}

void Sessions::keep_alive(CheckoutSession& session) {
    const Instant now = parts_.clock.now();
    const Instant expiry = session_expiry(session.created_at, now);
    if (session.expires_at >= now.plus(session_idle) || expiry <= session.expires_at)
        return;
    // A lost renewal only shortens the session.
    auto renewed = parts_.store.write_relaxed([&](store::Transaction& tx) -> Result<void> {
        SessionRepository::renew(tx, session.id, expiry, now);
        return {};
    });
    if (renewed)
        session.expires_at = expiry;
}

void Sessions::add_quote(OpenSession& open) const {
    const CheckoutSession& chosen = open.session;
    if (!chosen.trip_id || !chosen.travel_date)
        return;
    auto quote = offers_.quote_for_display(chosen, {.shown = pricing::Request::Shown::with_session});
    if (quote)
        open.quote = std::move(*quote);
    else
        open.not_for_sale = std::move(quote.error());
}

Result<void> Sessions::check_offer(const CheckoutSession& session, const Choice& choice) const {
    const auto trip = session.trip_id ? parts_.trips.published(*session.trip_id) : nullptr;
    if (!trip || (!choice.services && choice.traveler_counts.empty()))
        return {};
    // Before a day is chosen, one that is priced by category may be.
    const auto date = session.travel_date
                          ? parts_.availability.dates.find_shown(*trip, *session.travel_date, session.departure_time, 1,
                                                                 parts_.clock.now())
                          : Result<availability::Bookable>(errc::not_found);
    const bool by_category = date ? date->traveler_based : !session.travel_date;
    return parts_.pricing.check_offer(*trip, by_category, session.traveler_counts, session.services);
}

OpenSession Sessions::open_session(CheckoutSession session, std::string secret) const {
    OpenSession open{.session = std::move(session), .secret = std::move(secret), .quote = {}};
    const CheckoutSession& chosen = open.session;
    // Each call extends it; the stored time is slightly later.
    open.session.expires_at = std::min(chosen.expires_at, parts_.clock.now().plus(session_idle));
    open.trip = chosen.trip_id ? parts_.trips.published(*chosen.trip_id) : nullptr;
    add_quote(open);
    open.form_data = sealing_.unseal(std::move(open.form_data), chosen.draft, Sealing::of_session(chosen.token_hash));
    if (open.trip && chosen.travel_date)
        if (const auto date = parts_.availability.dates.find_shown(*open.trip, *chosen.travel_date,
                                                                   chosen.departure_time, 1, parts_.clock.now())) {
            open.date_id = date->departure_id ? std::to_string(*date->departure_id)
                           : date->rule_id    ? date->name_by_rule()
                                              : std::string();
            open.traveler_based = date->traveler_based;
        }
    return open;
}

Result<OpenSession> Sessions::open(const Choice& sent, const api::Caller& caller) {
    SVC_ASSIGN_OR_RETURN(const auto known, offers_.named(sent));
    const Choice& choice = known;
    SVC_RETURN_IF_ERROR(keepable(choice));
    const Instant now = parts_.clock.now();
    OpenSession open;
    open.session.created_at = now;
    open.session.expires_at = session_expiry(open.session.created_at, now);
    if (caller.is_user())
        open.session.user_id = caller.user_id;
    apply_choice(open.session, choice);
    if (open.session.trip_id && !parts_.trips.published(*open.session.trip_id))
        return errc::trip_not_found;
    SVC_RETURN_IF_ERROR(check_offer(open.session, choice));
    open.secret = crypto::random_token();
    open.session.token_hash = crypto::sha256_hex(open.secret);
    keep_draft(open.session, choice);
    // Relaxed, here and in choose(): a session holds no seat and no money, and a buyer who loses it in a power cut
    // opens another one. The booking that it becomes is durable.
    auto stored = parts_.store.write_relaxed([&](store::Transaction& tx) -> Result<void> {
        open.session.id = SessionRepository::insert(tx, open.session, now);
        if (open.session.trip_id)
            parts_.hooks.emit(tx, trip_added_to_session, {*open.session.trip_id, open.session.id});
        return {};
    });
    if (!stored)
        return stored.error();
    return open_session(std::move(open.session), std::move(open.secret));
}

Result<OpenSession> Sessions::resume(std::string_view secret, const api::Caller& caller) {
    auto session = parts_.store.reading<Result<CheckoutSession>>(
        [&](store::Session& reading) { return live(reading, secret, caller); });
    if (!session)
        return session.error();
    keep_alive(*session);
    return open_session(std::move(*session));
}

Result<OpenSession> Sessions::choose(std::string_view secret, const Choice& sent, const api::Caller& caller) {
    // Listeners and the calendar read on their own: they run before the transaction.
    CheckoutSession before;
    const bool asks_offer = sent.services || !sent.traveler_counts.empty();
    if (asks_offer || sent.departure_id) {
        auto known = parts_.store.reading<Result<CheckoutSession>>(
            [&](store::Session& reading) { return live(reading, secret, caller); });
        if (!known)
            return known.error();
        before = std::move(*known);
    }
    SVC_ASSIGN_OR_RETURN(const auto named_choice, offers_.named(sent, before.trip_id));
    const Choice& choice = named_choice;
    SVC_RETURN_IF_ERROR(keepable(choice));
    if (asks_offer) {
        apply_choice(before, choice);
        SVC_RETURN_IF_ERROR(check_offer(before, choice));
    }
    const auto changing = [&](store::Transaction& tx) -> Result<CheckoutSession> {
        auto session = live(tx, secret, caller);
        if (!session)
            return session.error();
        if (session->status != "open")
            return Error{errc::conflict, "This session has already been booked."_sentence};
        const auto trip_before = session->trip_id;
        apply_choice(*session, choice);
        keep_draft(*session, choice);
        if (caller.is_user())
            session->user_id = caller.user_id;
        if (session->trip_id && !parts_.trips.published(*session->trip_id))
            return errc::trip_not_found;
        session->expires_at = session_expiry(session->created_at, parts_.clock.now());
        SessionRepository::update(tx, *session);
        if (session->trip_id && session->trip_id != trip_before)
            parts_.hooks.emit(tx, trip_added_to_session, {*session->trip_id, session->id});
        return session;
    };
    SVC_ASSIGN_OR_RETURN(auto changed, parts_.store.transact<CheckoutSession>(changing, store::Durability::relaxed));
    return open_session(std::move(changed));
}

Result<void> Sessions::close(std::string_view secret, const api::Caller& caller) {
    return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        SVC_ASSIGN_OR_RETURN(auto session, live(tx, secret, caller));
        SessionRepository::close(tx, session.id);
        return {};
    });
}

Result<pricing::Quote> Sessions::summary(std::string_view secret, const Choice& sent, const api::Caller& caller) {
    // A price preview names the trip and needs no session.
    const bool is_open = !secret.empty() || !sent.trip_id;
    auto session = is_open ? parts_.store.reading<Result<CheckoutSession>>(
                                 [&](store::Session& reading) { return live(reading, secret, caller); })
                           : Result<CheckoutSession>(CheckoutSession{});
    if (!session)
        return session.error();
    SVC_ASSIGN_OR_RETURN(const auto choice, offers_.named(sent, session->trip_id));
    if (is_open)
        keep_alive(*session);
    else if (caller.is_user())
        session->user_id = caller.user_id;
    apply_choice(*session, choice);
    auto quote = offers_.quote_for_display(*session, {.shown = pricing::Request::Shown::in_summary});
    if (!quote)
        return offers_.with_waitlist_hint(quote.error(), *session);
    return quote;
}

Result<pricing::Quote> Sessions::set_coupon(std::string_view secret, std::string_view code, const api::Caller& caller) {
    auto session = parts_.store.reading<Result<CheckoutSession>>(
        [&](store::Session& reading) { return live(reading, secret, caller); });
    if (!session)
        return session.error();
    if (session->status != "open")
        return Error{errc::conflict, "This session has become a booking."_sentence};
    const Choice choice{.coupon_code = discounts::code_of(code)};
    session->coupon_code = *choice.coupon_code;
    auto quote = offers_.quote_for_display(*session, {.shown = pricing::Request::Shown::with_session});
    if (!quote)
        return quote;
    if (const Error* fault = quote->code_fault())
        return *fault;
    SVC_RETURN_IF_ERROR(choose(secret, choice, caller));
    return quote;
}

}  // namespace svc::booking
