// The queue at work: order, tries, waiting times, dead letters; on a set clock and without a network.
#include <condition_variable>
#include <mutex>
#include <set>

#include <doctest/doctest.h>

#include "tests/base/messaging/site.hpp"

using namespace svc;
using namespace svc::messaging;
using namespace std::chrono_literals;
using tests::MessagingSite;

namespace {

struct Post {
    explicit Post(MessagingSite& s, const std::string& process = "sender", std::chrono::milliseconds lease = 60s,
                  int at_a_time = 1)
        : site(s),
          sender(*s.store, *s.keyring, s.clock, s.metrics,
                 {.server = [this] { return smtp_server(site.settings, {}); },
                  .send =
                      [this](const outbound::Mail& mail, const outbound::SmtpSettings&) {
                          {
                              const std::lock_guard lock(mutex);
                              tries.push_back(mail.subject);
                          }
                          return answer(mail);
                      },
                  .chance = [] { return 0.5; },
                  .process = process,
                  .lease = lease,
                  .at_a_time = at_a_time}) {}
    std::string run() { return sender.run().value().dump(); }

    MessagingSite& site;
    std::mutex mutex;
    std::vector<std::string> tries;
    std::function<Result<void>(const outbound::Mail&)> answer = [](const outbound::Mail&) { return Result<void>(); };
    Sender sender;
};

Result<void> server_failure(const outbound::Mail&) { return Error{errc::upstream_error}.because("Timeout"); }

}  // namespace

TEST_CASE("what is queued is sent once, oldest first, with a Message-ID of its own") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        Post post(site);
        std::set<std::string> ids;
        post.answer = [&](const outbound::Mail& mail) {
            ids.insert(mail.message_id);
            CHECK(mail.message_id.ends_with("@example.org"));
            CHECK(mail.to == std::vector<std::string>{"ada@example.org"});
            return Result<void>();
        };
        for (const char* subject : {"1", "2", "3"})
            site.queue(*subject, subject);
        CHECK(post.run() == R"({"sent":3,"again":0,"failed":0})");
        CHECK(post.tries == std::vector<std::string>{"1", "2", "3"});
        CHECK(ids.size() == 3);
        CHECK(post.run() == R"({"sent":0,"again":0,"failed":0})");
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox WHERE status = 'sent' AND sent_at > 0"
                          " AND attempts = 1 AND leased_by IS NULL") == 3);
        CHECK(site.metrics.text().find("svc_emails_total{result=\"sent\"} 3") != std::string::npos);
    });
}

TEST_CASE("a link that a template marks is where mail programs unsubscribe") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        Post post(site);
        std::vector<std::string> links;
        post.answer = [&](const outbound::Mail& mail) {
            links.push_back(mail.unsubscribe_url);
            return Result<void>();
        };
        site.queue(1, "plain");
        site.queue(2, "marked",
                   R"(<p>News</p><link rel="unsubscribe" href="https://example.org/u/a-1_b.c"><p>End</p>)");
        site.queue(3, "typed", "<p>rel=&quot;unsubscribe&quot; href=&quot;https://evil.example&quot;</p>");
        post.run();
        CHECK(links == std::vector<std::string>{"", "https://example.org/u/a-1_b.c", ""});
    });
}

TEST_CASE("an e-mail to several addresses is one that goes to each of them") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        Post post(site);
        site.settings.set("admin_email", "office@example.org; Desk@example.org, office@example.org");
        std::vector<std::vector<std::string>> to;
        post.answer = [&](const outbound::Mail& mail) {
            to.push_back(mail.to);
            return Result<void>();
        };
        REQUIRE(site.service.mailer.notify_staff("admin_seats_low",
                                                 {.subject = "Few seats", .body = "On {{ trip_name }}"},
                                                 {{"trip_name", "Nile"}}, "low:1"));
        REQUIRE(site.events.drain());
        CHECK(post.run() == R"({"sent":1,"again":0,"failed":0})");
        CHECK(to == std::vector<std::vector<std::string>>{{"office@example.org", "Desk@example.org"}});
    });
}

TEST_CASE("staff get e-mails of a kind again when the hour of the first twenty is over") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        site.settings.set("admin_email", "office@example.org");
        const auto notify = [&](int number) {
            site.service.mailer.notify_staff("admin_seats_low",
                                             {.subject = "Few seats " + std::to_string(number), .body = "On a trip"},
                                             {}, "low:" + std::to_string(number));
            REQUIRE(site.events.drain());
        };
        const auto rows = [&](const std::string& condition) {
            return site.number("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = 'admin_seats_low' AND " +
                               condition);
        };
        for (int number = 0; number < 23; ++number)
            notify(number);
        CHECK(rows("status = 'queued'") == 20);
        CHECK(rows("for_digest = 1 AND subject LIKE 'Few seats %'") == 3);
        // Nobody reads the texts of those: only the first of them, which found the hour full, was composed.
        CHECK(rows("for_digest = 1 AND COALESCE(body_sealed, '') <> ''") == 1);
        site.clock.advance(61min);
        notify(23);
        CHECK(rows("status = 'queued'") == 21);
    });
}

TEST_CASE("without a mail server e-mails stay queued, and are not late") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        Post post(site);
        site.settings.set("smtp_enabled", false);
        site.queue(1, "1");
        site.clock.advance(24h);
        CHECK(post.run() == R"({"sent":0,"again":0,"failed":0})");
        CHECK(site.texts("SELECT status FROM svc_email_outbox")[0] == "queued");
        CHECK_FALSE(post.sender.lateness());
        CHECK(site.metrics.text().find("svc_outbox_open 1") != std::string::npos);
        site.settings.set("smtp_enabled", true);
        CHECK(post.sender.lateness() == 24h);
        CHECK(post.run() == R"({"sent":1,"again":0,"failed":0})");
        CHECK(post.sender.lateness() == 0h);
    });
}

TEST_CASE("a failing e-mail is tried six times at growing distances, then is a dead letter") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        Post post(site);
        post.answer = server_failure;
        site.queue(1, "x");
        for (const auto wait : {1min, 5min, 15min, 60min, 240min}) {
            CHECK(post.run() == R"({"sent":0,"again":1,"failed":0})");
            site.clock.advance(wait - 1s);
            CHECK(post.run() == R"({"sent":0,"again":0,"failed":0})");
            CHECK(post.sender.lateness() == 0s);  // it waits for its turn
            site.clock.advance(1s);
        }
        CHECK(post.run() == R"({"sent":0,"again":0,"failed":1})");
        site.clock.advance(1000h);
        CHECK(post.run() == R"({"sent":0,"again":0,"failed":0})");
        CHECK(post.tries.size() == 6);
        const auto dead = site.store->reading<std::vector<FailedEmail>>(
            [](store::Session& session) { return outbox::dead_letters(session, 10); });
        REQUIRE(dead.size() == 1);
        CHECK(dead[0].error == "Timeout");
        CHECK(dead[0].attempts == 6);

        post.answer = [](const outbound::Mail&) { return Result<void>(); };
        REQUIRE(site.store->write([&](store::Transaction& tx) -> Result<void> {
            CHECK(outbox::revive(tx, dead[0].id, site.clock.now()));
            CHECK_FALSE(outbox::revive(tx, dead[0].id, site.clock.now()));
            return {};
        }));
        CHECK(post.run() == R"({"sent":1,"again":0,"failed":0})");
    });
}

TEST_CASE("a booking's e-mails keep their order; a waiting or dead one holds up no other booking") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        Post post(site);
        for (const char* subject : {"1a", "1b", "2a", "1c", "2b"})
            site.queue(subject[0] - '0', subject);
        post.answer = [](const outbound::Mail& mail) {
            return mail.subject == "1a" ? server_failure(mail) : Result<void>();
        };
        CHECK(post.run() == R"({"sent":2,"again":1,"failed":0})");
        CHECK(post.tries == std::vector<std::string>{"1a", "2a", "2b"});
        for (int i = 0; i < 5; ++i) {
            site.clock.advance(300min);
            post.run();
        }
        // The sixth failure frees the others.
        CHECK(post.tries == std::vector<std::string>{"1a", "2a", "2b", "1a", "1a", "1a", "1a", "1a", "1b", "1c"});
        CHECK(site.texts("SELECT status FROM svc_email_outbox ORDER BY id") ==
              std::vector<std::string>{"failed", "sent", "sent", "sent", "sent"});
    });
}

TEST_CASE("an e-mail that can never be sent is a dead letter at once") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        Post post(site);
        post.answer = [](const outbound::Mail&) -> Result<void> {
            return invalid("subject", "Cannot be mailed."_sentence);
        };
        site.queue(1, "x");
        CHECK(post.run() == R"({"sent":0,"again":0,"failed":1})");
        CHECK(site.texts("SELECT error FROM svc_email_outbox")[0] == "Cannot be mailed.");
    });
}

TEST_CASE(
    "three e-mails are under way at a time once the server takes them, of one booking one, and each is sent once") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        Post post(site, "sender", 60s, 3);
        std::mutex mutex;
        std::condition_variable met;
        std::size_t most = 0;
        std::set<char> bookings;  // under way
        bool apart = true;
        post.answer = [&](const outbound::Mail& mail) {
            std::unique_lock lock(mutex);
            apart = bookings.insert(mail.subject[0]).second && apart;
            most = std::max(most, bookings.size());
            met.notify_all();
            // The first goes alone; the others wait for each other, unless nobody comes.
            if (mail.subject != "1a")
                met.wait_for(lock, 60s, [&] { return most == 3; });
            bookings.erase(mail.subject[0]);
            return Result<void>();
        };
        for (const char* subject : {"1a", "1b", "2a", "2b", "3a", "3b", "4a", "4b"})
            site.queue(subject[0] - '0', subject);
        CHECK(post.run() == R"({"sent":8,"again":0,"failed":0})");
        CHECK(most == 3);
        CHECK(apart);
        CHECK(std::set<std::string>(post.tries.begin(), post.tries.end()).size() == 8);
        CHECK(post.tries.size() == 8);
        const auto place = [&](const std::string& subject) {
            return std::find(post.tries.begin(), post.tries.end(), subject) - post.tries.begin();
        };
        for (const std::string booking : {"1", "2", "3", "4"})
            CHECK(place(booking + "a") < place(booking + "b"));
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox WHERE status = 'sent' AND attempts = 1") == 8);
    });
}

TEST_CASE("a run that stops at its most asks for another one, until nothing is left") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        int asked = 0;
        Sender sender(*site.store, *site.keyring, site.clock, site.metrics,
                      {.server = [&] { return smtp_server(site.settings, {}); },
                       .send = [](const outbound::Mail&, const outbound::SmtpSettings&) { return Result<void>(); },
                       .most_in_a_run = 4,
                       .go_on = [&] { ++asked; }});
        for (int i = 1; i <= 10; ++i)
            site.queue(i, std::to_string(i));
        CHECK(sender.run());
        CHECK(asked == 1);
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox WHERE status = 'sent'") == 4);
        CHECK(sender.run());
        CHECK(asked == 2);
        CHECK(sender.run());
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox WHERE status = 'sent'") == 10);
        CHECK(sender.run());
        CHECK(asked == 2);
    });
}

TEST_CASE("a server that takes no e-mail is asked by one alone") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        Post post(site, "sender", 60s, 3);
        post.answer = server_failure;
        for (int i = 1; i <= 20; ++i)
            site.queue(i, std::to_string(i));
        CHECK(post.run() == R"({"sent":0,"again":3,"failed":0})");
    });
}

TEST_CASE("a dead mail server is asked three times in a run, not for every e-mail") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        Post post(site);
        post.answer = server_failure;
        for (int i = 1; i <= 50; ++i)
            site.queue(i, std::to_string(i));
        CHECK(post.run() == R"({"sent":0,"again":3,"failed":0})");
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox WHERE status = 'queued' AND attempts = 0") == 47);
        post.answer = [](const outbound::Mail&) { return Result<void>(); };
        CHECK(post.run() == R"({"sent":47,"again":0,"failed":0})");
    });
}

TEST_CASE("an e-mail under way is nobody else's until its lease ends; then it goes again, before its followers") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        Post dies(site, "dies"), lives(site, "lives");
        site.queue(1, "1a");
        site.queue(1, "1b");
        site.queue(2, "2a");
        struct Death {};
        dies.answer = [](const outbound::Mail&) -> Result<void> { throw Death(); };
        CHECK_THROWS_AS(dies.run(), Death);
        CHECK(lives.run() == R"({"sent":1,"again":0,"failed":0})");
        CHECK(lives.tries == std::vector<std::string>{"2a"});
        tests::execute(*site.store, {"UPDATE svc_email_outbox SET lease_until = lease_until - 61000000"});
        CHECK(lives.run() == R"({"sent":2,"again":0,"failed":0})");
        CHECK(lives.tries == std::vector<std::string>{"2a", "1a", "1b"});
        CHECK(site.number("SELECT attempts FROM svc_email_outbox ORDER BY id LIMIT 1") == 2);
    });
}

TEST_CASE("an e-mail that ends each process that sends it is a dead letter in the end") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        site.queue(1, "bomb");
        struct Death {};
        for (int i = 0; i < 6; ++i) {
            Post dies(site, "dies" + std::to_string(i));
            dies.answer = [](const outbound::Mail&) -> Result<void> { throw Death(); };
            CHECK_THROWS_AS(dies.run(), Death);
            tests::execute(*site.store, {"UPDATE svc_email_outbox SET lease_until = 0"});
        }
        Post lives(site, "lives");
        CHECK(lives.run() == R"({"sent":0,"again":0,"failed":1})");
        CHECK(site.texts("SELECT status FROM svc_email_outbox")[0] == "failed");
    });
}

TEST_CASE("a late answer of a process that lost its lease changes nothing") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        Post slow(site, "slow"), quick(site, "quick");
        site.queue(1, "x");
        slow.answer = [&](const outbound::Mail& mail) {
            tests::execute(*site.store, {"UPDATE svc_email_outbox SET lease_until = 0"});
            CHECK(quick.run() == R"({"sent":1,"again":0,"failed":0})");
            return server_failure(mail);
        };
        slow.run();
        CHECK(site.texts("SELECT status FROM svc_email_outbox")[0] == "sent");
    });
}

TEST_CASE("bodies are cleared away after 90 days and rows after a year, open ones never") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        Post post(site);
        site.queue(1, "sent");
        post.run();
        site.queue(1, "open");
        const auto purge = [&](auto what) {
            return site.store
                ->transact<std::int64_t>(
                    [&](store::Transaction& tx) -> Result<std::int64_t> { return what(tx, site.clock.now(), 10); })
                .value();
        };
        site.clock.advance(24h * 90);
        CHECK(purge(outbox::purge_bodies) == 0);
        site.clock.advance(1s);
        CHECK(purge(outbox::purge_bodies) == 1);
        CHECK(purge(outbox::purge_bodies) == 0);
        CHECK(purge(outbox::purge) == 0);
        site.clock.advance(24h * 275);
        CHECK(purge(outbox::purge) == 1);
        CHECK(site.texts("SELECT subject FROM svc_email_outbox") == std::vector<std::string>{"open"});
    });
}

TEST_CASE("an e-mail goes out with the styles of its block in each element") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        Post post(site);
        std::string html;
        post.answer = [&](const outbound::Mail& mail) {
            html = mail.html;
            return Result<void>();
        };
        site.queue(1, "styled", "<html><head><style>p { color: red; }</style></head><body><p>Hello</p></body></html>",
                   "Hello");
        post.run();
        CHECK(html.find("<p style=\"color: red;\">Hello</p>") != std::string::npos);
    });
}

TEST_CASE("the texts of an e-mail are sealed for its row alone, and go out as they were written") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        Post post(site);
        std::string html, text;
        post.answer = [&](const outbound::Mail& mail) {
            html = mail.html;
            text = mail.text;
            return Result<void>();
        };
        const std::string link = "/verify?token=fa7f5b1ce9", whole = std::string(200'000, ' ') + "12:<a href=\"" + link;
        site.queue(1, "long", whole, "Follow " + link);
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox WHERE body_html IS NOT NULL OR body_text IS NOT NULL"
                          " OR body_sealed LIKE '%fa7f5b1ce9%' OR body_sealed NOT LIKE 'v1.%'") == 0);
        post.run();
        CHECK(html == whole);
        CHECK(text == "Follow " + link);
        site.queue(1, "empty", "", "");
        post.run();
        CHECK(html.empty());
        CHECK(text.empty());

        // From before they were sealed.
        site.queue(1, "old");
        const auto lay_open = [&] {
            tests::execute(*site.store, {"UPDATE svc_email_outbox SET body_sealed = NULL, body_html = '<p>Old</p>',"
                                         " body_text = 'Old' WHERE subject = 'old'"});
        };
        lay_open();
        CHECK(post.run() == R"({"sent":1,"again":0,"failed":0})");
        CHECK(html == "<p>Old</p>");
        CHECK(text == "Old");
        CHECK(post.sender.renew_sealed().value() == 1);
        CHECK(post.sender.renew_sealed().value() == 0);
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox WHERE body_html IS NOT NULL OR body_text IS NOT NULL"
                          " OR body_sealed IS NULL") == 0);
        tests::execute(*site.store, {"UPDATE svc_email_outbox SET status = 'queued' WHERE subject = 'old'"});
        post.run();
        CHECK(html == "<p>Old</p>");

        // Somebody else's letter to an address of one's own.
        site.queue(2, "theirs");
        tests::execute(*site.store, {"UPDATE svc_email_outbox SET to_email = 'eve@example.org' WHERE booking_id = 2"});
        CHECK(post.run() == R"({"sent":0,"again":0,"failed":1})");
        CHECK(post.tries.back() == "old");
    });
}

TEST_CASE("the texts of e-mails are sealed anew with the key in use") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        for (int booking = 1; booking <= 150; ++booking)
            site.queue(booking, "one");
        const tests::TempDir folder;
        const auto path = folder.file("svc.key");
        const auto first = crypto::Keyring::open(path);
        Sender elsewhere(*site.store, *first, site.clock, site.metrics, {.server = [] { return std::nullopt; }});
        CHECK(elsewhere.renew_sealed().value() == 0);  // they open with none of its keys, and are left
        tests::execute(*site.store, {"UPDATE svc_email_outbox SET body_sealed = NULL, body_html = '', body_text = ''"});
        CHECK(elsewhere.renew_sealed().value() == 150);
        crypto::Keyring::add(path);
        crypto::Keyring::use_last(path);
        const auto both = crypto::Keyring::open(path);
        Sender now(*site.store, *both, site.clock, site.metrics, {.server = [] { return std::nullopt; }});
        CHECK(now.renew_sealed().value() == 150);
        CHECK(now.renew_sealed().value() == 0);
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox WHERE body_sealed LIKE '" + both->prefix() + "%'") ==
              150);
    });
}
