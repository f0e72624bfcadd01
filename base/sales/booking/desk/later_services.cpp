// Adds to a price what later services cost, instead of making the price again: dates and discounts have changed since.
#include "base/sales/booking/desk/later_services.hpp"

#include <algorithm>

#include "base/sales/booking/record/changes.hpp"
#include "base/sales/booking/record/deadline.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/booking/record/price.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "base/sales/pricing/hooks.hpp"
#include "base/sales/pricing/settings.hpp"
#include "base/sales/pricing/tax.hpp"
#include "shared/core/exact_money.hpp"

namespace svc::booking {
namespace {

using json::Value;

Money money_in(const Value& value, const Money& otherwise) {
    const auto amount =
        value.is_number() ? Money::parse(value.number_text(), otherwise.currency()) : Result<Money>(errc::not_found);
    return amount ? *amount : otherwise;
}

Value context_of(const Booking& booking, const pricing::Services& services) {
    Value selected = Value::object();
    for (const auto& [service, quantity] : services)
        selected.set(std::to_string(service), quantity);
    return Value::object({{"trip_id", booking.trip_id},
                          {"travel_date", booking.travel_date},
                          {"departure_time", booking.departure_time},
                          {"travelers_count", booking.travelers_count},
                          {"traveler_counts", booking.traveler_counts},
                          {"payment_method", booking.payment_method},
                          {"currency", booking.currency.code()},
                          {"duration_days", booking.end_date.days() - booking.travel_date.days() + 1},
                          {"selected_services", std::move(selected)},
                          {"country", booking.country},
                          {"availability_id", booking.departure_id},
                          {"customer", Value::object({{"user_id", booking.user_id}, {"email", booking.email}})},
                          {"booking_id", booking.id},
                          {"adds", true}});
}

// What percentages are of.
Money base_of(const Booking& booking, const Value& quote) { return money_in(quote["base_amount"], booking.subtotal); }

// Sold at once with what the booking has, they would have had these taxes.
pricing::Terms taxes_in(const Value& calculation, bool inclusive) {
    pricing::Terms terms;
    terms.tax_inclusive = inclusive;
    if (calculation["tax_breakdown"].is_array())
        for (const Value& each : calculation["tax_breakdown"].items())
            if (const auto rate = each["rate"].is_number() ? Rate::parse_percent(each["rate"].number_text())
                                                           : Result<Rate>(errc::not_found))
                terms.taxes.push_back({each.text_or("name"), *rate});
    terms.taxed = !terms.taxes.empty();
    return terms;
}

// By how much each tax grows: the difference of two sums, so that the booking's tax is that of all it has.
std::vector<pricing::TaxLine> growth(const pricing::Terms& terms, const Money& taxable, const Money& more) {
    const auto before = pricing::taxes_of(terms, taxable);
    auto after = pricing::taxes_of(terms, taxable + more);
    for (std::size_t i = 0; i < after.size(); ++i)
        after[i].amount = after[i].amount - before[i].amount;
    return after;
}

void add_to(Value& object, const char* member, const Money& more) {
    object.set(member, money_in(object[member], Money::zero(more.currency())) + more);
}

void add_tax_lines(std::vector<Line>& lines, const std::vector<pricing::TaxLine>& taxes) {
    for (const pricing::TaxLine& tax : taxes) {
        const std::string label = pricing::label_of(tax);
        const auto known = std::find_if(lines.begin(), lines.end(),
                                        [&](const Line& line) { return line.kind == "tax" && line.label == label; });
        if (known != lines.end())
            known->unit = known->amount = known->amount + tax.amount;
        else if (!tax.amount.is_zero())
            lines.push_back({"tax", label, 1, tax.amount, tax.amount});
    }
}

// After the services that it has, before its taxes.
void add_lines(std::vector<Line>& lines, const std::vector<Line>& more) {
    auto place = std::find_if(lines.begin(), lines.end(), [](const Line& line) { return line.kind == "tax"; });
    lines.insert(place, more.begin(), more.end());
}

// One entry a service: a booking has each once. An earlier price shows in the lines.
void add_entries(Value& kept, const Value& added, const Money& nothing) {
    if (!kept.is_array())
        kept = Value::array();
    for (Value entry : added.items()) {
        for (const char* of_the_offer : {"stock_left", "is_closed"})
            entry.erase(of_the_offer);
        const auto id = entry.maybe_integer("id");
        const auto known = std::find_if(kept.items().begin(), kept.items().end(),
                                        [&](const Value& each) { return id && each.maybe_integer("id") == id; });
        if (known == kept.items().end()) {
            kept.push(std::move(entry));
            continue;
        }
        entry.set("quantity",
                  known->maybe_integer("quantity").value_or(1) + entry.maybe_integer("quantity").value_or(1));
        entry.set("calculated_price",
                  money_in((*known)["calculated_price"], nothing) + money_in(entry["calculated_price"], nothing));
        *known = std::move(entry);
    }
}

void add_taxes(Value& quote, const std::vector<pricing::TaxLine>& taxes, const Money& sum, bool inclusive) {
    Value calculation = quote["tax_calculation"].is_object() ? quote["tax_calculation"] : Value::object();
    Value breakdown = calculation["tax_breakdown"].is_array() ? calculation["tax_breakdown"] : Value::array();
    for (const pricing::TaxLine& tax : taxes) {
        const auto known = std::find_if(breakdown.items().begin(), breakdown.items().end(), [&](const Value& each) {
            return each.text_or("name") == tax.name && each["rate"] == Value(tax.rate);
        });
        if (known != breakdown.items().end())
            add_to(*known, "amount", tax.amount);
        else
            breakdown.push(Value::object({{"name", tax.name}, {"rate", tax.rate}, {"amount", tax.amount}}));
    }
    calculation.set("tax_breakdown", std::move(breakdown));
    calculation.set("tax_inclusive", inclusive);
    add_to(calculation, "total_tax_amount", sum);
    quote.set("tax_calculation", std::move(calculation));
}

// The ways to pay of a price that has grown; `total` is the price's, whatever staff made of it.
void follow_total(Value& quote, const Money& total) {
    if (!quote["payment_methods"].is_array())
        return;
    Value options = quote["payment_methods"];
    for (Value& option : options.items()) {
        if (!option.is_object() || !option["amount"].is_number())
            continue;
        const auto rate = option["percentage"].is_number() ? Rate::parse_percent(option["percentage"].number_text())
                                                           : Result<Rate>(errc::not_found);
        const Money amount = rate                             ? total.share(*rate)
                             : option.text_or("id") == "full" ? total
                                                              : min(total, money_in(option["amount"], total));
        option.set("amount", amount);
        option.set("balance", total - amount);
    }
    quote.set("payment_methods", std::move(options));
}

Value line_json(const std::string& label, std::int64_t quantity, const Money& amount) {
    return Value::object({{"label", label}, {"quantity", quantity}, {"amount", amount}});
}

// For services_added.
Value to_json(const LaterServices::Added& added) {
    Value lines = Value::array(), taxes = Value::array();
    for (const Line& line : added.lines)
        lines.push(line_json(line.label, line.quantity, line.amount));
    for (const pricing::TaxLine& tax : added.taxes)
        if (!tax.amount.is_zero())
            taxes.push(line_json(pricing::label_of(tax), 1, tax.amount));
    return Value::object({{"row_version", added.booking.row_version},
                          {"currency", added.booking.currency.code()},
                          {"lines", std::move(lines)},
                          {"taxes", std::move(taxes)},
                          {"amount", added.amount()},
                          {"tax_inclusive", added.booking.tax_inclusive}});
}

Result<void> none_closed(const Value& entries, const pricing::Services& services) {
    for (const Value& each : entries.items())
        if (const auto id = each.maybe_integer("id");
            id && services.contains(*id) && each["is_closed"].is_boolean() && each["is_closed"].boolean())
            return invalid("selected_services." + std::to_string(*id),
                           "This service can no longer be added for that date."_sentence);
    return {};
}

}  // namespace

std::optional<Error> LaterServices::why_not(const Booking& booking, bool by_staff) const {
    if (!holds_seats(booking.status) || booking.status == status::pending_verification ||
        booking.status == status::completed)
        return Error{errc::conflict,
                     "Services can be added while a booking holds its seats and its trip is to come."_sentence};
    if (by_staff)
        return std::nullopt;
    if (departure_of(parts_.settings, booking.travel_date, booking.departure_time) <= parts_.clock.now())
        return Error{errc::conflict, "This trip has begun; please write to us."_sentence};
    if (booking.payments_unknown)
        return Error{errc::conflict, "What was paid for this booking is not known yet; please write to us."_sentence};
    return std::nullopt;
}

json::Value LaterServices::offers(const Booking& booking) const {
    const Value quote =
        parts_.store.reading<Value>([&](store::Session& session) { return Repository::quote(session, booking.id); });
    if (!parts_.hooks.filtered(pricing::booking_additional_services.name))
        return Value::array();
    Value context = context_of(booking, {});
    context.set("base_amount", base_of(booking, quote));
    context.set("offered", true);
    return parts_.hooks.apply(pricing::booking_additional_services, Value::array(),
                              {std::move(context), Value::object()});
}

Result<void> LaterServices::accepts(const Booking& booking, const Wanted& wanted) const {
    if (booking.status == status::trash)
        return errc::booking_not_found;
    if (wanted.row_version && *wanted.row_version != booking.row_version)
        return Error{errc::conflict}.with("row_version", std::to_string(booking.row_version));
    if (auto error = why_not(booking, wanted.by_staff))
        return std::move(*error);
    if (wanted.services.empty())
        return invalid("selected_services", "Choose at least one service."_sentence);
    return {};
}

namespace {

void add_to_quote(Value& quote, const auto& added, const Money& taxable_services) {
    if (quote.is_null())
        quote = Value::object();
    add_taxes(quote, added.taxes, added.tax, added.booking.tax_inclusive);
    add_to(quote, "services_total", added.services);
    add_to(quote, "taxable_amount", taxable_services);
    for (const char* sum : {"gross_total", "final_total", "total_amount"})
        add_to(quote, sum, added.amount());
    follow_total(quote, money_in(quote["final_total"], added.booking.total));
}

}  // namespace

Result<LaterServices::Added> LaterServices::priced(const Booking& booking, Value& quote, const Wanted& wanted,
                                                   store::Transaction* tx) const {
    const Money nothing = Money::zero(booking.currency);
    const std::function<bool(std::string_view)> filtered = [&](std::string_view name) {
        return parts_.hooks.filtered(name);
    };
    pricing::Listeners listeners(parts_.hooks, filtered, tx);
    listeners.provide_context([&] { return context_of(booking, wanted.services); });
    pricing::Extras extras{.lines = {},
                           .services = nothing,
                           .taxable_services = nothing,
                           .itinerary = nothing,
                           .services_shown = {},
                           .itinerary_shown = {}};
    pricing::add_services(extras, base_of(booking, quote), listeners);
    SVC_RETURN_IF_ERROR(pricing::all_sold(wanted.services, wanted.services, extras.services_shown));
    if (!wanted.by_staff)
        SVC_RETURN_IF_ERROR(none_closed(extras.services_shown, wanted.services));

    Added added{.booking = booking,
                .entries = std::move(extras.services_shown),
                .lines = {},
                .taxes = {},
                .services = extras.services,
                .tax = nothing};
    for (const pricing::Line& line : extras.lines)
        added.lines.push_back({line.kind, line.label, line.quantity, line.unit_price, line.amount});
    const Money taxable =
        money_in(quote["taxable_amount"], booking.subtotal - booking.discount + booking.services + booking.itinerary);
    pricing::Terms terms = taxes_in(quote["tax_calculation"], booking.tax_inclusive);
    if (!terms.taxed && taxable.is_zero()) {  // nothing was taxed, so the price does not say by which rates
        const auto trip = parts_.trips.published(booking.trip_id);
        terms = pricing::terms_of(
            parts_.settings, [](std::string_view) { return false; },
            {booking.country, trip ? trip->country_code : std::string()}, parts_.clock.now());
        added.booking.tax_inclusive = terms.taxed && terms.tax_inclusive;
    }
    added.taxes = growth(terms, taxable, extras.taxable_services);
    for (const pricing::TaxLine& tax : added.taxes)
        added.tax += tax.amount;
    if (wanted.expected_amount) {
        const auto expected = parse_exact(*wanted.expected_amount, booking.currency);
        if (!expected)
            return invalid("expected_amount", expected.error().message());
        if (*expected != added.amount())
            return Error{errc::price_changed}.with("amount", Value(added.amount()).dump());
    }
    Booking& after = added.booking;
    after.services = booking.services + added.services;
    after.tax = booking.tax + added.tax;
    after.total = booking.total + added.amount();
    if (booking.tax.is_zero())
        for (after.tax_rate = {}; const pricing::TaxLine& tax : added.taxes)
            after.tax_rate.ppm += tax.rate.ppm;

    add_to_quote(quote, added, extras.taxable_services);
    return added;
}

// Nothing paid yet: its part of the higher total is due. Else what was due at first has been paid and stays so; a
// booking that was paid in full gets a day for the rest.
void LaterServices::take_due(store::Session& session, const Booking& before, Booking& after, const Value& quote,
                             Instant now) const {
    if (before.amount_paid.is_zero()) {
        set_pay_now(after, quote);
        if (ports_.payments)
            take_deposit(after, ports_.payments->deposit_of(session, after.payment_gateway));
        return;
    }
    if (!before.balance().is_zero())
        return;
    const auto by = pay_by_of(
        parts_.settings, ports_.payments ? ports_.payments->time_to_pay(session, after.payment_gateway) : TimeToPay{},
        after, now);
    after.pay_by = by;
    after.pay_now = min(before.amount_paid, after.total);
    after.rest_on = by ? std::min(parts_.settings.zone().date_at(*by), after.travel_date) : after.travel_date;
}

Result<LaterServices::Added> LaterServices::preview(std::int64_t id, const Wanted& wanted) const {
    Value quote;
    const auto booking = parts_.store.reading<std::optional<Booking>>([&](store::Session& session) {
        quote = Repository::quote(session, id);
        return Repository::find(session, id);
    });
    if (!booking)
        return errc::booking_not_found;
    SVC_RETURN_IF_ERROR(accepts(*booking, wanted));
    const Instant now = parts_.clock.now();
    SVC_ASSIGN_OR_RETURN(auto added, priced(*booking, quote, wanted, nullptr));
    parts_.store.read([&](store::Session& session) { take_due(session, *booking, added.booking, quote, now); });
    return added;
}

Result<LaterServices::Added> LaterServices::add(std::int64_t id, const Wanted& wanted, const Actor& actor) {
    return parts_.store.transact<Added>([&](store::Transaction& tx) -> Result<Added> {
        const Instant now = parts_.clock.now();
        const auto locked = Service::lock(tx, id);  // its seats stay as they are
        if (!locked)
            return errc::booking_not_found;
        const Booking& before = *locked;
        SVC_RETURN_IF_ERROR(accepts(before, wanted));
        Value quote = Repository::quote(tx, id);
        SVC_ASSIGN_OR_RETURN(auto added, priced(before, quote, wanted, &tx));
        take_due(tx, before, added.booking, quote, now);
        quote.set("amount_due", added.booking.pay_now);

        std::vector<Line> lines = Repository::lines(tx, id, before.currency);
        add_lines(lines, added.lines);
        add_tax_lines(lines, added.taxes);
        Repository::replace_lines(tx, id, lines);

        Value kept = quote["additional_services"];
        if (kept.size() == 0)  // a booking of before has them in their module alone
            kept = parts_.hooks.apply(get_services, Value::array(), {id}, &tx);
        add_entries(kept, added.entries, Money::zero(before.currency));
        quote.set("additional_services", kept);
        Repository::set_quote(tx, id, quote);
        static_cast<void>(parts_.hooks.apply(services_kept, kept, {id}, &tx));
        parts_.hooks.emit(tx, save_services, {id, kept});

        Repository::update(tx, added.booking, now);
        if (before.total.is_zero())  // it is to be paid from now on
            Repository::set_payable(
                tx, id, now,
                pay_by_of(parts_.settings,
                          ports_.payments ? ports_.payments->time_to_pay(tx, before.payment_gateway) : TimeToPay{},
                          added.booking, now));
        parts_.hooks.emit(tx, booking_updated, {id});
        if (ports_.payments)
            SVC_RETURN_IF_ERROR(ports_.payments->reckon(tx, added.booking, now));
        if (added.booking.amount_paid <= added.booking.total && before.attention_reason == "overpaid")
            Repository::unflag(tx, id, now);
        added.booking = Repository::find(tx, id).value();
        log_changes(tx, before, added.booking, actor, now);
        static_cast<void>(parts_.hooks.apply(services_added, to_json(added), {id}, &tx));
        return added;
    });
}

}  // namespace svc::booking
