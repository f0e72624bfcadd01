// The job: abandoned, due, over.
#include "pro/abandoned_bookings/reminders.hpp"

#include <algorithm>

#include "shared/store/typed.hpp"

namespace svc::pro::abandoned_bookings {
namespace {

using json::Value;

constexpr std::int64_t batch = 100, most_batches = 50;
// A reminder that is later than that is left out: the module was off, or the program.
constexpr std::chrono::hours latest{48};
constexpr std::chrono::hours tried_again{1};

bool ends_with_date(std::string_view code) {
    return code == "date_unavailable" || code == "cutoff_passed" || code == "date_blocked";
}

}  // namespace

std::vector<Reminders::Step> Reminders::steps() const {
    std::vector<Step> all;
    for (Campaign& campaign : site_.store.reading<std::vector<Campaign>>(active_campaigns))
        all.push_back({.hours = campaign.delay_hours, .campaign = std::move(campaign)});
    if (all.empty())
        for (const std::int64_t hours : delays_of(site_))
            all.push_back({.hours = hours});
    return all;
}

Result<Value> Reminders::run(Instant now) {
    const bool is_on = site_.modules.enabled(module_slug);
    std::int64_t expired = 0;
    if (is_on || site_.store.reading<bool>(Repository::has_tables))
        for (std::int64_t blanked = batch; blanked == batch; expired += blanked) {
            SVC_ASSIGN_OR_RETURN(blanked, site_.store.transact<std::int64_t>([&](store::Transaction& tx) {
                return Result<std::int64_t>(Repository::expire(tx, now, batch));
            }));
        }
    Value done = Value::object({{"abandoned", 0}, {"sent", 0}, {"expired", expired}});
    if (!is_on)
        return done;
    done.set("abandoned", abandon_idle(now));
    if (sends_by_itself(site_))
        done.set("sent", remind_due(now));
    return done;
}

std::int64_t Reminders::abandon_idle(Instant now) const {
    const Instant before = now.minus(std::chrono::hours(delays_of(site_)[0]));
    const auto plan = steps();
    std::int64_t count = 0;
    for (std::int64_t round = 0; round < most_batches; ++round) {
        const auto ids = site_.store.reading<std::vector<std::int64_t>>(
            [&](store::Session& session) { return Repository::idle(session, before, batch); });
        for (const std::int64_t id : ids) {
            const auto row = site_.store.reading<std::optional<AbandonedBooking>>(
                [&](store::Session& session) { return Repository::find(session, id); });
            if (!row || has_booked(*row, now))
                continue;
            const auto written = site_.store.write([&](store::Transaction& tx) -> Result<void> {
                if (Repository::has_stopped(tx, row->email_lower))
                    Repository::remove(tx, id);
                else
                    Repository::abandon(tx, *row, row->last_activity_at.plus(std::chrono::hours(plan.front().hours)),
                                        now);
                return {};
            });
            count += written ? 1 : 0;
        }
        if (static_cast<std::int64_t>(ids.size()) < batch)
            break;
    }
    return count;
}

std::int64_t Reminders::remind_due(Instant now) {
    std::int64_t sent = 0;
    for (std::int64_t round = 0; round < most_batches; ++round) {
        const auto ids = site_.store.reading<std::vector<std::int64_t>>(
            [&](store::Session& session) { return Repository::due(session, now, batch); });
        for (const std::int64_t id : ids) {
            try {
                sent += remind(id, now) ? 1 : 0;
            } catch (const std::exception& failure) {
                if (site_.log)
                    site_.log->write(log::Level::error, "reminder_failed",
                                     {{"abandoned_booking", id}, {"cause", log::redacted(failure.what())}});
                static_cast<void>(site_.store.write([&](store::Transaction& tx) -> Result<void> {
                    Repository::postpone(tx, id, now.plus(tried_again));
                    return {};
                }));
            }
        }
        if (static_cast<std::int64_t>(ids.size()) < batch)
            break;
    }
    return sent;
}

Reminders::Ready Reminders::look_at(const AbandonedBooking& row, Instant now) const {
    Ready ready;
    const auto trip = row.trip_id ? site_.store.reading<std::optional<Trip>>([&](store::Session& session) {
        return Repository::trip(session, *row.trip_id);
    })
                                  : std::nullopt;
    if (!trip || !trip->is_published()) {
        ready.ended = why::trip_gone;
        return ready;
    }
    ready.trip = *trip;
    if (!row.travel_date)
        return ready;
    if (*row.travel_date < site_.today(now)) {
        ready.ended = why::date_gone;
        return ready;
    }
    const auto quote = capture_.quote(row);
    if (!quote) {
        const std::string_view code = quote.error().code().name;
        (ends_with_date(code) ? ready.ended : ready.skipped) = ends_with_date(code) ? why::date_gone
                                                               : code == "sold_out" ? "sold_out"
                                                                                    : "not_bookable";
        return ready;
    }
    if (const auto currency = Currency::parse(quote->text_or("currency"));
        currency && (*quote)["final_total"].is_number())
        if (const auto total = Money::parse((*quote)["final_total"].number_text(), *currency))
            ready.total = *total;
    return ready;
}

bool Reminders::remind(std::int64_t id, Instant now) {
    const auto row = site_.store.reading<std::optional<AbandonedBooking>>(
        [&](store::Session& session) { return Repository::find(session, id); });
    const auto change = [&](const std::function<void(store::Transaction&)>& work) {
        const auto written = site_.store.write([&](store::Transaction& tx) -> Result<void> {
            work(tx);
            return {};
        });
        if (!written)
            throw std::runtime_error(written.error().message().english());
        return false;
    };
    if (!row || !row->is_open() || !row->abandoned_at || row->unsubscribed)
        return change([&](auto& tx) { Repository::postpone(tx, id, std::nullopt); });
    const auto plan = steps();
    const auto end_for = [&](std::string_view reason) {
        return change([&](auto& tx) { Repository::end(tx, id, reason, now); });
    };
    if (row->stage > static_cast<std::int64_t>(plan.size()))
        return end_for(why::all_sent);
    const auto due_at = [&](std::int64_t stage) {
        return row->abandoned_at->plus(std::chrono::hours(plan[static_cast<std::size_t>(stage - 1)].hours));
    };
    if (now < due_at(row->stage))  // the delays were changed meanwhile
        return change([&](auto& tx) { Repository::postpone(tx, id, due_at(row->stage)); });
    if (has_booked(*row, now))
        return false;
    const std::int64_t next = row->stage + 1;
    std::optional<Instant> next_at;
    if (next <= static_cast<std::int64_t>(plan.size())) {
        // After a late reminder the next one keeps half of its distance at least.
        const auto gap = std::chrono::minutes(30 * (plan[static_cast<std::size_t>(next - 1)].hours -
                                                    plan[static_cast<std::size_t>(row->stage - 1)].hours));
        next_at = std::max(due_at(next), now.plus(gap));
    }
    const auto skip_for = [&](std::string_view reason) {
        return change([&](auto& tx) {
            Repository::skip(tx, *row, next, next_at);
            Repository::add_event(tx, id, "skipped", reason, now);
            if (!next_at)
                Repository::end(tx, id, row->emails_sent > 0 ? why::all_sent : reason, now);
        });
    };
    if (now > due_at(row->stage).plus(latest))
        return skip_for("late");
    if (const auto days = days_between(site_);
        row->emails_sent == 0 && days > 0 && site_.store.reading<bool>([&](store::Session& session) {
            return Repository::was_reminded(session, *row, now.minus(std::chrono::hours(24 * days)));
        }))
        return end_for(why::recently_reminded);
    const Ready ready = look_at(*row, now);
    if (!ready.ended.empty())
        return end_for(ready.ended);
    if (!ready.skipped.empty())
        return skip_for(ready.skipped);
    if (const auto sent = send_step(*row, ready, plan[static_cast<std::size_t>(row->stage - 1)], next, next_at, now);
        !sent)
        throw std::runtime_error(sent.error().message().english() + " " + sent.error().cause());
    return true;
}

Result<AbandonedBooking> Reminders::send_step(const AbandonedBooking& row, const Ready& ready, const Step& step,
                                              std::int64_t next_stage, std::optional<Instant> next_at, Instant now) {
    SVC_ASSIGN_OR_RETURN(const auto address, site_url());
    const Campaign* campaign = step.campaign ? &*step.campaign : nullptr;
    SVC_ASSIGN_OR_RETURN(const auto coupon, make_coupon(site_, calls_, row, campaign, now));
    const Reminder reminder{.row = row,
                            .trip = ready.trip,
                            .stage = std::clamp<std::int64_t>(row.stage, 1, most_reminders),
                            .campaign = campaign,
                            .coupon = coupon,
                            .total = ready.total,
                            .site_url = address};
    return site_.store.transact<AbandonedBooking>([&](store::Transaction& tx) -> Result<AbandonedBooking> {
        if (!Repository::count_sent(tx, row, next_stage, next_at, now))
            return no_reminder;
        queue_reminder(site_, tx, reminder);
        Repository::add_event(tx, row.id, "mail_sent", campaign ? campaign->name : std::to_string(reminder.stage), now);
        if (!coupon.code.empty())
            Repository::add_event(tx, row.id, "coupon", coupon.code, now);
        return Repository::find(tx, row.id).value();
    });
}

Result<AbandonedBooking> Reminders::send(std::int64_t id, std::optional<std::int64_t> campaign_id, Instant now) {
    const auto row = site_.store.reading<std::optional<AbandonedBooking>>(
        [&](store::Session& session) { return abandoned_record().find(session, id); });
    if (!row)
        return errc::not_found;
    const auto refused = [](SentenceId sentence) { return Error{no_reminder, sentence}; };
    if (row->status == status::recovered || has_booked(*row, now))
        return refused("The customer has booked this trip. There is nothing to be reminded of."_sentence);
    if (row->status == status::expired)
        return refused("This booking was abandoned long ago, and the address is no longer known."_sentence);
    if (row->unsubscribed)
        return refused("The customer wants no reminders."_sentence);
    if (row->emails_sent >= most_reminders)
        return refused("Three reminders were sent already. More of them would be a nuisance."_sentence);
    const auto plan = steps();
    const auto at =
        static_cast<std::size_t>(std::clamp<std::int64_t>(row->stage, 1, static_cast<std::int64_t>(plan.size())) - 1);
    Step step = plan[at];
    if (campaign_id) {
        step.campaign = site_.store.reading<std::optional<Campaign>>(
            [&](store::Session& session) { return campaign_record().find(session, *campaign_id); });
        if (!step.campaign)
            return invalid("campaign_id", "There is no such campaign."_sentence);
    }
    const Ready ready = look_at(*row, now);
    if (ready.ended == why::trip_gone)
        return refused("The trip is no longer published."_sentence);
    if (ready.ended == why::date_gone)
        return refused("The date can no longer be booked."_sentence);
    if (!ready.skipped.empty())
        return refused("The date cannot be booked at present: it is sold out, or too small for this party."_sentence);
    const std::int64_t next = std::min<std::int64_t>(row->stage + 1, most_reminders + 1);
    std::optional<Instant> next_at;
    if (at + 1 < plan.size() && row->stage <= static_cast<std::int64_t>(plan.size()))
        next_at =
            std::max(row->abandoned_at->plus(std::chrono::hours(plan[at + 1].hours)),
                     now.plus(std::chrono::hours(std::max<std::int64_t>(1, plan[at + 1].hours - plan[at].hours))));
    return send_step(*row, ready, step, next, next_at, now);
}

}  // namespace svc::pro::abandoned_bookings
