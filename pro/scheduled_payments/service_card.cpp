// Notifies customers whose card ends before a charge, so that they change it.
#include "pro/scheduled_payments/mails.hpp"
#include "pro/scheduled_payments/service.hpp"

namespace svc::pro::scheduled_payments {
namespace {

constexpr std::int64_t most_notices = 200;

}  // namespace

Result<std::int64_t> Service::notify_of_ending_cards(Instant now) {
    std::int64_t notified = 0;
    const std::int64_t days = settings_.card_notice_days();
    if (days == 0)
        return notified;
    const Date today = site_.today(now), until = today.plus_days(static_cast<std::int32_t>(days));
    const Look look = site_.look();
    const auto ids = site_.store.reading<std::vector<std::int64_t>>(
        [&](store::Session& session) { return Repository::with_ending_card(session, today, until, most_notices); });
    for (const std::int64_t id : ids) {
        const auto done = site_.store.transact<bool>([&](store::Transaction& tx) -> Result<bool> {
            const auto known = Repository::find(tx, id);
            const auto booking = known ? Repository::lock(tx, known->booking_id) : std::nullopt;
            if (!booking)
                return false;
            settle(tx, *booking, today, now);
            auto row = Repository::find(tx, id);
            if (!row || row->status != status::scheduled || row->card_notice == row->card_key())
                return false;
            const auto card = Repository::ending_card(tx, *row);
            if (!card)
                return false;
            row->card_notice = row->card_key();
            Repository::update(tx, *row, now);
            mail_card_ends(site_, tx, *row, *card, context(*row, min(row->amount, booking->balance()), look));
            return true;
        });
        if (!done)
            return done.error();
        notified += *done ? 1 : 0;
    }
    return notified;
}

}  // namespace svc::pro::scheduled_payments
