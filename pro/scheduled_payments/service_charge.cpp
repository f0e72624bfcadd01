// Scheduled work: charges due parts, asks about charges without a result, reminds customers before.
#include "pro/scheduled_payments/hooks.hpp"
#include "pro/scheduled_payments/mails.hpp"
#include "pro/scheduled_payments/service.hpp"

namespace svc::pro::scheduled_payments {
namespace {

constexpr std::int64_t most_charges = 50, most_reminders = 200;
constexpr std::chrono::minutes unanswered{30};
constexpr std::chrono::hours until_next{24};

bool is_one_of(const Error& error, std::initializer_list<const ErrorCode*> codes) {
    for (const ErrorCode* code : codes)
        if (error.code().name == code->name)
            return true;
    return false;
}

}  // namespace

std::optional<ScheduledPayment> Service::claim(std::int64_t id, Instant now) {
    const Date today = site_.today(now);
    auto claimed = site_.store.transact<std::optional<ScheduledPayment>>(
        [&](store::Transaction& tx) -> Result<std::optional<ScheduledPayment>> {
            const auto known = Repository::find(tx, id);
            const auto booking = known ? Repository::lock(tx, known->booking_id) : std::nullopt;
            if (!booking)
                return std::optional<ScheduledPayment>();
            settle(tx, *booking, today, now);  // changes that were missed while the module was disabled
            auto row = Repository::find(tx, id);
            if (!row || row->status != status::scheduled || row->date > today ||
                (row->next_attempt_at && *row->next_attempt_at > now))
                return std::optional<ScheduledPayment>();
            row->status = status::processing;
            row->last_attempt_at = now;
            row->attempted_minor = min(row->amount, booking->balance()).minor();
            row->owed_minor = booking->balance().minor();
            Repository::update(tx, *row, now);
            return row;
        });
    return claimed ? std::move(*claimed) : std::nullopt;
}

std::optional<ScheduledPayment> Service::claim_again(std::int64_t id, Instant since, Instant now) {
    auto claimed = site_.store.transact<std::optional<ScheduledPayment>>(
        [&](store::Transaction& tx) -> Result<std::optional<ScheduledPayment>> {
            const auto known = Repository::find(tx, id);
            if (known)
                Repository::lock(tx, known->booking_id);
            auto row = known ? Repository::find(tx, id) : std::nullopt;
            if (!row || row->status != status::processing || !row->last_attempt_at || *row->last_attempt_at > since)
                return std::optional<ScheduledPayment>();
            row->last_attempt_at = now;
            Repository::update(tx, *row, now);
            return row;
        });
    return claimed ? std::move(*claimed) : std::nullopt;
}

Service::Ending Service::attempt(const ScheduledPayment& claimed, Instant now) {
    if (!claimed.saved_method_id) {
        failed(claimed, "The saved payment method was deleted.", false, now);
        return Ending::failed;
    }
    // Who pays while this charge begins settles a part: then nothing is charged, and the next run looks again.
    const auto owed =
        claimed.owed_minor ? std::optional(Money{*claimed.owed_minor, claimed.amount.currency()}) : std::nullopt;
    const auto charged = [&]() -> Result<plugin::BookingCharges::Charged> {
        try {
            return charges_.charge({.booking_id = claimed.booking_id,
                                    .method_id = *claimed.saved_method_id,
                                    .amount = Money{claimed.attempted_minor.value(), claimed.amount.currency()},
                                    .key = claimed.key(),
                                    .balance = owed});
        } catch (const std::exception& error) {
            return Error{errc::gateway_unavailable}.because(error.what());
        }
    }();
    if (!charged) {
        const Error& error = charged.error();
        // It may have been taken: never under another key.
        if (is_one_of(error, {&errc::payment_error, &errc::transaction_mismatch})) {
            failed(claimed, error.message().english(), true, now);
            return Ending::failed;
        }
        if (is_one_of(error, {&errc::payment_method_unavailable, &errc::payment_failed})) {
            failed(claimed, error.message().english(), false, now);
            return Ending::failed;
        }
        if (is_one_of(error, {&errc::charge_in_progress, &errc::not_payable, &errc::no_balance_due,
                              &errc::validation_error, &errc::booking_not_found, &errc::invalid_gateway})) {
            given_back(claimed, now);
            return Ending::given_back;
        }
        warn("scheduled_payment_unanswered", claimed.id, error.cause());
        return Ending::unknown;  // asked about again with the same key
    }
    switch (charged->progress) {
        case payment::Progress::paid:
            succeeded(claimed, *charged, now);
            return Ending::paid;
        case payment::Progress::processing:
            return Ending::unknown;
        default:
            failed(claimed, charged->reason.empty() ? "The payment was declined." : charged->reason, false, now);
            return Ending::failed;
    }
}

void Service::ending(const ScheduledPayment& claimed, Instant now,
                     const std::function<void(store::Transaction&, ScheduledPayment&, const Owing&)>& change) {
    const Date today = site_.today(now);
    const auto done = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        const auto booking = Repository::lock(tx, claimed.booking_id);
        auto row = Repository::find(tx, claimed.id);
        if (!booking || !row || row->status != status::processing || row->attempts != claimed.attempts)
            return {};  // another process was first
        change(tx, *row, *booking);
        row->attempted_minor.reset();
        row->owed_minor.reset();
        Repository::update(tx, *row, now);
        settle(tx, *booking, today, now);
        return {};
    });
    if (!done)
        warn("scheduled_payment_not_ended", claimed.id, done.error().cause());
}

void Service::succeeded(const ScheduledPayment& claimed, const plugin::BookingCharges::Charged& charged, Instant now) {
    const Look look = site_.look();
    ending(claimed, now, [&](store::Transaction& tx, ScheduledPayment& row, const Owing& booking) {
        const Money amount{claimed.attempted_minor.value(), claimed.amount.currency()};
        row.status = status::paid;
        row.amount = amount;  // the outstanding amount may be lower than planned
        row.payment_id = charged.payment_id;
        row.last_error.clear();
        row.next_attempt_at.reset();
        json::Value about = context(row, amount, look);
        about.set("payment_id", charged.payment_id);
        about.set("method", charged.method);
        about.set("transaction_id", charged.transaction_id);
        about.set("amount_due", booking.balance());
        about.set("fully_paid", booking.balance().is_zero());
        about.set("balance_after_formatted", look.amount(booking.balance()));
        mail_success(site_, tx, row, about);
        site_.hooks.emit(tx, success,
                         {row.id,
                          json::Value::object({{"status", "paid"},
                                               {"payment_id", charged.payment_id},
                                               {"transaction_id", charged.transaction_id},
                                               {"gateway", row.gateway},
                                               {"amount", amount},
                                               {"currency", amount.currency().code()}}),
                          std::move(about)});
    });
}

void Service::failed(const ScheduledPayment& claimed, const std::string& reason, bool for_good, Instant now) {
    const Look look = site_.look();
    ending(claimed, now, [&](store::Transaction& tx, ScheduledPayment& row, const Owing&) {
        row.attempts += 1;
        row.permanent = for_good || row.attempts >= row.max_attempts;
        row.status = row.permanent ? status::failed : status::scheduled;
        row.last_error = reason;
        row.next_attempt_at = row.permanent ? std::nullopt : std::optional(now.plus(until_next));
        json::Value about = context(row, Money{claimed.attempted_minor.value(), claimed.amount.currency()}, look);
        about.set("reason", reason);
        about.set("error", reason);
        about.set("failure_reason", reason);
        about.set("permanent", row.permanent);
        about.set("attempts", row.attempts);
        about.set("max_attempts", row.max_attempts);
        mail_failure(site_, tx, row, about);
        site_.hooks.emit(tx, failure, {row.id, reason, std::move(about)});
    });
}

// Nothing was requested from the customer: another charge is in progress, nothing is due any more, or the gateway is
// missing. The attempt keeps its key.
void Service::given_back(const ScheduledPayment& claimed, Instant now) {
    ending(claimed, now,
           [](store::Transaction&, ScheduledPayment& row, const Owing&) { row.status = status::scheduled; });
}

Result<json::Value> Service::charge_due(Instant now) {
    std::int64_t paid = 0, declined = 0, postponed = 0, open = 0;
    const auto count = [&](Ending ending) {
        (ending == Ending::paid         ? paid
         : ending == Ending::failed     ? declined
         : ending == Ending::given_back ? postponed
                                        : open) += 1;
    };
    if (settings_.is_on()) {
        const Instant since = now.minus(unanswered);
        const Date today = site_.today(now);
        std::vector<std::int64_t> stuck, due;
        site_.store.read([&](store::Session& session) {
            stuck = Repository::stuck(session, since, most_charges);
            due = Repository::due(session, today, now, most_charges);
        });
        for (const std::int64_t id : stuck)
            if (const auto claimed = claim_again(id, since, now))
                count(attempt(*claimed, now));
        for (const std::int64_t id : due)
            if (const auto claimed = claim(id, now))
                count(attempt(*claimed, now));
    }
    return json::Value::object({{"paid", paid}, {"failed", declined}, {"put_off", postponed}, {"unanswered", open}});
}

Result<json::Value> Service::remind(Instant now) {
    std::int64_t reminded = 0, notified = 0;
    if (settings_.is_on()) {
        SVC_ASSIGN_OR_RETURN(notified, notify_of_ending_cards(now));
        const Date today = site_.today(now);
        const Date until = today.plus_days(static_cast<std::int32_t>(settings_.reminder_days()));
        const Look look = site_.look();
        const auto ids = site_.store.reading<std::vector<std::int64_t>>(
            [&](store::Session& session) { return Repository::to_remind(session, today, until, most_reminders); });
        for (const std::int64_t id : ids) {
            const auto done = site_.store.transact<bool>([&](store::Transaction& tx) -> Result<bool> {
                const auto known = Repository::find(tx, id);
                const auto booking = known ? Repository::lock(tx, known->booking_id) : std::nullopt;
                if (!booking)
                    return false;
                settle(tx, *booking, today, now);
                auto row = Repository::find(tx, id);
                if (!row || row->status != status::scheduled || row->reminder_sent_at)
                    return false;
                row->reminder_sent_at = now;
                Repository::update(tx, *row, now);
                json::Value about = context(*row, min(row->amount, booking->balance()), look);
                about.set("is_link", false);
                mail_reminder(site_, tx, *row, about);
                site_.hooks.emit(tx, reminder_due, {row->id, std::move(about)});
                return true;
            });
            if (!done)
                return done.error();
            reminded += *done ? 1 : 0;
        }
    }
    return json::Value::object({{"reminded", reminded}, {"card_notices", notified}});
}

}  // namespace svc::pro::scheduled_payments
