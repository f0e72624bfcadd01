// From the first part payment to a plan, and what ends or changes one.
#include <algorithm>

#include "pro/scheduled_payments/service.hpp"

namespace svc::pro::scheduled_payments {
namespace {

// Why automatic charges of the booking end; empty: they continue.
std::string_view ends_by(const Owing& booking) {
    if (booking.status == "cancelled" || booking.status == "failed")
        return why::cancelled;
    if (booking.status == "refunded")
        return why::refund;
    if (booking.status == "trash")
        return why::trashed;
    return booking.balance().is_zero() ? why::paid_in_full : std::string_view();
}

// Does not cancel a part that the customer was sent a link for and has paid since.
bool paid_by_link(store::Transaction& tx, ScheduledPayment& row, Instant now) {
    const auto payment =
        row.kind == kind::link ? Repository::last_by_page(tx, row.booking_id) : std::optional<PagePayment>();
    if (!payment || payment->at < row.created_at)
        return false;
    row.status = status::paid;
    row.amount = payment->amount;
    row.payment_id = payment->id;
    Repository::update(tx, row, now);
    return true;
}

// The same of a link for less than the balance.
bool part_paid_by_link(store::Transaction& tx, ScheduledPayment& row, Instant now) {
    const auto payment =
        row.kind == kind::link ? Repository::last_by_page(tx, row.booking_id) : std::optional<PagePayment>();
    return payment && payment->amount.currency() == row.amount.currency() && payment->amount >= row.amount &&
           paid_by_link(tx, row, now);
}

// Two charges of one card on one day, neither tried yet: the earlier one takes both amounts.
void merge(const std::vector<ScheduledPayment>& rows, const std::vector<Date>& dates, std::vector<Money>& amounts) {
    const auto is_fresh = [](const ScheduledPayment& row) { return row.kind == kind::charge && row.attempts == 0; };
    for (std::size_t at = 1; at < rows.size(); ++at)
        for (std::size_t before = 0; before < at; ++before)
            if (dates[before] == dates[at] && is_fresh(rows[before]) && is_fresh(rows[at]) &&
                rows[before].gateway == rows[at].gateway && rows[before].saved_method_id == rows[at].saved_method_id &&
                !amounts[before].is_zero()) {
                amounts[before] += amounts[at];
                amounts[at] = Money::zero(amounts[at].currency());
            }
}

// Paid before their days, the first parts are settled: nothing of them is charged. A failed part leaves more to pay
// than the others come to, which is none of theirs.
bool are_paid_early(const std::vector<ScheduledPayment>& rows, const Money& balance) {
    Money sum = Money::zero(balance.currency());
    for (const ScheduledPayment& row : rows) {
        if (row.kind != kind::charge)
            return false;
        sum += row.amount;
    }
    return sum > balance;
}

void settle_early(store::Transaction& tx, ScheduledPayment& row, Instant now) {
    row.status = status::paid;
    row.payment_id = Repository::last_unplanned(tx, row.booking_id, row.created_at);
    row.last_error.clear();
    row.next_attempt_at.reset();
    Repository::update(tx, row, now);
}

// An agreement by the plan of a trip holds where it was kept late, or the balance is another by now: days that are over
// are tomorrow's, and what is paid settles the first parts.
std::vector<AgreedPart> adapted(const std::vector<AgreedPart>& agreed, const Owing& booking, Date today) {
    const std::vector<Money> left = left_of(booking.balance(), amounts_of(agreed));
    const Date last_day = booking.travel_date.plus_days(-1);
    std::vector<AgreedPart> parts;
    for (std::size_t at = 0; at < agreed.size(); ++at) {
        AgreedPart each = agreed[at];
        each.part.amount = left[at];
        if (each.part.date < today)
            each.part.date = std::min(today.plus_days(1), last_day);
        if (each.part.amount.is_zero() || each.part.date < today)
            continue;
        if (!parts.empty() && parts.back().part.date >= each.part.date)
            parts.back().part.amount += each.part.amount;
        else
            parts.push_back(std::move(each));
    }
    return parts;
}

// Amounts and days of the open parts for what the booking owes and when it travels now.
void adapt(store::Transaction& tx, std::vector<ScheduledPayment>& live, const Owing& booking, Date today, Instant now) {
    const bool is_split = live.front().planned_total != booking.total.minor();
    std::vector<Money> amounts;
    amounts.reserve(live.size());
    for (const ScheduledPayment& one : live)
        amounts.push_back(one.amount);
    std::vector<bool> is_paid(live.size(), false);
    if (is_split) {
        amounts = split_in_proportion(booking.balance(), amounts);
    } else if (are_paid_early(live, booking.balance())) {
        amounts = left_of(booking.balance(), amounts);
        for (std::size_t at = 0; at < live.size(); ++at)
            is_paid[at] = amounts[at].is_zero();
    }
    std::vector<Date> dates;
    dates.reserve(live.size());
    for (const ScheduledPayment& one : live)
        dates.push_back(one.kind == kind::charge ? day_of(one.date, one.days_before_tour, booking.travel_date, today)
                                                 : one.date);
    merge(live, dates, amounts);
    for (std::size_t at = 0; at < live.size(); ++at) {
        ScheduledPayment& one = live[at];
        if (is_paid[at]) {
            settle_early(tx, one, now);
            continue;
        }
        if (amounts[at].is_zero()) {
            Repository::cancel(tx, one.id, why::paid_in_full, std::nullopt, now);
            continue;
        }
        const Date date = dates[at];
        if (!is_split && date == one.date && amounts[at] == one.amount)
            continue;
        if (date > one.date)
            one.reminder_sent_at.reset();  // of a day that is not the day any more
        one.date = date;
        one.amount = amounts[at];
        one.planned_total = booking.total.minor();
        Repository::update(tx, one, now);
    }
}

}  // namespace

std::vector<AgreedPart> Service::first_plan(store::Transaction& tx, const Owing& booking, Date today) const {
    const Money balance = booking.balance();
    auto agreed = AgreedPlans::find(tx, booking, today);
    Money sum = Money::zero(balance.currency());
    bool fits = !agreed.empty();
    for (const AgreedPart& each : agreed) {
        sum += each.part.amount;
        fits = fits && each.part.date >= today && (&each == &agreed.front() || (&each - 1)->part.date < each.part.date);
    }
    if (fits && sum == balance)
        return agreed;
    if (!agreed.empty() && AgreedPlans::made_by(tx, booking.id) != made_by::settings)
        return adapted(agreed, booking, today);
    const Terms terms = settings_.terms();
    return agreed_parts(plan_of(balance, today, booking.travel_date, terms), booking.travel_date, terms);
}

void Service::changed_card(const json::Value& payment, Instant now) {
    const auto booking_id = payment.maybe_integer("booking_id"), payment_id = payment.maybe_integer("payment_id");
    if (!booking_id || !payment_id)
        return;
    const auto agreed = charges_.agreed_method(*payment_id);
    if (!agreed || !agreed->method_id)
        return;
    const auto done = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (Repository::lock(tx, *booking_id))
            Repository::take_method(tx, *booking_id, *agreed->method_id, agreed->gateway, now);
        return {};
    });
    if (!done)
        warn("scheduled_payments_card_not_changed", *booking_id, done.error().cause());
}

void Service::paid(const json::Value& payment, Instant now) {
    const bool is_first_part =
        payment.text_or("payment_type") == "initial" && !payment.maybe_boolean("fully_paid").value_or(true);
    const auto booking_id = payment.maybe_integer("booking_id"), payment_id = payment.maybe_integer("payment_id");
    if (!is_first_part)
        return changed_card(payment, now);
    if (!booking_id || !payment_id || !settings_.is_on())
        return;
    const auto agreed = charges_.agreed_method(*payment_id);
    if (!agreed)
        return;  // it went with its booking
    const Date today = site_.today(now);
    const std::int64_t attempts = settings_.max_attempts();
    const auto done = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        const auto booking = Repository::lock(tx, *booking_id);
        // Called again: it is planned already.
        if (!booking || !booking->is_open() || booking->balance().is_zero() ||
            !Repository::of_booking(tx, *booking_id).empty())
            return {};
        const auto parts = first_plan(tx, *booking, today);
        const std::string_view obstacle = !booking->user_id        ? reason::guest_booking
                                          : !agreed->keeps_methods ? reason::gateway_unsupported
                                          : !agreed->method_id     ? reason::no_saved_method
                                          : parts.empty()          ? reason::travel_too_soon
                                                                   : std::string_view();
        if (!obstacle.empty()) {
            Repository::note(tx, *booking_id, obstacle, now);
            return {};
        }
        for (const AgreedPart& each : parts)
            Repository::insert(tx, {.booking_id = *booking_id,
                                    .sequence_no = each.number,
                                    .payment_type = parts.size() > 1 ? "installment" : "balance",
                                    .amount = each.part.amount,
                                    .planned_total = booking->total.minor(),
                                    .date = each.part.date,
                                    .days_before_tour = each.days_before_tour,
                                    .max_attempts = attempts,
                                    .gateway = agreed->gateway,
                                    .saved_method_id = agreed->method_id,
                                    .created_at = now});
        return {};
    });
    if (!done)
        warn("scheduled_payments_not_planned", *booking_id, done.error().cause());
}

void Service::changed(std::int64_t booking_id, Instant now) {
    const auto is_live = [](const ScheduledPayment& one) { return one.status == status::scheduled; };
    const auto known = site_.store.reading<std::vector<ScheduledPayment>>(
        [&](store::Session& session) { return Repository::of_booking(session, booking_id); });
    if (std::none_of(known.begin(), known.end(), is_live))  // most bookings have no plan
        return;
    const Date today = site_.today(now);
    const auto done = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (const auto booking = Repository::lock(tx, booking_id))
            settle(tx, *booking, today, now);
        return {};
    });
    if (!done)
        warn("scheduled_payments_not_followed", booking_id, done.error().cause());
}

void Service::settle(store::Transaction& tx, const Owing& booking, Date today, Instant now) {
    std::vector<ScheduledPayment> live;
    bool is_charging = false;
    for (ScheduledPayment& one : Repository::of_booking(tx, booking.id)) {
        is_charging = is_charging || one.status == status::processing;
        if (one.status == status::scheduled)
            live.push_back(std::move(one));
    }
    if (live.empty())
        return;
    std::string_view end = ends_by(booking);
    if (end.empty() && Repository::refunded_since(tx, booking.id, live.front().created_at))
        end = why::refund;
    if (!end.empty()) {
        for (ScheduledPayment& one : live)
            if (end != why::paid_in_full || !paid_by_link(tx, one, now))
                Repository::cancel(tx, one.id, end, std::nullopt, now);
        return;
    }
    // By a fixed plan a link asks for one part: once it is paid, another may be sent for the next one.
    std::erase_if(live, [&](ScheduledPayment& one) { return part_paid_by_link(tx, one, now); });
    if (live.empty())
        return;
    // While a charge is in progress the balance is unknown: the rest follows when it has ended.
    if (is_charging)
        return;
    adapt(tx, live, booking, today, now);
}

}  // namespace svc::pro::scheduled_payments
