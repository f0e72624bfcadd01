// Claims, sends outside any transaction, records; each record is one with the next claim.
#include "base/messaging/outbox/sender.hpp"

#include <array>
#include <future>
#include <random>
#include <vector>

#include "base/messaging/outbox/addresses.hpp"
#include "base/messaging/outbox/bodies.hpp"
#include "base/messaging/outbox/inline_styles.hpp"
#include "base/messaging/outbox/repository.hpp"
#include "shared/core/log.hpp"
#include "shared/store/in_pages.hpp"

namespace svc::messaging {
namespace {

constexpr int most_failures_in_a_row = 3;

// The link by which the recipient ends e-mails of this kind, of a text that has one marked so (<a rel="unsubscribe"
// href="…">): mail programs offer it beside the sender. A value is escaped, so that only a template can mark a link.
std::string unsubscribe_link_of(const std::string& html) {
    constexpr std::string_view mark = "rel=\"unsubscribe\" href=\"";
    const auto at = html.find(mark);
    if (at == std::string::npos)
        return {};
    const auto begin = at + mark.size();
    const std::string url = html.substr(begin, html.find('"', begin) - begin);
    return url.find_first_of("<>& \r\n") == std::string::npos ? url : std::string();
}

outbound::Mail mail_of(const LeasedEmail& email, Instant now) {
    const auto at = email.from_email.rfind('@');
    const auto domain = at == std::string::npos ? std::string("localhost") : email.from_email.substr(at + 1);
    auto to = addresses_of(email.to);
    if (to.empty())
        to = {email.to};  // for the refusal to name it
    return {.from_address = email.from_email,
            .from_name = email.from_name,
            .to = to,
            .cc = addresses_of(email.cc),
            .bcc = addresses_of(email.bcc),
            .reply_to = email.reply_to,
            .subject = email.subject,
            .html = with_inline_styles(email.body_html),  // not stored: the styles would double each e-mail
            .text = email.body_text,
            .message_id =
                "email-" + std::to_string(email.id) + "." + std::to_string(email.created_at.micros()) + "@" + domain,
            .date = now,
            .unsubscribe_url = unsubscribe_link_of(email.body_html)};
}

metrics::Counter& counter(metrics::Registry& metrics, const char* result) {
    return metrics.counter("svc_emails_total", "Tries to send an e-mail, by how they ended.", {{"result", result}});
}

}  // namespace

Sender::Sender(store::Store& store, const crypto::Keyring& keyring, const Clock& clock, metrics::Registry& metrics,
               SenderOptions options)
    : store_(store),
      keyring_(keyring),
      clock_(clock),
      options_(std::move(options)),
      sent_(counter(metrics, "sent")),
      again_(counter(metrics, "again")),
      failed_(counter(metrics, "failed")),
      delay_(metrics.histogram("svc_email_delay_seconds", "From being queued to being sent.", {},
                               {0.1, 0.5, 1, 5, 30, 60, 300, 1800, 7200, 28800})) {
    metrics.ask("svc_outbox_age_seconds", "How long the e-mail that could have gone for longest has waited.", [this] {
        const auto late = lateness();
        return late ? std::optional(std::chrono::duration<double>(*late).count()) : std::nullopt;
    });
    metrics.ask("svc_outbox_open", "E-mails queued or being sent.", [this]() -> std::optional<double> {
        return static_cast<double>(store_
                                       .reading<outbox::Waiting>([&](store::Session& session) {
                                           return outbox::waiting(session, clock_.now());
                                       })
                                       .open);
    });
}

jobs::Job Sender::job() {
    return {.name = "email_queue",
            .help = "Delivers queued e-mails to the mail server.",
            .every = std::chrono::seconds(60),
            .run = [this](Instant) { return run(); }};
}

Result<std::int64_t> Sender::renew_sealed() {
    return store::in_pages(
        store_, [&](store::Transaction& tx, std::int64_t& last) { return outbox::renew_bodies(tx, keyring_, last); });
}

std::optional<std::chrono::microseconds> Sender::lateness() {
    if (!options_.server())
        return std::nullopt;
    const auto now = clock_.now();
    const auto waiting =
        store_.reading<outbox::Waiting>([&](store::Session& session) { return outbox::waiting(session, now); });
    return std::chrono::microseconds(waiting.due_since ? now.micros() - waiting.due_since->micros() : 0);
}

void Sender::record(store::Transaction& tx, const Done& done) {
    const auto now = clock_.now();
    switch (done.outcome) {
        case Outcome::sent:
            outbox::sent(tx, done.id, options_.process, now);
            break;
        case Outcome::again:
            outbox::again(tx, done.id, options_.process, done.next, done.error, now);
            break;
        case Outcome::failed:
            outbox::failed(tx, done.id, options_.process, done.error, now);
            break;
    }
}

std::optional<LeasedEmail> Sender::step(const std::optional<Done>& done) {
    std::optional<LeasedEmail> next;
    static_cast<void>(store_.write([&](store::Transaction& tx) -> Result<void> {
        if (done)
            record(tx, *done);
        next = outbox::claim(tx, options_.process, options_.lease, clock_.now());
        return {};
    }));
    return next;
}

double Sender::chance() const {
    if (options_.chance)
        return options_.chance();
    thread_local std::minstd_rand random{std::random_device{}()};
    return std::uniform_real_distribution<>(0, 1)(random);
}

Sender::Done Sender::try_once(LeasedEmail email, const outbound::SmtpSettings& server, bool& server_failed) {
    const auto now = clock_.now();
    auto outcome = open_body(keyring_, email);
    if (outcome)
        outcome = options_.send(mail_of(email, now), server);
    if (outcome) {
        sent_.add();
        delay_.observe(static_cast<double>(now.micros() - email.created_at.micros()) / 1e6);
        return {.id = email.id};
    }
    const auto& error = outcome.error();
    const auto why = error.cause().empty() ? error.message().english() : error.cause();
    // An error of the e-mail itself is permanent.
    server_failed = error.code().name == errc::upstream_error.name;
    const auto wait = server_failed ? wait_after(email.attempts, chance()) : std::nullopt;
    log::warning("email_not_sent",
                 {{"email", email.id}, {"template", email.template_key}, {"tries", email.attempts}, {"cause", why}});
    (wait ? again_ : failed_).add();
    if (!wait)
        return {.id = email.id, .outcome = Outcome::failed, .error = why};
    return {.id = email.id, .outcome = Outcome::again, .next = now.plus(*wait), .error = why};
}

// State that the threads of one run share.
struct Sender::Run {
    const outbound::SmtpSettings& server;
    std::atomic<int> started = 0, failures_in_a_row = 0;
    std::array<std::atomic<std::int64_t>, 3> ended = {};  // by their Outcome
    std::atomic<bool> alone = true;                       // until the server has taken one
    std::vector<std::future<void>> helpers = {};
};

void Sender::send_some(Run& run) {
    std::optional<Done> done;
    while (run.failures_in_a_row < most_failures_in_a_row && !stopping_ && run.started++ < options_.most_in_a_run) {
        auto email = step(done);
        done.reset();
        if (!email)
            return;
        bool server_failed = false;
        done = try_once(std::move(*email), run.server, server_failed);
        if (server_failed)
            ++run.failures_in_a_row;
        else
            run.failures_in_a_row = 0;
        ++run.ended[static_cast<std::size_t>(done->outcome)];
        // Only one thread retries a server that rejects connections.
        if (done->outcome == Outcome::sent && run.alone.exchange(false)) {
            const auto open = store_
                                  .reading<outbox::Waiting>(
                                      [&](store::Session& session) { return outbox::waiting(session, clock_.now()); })
                                  .open;  // with this one
            for (int more = 1; more < options_.at_a_time && more < open - 1; ++more)
                run.helpers.push_back(std::async(std::launch::async, [this, &run] { send_some(run); }));
        }
    }
    if (done)
        static_cast<void>(store_.write([&](store::Transaction& tx) -> Result<void> {
            record(tx, *done);
            return {};
        }));
}

Result<json::Value> Sender::run() {
    std::int64_t lost = 0;
    const auto server = options_.server();
    if (!server)
        return json::Value::object({{"sent", 0}, {"again", 0}, {"failed", 0}});
    static_cast<void>(store_.write([&](store::Transaction& tx) -> Result<void> {
        lost = outbox::bury_lost(tx, clock_.now());
        return {};
    }));
    Run run{.server = *server};
    send_some(run);
    for (auto& helper : run.helpers)
        helper.get();
    const bool stopped_at_most =
        run.started >= options_.most_in_a_run && run.failures_in_a_row < most_failures_in_a_row;
    if (stopped_at_most && !stopping_ && options_.go_on)
        options_.go_on();
    const auto ended = [&](Outcome how) { return run.ended[static_cast<std::size_t>(how)].load(); };
    return json::Value::object(
        {{"sent", ended(Outcome::sent)}, {"again", ended(Outcome::again)}, {"failed", ended(Outcome::failed) + lost}});
}

}  // namespace svc::messaging
