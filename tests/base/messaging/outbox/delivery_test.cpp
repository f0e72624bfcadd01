// From a booking's event to an SMTP server, with a server that fails, hangs and dawdles, and senders that are killed.
#include <iostream>
#include <map>
#include <random>
#include <thread>

#include <doctest/doctest.h>

#include "base/platform/jobs/scheduler.hpp"
#include "tests/base/messaging/site.hpp"
#include "tests/support/smtp_sink.hpp"

using namespace svc;
using namespace svc::messaging;
using namespace std::chrono_literals;
using tests::MessagingSite;
using tests::SmtpSink;

TEST_CASE("a booking's e-mail goes by STARTTLS to the mail server, by the job, woken by the event") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        const tests::TempDir folder;
        const SmtpSink sink({"--starttls", folder.path(), "--login", "user", "secret"});
        MessagingSite site(db);
        site.settings.set("smtp_host", "127.0.0.1");
        site.settings.set("smtp_port", sink.port());
        site.settings.set("smtp_username", "user");
        site.settings.set("smtp_password", "secret");
        const outbound::Allowed allowed({sink.target()});
        Sender sender(*site.store, *site.keyring, site.clock, site.metrics, {.server = [&] {
            auto server = smtp_server(site.settings, allowed);
            server->ca_file = folder.file("ca.pem");
            return server;
        }});
        jobs::Scheduler jobs(*site.store, site.clock, [] { return Zone::utc(); }, site.metrics, {.process = "p"});
        jobs.add(sender.job());
        messaging::Service service(site.service.parts, *site.keyring, [&] { jobs.wake("email_queue"); });
        jobs.start();
        service.mailer.notify_customer({.template_key = "booking_confirmation",
                                        .booking_id = 3,
                                        .booking = MessagingSite::booking("GRÜSSE-3"),
                                        .dedupe_key = "k"});
        while (site.number("SELECT COUNT(*) FROM svc_email_outbox WHERE status = 'sent'") == 0)
            std::this_thread::yield();
        jobs.stop();
        const auto mails = sink.mails();
        REQUIRE(mails.size() == 1);
        CHECK(mails[0]["tls"].boolean());
        CHECK(mails[0]["login"].boolean());
        CHECK(mails[0]["subject"].text() == "We have received your booking GRÜSSE-3");
        CHECK(mails[0]["html"].text().find("Nile &amp; Cruise") != std::string::npos);
        CHECK(mails[0]["text"].text().find("Nile & Cruise") != std::string::npos);
    });
}

TEST_CASE("with a server that fails, hangs and dawdles and senders that are killed, no e-mail is lost or overtaken") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        const SmtpSink sink({"--fail", "30", "--hang", "5", "--late", "30"});
        MessagingSite site(db);
        constexpr int bookings = 15, each = 4;
        for (int k = 0; k < each; ++k)
            for (int i = 1; i <= bookings; ++i)
                site.queue(i, std::to_string(i) + ":" + std::to_string(k));
        const auto worker = [&](const std::string& name) {
            auto child = std::make_unique<tests::Child>(
                std::vector<std::string>{SVC_OUTBOX_WORKER, db.url(), std::to_string(sink.port()), name});
            CHECK(child->line() == "ready");
            return child;
        };
        const auto taken = [&] { return sink.mails().size(); };
        auto first = worker("first"), second = worker("second");
        constexpr int kills = 6;
        for (int k = 1; k <= kills; ++k) {
            while (taken() < static_cast<std::size_t>(k * bookings * each / (kills + 2)))
                std::this_thread::yield();
            auto& victim = k % 2 ? first : second;
            victim->kill();
            victim = worker("after " + std::to_string(k));
        }
        while (site.number("SELECT COUNT(*) FROM svc_email_outbox WHERE status IN ('queued', 'sending')") > 0)
            std::this_thread::yield();
        const auto mails = sink.mails();
        std::map<std::string, int> copies;
        std::map<std::string, int> last;
        int breaks = 0;
        for (const auto& mail : mails) {
            const auto& subject = mail["subject"].text();
            ++copies[subject];
            const auto colon = subject.find(':');
            const int number = std::stoi(subject.substr(colon + 1));
            auto& latest = last.try_emplace(subject.substr(0, colon), -1).first->second;
            breaks += number < latest || number > latest + 1;
            latest = std::max(latest, number);
        }
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox WHERE status = 'failed'") == 0);
        CHECK(copies.size() == bookings * each);
        CHECK(breaks == 0);
        std::cout << "figure: " << db.name() << ": " << bookings * each << " e-mails, " << kills
                  << " kills, order breaks " << breaks << ", lost " << bookings * each - copies.size() << ", repeated "
                  << mails.size() - copies.size() << ", tries "
                  << site.number("SELECT SUM(attempts) FROM svc_email_outbox") << '\n';
    });
}
