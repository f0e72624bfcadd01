// Sends one contact after the other.
#include <algorithm>
#include <thread>
#include <vector>

#include "pro/crypto/hmac.hpp"
#include "pro/mailchimp/run.hpp"

namespace svc::pro::mailchimp {
namespace {

using json::Value;

constexpr std::int64_t batch = 20, most_tries = 24;  // of a contact: most of a day
constexpr unsigned most_threads = 4;  // Mailchimp takes ten requests at a time, of all programs with the key
constexpr auto claim_for = std::chrono::minutes(5);

std::optional<std::int64_t> status_of(const Answer& answer) {
    return answer.status ? std::optional<std::int64_t>(answer.status) : std::nullopt;
}

LogEntry entry_of(const char* action, const char* status, std::string reason = {}, const Answer& answer = {}) {
    return {.customer_id = {},
            .booking_id = {},
            .email = {},
            .action = action,
            .status = status,
            .reason = std::move(reason),
            .detail = answer.detail,
            .http_status = status_of(answer)};
}

std::string digest_of(const Value& body, const std::vector<std::string>& tags) {
    std::string text = body.dump();
    for (const std::string& tag : tags)
        text += '\n' + tag;
    return crypto::sha256_hex(text);
}

}  // namespace

void Sync::send_due(Run& run) const {
    const auto due = site_.store.reading<std::int64_t>([&](store::Session& session) {
        return session.number("SELECT COUNT(*) FROM svc_mailchimp_queue WHERE next_attempt_at <= :now",
                              {{"now", site_.clock.now()}});
    });
    const auto wanted = static_cast<unsigned>(std::clamp<std::int64_t>(due / batch, 0, most_threads - 1));
    std::vector<std::jthread> others;  // joined whatever happens here
    others.reserve(wanted);
    for (unsigned i = 0; i < wanted; ++i)
        others.emplace_back([&] { work(run); });
    work(run);
}

// A row whose outcome could not be stored is claimed until its claim ends; sending it again changes nothing there.
void Sync::work(Run& run) const {
    try {
        while (!run.is_over()) {
            const auto now = site_.clock.now();
            const auto rows =
                site_.store.transact<std::vector<Queued>>([&](store::Transaction& tx) -> Result<std::vector<Queued>> {
                    return Repository::claim(tx, now, now.plus(claim_for), batch);
                });
            if (!rows || rows->empty())
                return;
            for (const Queued& row : *rows)
                if (run.is_over())
                    static_cast<void>(site_.store.write([&](store::Transaction& tx) -> Result<void> {
                        Repository::release(tx, row, row.attempts, now);
                        return {};
                    }));
                else
                    try_to_send(run, row);
        }
    } catch (const std::exception& problem) {  // whatever it is: an exception that leaves a thread ends the server
        run.rests = true;
        if (site_.log)
            site_.log->write(log::Level::warning, "mailchimp_not_stored", {{"reason", problem.what()}});
    }
}

// A row that no code here can cope with waits alone, and is given up in the end; those behind it are sent.
void Sync::try_to_send(Run& run, const Queued& row) const {
    try {
        send(run, row);
    } catch (const store::Failure&) {
        throw;
    } catch (const std::exception& problem) {
        if (site_.log)
            site_.log->write(log::Level::error, "mailchimp_not_sent", {{"reason", problem.what()}});
        put_off(run, row, {.outcome = Outcome::garbled, .detail = "This contact could not be sent."},
                problem_of(Outcome::garbled));
    }
}

void Sync::send(Run& run, const Queued& row) const {
    Work work{.row = row, .contact = {}, .before = {}, .decision = {}, .member = {}, .now = site_.clock.now()};
    site_.store.read([&](store::Session& session) {
        work.contact = contact_of(session, run.now_set, row.customer_id, site_.today(work.now));
        if (!work.contact.email.empty())
            work.before = Repository::member(session, run.now_set.list_id, work.contact.email);
    });
    if (!archive_others(run, work) || !leave_former(run, work))
        return;
    work.decision = decided(work.contact, work.before, run.now_set);
    work.member = work.before.value_or(Member{.email = work.contact.email});
    work.member.customer_id = row.customer_id;
    switch (work.decision.does) {
        case Decision::Does::nothing:
            finish(run, work, entry_of("upsert", "skipped", work.decision.why), false);
            return;
        case Decision::Does::unsubscribe:
            unsubscribe(run, work);
            return;
        case Decision::Does::upsert:
            upsert(run, work);
    }
}

// Contacts by an address that the customer no longer has. False: sending rests.
bool Sync::archive_others(Run& run, Work& work) const {
    const auto others = site_.store.reading<std::vector<Member>>([&](store::Session& session) {
        return Repository::others_of(session, run.now_set.list_id, work.row.customer_id, work.contact.email);
    });
    for (Member other : others) {
        if (!other.is_live())
            continue;
        const std::string &key = run.now_set.api_key, &list = run.now_set.list_id;
        Answer answer = client_.archive(key, list, member_hash(other.email));
        if (answer.outcome == Outcome::rejected)  // it does not take everyone away, and ends the newsletter instead
            answer = client_.change(key, list, other.email, Value::object({{"status", status::unsubscribed}}));
        if (pauses(answer.outcome)) {
            put_off(run, work.row, answer, problem_of(answer.outcome));
            return false;
        }
        run.went_well(site_);
        const bool is_done =
            answer.outcome == Outcome::done || answer.outcome == Outcome::gone || answer.outcome == Outcome::compliance;
        LogEntry entry = entry_of("archive", is_done ? "sent" : "failed", is_done ? "" : "rejected", answer);
        entry.customer_id = work.row.customer_id;
        entry.email = other.email;
        other.status = status::archived;
        other.status_at = work.now;
        other.is_theirs = other.is_ours = false;
        static_cast<void>(site_.store.write([&](store::Transaction& tx) -> Result<void> {
            if (is_done)  // if not, the search for strays tries again within the hour
                Repository::put(tx, list, other, false, work.now);
            Repository::log(tx, entry, work.now);
            return {};
        }));
    }
    return true;
}

// Whoever no longer agrees leaves earlier audiences, too. False: the row waits.
bool Sync::leave_former(Run& run, Work& work) const {
    if (work.contact.opted_in_at)
        return true;
    const auto former = site_.store.reading<std::vector<Member>>([&](store::Session& session) {
        return Repository::former_of(session, run.now_set.list_id, work.row.customer_id);
    });
    for (Member each : former) {
        const bool is_deleted = work.contact.email.empty();
        const Answer answer = is_deleted ? client_.archive(run.now_set.api_key, each.list_id, member_hash(each.email))
                                         : client_.change(run.now_set.api_key, each.list_id, each.email,
                                                          Value::object({{"status", status::unsubscribed}}));
        if (pauses(answer.outcome)) {
            put_off(run, work.row, answer, problem_of(answer.outcome));
            return false;
        }
        run.went_well(site_);
        // Gone: not there any more, or an audience of another account, where this key reaches nobody.
        const bool is_gone = answer.outcome == Outcome::gone,
                   is_done = is_gone || answer.outcome == Outcome::done || answer.outcome == Outcome::compliance;
        LogEntry entry = entry_of(is_deleted ? "archive" : "unsubscribe",
                                  is_gone   ? "skipped"
                                  : is_done ? "sent"
                                            : "failed",
                                  is_gone   ? "gone"
                                  : is_done ? ""
                                            : "rejected",
                                  answer);
        entry.customer_id = work.row.customer_id;
        entry.email = each.email;
        each.status = is_gone || is_deleted ? status::archived : status::unsubscribed;
        each.status_at = work.now;
        each.is_theirs = each.is_ours = false;
        static_cast<void>(site_.store.write([&](store::Transaction& tx) -> Result<void> {
            if (is_done)  // if not, the search for strays tries again within the hour
                Repository::put(tx, each.list_id, each, false, work.now);
            Repository::log(tx, entry, work.now);
            return {};
        }));
    }
    return true;
}

void Sync::unsubscribe(Run& run, Work& work) const {
    const Answer answer = client_.change(run.now_set.api_key, run.now_set.list_id, work.member.email,
                                         Value::object({{"status", status::unsubscribed}}));
    if (pauses(answer.outcome)) {
        put_off(run, work.row, answer, problem_of(answer.outcome));
        return;
    }
    run.went_well(site_);
    work.member.status_at = work.now;
    work.member.is_theirs = work.member.is_ours = false;
    if (answer.outcome == Outcome::done || answer.outcome == Outcome::gone) {
        work.member.status = answer.outcome == Outcome::gone ? status::archived : status::unsubscribed;
        finish(run, work, entry_of("unsubscribe", "sent", {}, answer), true);
        return;
    }
    if (answer.outcome == Outcome::compliance) {
        work.member.status = status::compliance;
        finish(run, work, entry_of("unsubscribe", "failed", work.member.status, answer), true);
        return;
    }
    // They would go on getting the newsletter: it stays ours, and the look for strays tries again within the hour.
    finish(run, work, entry_of("unsubscribe", "failed", std::string(status::rejected), answer), false);
}

void Sync::upsert(Run& run, Work& work) const {
    const std::string &key = run.now_set.api_key, &list = run.now_set.list_id;
    Value body = body_of(work.contact, work.decision);
    const std::string digest = digest_of(body, work.contact.tags);
    const bool is_known = work.before && work.before->is_live() && work.before->sent == digest;
    if (is_known && work.row.cause != "all" && work.decision.status.empty()) {
        finish(run, work, entry_of("upsert", "skipped", "unchanged"), false);
        return;
    }
    Answer answer = client_.upsert(key, list, work.contact.email, body);
    if (answer.outcome == Outcome::exists) {
        body.erase("status_if_new");
        answer = client_.change(key, list, work.contact.email, body);
        if (answer.outcome == Outcome::gone)  // it says both
            answer.outcome = Outcome::garbled;
    }
    // A contact by purchases alone does not become a subscriber by an upsert.
    if (answer.outcome == Outcome::done && work.decision.is_opt_in &&
        text_of(answer.body, "status") == status::transactional)
        answer =
            client_.change(key, list, work.contact.email, Value::object({{"status", work.decision.status_if_new}}));
    work.member.sent = digest;
    settle(run, work, answer);
}

// What the answer says of the contact.
void Sync::settle(Run& run, Work& work, const Answer& answer) const {
    if (pauses(answer.outcome) || answer.outcome == Outcome::gone) {  // the audience is gone
        put_off(run, work.row, answer, problem_of(answer.outcome));
        return;
    }
    run.went_well(site_);
    Member& member = work.member;
    const std::string said = text_of(answer.body, "status");
    if (answer.outcome != Outcome::done) {
        const bool is_out = answer.outcome == Outcome::compliance;
        const std::string why(is_out ? status::compliance : status::rejected);
        // A contact that is there stays what it was: a withdrawal has to reach it all the same.
        if (is_out || !member.is_live()) {
            member.status = why;
            member.status_at = work.now;
            member.is_theirs = is_out;
        }
        member.sent.clear();
        finish(run, work, entry_of("upsert", is_out ? "skipped" : "failed", why, answer), true);
        return;
    }
    if (said == status::unsubscribed || said == status::cleaned || said == status::archived) {
        member.status = said;
        member.status_at = work.now;
        member.is_theirs = true;
        member.is_ours = false;
        finish(run, work,
               entry_of("upsert", "skipped",
                        said == status::unsubscribed ? "unsubscribed_there"
                        : said == status::archived   ? "archived_there"
                                                     : said,
                        answer),
               true, said != status::archived && work.decision.is_opt_in);
        return;
    }
    if (said != status::subscribed && said != status::pending && said != status::transactional) {
        Answer garbled = answer;
        garbled.outcome = Outcome::garbled;
        garbled.detail = "The answer names no status of the contact.";
        put_off(run, work.row, garbled, problem_of(Outcome::garbled));
        return;
    }
    member.is_ours = work.decision.is_opt_in;
    member.is_theirs = false;
    if (member.status != said)
        member.status_at = work.now;
    member.status = said;
    if (set_tags(run, work))
        finish(run, work, entry_of("upsert", "sent", said, answer), true);
}

// False: the row was put off; the contact is there, and its tags follow.
bool Sync::set_tags(Run& run, Work& work) const {
    const Value changes = tag_changes(work.member.tags, work.contact.tags);
    if (changes.size() == 0)
        return true;
    const Answer answer = client_.set_tags(run.now_set.api_key, run.now_set.list_id, work.member.email, changes);
    if (pauses(answer.outcome)) {
        work.member.sent.clear();
        static_cast<void>(site_.store.write([&](store::Transaction& tx) -> Result<void> {
            Repository::put(tx, run.now_set.list_id, work.member, false, work.now);
            return {};
        }));
        put_off(run, work.row, answer, problem_of(answer.outcome));
        return false;
    }
    const bool is_done = answer.outcome == Outcome::done;
    if (is_done)
        work.member.tags = work.contact.tags;
    else
        work.member.sent.clear();
    if (!is_done) {
        LogEntry entry = entry_of("tags", "failed", "rejected", answer);
        entry.customer_id = work.row.customer_id;
        entry.booking_id = work.row.booking_id;
        entry.email = work.member.email;
        static_cast<void>(site_.store.write([&](store::Transaction& tx) -> Result<void> {
            Repository::log(tx, entry, work.now);
            return {};
        }));
    }
    return true;
}

void Sync::put_off(Run& run, const Queued& row, const Answer& answer, std::string_view problem) const {
    const bool is_its_own = may_be_its_own(answer), is_of_all = run.is_of_all(answer);
    const std::int64_t attempts = row.attempts + (is_its_own ? 1 : 0);
    const auto now = site_.clock.now();
    const bool gives_up = is_its_own && !is_of_all && attempts >= most_tries && run.is_well();
    static_cast<void>(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (gives_up)
            Repository::finish(tx, row, "failed", now);
        else  // the others wait by the pause of all
            Repository::release(
                tx, row, attempts,
                is_its_own ? now.plus(rest_after(answer.outcome, attempts + 1, answer.retry_after)) : now);
        LogEntry entry = entry_of("upsert", "failed", std::string(problem), answer);
        entry.customer_id = row.customer_id;
        entry.booking_id = row.booking_id;
        Repository::log(tx, entry, now);
        return {};
    }));
    ++run.failed;
    if (is_of_all)
        run.pause(site_, answer, problem);
}

void Sync::finish(Run& run, const Work& work, LogEntry entry, bool stores_member, bool withdraws) const {
    const bool is_sent = entry.status == "sent", is_failed = entry.status == "failed";
    entry.customer_id = work.row.customer_id;
    entry.booking_id = work.row.booking_id;
    entry.email = work.contact.email.empty() ? work.member.email : work.contact.email;
    // That nothing was to be done is told where somebody waits for it; what Mailchimp answered always is.
    const bool is_told =
        entry.status != "skipped" || entry.http_status || (entry.reason != "unchanged" && work.row.cause != "customer");
    static_cast<void>(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (stores_member)
            Repository::put(tx, run.now_set.list_id, work.member, withdraws, work.now);
        if (is_told && !Repository::was_erased(tx, work.row.customer_id))
            Repository::log(tx, entry, work.now);
        Repository::finish(tx, work.row, is_sent ? "synced" : is_failed ? "failed" : "skipped", work.now);
        return {};
    }));
    ++(is_sent ? run.sent : is_failed ? run.failed : run.skipped);
}

}  // namespace svc::pro::mailchimp
