// svc.bookings/1, svc.changes/1, svc.limits/1, svc.fetch/2, svc.housekeeping/1 and svc.documents/1: over the whole
// base, and with a withheld, an old and a throwing one.
#include <atomic>
#include <thread>

#include <doctest/doctest.h>

#include "shared/plugin/host_bookings.hpp"
#include "shared/plugin/host_changes.hpp"
#include "shared/plugin/host_documents.hpp"
#include "shared/plugin/host_fetch.hpp"
#include "shared/plugin/host_housekeeping.hpp"
#include "shared/plugin/host_limits.hpp"
#include "tests/plugin/stand.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

namespace svc::tests {
namespace {

using json::Value;
using plugin::Host;

std::function<void(Host&)> brings;
plugin::Store* store_of_plugin = nullptr;
const plugin::Bookings* bookings = nullptr;
plugin::Changes* changes = nullptr;
const plugin::Limits* uses = nullptr;
const plugin::FetchTwo* fetches = nullptr;
const plugin::Documents* documents = nullptr;

const svc_plugin* partner_entry() {
    script([](Host& host) {
        store_of_plugin = &host.need<plugin::Store>();
        bookings = host.find<plugin::Bookings>();
        changes = host.find<plugin::Changes>();
        uses = host.find<plugin::Limits>();
        fetches = host.find<plugin::FetchTwo>();
        documents = host.find<plugin::Documents>();
        if (brings)
            brings(host);
    });
    return scripted_entry();
}

struct PartnerBase {
    explicit PartnerBase(const Database& database) : base(database, &partner_entry) {
        base.run("CREATE TABLE partner_rows (id BIGINT NOT NULL PRIMARY KEY, at BIGINT NOT NULL)");
    }
    TestBase base;
};

const auto each_partner_base = each_on<PartnerBase>;

Value wanted(PartnerBase& partner, std::int64_t trip_id, int travelers = 2) {
    return Value::object({{"trip_id", trip_id},
                          {"travel_date", partner.base.day(30)},
                          {"travelers_count", travelers},
                          {"contact_first_name", "Ada"},
                          {"contact_last_name", "Lovelace"},
                          {"contact_email", "ada@example.org"}});
}

const plugin::Bookings::By octo{.cause = "channel", .name = "octo", .reason = "the guest asked for it"};

Result<Value> in_transaction(const std::function<Result<Value>(store::Transaction&)>& work) {
    return store_of_plugin->transact<Value>(work);
}

std::string code_of(const Result<Value>& result) {
    return result ? std::string("good") : std::string(result.error().code().name);
}

}  // namespace

TEST_CASE("a plugin quotes, holds, confirms and cancels a booking, and the log names the channel") {
    each_partner_base([](PartnerBase& partner) {
        const auto trip = partner.base.given_trip();
        partner.base.given_departure(trip, 30, 3);
        REQUIRE(bookings);
        const auto quote = bookings->quote(
            Value::object({{"trip_id", trip}, {"travel_date", partner.base.day(30)}, {"travelers_count", 2}}));
        CAPTURE(code_of(quote));
        REQUIRE(quote);
        const auto held = bookings->hold(wanted(partner, trip), octo, *store_of_plugin);
        CAPTURE(code_of(held));
        REQUIRE(held);
        CHECK((*held)["status"].text() == "pending");
        CHECK((*held)["total"].number_text() == (*quote)["total_amount"].number_text());
        CHECK(partner.base.number("SELECT booked_count FROM svc_departures") == 2);
        CHECK(partner.base.number("SELECT COUNT(*) FROM svc_bookings WHERE source = 'channel'") == 1);
        // Two of three seats are taken.
        CHECK(code_of(bookings->hold(wanted(partner, trip), octo, *store_of_plugin)) == "sold_out");

        const auto id = (*held)["id"].integer();
        for (int times = 0; times < 2; ++times) {
            const auto confirmed = in_transaction([&](auto& tx) { return bookings->confirm(tx, id, octo); });
            REQUIRE(confirmed);
            CHECK((*confirmed)["status"].text() == "confirmed");
        }
        for (int times = 0; times < 2; ++times) {
            const auto cancelled = in_transaction([&](auto& tx) { return bookings->cancel(tx, id, octo); });
            REQUIRE(cancelled);
            CHECK((*cancelled)["status"].text() == "cancelled");
        }
        CHECK(partner.base.number("SELECT booked_count FROM svc_departures") == 0);
        CHECK(partner.base.number("SELECT COUNT(*) FROM svc_bookings WHERE cancelled_via = 'channel'") == 1);
        CHECK(code_of(in_transaction([&](auto& tx) { return bookings->confirm(tx, 987654, octo); })) ==
              "booking_not_found");
    });
}

TEST_CASE("what a plugin writes with its booking is there exactly when the booking is") {
    each_partner_base([](PartnerBase& partner) {
        const auto trip = partner.base.given_trip();
        partner.base.given_departure(trip, 30, 3);
        const auto noting = [](const std::function<Result<void>()>& then) {
            return [then](store::Transaction& tx, const Value& booking) -> Result<void> {
                tx.run("INSERT INTO partner_rows (id, at) VALUES (:id, 1)", {{"id", booking["id"].integer()}});
                return then();
            };
        };
        const auto refused = bookings->hold(wanted(partner, trip), octo, *store_of_plugin,
                                            noting([]() -> Result<void> { return errc::conflict; }));
        CHECK(code_of(refused) == "svc_conflict");
        CHECK_THROWS_AS(
            static_cast<void>(bookings->hold(wanted(partner, trip), octo, *store_of_plugin,
                                             noting([]() -> Result<void> { throw std::runtime_error("secret 12"); }))),
            plugin::Failed);
        CHECK(partner.base.number("SELECT COUNT(*) FROM partner_rows") == 0);
        CHECK(partner.base.number("SELECT COUNT(*) FROM svc_bookings") == 0);
        CHECK(partner.base.number("SELECT booked_count FROM svc_departures") == 0);
        REQUIRE(
            bookings->hold(wanted(partner, trip), octo, *store_of_plugin, noting([]() -> Result<void> { return {}; })));
        CHECK(partner.base.number("SELECT COUNT(*) FROM partner_rows p JOIN svc_bookings b ON b.id = p.id") == 1);
        // A change that the plugin takes back is none.
        const auto id = partner.base.number("SELECT id FROM svc_bookings");
        CHECK(code_of(in_transaction([&](auto& tx) -> Result<Value> {
                  const auto done = bookings->cancel(tx, id, octo);
                  return done ? Result<Value>(errc::conflict) : done;
              })) == "svc_conflict");
        CHECK(partner.base.number("SELECT COUNT(*) FROM svc_bookings WHERE status = 'pending'") == 1);
    });
}

TEST_CASE("a plugin's booking that cannot be is refused with its fields, and none is made in a transaction") {
    each_partner_base([](PartnerBase& partner) {
        const auto trip = partner.base.given_trip();
        partner.base.given_departure(trip, 30, 3);
        Value nameless = wanted(partner, trip);
        nameless.erase("contact_email");
        const auto missing = bookings->hold(nameless, octo, *store_of_plugin);
        REQUIRE(!missing);
        CHECK(missing.error().code().name == "svc_validation_error");
        REQUIRE(!missing.error().fields().empty());
        CHECK(missing.error().fields().front().field == "contact_email");
        Value other = wanted(partner, trip);
        other.set("expected_total", json::Number{"1.00"});
        CHECK(code_of(bookings->hold(other, octo, *store_of_plugin)) == "price_changed");
        CHECK(code_of(bookings->hold(wanted(partner, trip), {.cause = "nobody", .name = "x"}, *store_of_plugin)) ==
              "svc_validation_error");
        CHECK_THROWS_AS(static_cast<void>(in_transaction(
                            [&](auto&) { return bookings->hold(wanted(partner, trip), octo, *store_of_plugin); })),
                        plugin::Failed);
        CHECK(partner.base.number("SELECT COUNT(*) FROM svc_bookings") == 0);
    });
}

TEST_CASE("followers of a plugin run after a change of theirs or of the base's, and tokens differ from then on") {
    std::atomic<int> own = 0, trips = 0;
    brings = [&](Host&) {
        changes->follow("prices", [&own] { ++own; });
        changes->follow("base:trips", [&trips] { ++trips; });
        changes->follow("unheard");
        CHECK_THROWS_AS(changes->follow("base:secrets"), plugin::Refused);
    };
    // A refused channel refuses the plugin, unless it goes on.
    each_partner_base([&](PartnerBase& partner) {
        REQUIRE(changes);
        CHECK(own.load() >= 1);  // once at the start
        const auto wait_for = [](const std::function<bool()>& is_so) {
            for (int i = 0; i < 500 && !is_so(); ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            return is_so();
        };
        const int before = own.load();
        const auto token = changes->token("prices");
        CHECK(changes->token("prices") == token);
        REQUIRE(store_of_plugin->write([&](store::Transaction& tx) -> Result<void> {
            changes->touch(tx, "prices");
            return {};
        }));
        CHECK(wait_for([&] { return own.load() > before; }));
        CHECK(changes->token("prices") != token);
        const int trips_before = trips.load();
        const auto trips_token = changes->token("base:trips");
        partner.base.given_trip();
        CHECK(wait_for([&] { return trips.load() > trips_before; }));
        CHECK(changes->token("base:trips") != trips_token);
        CHECK_THROWS_AS(static_cast<void>(changes->token("departures")), plugin::Failed);
        CHECK_THROWS(static_cast<void>(store_of_plugin->write([&](store::Transaction& tx) -> Result<void> {
            changes->touch(tx, "base:trips");
            return {};
        })));
    });
    brings = nullptr;
}

TEST_CASE("a plugin's limit counts by address, mailbox or key, and says how long to wait") {
    each_partner_base([](PartnerBase& partner) {
        using By = plugin::Limits::By;
        REQUIRE(uses);
        const auto take = [](By by, const std::string& subject, bool strict = false, const std::string& action = "a") {
            return uses->take({.action = action,
                               .by = by,
                               .subject = subject,
                               .burst = 1,
                               .per = std::chrono::hours(1),
                               .strict = strict});
        };
        for (const bool strict : {false, true}) {
            const std::string suffix = strict ? ".example.org" : ".example.net";
            CHECK(take(By::mailbox, "ada@mail" + suffix, strict));
            const auto second = take(By::mailbox, " Ada@MAIL" + suffix, strict);
            REQUIRE(!second);
            CHECK(second.error().code().name == "svc_rate_limited");
            CHECK(second.error().retry_after().value_or(0) > 0);
            CHECK(!take(By::mailbox, "ada+1@mail" + suffix, strict));
            CHECK(take(By::mailbox, "bob@mail" + suffix, strict));
            CHECK(take(By::mailbox, "ada@mail" + suffix, strict, "b"));
        }
        CHECK(take(By::address, "2001:db8::1"));
        CHECK(!take(By::address, "2001:db8::2"));
        CHECK(take(By::key, "one"));
        CHECK(partner.base.number("SELECT COUNT(*) FROM svc_rate_limits WHERE subject LIKE '%ada%'") == 0);
        const auto bad = uses->take({.action = "No Word", .by = By::key, .subject = "x"});
        REQUIRE(!bad);
        CHECK(bad.error().code().name == "svc_validation_error");
        CHECK_THROWS_AS(static_cast<void>(in_transaction([&](auto&) -> Result<Value> {
                            static_cast<void>(take(By::key, "two", true));
                            return Value();
                        })),
                        plugin::Failed);
    });
}

TEST_CASE("old rows of a plugin are deleted by the base's housekeeping, by its days or a setting's") {
    brings = [](Host& host) {
        auto& house = host.need<plugin::Housekeeping>();
        host.need<plugin::Settings>().declare(
            {.key = "partner_days", .type = api::integer(0, 1000), .initial = 0, .help = "For the test."});
        const std::string sql = "DELETE FROM partner_rows WHERE id IN (SELECT id FROM partner_rows WHERE at < :before";
        house.add({.name = "low", .sql = sql + " AND id < 10 ORDER BY id LIMIT :most)", .days = 30});
        house.add(
            {.name = "high", .sql = sql + " AND id >= 10 ORDER BY id LIMIT :most)", .days_setting = "partner_days"});
        host.need<plugin::Modules>().declare(
            {.slug = "partner_off", .name = "Off", .description = "For the test.", .category = "tools"});
        house.add({.name = "off",
                   .sql = "DELETE FROM no_table WHERE at < :before AND 1 < :most",
                   .days = 1,
                   .module = "partner_off"});
    };
    each_partner_base([](PartnerBase& partner) {
        partner.base.run(
            "INSERT INTO partner_rows (id, at) VALUES (1, 1), (2, 9000000000000000), (10, 1), (11, 9000000000000000)");
        partner.base.assembly->jobs.prepare();
        const auto clean = [&] {
            const auto done = partner.base.assembly->jobs.run_now("housekeeping");
            CAPTURE(done ? std::string() : done.error().message().english() + " " + std::string(done.error().cause()));
            REQUIRE(done);
            return *done;
        };
        CHECK(clean()["plugin:scripted:low"].integer() == 1);
        CHECK(partner.base.number("SELECT COUNT(*) FROM partner_rows") == 3);  // the setting is 0: for ever
        REQUIRE(partner.base.assembly->settings.write(Value::object({{"partner_days", 5}}), 0));
        CHECK(clean()["plugin:scripted:high"].integer() == 1);
        CHECK(partner.base.number("SELECT SUM(id) FROM partner_rows") == 13);
    });
    for (const auto& piece : std::vector<plugin::Housekeeping::Piece>{
             {.name = "a", .sql = "DROP TABLE svc_trips -- :before :most", .days = 1},
             {.name = "a", .sql = "DELETE FROM partner_rows", .days = 1},
             {.name = "A b", .sql = "DELETE FROM t WHERE at < :before AND 1 < :most", .days = 1},
             {.name = "a", .sql = "DELETE FROM t WHERE at < :before AND 1 < :most"}}) {
        brings = [&](Host& host) { host.need<plugin::Housekeeping>().add(piece); };
        PartnerBase partner(*Database::sqlite());
        CHECK(!partner.base.assembly->plugins.is_pro());
    }
    brings = nullptr;
}

TEST_CASE("a request to another server has its certificate, its duration and a limit by host") {
    Stand stand;
    std::vector<plugins::FetchRequest> asked;
    std::map<std::string, int> taken;
    stand.fetch = [&](const plugins::FetchRequest& request) -> Result<plugins::FetchReply> {
        asked.push_back(request);
        if (request.url.ends_with("/throws"))
            throw std::runtime_error("secret 12");
        return plugins::FetchReply{.status = 302, .headers = {{"location", "https://other.example/"}}, .body = "b"};
    };
    stand.take_limit = [&](std::string_view, std::string_view subject, limits::Limit limit, bool) {
        const bool allowed = ++taken[std::string(subject)] <= limit.burst;
        return limits::Verdict{.allowed = allowed, .retry_after = allowed ? 0 : 7};
    };
    const plugin::FetchTwo* found = nullptr;
    REQUIRE(stand.attach([&](Host& host) { found = host.find<plugin::FetchTwo>(); }));
    REQUIRE(found);
    plugin::FetchTwo::Request request;
    request.method = "DELETE";
    request.url = "https://partner.example/a?b=c";
    request.certificate_chain = "chain";
    request.certificate_key = "key";
    request.host_burst = 2;
    const auto reply = (*found)(request);
    REQUIRE(reply);
    CHECK(reply->status == 302);  // redirects are not followed
    CHECK(reply->headers.size() == 1);
    CHECK(reply->duration.count() >= 0);
    REQUIRE(asked.size() == 1);
    CHECK(asked[0].method == "DELETE");
    CHECK(asked[0].certificate_chain == "chain");
    CHECK(asked[0].certificate_key == "key");
    request.url = "https://partner.example/other";
    REQUIRE((*found)(request));
    const auto over = (*found)(request);
    REQUIRE(!over);
    CHECK(over.error().code().name == "svc_rate_limited");
    CHECK(over.error().retry_after() == 7);
    CHECK(asked.size() == 2);
    request.url = "https://elsewhere.example/throws";
    CHECK_THROWS_AS(static_cast<void>((*found)(request)), plugin::Failed);
    request.method = "TRACE";
    CHECK(!(*found)(request));
    plugin::Store* own = nullptr;
    Stand another;
    another.fetch = stand.fetch;
    another.take_limit = stand.take_limit;
    REQUIRE(another.attach([&](Host& host) {
        own = &host.need<plugin::Store>();
        found = host.find<plugin::FetchTwo>();
    }));
    CHECK_THROWS_AS(own->read([&](store::Session&) { static_cast<void>((*found)(request)); }), plugin::Failed);
}

TEST_CASE(
    "a plugin's document comes back as the bytes of a PDF; a bad one is refused with its block, outside transactions") {
    each_partner_base([](PartnerBase&) {
        REQUIRE(documents);
        const auto document = [](const char* type) {
            return Value::object({{"title", "Consent"},
                                  {"blocks", Value::array({Value::object({{"type", type}, {"text", "I agree."}})})}});
        };
        const auto made = documents->pdf(document("paragraph"));
        REQUIRE(made);
        CHECK(made->starts_with("%PDF-"));
        CHECK(made->find("%%EOF") != std::string::npos);
        const auto bad = documents->pdf(document("film"));
        REQUIRE(!bad);
        CHECK(bad.error().code().name == "svc_validation_error");
        REQUIRE(bad.error().fields().size() == 1);
        CHECK(bad.error().fields().front().field == "blocks.0");
        Value large = document("paragraph");
        large.set("title", std::string(std::size_t{4} << 20, 'a'));
        const auto refused = documents->pdf(large);
        REQUIRE(!refused);
        CHECK(refused.error().code().name == "svc_validation_error");
        CHECK_THROWS_AS(static_cast<void>(in_transaction([&](auto&) -> Result<Value> {
                            static_cast<void>(documents->pdf(document("paragraph")));
                            return Value();
                        })),
                        plugin::Failed);
    });
}

TEST_CASE("a plugin finds no service on a base that withholds it, or whose table is older than its wrapper") {
    Stand withheld;
    int found = 0;
    REQUIRE(withheld.attach([&](Host& host) {
        found = (host.find<plugin::Bookings>() ? 1 : 0) + (host.find<plugin::Changes>() ? 1 : 0) +
                (host.find<plugin::Limits>() ? 1 : 0) + (host.find<plugin::FetchTwo>() ? 1 : 0) +
                (host.find<plugin::Housekeeping>() ? 1 : 0) + (host.find<plugin::Documents>() ? 1 : 0);
    }));
    CHECK(found == 0);
    svc_bookings_1 older_bookings{};
    older_bookings.size = offsetof(svc_bookings_1, cancel);
    CHECK(!plugin::Bookings::usable(&older_bookings));
    svc_changes_1 older_changes{};
    older_changes.size = offsetof(svc_changes_1, token);
    CHECK(!plugin::Changes::usable(&older_changes));
    svc_limits_1 older_limits{};
    older_limits.size = offsetof(svc_limits_1, take);
    CHECK(!plugin::Limits::usable(&older_limits));
    svc_fetch_2 older_fetch{};
    older_fetch.size = offsetof(svc_fetch_2, fetch);
    CHECK(!plugin::FetchTwo::usable(&older_fetch));
    svc_housekeeping_1 older_house{};
    older_house.size = offsetof(svc_housekeeping_1, add);
    CHECK(!plugin::Housekeeping::usable(&older_house));
    svc_documents_1 older_documents{};
    older_documents.size = offsetof(svc_documents_1, pdf);
    CHECK(!plugin::Documents::usable(&older_documents));
}

TEST_CASE("a base that throws in a service fails the call, and a throwing follower harms nobody") {
    Stand stand;
    std::vector<std::function<void()>> followers;
    stand.bookings.quote = [](const Value&) -> Result<Value> { throw store::Unavailable("gone"); };
    stand.bookings.hold = [](const Value&, const auto&, const auto&) -> Result<Value> {
        throw std::runtime_error("secret 12");
    };
    stand.take_limit = [](auto, auto, auto, bool) -> limits::Verdict { throw store::Unavailable("gone"); };
    stand.print = [](const Value&) -> Result<pdf::Rendered> { throw std::runtime_error("secret 12"); };
    stand.changes.follow = [&](const std::string&, std::function<void()> changed) {
        followers.push_back(std::move(changed));
    };
    const plugin::Bookings* found = nullptr;
    const plugin::Limits* limits = nullptr;
    const plugin::Documents* printer = nullptr;
    plugin::Store* own = nullptr;
    REQUIRE(stand.attach([&](Host& host) {
        found = host.find<plugin::Bookings>();
        limits = host.find<plugin::Limits>();
        printer = host.find<plugin::Documents>();
        own = &host.need<plugin::Store>();
        host.need<plugin::Changes>().follow("a", [] { throw std::runtime_error("secret 12"); });
    }));
    REQUIRE(found);
    REQUIRE(limits);
    CHECK_THROWS_AS(static_cast<void>(found->quote(Value::object())), store::Unavailable);
    CHECK_THROWS_AS(static_cast<void>(found->hold(Value::object(), octo, *own)), plugin::Failed);
    CHECK_THROWS_AS(static_cast<void>(limits->take({.action = "a", .subject = "1.2.3.4"})), store::Unavailable);
    REQUIRE(printer);
    CHECK_THROWS_AS(static_cast<void>(printer->pdf(Value::object())), plugin::Failed);
    REQUIRE(followers.size() == 1);
    CHECK_NOTHROW(followers[0]());
}

}  // namespace svc::tests
