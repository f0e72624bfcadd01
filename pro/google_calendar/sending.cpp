// The job's run: each due row becomes an event, changes one, or ends one.
#include <thread>

#include "pro/google_calendar/kept.hpp"
#include "pro/google_calendar/sync.hpp"
#include "shared/core/uri.hpp"

namespace svc::pro::google_calendar {
namespace {

using json::Value;
using Steady = std::chrono::steady_clock;
using std::chrono::minutes;

constexpr auto longest_run = std::chrono::seconds(25);
constexpr auto claim_for = std::chrono::seconds(120);  // longer than a run with a few calls at its end
constexpr std::int64_t batch_size = 20;
constexpr auto soon = settings_spread + std::chrono::seconds(1);  // what is due by then is waited for
constexpr auto look_again = std::chrono::milliseconds(200);
constexpr auto longest_wait = std::chrono::hours(24);
// An event that Google does not let go keeps nobody connected.
constexpr std::int64_t most_removals = 5;

std::string events_path(const std::string& calendar_id) {
    return "/calendars/" + text::uri_component(calendar_id) + "/events";
}

// 1, 2, 4 … minutes, a day at most.
std::chrono::seconds wait_after(std::int64_t attempts) {
    return std::min<std::chrono::seconds>(minutes(1LL << std::min<std::int64_t>(attempts, 12)), longest_wait);
}

}  // namespace

void Sync::sent(const Item& item, const std::string& calendar_id, const std::string& fingerprint) const {
    must_be_kept(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        Items::done(tx, item, calendar_id, fingerprint, site_.clock.now());
        return {};
    }),
                 "what was sent to Google Calendar");
}

// What an answer that is not the wanted one means for the row and for the run.
Sync::Step Sync::judged(Work& work, const Item& item, const GoogleAnswer& answer) const {
    if (answer.outcome == Outcome::overloaded) {
        connection_.rest(answer);
        return Step::stop;
    }
    if (answer.outcome == Outcome::unauthorized) {
        if (work.has_new_token) {  // a token of a moment ago is not taken either
            connection_.rest(answer);
            return Step::stop;
        }
        auto access = connection_.access(work.token);
        work.has_new_token = true;
        work.token = std::move(access.token);
        return work.token.empty() ? Step::stop : Step::again;
    }
    const auto now = site_.clock.now();
    const std::string error =
        answer.reason.empty() ? "Google answered " + std::to_string(answer.status) + "." : answer.reason;
    must_be_kept(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        Items::failed(tx, item, error, now.plus(wait_after(item.attempts)), now);
        return {};
    }),
                 "what was sent to Google Calendar");
    return Step::failed;
}

Sync::Step Sync::remove(Work& work, const Item& item, bool ends) const {
    const std::string mails = work.basis.wishes.invites && item.subject.kind == booking_kind ? "?sendUpdates=all" : "";
    const auto answer =
        google_.calendar("DELETE", events_path(item.calendar_id) + "/" + event_id(work.uid, item.subject) + mails,
                         work.token, {}, item.subject);
    // Gone is what it was to be. A calendar that the consent does not reach any more is left as it is.
    const bool is_foreign = answer.outcome == Outcome::refused && item.calendar_id != work.calendar_id;
    const bool is_given_up = answer.outcome == Outcome::refused && item.attempts + 1 >= most_removals;
    if (!answer.is_done() && answer.outcome != Outcome::gone && !is_foreign && !is_given_up)
        return judged(work, item, answer);
    if (ends)
        sent(item, {}, {});
    return Step::sent;
}

Sync::Step Sync::put(Work& work, const Item& item, const Plan& plan) const {
    const std::string path = events_path(work.calendar_id), id = event_id(work.uid, item.subject);
    const std::string query = plan.event.find("attendees") ? "?sendUpdates=all" : "";
    const auto update = [&] {
        return google_.calendar("PUT", path + "/" + id + query, work.token, plan.event, item.subject);
    };
    const bool is_there = item.calendar_id == work.calendar_id;
    GoogleAnswer answer;
    if (is_there)
        answer = update();
    if (!is_there || answer.outcome == Outcome::gone) {
        Value event = plan.event;
        event.set("id", id);
        answer = google_.calendar("POST", path + query, work.token, event, item.subject);
        if (answer.outcome == Outcome::gone) {  // an insertion asks for the calendar alone
            connection_.lost_calendar(work.calendar_id);
            return Step::stop;
        }
        // The id was used before, and an event that was deleted keeps its id: an update brings it back.
        if (answer.outcome == Outcome::exists)
            answer = update();
    }
    if (!answer.is_done())
        return judged(work, item, answer);
    // Another's answer, such as a proxy's, is not taken for an event of ours.
    if (answer.text("id") != id) {
        answer.outcome = Outcome::overloaded;
        answer.reason = "another event";
        return judged(work, item, answer);
    }
    sent(item, work.calendar_id, fingerprint_of(plan.event));
    return Step::sent;
}

// An event that is over stays in its calendar when another one is chosen; what changes, such as an erased name, changes
// there. One that is gone, or in a calendar that the consent does not reach any more, is forgotten.
Sync::Step Sync::amend(Work& work, const Item& item, const Plan& plan) const {
    const std::string id = event_id(work.uid, item.subject);
    auto answer =
        google_.calendar("PUT", events_path(item.calendar_id) + "/" + id, work.token, plan.event, item.subject);
    if (answer.outcome == Outcome::gone || answer.outcome == Outcome::refused) {
        sent(item, {}, {});
        return Step::sent;
    }
    if (answer.is_done() && answer.text("id") != id) {
        answer.outcome = Outcome::overloaded;
        answer.reason = "another event";
    }
    if (!answer.is_done())
        return judged(work, item, answer);
    sent(item, item.calendar_id, fingerprint_of(plan.event));
    return Step::sent;
}

Sync::Step Sync::send(Work& work, const Item& item) const {
    const Plan plan =
        site_.store.reading<Plan>([&](store::Session& session) { return plan_of(session, work.basis, item.subject); });
    const bool has_event = !item.calendar_id.empty();
    if (work.leaves || !plan.is_put) {
        if (has_event)
            return remove(work, item);
        sent(item, {}, {});
        return Step::sent;
    }
    const bool is_elsewhere = has_event && item.calendar_id != work.calendar_id,
               stays_there = plan.is_over && is_elsewhere,
               is_same = has_event && item.fingerprint == fingerprint_of(plan.event);
    if ((is_same && (stays_there || (!is_elsewhere && !item.is_forced))) || (plan.is_over && !has_event)) {
        sent(item, item.calendar_id, item.fingerprint);
        return Step::sent;
    }
    if (stays_there)
        return amend(work, item, plan);
    if (is_elsewhere)
        if (const Step step = remove(work, item, false); step != Step::sent)
            return step;
    return put(work, item, plan);
}

// False: the run ends.
bool Sync::turn(Work& work, const Item& item) const {
    Step step = send(work, item);
    if (step == Step::again)
        step = send(work, item);
    if (step == Step::stop || step == Step::again)
        return false;
    ++(step == Step::sent ? work.sent : work.failed);
    return true;
}

std::optional<Sync::Work> Sync::begin() const {
    const auto now = site_.clock.now();
    const auto known = site_.store.reading<Connected>([](store::Session& session) { return connected_now(session); });
    const bool leaves = known.state == state::leaving;
    if ((!known.is_connected() && !leaves) || (known.rests_until && *known.rests_until > now))
        return std::nullopt;
    if (!leaves && !is_due_by(now.plus(soon)))
        return std::nullopt;
    Work work{
        .basis = {.wishes = {}, .zone = Zone::utc(), .today = {}}, .uid = known.uid, .calendar_id = {}, .token = {}};
    auto access = connection_.access();
    if (access.token.empty())
        return std::nullopt;
    work.token = std::move(access.token);
    if (known.calendar_id.empty() && !leaves) {
        // A calendar that somebody deleted is not made again unasked.
        if (known.calendar_kind != calendar_kind::own || !known.problem.empty() ||
            connection_.own_calendar(work.token).empty())
            return std::nullopt;
    }
    return work;
}

bool Sync::is_due_by(Instant moment) const {
    return site_.store.reading<bool>([&](store::Session& session) { return Items::has_due(session, moment); });
}

// What is due, and what it is sent by as of then: a change that comes later makes its rows due again.
std::vector<Item> Sync::claim(Work& work) const {
    const auto now = site_.clock.now();
    auto batch = site_.store.transact<std::vector<Item>>([&](store::Transaction& tx) -> Result<std::vector<Item>> {
        const Connected known = connected_now(tx);
        work.leaves = known.state == state::leaving;
        work.calendar_id = known.calendar_id;
        if (!work.leaves && (!known.is_connected() || known.calendar_id.empty()))
            return std::vector<Item>{};
        return Items::claim(tx, now, now.plus(claim_for), batch_size);
    });
    if (!batch || batch->empty())
        return {};
    work.basis = basis();
    work.token = connection_.access().token;  // of the consent that the calendar belongs to
    return std::move(*batch);
}

void Sync::end_run() const {
    must_be_kept(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        const Connected known = connected_now(tx);
        if (known.run_started_at && !known.run_finished_at && Items::progress(tx, known.run_number).waiting == 0)
            tx.run(
                "UPDATE svc_google_calendar_connection SET run_finished_at = :now WHERE id = 1 AND run_number = :run",
                {{"now", site_.clock.now()}, {"run", known.run_number}});
        return {};
    }),
                 "what was sent to Google Calendar");
}

// False: Google wants to rest, or the time is over.
bool Sync::send_all(Work& work, const std::vector<Item>& batch, const std::function<bool()>& has_time) const {
    bool goes_on = true;
    std::vector<std::int64_t> left;
    for (const Item& item : batch) {
        goes_on = goes_on && has_time() && !work.token.empty() && turn(work, item);
        if (!goes_on)
            left.push_back(item.id);
    }
    if (!left.empty())
        must_be_kept(site_.store.write([&](store::Transaction& tx) -> Result<void> {
            for (const std::int64_t id : left)
                Items::release(tx, id);
            return {};
        }),
                     "what was sent to Google Calendar");
    return goes_on;
}

Result<Value> Sync::run() const {
    const auto until = Steady::now() + longest_run;
    const auto has_time = [&] { return Steady::now() < until; };
    auto work = begin();
    if (!work)
        return Value::object({{"sent", 0}, {"failed", 0}});
    for (bool goes_on = true; goes_on && has_time();) {
        const auto batch = claim(*work);
        if (!batch.empty())
            goes_on = send_all(*work, batch, has_time);
        else if (!work->leaves && is_due_by(site_.clock.now().plus(soon)) && !is_due_by(site_.clock.now()))
            std::this_thread::sleep_for(look_again);
        else
            goes_on = false;
    }
    if (work->sent > 0)
        connection_.worked();
    end_run();
    if (!has_time())
        wake();  // there may be more
    if (work->leaves && !site_.store.reading<bool>(Items::has_events))
        SVC_RETURN_IF_ERROR(connection_.leave());
    return Value::object({{"sent", work->sent}, {"failed", work->failed}});
}

}  // namespace svc::pro::google_calendar
