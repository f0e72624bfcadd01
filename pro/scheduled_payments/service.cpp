// Staff's reads and actions: lists, sums, cancelling, sending the link.
#include "pro/scheduled_payments/service.hpp"

#include "pro/scheduled_payments/agreed.hpp"
#include "pro/scheduled_payments/hooks.hpp"
#include "pro/scheduled_payments/mails.hpp"

namespace svc::pro::scheduled_payments {
namespace {

// What the page behind a link charges: the balance, or the next part where a fixed plan was agreed.
Money asked_by_link(store::Transaction& tx, const Owing& booking, Date today) {
    const Money balance = booking.balance();
    if (booking.paid.is_zero() || AgreedPlans::made_by(tx, booking.id) != made_by::fixed)
        return balance;
    const auto agreed = AgreedPlans::find(tx, booking, today);
    if (agreed.empty())
        return balance;  // in another currency
    for (const Money& left : left_of(balance, amounts_of(agreed)))
        if (!left.is_zero())
            return left;
    return balance;
}

}  // namespace

json::Value shown(const ScheduledPayment& payment) {
    return json::Value::object({{"id", payment.id},
                                {"booking_id", payment.booking_id},
                                {"booking_reference", payment.booking_reference},
                                {"customer_name", payment.customer_name},
                                {"kind", payment.kind},
                                {"amount", payment.amount},
                                {"currency", payment.amount.currency().code()},
                                {"gateway", payment.gateway},
                                {"payment_type", payment.payment_type},
                                {"scheduled_date", payment.date},
                                {"status", payment.status},
                                {"status_label", payment.status_label()},
                                {"attempts", payment.attempts},
                                {"max_attempts", payment.max_attempts},
                                {"next_attempt_at", payment.next_attempt_at},
                                {"permanent_failure", payment.permanent},
                                {"last_error", payment.last_error.empty() ? json::Value() : payment.last_error},
                                {"payment_id", payment.payment_id},
                                {"reminder_sent_at", payment.reminder_sent_at},
                                {"link_sent_at", payment.link_sent_at},
                                {"cancelled_at", payment.cancelled_at},
                                {"cancel_reason", payment.cancel_reason},
                                {"created_at", payment.created_at},
                                {"updated_at", payment.updated_at}});
}

Listed Service::list(const Query& query) {
    return site_.store.reading<Listed>([&](store::Session& session) {
        return Listed{Repository::list(session, query), Repository::count(session, query)};
    });
}

Owed Service::outstanding(const Query& query) {
    return site_.store.reading<Owed>([&](store::Session& session) {
        return Owed{Repository::outstanding(session, query), Repository::count_outstanding(session, query)};
    });
}

json::Value Service::stats(Instant now, std::int64_t guide_id) {
    const Currency currency = site_.currency();
    const Date today = site_.today(now);
    json::Value record = json::Value::object();
    for (const std::string_view one : {status::scheduled, status::paid, status::failed, status::cancelled}) {
        record.set(std::string(one), 0);
        record.set("amount_" + std::string(one), Money::zero(currency));
    }
    site_.store.read([&](store::Session& session) {
        Counted open;  // a charge in progress is not done yet
        for (const Counted& one : Repository::counted(session, currency.code(), guide_id)) {
            if (one.status == status::scheduled || one.status == status::processing) {
                open.count += one.count;
                open.sum += one.sum;
                continue;
            }
            record.set(one.status, one.count);
            record.set("amount_" + one.status, Money{one.sum, currency});
        }
        record.set("scheduled", open.count);
        record.set("amount_scheduled", Money{open.sum, currency});
        record.set("due_next_7_days", Repository::coming(session, today, today.plus_days(7), guide_id));
        record.set("due_next_30_days", Repository::coming(session, today, today.plus_days(30), guide_id));
        record.set("overdue", Repository::coming(session, Date::from(1, 1, 1), today.plus_days(-1), guide_id));
    });
    record.set("currency", currency.code());
    return record;
}

Result<ScheduledPayment> Service::cancel(std::int64_t id, std::int64_t user_id, Instant now) {
    return site_.store.transact<ScheduledPayment>([&](store::Transaction& tx) -> Result<ScheduledPayment> {
        const auto known = Repository::find(tx, id);
        if (!known)
            return errc::not_found;
        Repository::lock(tx, known->booking_id);
        const auto present = Repository::find(tx, id);
        if (!present)
            return errc::not_found;
        if (present->status != status::scheduled)
            return Error{errc::conflict, "This payment was already charged or cancelled."_sentence};
        Repository::cancel(tx, id, why::admin, user_id > 0 ? std::optional(user_id) : std::nullopt, now);
        auto after = Repository::find(tx, id).value();
        return after;
    });
}

Result<ScheduledPayment> Service::send_link(std::int64_t booking_id, Instant now) {
    if (!settings_.sends_reminders())
        return Error{
            errc::conflict,
            "Reminder e-mails for scheduled payments are switched off. Enable them to send the link."_sentence};
    const Date today = site_.today(now);
    const std::int64_t attempts = settings_.max_attempts();
    const Look look = site_.look();
    return site_.store.transact<ScheduledPayment>([&](store::Transaction& tx) -> Result<ScheduledPayment> {
        const auto booking = Repository::lock(tx, booking_id);
        if (!booking)
            return errc::booking_not_found;
        settle(tx, *booking, today, now);
        std::int64_t plan_no = 1;
        for (const ScheduledPayment& one : Repository::of_booking(tx, booking_id)) {
            plan_no = one.plan_no + 1;
            if (one.status == status::scheduled || one.status == status::processing)
                return one.kind == kind::link
                           ? Error{link_already_sent}
                           : Error{errc::conflict, "The balance of this booking is charged automatically."_sentence};
        }
        if (booking->balance().is_zero())
            return errc::no_balance_due;
        if (!booking->is_open() || booking->travel_date < today)  // its link would open nothing
            return errc::not_payable;
        ScheduledPayment link{.booking_id = booking_id,
                              .plan_no = plan_no,
                              .kind = std::string(kind::link),
                              .amount = asked_by_link(tx, *booking, today),
                              .planned_total = booking->total.minor(),
                              .date = today,
                              .max_attempts = attempts,
                              .link_sent_at = now,
                              .created_at = now};
        link.id = Repository::insert(tx, link);
        auto stored = Repository::find(tx, link.id).value();
        json::Value about = context(stored, stored.amount, look);
        about.set("is_link", true);
        mail_reminder(site_, tx, stored, about);
        site_.hooks.emit(tx, reminder_due, {stored.id, std::move(about)});
        return stored;
    });
}

json::Value Service::context(const ScheduledPayment& payment, const Money& amount, const Look& look) {
    return json::Value::object({{"booking_id", payment.booking_id},
                                {"scheduled_payment_id", payment.id},
                                {"amount", amount},
                                {"currency", amount.currency().code()},
                                {"gateway", payment.gateway},
                                {"payment_type", payment.payment_type},
                                {"payment_type_label", payment.type_label()},
                                {"scheduled_date", payment.date},
                                {"scheduled_amount_formatted", look.amount(amount)},
                                {"scheduled_date_formatted", look.day(payment.date)}});
}

void Service::warn(std::string_view event, std::int64_t id, const std::string& cause) const {
    if (site_.log)
        site_.log->write(log::Level::warning, event, {{"scheduled_payment", id}, {"cause", cause}});
}

}  // namespace svc::pro::scheduled_payments
