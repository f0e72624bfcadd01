// The module scheduled_payments behind the plugin interface: planned once, and what each answer to a charge means.
#include <doctest/doctest.h>

#include "pro/app/pro.hpp"
#include "tests/plugin/stand.hpp"
#include "tests/support/rows.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;

namespace {

const Clock* set_clock = nullptr;  // of the present test

void attach_by_set_clock(plugin::Host& host) { pro::attach(host, *set_clock); }

const svc_plugin* pro_by_set_clock() {
    static svc_plugin table;
    table = *svc_plugin_entry();
    table.attach = &plugin::attach_entry<&attach_by_set_clock>;
    return &table;
}

constexpr const char* plan_filter = "svc_booking_payment_plan";

// A base with the real schema; booking 50 is a user's, of 100.00, of which 25.00 are paid.
struct Scheduling : Stand {
    explicit Scheduling(std::unique_ptr<Database> on) : Stand(std::move(on), Schema::real) {
        settings.values = {{"timezone", "UTC"},           {"enable_scheduled_payments", true},
                           {"balance_anchor", "booking"}, {"balance_due_days", 14},
                           {"date_format", "Y-m-d"},      {"decimal_separator", "."},
                           {"thousand_separator", ","},   {"currency_position", "left"},
                           {"currency_decimals", 2}};
        charges = {.kept = [this](std::int64_t) -> Result<json::Value> {
                       return json::Value::object(
                           {{"method_id", kept_method}, {"gateway", "stripe"}, {"keeps_methods", true}});
                   },
                   .charge = [this](const plugins::ChargeRequest& wanted) -> Result<json::Value> {
                       keys.push_back(wanted.key);
                       owed = wanted.balance;
                       CHECK(wanted.booking_id == 50);
                       CHECK(wanted.method_id == 3);
                       return answer();
                   }};
        pages = {.check = [](const pages::OfferedPage&) -> Result<void> { return {}; },
                 .add = [this](pages::OfferedPage page) { offered.push_back(std::move(page)); },
                 .add_asset = [](const pages::OfferedAsset&) {},
                 .declare = [](const std::string&, const pages::Origins&) {},
                 .check_tag = [](const pages::OfferedTag&) -> Result<void> { return {}; },
                 .add_tag = [](pages::OfferedTag) {}};
        mails = {
            .check = [](const mails::OfferedTemplate&) -> Result<void> { return {}; },
            .add = [](const std::string&, const mails::OfferedTemplate&) {},
            .queue = [this](store::Transaction&, const std::string&, const mails::QueuedMail& mail) -> Result<void> {
                if (refuses_mails)
                    return invalid("to", "No address."_sentence);
                queued.push_back(mail);
                return {};
            },
            .log = [](const std::string&, const mails::LogQuery&) -> std::vector<mails::LoggedMail> { return {}; }};
        hooks.declare(hooks::Filter{plan_filter, "For the test.", json::Kind::array, {"context"}});
        set_clock = &clock;
        REQUIRE(attach(&pro_by_set_clock));
        REQUIRE(modules.toggle("scheduled_payments", true, 7));
    }
    // As the base tells of a payment, once or again.
    void paid(json::Value more = json::Value::object()) {
        auto payment = json::Value::object(
            {{"booking_id", 50}, {"payment_id", 11}, {"payment_type", "initial"}, {"fully_paid", false}});
        for (const auto& [name, value] : more.members())
            payment.set(name, value);
        for (const auto& [action, listener] : hooks.listeners)
            if (action == "svc_payment_completed")
                listener.second({payment});
    }
    void changed() {
        for (const auto& [action, listener] : hooks.listeners)
            if (action == "svc_booking_updated")
                listener.second({50});
    }
    void run(Instant now) {
        for (const auto& job : jobs.added)
            if (job.name == "scheduled_payments_run")
                REQUIRE(job.run(now));
    }
    std::string row() {
        return store->reading<std::string>([](store::Session& session) {
            return session
                .first<std::string>("SELECT status, attempts, permanent_failure FROM svc_scheduled_payments", "tii", {},
                                    [](const store::Row& one) {
                                        return one.text(0) + " " + std::to_string(one.integer(1)) +
                                               (one.flag(2) ? " for good" : "");
                                    })
                .value_or("none");
        });
    }
    static Result<json::Value> progress(const char* how) {
        return json::Value::object({{"progress", how}, {"payment_id", 12}, {"transaction_id", "ch_1"}});
    }

    // The account's page as that user sees it.
    Result<json::Value> page_of(std::int64_t user_id) {
        REQUIRE(offered.size() == 1);
        return offered.front().show(
            json::Value::object({{"method", "GET"}, {"path", "/konto/payments"}, {"user_id", user_id}}));
    }

    // "template dedupe key" of the e-mails since the last call.
    std::vector<std::string> mailed() {
        std::vector<std::string> keys_of_mails;
        for (const mails::QueuedMail& mail : std::exchange(queued, {}))
            keys_of_mails.push_back(mail.template_key + " " + mail.dedupe_key);
        return keys_of_mails;
    }
    void remind(Instant now) {
        for (const auto& job : jobs.added)
            if (job.name == "scheduled_payments_reminders")
                REQUIRE(job.run(now));
    }

    // Three charges of 25.00, 10, 40 and 70 days from now.
    void in_installments() {
        settings.values["scheduled_payment_type"] = "installments";
        for (const auto& [key, value] : {std::pair{"scheduled_payment_days", 10},
                                         {"scheduled_payment_installments", 3},
                                         {"scheduled_payment_interval", 30}})
            settings.values[key] = value;
    }
    // "paid 2500;scheduled 2500;…"
    std::string rows() {
        std::string all;
        store->read([&](store::Session& session) {
            session.each(
                "SELECT status, amount_minor FROM svc_scheduled_payments ORDER BY id", "ti", {},
                [&](const store::Row& one) { all += one.text(0) + " " + std::to_string(one.integer(1)) + ";"; });
        });
        return all;
    }
    // Another payment of the booking, by its page.
    void receive(std::int64_t minor) {
        const std::string id = std::to_string(++last_payment), amount = std::to_string(minor);
        insert_row(*store, "svc_payments",
                   {{"id", id},
                    {"booking_id", "50"},
                    {"gateway", "'stripe'"},
                    {"method", "'card'"},
                    {"amount_minor", amount},
                    {"currency", "'USD'"},
                    {"status", "'completed'"},
                    {"source", "'gateway'"},
                    {"processed_at", std::to_string(clock.now().plus(std::chrono::seconds(last_payment)).micros())},
                    {"payment_date", "'2026-05-04'"}});
        execute(*store, {("UPDATE svc_bookings SET amount_paid_minor = amount_paid_minor + " + amount).c_str()});
    }
    // What the base asks: "1/3 2026-05-14 25.00;…"
    std::string plan_of(json::Value context) {
        context.set("currency", "USD");
        std::string all;
        binds = false;
        const hooks::Filter filter{plan_filter, "", json::Kind::array, {"context"}};
        const auto ask = [&](store::Transaction* tx) {
            return hooks.apply(filter, json::Value::array(), {context}, tx);
        };
        json::Value parts;
        if (context.maybe_boolean("is_agreed").value_or(false))
            REQUIRE(store->write([&](store::Transaction& tx) -> Result<void> {
                parts = ask(&tx);
                return {};
            }));
        else
            parts = ask(nullptr);
        for (const json::Value& part : parts.items()) {
            binds = part.maybe_boolean("binds").value_or(false);
            all += part["number"].number_text() + "/" + part["count"].number_text() + " " + part["date"].text() + " " +
                   part["amount"].number_text() + ";";
        }
        return all;
    }
    // 25 % at booking, 30.00 after 10 days, the rest after 40.
    void given_plan_of_trip(const std::string& kind) {
        execute(*store, {("INSERT INTO svc_trip_payment_plans (trip_id, kind, currency, created_at, updated_at)"
                          " VALUES (1, '" +
                          kind + "', 'USD', 0, 0)")
                             .c_str(),
                         "INSERT INTO svc_trip_payment_plan_parts (trip_id, number, rate_ppm, due)"
                         " VALUES (1, 1, 250000, 'booking')",
                         "INSERT INTO svc_trip_payment_plan_parts (trip_id, number, amount_minor, due, days)"
                         " VALUES (1, 2, 3000, 'after_booking', 10)",
                         "INSERT INTO svc_trip_payment_plan_parts (trip_id, number, due, days)"
                         " VALUES (1, 3, 'after_booking', 40)"});
    }

    bool binds = false;  // the last plan that was asked for
    std::int64_t last_payment = 20, kept_method = 3;
    std::optional<Money> owed = {};  // the balance that the last charge reckoned with
    std::vector<mails::QueuedMail> queued;
    bool refuses_mails = false;
    std::vector<pages::OfferedPage> offered;
    std::vector<std::string> keys;
    std::function<Result<json::Value>()> answer = [] { return progress("paid"); };
    const Instant due = clock.now().plus(std::chrono::hours(24 * 16));
};

void each_kind(const std::function<void(Scheduling&)>& body) {
    each_database([&](Database& kind) {
        CAPTURE(kind.name());
        Scheduling base(kind.dialect() == store::Dialect::sqlite ? Database::sqlite() : Database::postgresql());
        body(base);
    });
}

constexpr std::chrono::hours hour{1};
using Keys = std::vector<std::string>;

}  // namespace

TEST_CASE("the first part payment is followed by one plan, however often it is told; no other payment is") {
    each_kind([](Scheduling& base) {
        base.paid(json::Value::object({{"payment_type", "partial"}}));
        base.paid(json::Value::object({{"fully_paid", true}}));
        base.settings.values["enable_scheduled_payments"] = false;
        base.paid();
        CHECK(base.row() == "none");
        base.settings.values["enable_scheduled_payments"] = true;
        base.paid();
        base.paid();
        CHECK(base.number("SELECT COUNT(*) FROM svc_scheduled_payments") == 1);
        CHECK(base.number("SELECT amount_minor FROM svc_scheduled_payments") == 7500);
        // Nothing is charged before its day, nor while it is turned off.
        base.run(base.clock.now());
        base.settings.values["enable_scheduled_payments"] = false;
        base.run(base.due);
        CHECK(base.keys.empty());
    });
}

TEST_CASE("a plan counts its days by the clock that Pro was attached with") {
    each_kind([](Scheduling& base) {
        base.clock.at = Instant::parse("2031-01-10T12:00:00Z").value();
        base.paid();
        CHECK(base.number("SELECT COUNT(*) FROM svc_scheduled_payments WHERE scheduled_date = '2031-01-25'") == 1);
    });
}

TEST_CASE("a charge is tried under a new key only where the one before is known to have failed") {
    each_kind([](Scheduling& base) {
        base.paid();
        const std::string id = std::to_string(base.number("SELECT id FROM svc_scheduled_payments"));
        Instant now = base.due;
        // Another charge is under way: nothing was asked, the key is the same later.
        base.answer = []() -> Result<json::Value> { return errc::charge_in_progress; };
        base.run(now);
        CHECK(base.row() == "scheduled 0");
        // No answer, an exception, and one that is under way: asked about after half an hour, not before.
        for (const std::function<Result<json::Value>()>& unknown :
             {std::function<Result<json::Value>()>([]() -> Result<json::Value> { return errc::gateway_unavailable; }),
              {[]() -> Result<json::Value> { throw std::runtime_error("lost"); }},
              {[] { return Scheduling::progress("processing"); }}}) {
            base.answer = unknown;
            now = now.plus(hour);
            base.run(now);
            CHECK(base.row() == "processing 0");
            base.run(now.plus(std::chrono::minutes(29)));
        }
        CHECK(base.keys == Keys(4, "sched:" + id + ":1"));
        base.answer = [] { return Scheduling::progress("failed"); };
        base.run(now = now.plus(hour));
        CHECK(base.row() == "scheduled 1");
        base.run(now.plus(23 * hour));
        CHECK(base.keys.size() == 5);
        base.answer = [] { return Scheduling::progress("paid"); };
        base.run(now.plus(24 * hour));
        CHECK(base.keys.back() == "sched:" + id + ":2");
        CHECK(base.row() == "paid 1");
        CHECK(base.number("SELECT payment_id FROM svc_scheduled_payments") == 12);
        base.run(now.plus(72 * hour));
        CHECK(base.keys.size() == 6);
    });
}

TEST_CASE("a reminder, each failed attempt and a charge queue their e-mails in the transaction of the change") {
    each_kind([](Scheduling& base) {
        base.paid();
        const std::string id = std::to_string(base.number("SELECT id FROM svc_scheduled_payments"));
        base.remind(base.due.plus(-std::chrono::hours(48)));
        base.remind(base.due.plus(-std::chrono::hours(24)));
        REQUIRE(base.queued.size() == 1);
        CHECK(base.queued[0].asks_for_payment);
        CHECK(base.queued[0].booking_id == 50);
        CHECK(base.queued[0].values.at("scheduled_amount_formatted").at("en") == "USD 75.00");
        CHECK(base.mailed() == Keys{"scheduled_payment_reminder " + id + ":2026-05-19"});
        base.answer = [] { return Scheduling::progress("failed"); };
        Instant now = base.due;
        for (int attempt = 1; attempt <= 3; ++attempt) {
            base.run(now);
            now = now.plus(24 * hour);
            REQUIRE(base.queued.size() == 2);
            const std::string next = base.queued[0].values.at("failure_followup_html").at("en");
            CHECK((next.find("We will try again") != std::string::npos) == (attempt < 3));
            for (const char* language : {"de", "es", "fr"})
                CHECK(base.queued[1].values.at("failure_followup_html").contains(language));
            const std::string key = id + ":attempt " + std::to_string(attempt);
            CHECK(base.mailed() == Keys{"scheduled_payment_failed " + key, "admin_scheduled_payment_failed " + key});
        }
        execute(*base.store, {"UPDATE svc_scheduled_payments SET status = 'scheduled', attempts = 0,"
                              " next_attempt_at = NULL, permanent_failure = 0"});
        base.answer = [] { return Scheduling::progress("paid"); };
        base.run(now);
        CHECK(base.mailed() == Keys{"scheduled_payment_succeeded " + id + ":paid"});
    });
}

TEST_CASE("an e-mail that the base refuses rolls the change back that it reports") {
    each_kind([](Scheduling& base) {
        base.paid();
        base.refuses_mails = true;
        for (const auto& job : base.jobs.added)
            if (job.name == "scheduled_payments_reminders")
                CHECK_THROWS(static_cast<void>(job.run(base.due.plus(-std::chrono::hours(48)))));
        CHECK(base.number("SELECT COUNT(*) FROM svc_scheduled_payments WHERE reminder_sent_at IS NULL") == 1);
    });
}

TEST_CASE("what a person must look into is not tried again, and three failures are the end") {
    each_kind([](Scheduling& base) {
        base.paid();
        base.answer = []() -> Result<json::Value> { return errc::payment_error; };
        base.run(base.due);
        CHECK(base.row() == "failed 1 for good");
        base.run(base.due.plus(48 * hour));
        CHECK(base.keys.size() == 1);
    });
    each_kind([](Scheduling& base) {
        base.paid();
        base.answer = []() -> Result<json::Value> { return errc::payment_method_unavailable; };
        for (int day = 0; day < 5; ++day)
            base.run(base.due.plus(day * 24 * hour));
        CHECK(base.keys.size() == 3);
        CHECK(base.row() == "failed 3 for good");
        // A booking that is called off while nobody told of it is not charged either.
        execute(*base.store,
                {"UPDATE svc_scheduled_payments SET status = 'scheduled', attempts = 0, next_attempt_at = NULL",
                 "UPDATE svc_bookings SET status = 'cancelled'"});
        base.run(base.due.plus(240 * hour));
        CHECK(base.keys.size() == 3);
        CHECK(base.row() == "cancelled 0 for good");
    });
}

TEST_CASE("charges before the tour go where the tour goes, and the customer is told of a later day again") {
    each_kind([](Scheduling& base) {
        base.settings.values["balance_anchor"] = "tour";
        base.paid();
        const auto planned = [&](const std::string& date, bool told) {
            const std::string sql = "SELECT COUNT(*) FROM svc_scheduled_payments WHERE scheduled_date = '" + date +
                                    "' AND reminder_sent_at IS " + (told ? "NOT NULL" : "NULL");
            return base.number(sql.c_str()) == 1;
        };
        CHECK(planned("2998-12-18", false));
        execute(*base.store, {"UPDATE svc_scheduled_payments SET reminder_sent_at = 1",
                              "UPDATE svc_bookings SET travel_date = '2998-12-30'"});
        base.changed();
        CHECK(planned("2998-12-16", true));
        execute(*base.store, {"UPDATE svc_bookings SET travel_date = '2999-01-20'"});
        base.changed();
        CHECK(planned("2999-01-06", false));
        CHECK(base.number("SELECT amount_minor FROM svc_scheduled_payments") == 7500);
    });
}

TEST_CASE("parts that come to lie on one day, as the tour moves, become one charge") {
    each_kind([](Scheduling& base) {
        for (const auto& [key, value] : {std::pair{"scheduled_payment_days", 10},
                                         {"scheduled_payment_installments", 3},
                                         {"scheduled_payment_interval", 30}})
            base.settings.values[key] = value;
        base.settings.values["scheduled_payment_type"] = "installments";
        base.paid();
        const auto rows = [&] {
            std::string all;
            base.store->read([&](store::Session& session) {
                session.each(
                    "SELECT status, amount_minor, COALESCE(cancel_reason, ''), scheduled_date FROM"
                    " svc_scheduled_payments ORDER BY id",
                    "titt", {}, [&](const store::Row& row) {
                        all += row.text(0) + " " + std::to_string(row.integer(1)) + " " + row.text(2) + ";";
                    });
            });
            return all;
        };
        CHECK(rows() == "scheduled 2500 ;scheduled 2500 ;scheduled 2500 ;");
        const Date today = Zone::utc().date_at(base.clock.now());
        const auto move = [&](int days) {
            const std::string sql = "UPDATE svc_bookings SET travel_date = '" + today.plus_days(days).text() + "'";
            execute(*base.store, {sql.c_str()});
            base.changed();
        };
        move(41);  // the second stays on its day, the third falls on it
        CHECK(rows() == "scheduled 2500 ;scheduled 5000 ;cancelled 2500 paid_in_full;");
        base.changed();
        CHECK(rows() == "scheduled 2500 ;scheduled 5000 ;cancelled 2500 paid_in_full;");
        move(5);
        CHECK(rows() == "scheduled 7500 ;cancelled 5000 paid_in_full;cancelled 2500 paid_in_full;");
        CHECK(base.number(
                  ("SELECT COUNT(*) FROM svc_scheduled_payments WHERE status = 'scheduled' AND scheduled_date = '" +
                   today.plus_days(4).text() + "'")
                      .c_str()) == 1);
    });
}

TEST_CASE("a link that the customer has paid by ends as paid; where the balance came otherwise it is called off") {
    each_kind([](Scheduling& base) {
        insert_row(*base.store, "svc_payment_intents",
                   {{"id", "9"},
                    {"booking_id", "50"},
                    {"gateway", "'stripe'"},
                    {"call_key", "'k'"},
                    {"purpose", "'link'"},
                    {"amount_minor", "7500"},
                    {"currency", "'USD'"},
                    {"status", "'succeeded'"},
                    {"page", "'sealed'"}});
        execute(*base.store, {"UPDATE svc_payments SET amount_minor = 7500, intent_id = 9"});
        const auto ends = [&](const std::string& payments, const std::string& charges = "page = 'sealed'") {
            const std::string paid = "UPDATE svc_payments SET " + payments,
                              charged = "UPDATE svc_payment_intents SET " + charges;
            execute(*base.store,
                    {"DELETE FROM svc_scheduled_payments",
                     "INSERT INTO svc_scheduled_payments (booking_id, plan_no, sequence_no, kind, payment_type,"
                     " amount_minor, currency, planned_total_minor, scheduled_date, status, max_attempts, created_at,"
                     " updated_at) VALUES (50, 2, 1, 'link', 'balance', 7600, 'USD', 10000, '2998-01-01', 'scheduled',"
                     " 3, 1000, 1000)",
                     "UPDATE svc_payments SET source = 'gateway', processed_at = 2000", paid.c_str(), charged.c_str(),
                     "UPDATE svc_bookings SET amount_paid_minor = 10000"});
            base.changed();
            return base.row();
        };
        const char* by_it =
            "SELECT COUNT(*) FROM svc_scheduled_payments WHERE payment_id = 12 AND amount_minor = 7500"
            " AND cancelled_at IS NULL";
        CHECK(ends("source = 'gateway'") == "paid 0");
        CHECK(base.number(by_it) == 1);
        CHECK(ends("source = 'manual'") == "cancelled 0");
        CHECK(ends("processed_at = 999") == "cancelled 0");                 // before it was sent
        CHECK(ends("source = 'gateway'", "page = NULL") == "cancelled 0");  // staff charged a saved method
        CHECK(base.number(by_it) == 0);
        // A link for one part of a fixed plan ends with that part, and one for more waits.
        for (const auto& [amount, after] : {std::pair{"7500", "paid 0"}, {"7600", "scheduled 0"}}) {
            const std::string asks =
                "UPDATE svc_scheduled_payments SET status = 'scheduled', cancelled_at = NULL,"
                " cancel_reason = NULL, payment_id = NULL, amount_minor = " +
                std::string(amount);
            execute(*base.store, {asks.c_str(), "UPDATE svc_payment_intents SET page = 'sealed'",
                                  "UPDATE svc_bookings SET amount_paid_minor = 7500"});
            base.changed();
            CHECK(base.row() == after);
        }
    });
}

TEST_CASE("the account's page shows what is charged of its holder's bookings, and nobody else's") {
    each_kind([](Scheduling& base) {
        CHECK(base.offered.front().path == "payments");
        CHECK(base.offered.front().account_label == "Payments");
        CHECK(base.offered.front().module == "scheduled_payments");
        const auto none = base.page_of(7);
        REQUIRE(none);
        CHECK_FALSE((*none)["model"]["has_coming"].boolean());
        CHECK_FALSE((*none)["model"]["has_past"].boolean());
        base.paid();
        const auto planned = base.page_of(7);
        REQUIRE(planned);
        const json::Value& model = (*planned)["model"];
        REQUIRE(model["coming"].size() == 1);
        const json::Value& row = model["coming"][0];
        CHECK(row["amount"]["amount"].number_text() == "75.00");
        CHECK(row["amount"]["currency"].text() == "USD");
        CHECK(row["day"]["date"].text().size() == 10);
        CHECK(row["reference"].text() == "SVC-1");
        CHECK(row["booking_url"].text() == "/konto/bookings/50");
        CHECK(row["is_planned"].boolean());
        CHECK_FALSE(model["has_past"].boolean());
        const auto foreign = base.page_of(8);
        REQUIRE(foreign);
        CHECK((*foreign)["model"]["coming"].size() == 0);
        CHECK(base.page_of(0).error().code().status == 401);  // 0 is nobody, not everybody
        base.run(base.due);
        const auto after = base.page_of(7);
        REQUIRE(after);
        CHECK_FALSE((*after)["model"]["has_coming"].boolean());
        REQUIRE((*after)["model"]["past"].size() == 1);
        CHECK((*after)["model"]["past"][0]["is_paid"].boolean());
    });
}

TEST_CASE("an installment that its customer pays before its day is settled and never charged") {
    each_kind([](Scheduling& base) {
        base.in_installments();
        base.paid();
        CHECK(base.rows() == "scheduled 2500;scheduled 2500;scheduled 2500;");
        base.receive(2500);
        base.changed();
        CHECK(base.rows() == "paid 2500;scheduled 2500;scheduled 2500;");
        CHECK(base.number("SELECT payment_id FROM svc_scheduled_payments ORDER BY id LIMIT 1") == 21);
        base.changed();  // told again
        CHECK(base.rows() == "paid 2500;scheduled 2500;scheduled 2500;");
        base.run(base.clock.now().plus(24 * 12 * hour));  // the day of the first
        CHECK(base.keys.empty());
        // A part of the next one: the rest of it is charged on its day, and nothing more.
        base.receive(1000);
        base.changed();
        CHECK(base.rows() == "paid 2500;scheduled 1500;scheduled 2500;");
        base.run(base.clock.now().plus(24 * 41 * hour));
        CHECK(base.keys.size() == 1);
        CHECK(base.owed == Money{4000, Currency::usd()});
        base.receive(1500);  // that charge
        base.changed();
        CHECK(base.rows() == "paid 2500;paid 1500;scheduled 2500;");
        base.receive(2500);
        base.changed();
        CHECK(base.rows() == "paid 2500;paid 1500;cancelled 2500;");  // the booking is paid
    });
}

TEST_CASE("who pays an installment while its charge begins is not charged for it") {
    each_kind([](Scheduling& base) {
        base.in_installments();
        base.paid();
        // As the base does: under the booking's lock another balance than the charge reckoned with is refused.
        base.answer = [&]() -> Result<json::Value> {
            CHECK(base.owed == Money{7500, Currency::usd()});
            base.receive(2500);
            return errc::charge_in_progress;
        };
        const Instant day = base.clock.now().plus(24 * 11 * hour);
        base.run(day);
        CHECK(base.keys.size() == 1);
        CHECK(base.rows() == "paid 2500;scheduled 2500;scheduled 2500;");
        CHECK(base.number("SELECT COUNT(*) FROM svc_scheduled_payments WHERE owed_minor IS NOT NULL") == 0);
        base.answer = [] { return Scheduling::progress("paid"); };
        base.run(day.plus(hour));
        CHECK(base.keys.size() == 1);
    });
}

TEST_CASE("a card that ends before a charge is told 30 days ahead, once for the card and the day") {
    each_kind([](Scheduling& base) {
        base.paid();  // charged on 2026-05-19
        execute(*base.store, {"UPDATE svc_saved_payment_methods SET user_id = 7, brand = 'visa', last4 = '4242',"
                              " exp_month = 4, exp_year = 2026",
                              "UPDATE svc_scheduled_payments SET scheduled_date = '2026-07-19'"});
        const std::string id = std::to_string(base.number("SELECT id FROM svc_scheduled_payments"));
        const auto told = [&](const char* day) {
            base.remind(Instant::parse(std::string(day) + "T10:00:00Z").value());
            Keys all = base.mailed();
            std::erase_if(all, [](const std::string& key) { return !key.starts_with("scheduled_payment_card"); });
            return all;
        };
        const std::string key = "scheduled_payment_card_expiring " + id + ":card 3 ";
        CHECK(told("2026-06-18").empty());  // 31 days ahead
        base.remind(Instant::parse("2026-06-19T10:00:00Z").value());
        REQUIRE(base.queued.size() == 1);
        CHECK(base.queued[0].booking_id == 50);
        CHECK(base.queued[0].values.at("card_label").at("en") == "Visa •••• 4242");
        CHECK(base.queued[0].values.at("card_end").at("en") == "04/2026");
        CHECK(base.queued[0].values.at("scheduled_amount_formatted").at("en") == "USD 75.00");
        CHECK(base.queued[0].values.at("scheduled_date_formatted").at("date") == "2026-07-19");
        CHECK(base.queued[0].values.at("payment_type_label").at("de") == "Restbetrag");
        CHECK(base.mailed() == Keys{key + "2026-07-19"});
        CHECK(told("2026-06-20").empty());
        // On another day it is another notice.
        execute(*base.store, {"UPDATE svc_scheduled_payments SET scheduled_date = '2026-07-25'"});
        CHECK(told("2026-06-28") == Keys{key + "2026-07-25"});
        // It lasts to the end of its month, and who never said when it ends is not told.
        for (const char* end : {"exp_month = 7, exp_year = 2026", "exp_month = 0, exp_year = 0",
                                "exp_month = 6, exp_year = 2026, status = 'detached'"}) {
            execute(*base.store, {(std::string("UPDATE svc_saved_payment_methods SET ") + end).c_str(),
                                  "UPDATE svc_scheduled_payments SET card_notice = ''"});
            CHECK(told("2026-06-29").empty());
        }
        execute(*base.store,
                {"UPDATE svc_saved_payment_methods SET exp_month = 6, exp_year = 2026, status = 'active'"});
        base.settings.values["scheduled_payment_card_notice_days"] = 0;
        CHECK(told("2026-06-29").empty());
        base.settings.values["scheduled_payment_card_notice_days"] = 26;
        CHECK(told("2026-06-28").empty());
        CHECK(told("2026-06-29") == Keys{key + "2026-07-25"});
    });
}

TEST_CASE("a payment with another card that its customer lets us keep takes the next charges along") {
    each_kind([](Scheduling& base) {
        base.in_installments();
        base.paid();
        insert_row(*base.store, "svc_saved_payment_methods",
                   {{"id", "4"}, {"customer_id", "9"}, {"gateway", "'stripe'"}, {"gateway_method_id", "'pm_2'"}});
        base.receive(2500);
        base.changed();
        base.kept_method = 4;
        base.paid(json::Value::object({{"payment_type", "partial"}, {"payment_id", 21}}));
        CHECK(base.number("SELECT COUNT(*) FROM svc_scheduled_payments WHERE saved_method_id = 4") == 2);
        CHECK(base.number(
                  "SELECT COUNT(*) FROM svc_scheduled_payments WHERE saved_method_id = 3 AND status = 'paid'") == 1);
    });
}

TEST_CASE("the plan that a customer saw is the plan that is charged, whatever the settings say by then") {
    each_kind([](Scheduling& base) {
        base.in_installments();
        const auto seen = json::Value::object({{"booking_id", nullptr}, {"rest", 75}, {"travel_date", "2999-01-01"}});
        const std::string plan = "1/3 2026-05-14 25.00;2/3 2026-06-13 25.00;3/3 2026-07-13 25.00;";
        CHECK(base.plan_of(seen) == plan);
        CHECK(base.number("SELECT COUNT(*) FROM svc_payment_plan_parts") == 0);
        auto agreed = seen;
        agreed.set("booking_id", 50);
        agreed.set("is_agreed", true);
        CHECK(base.plan_of(agreed) == plan);
        // Days later, by other settings: it is the same before the first payment, and is charged like that.
        base.settings.values["scheduled_payment_installments"] = 2;
        base.clock.at = Instant::parse("2026-05-07T10:00:00Z").value();
        const auto booked = json::Value::object({{"booking_id", 50}, {"rest", 75}});
        CHECK(base.plan_of(booked) == plan);
        base.paid();
        CHECK(base.rows() == "scheduled 2500;scheduled 2500;scheduled 2500;");
        CHECK(base.number("SELECT COUNT(*) FROM svc_scheduled_payments WHERE scheduled_date = '2026-05-14'") == 1);
        CHECK(base.plan_of(booked) == plan);
        base.receive(3000);
        base.changed();
        CHECK(base.plan_of(json::Value::object({{"booking_id", 50}, {"rest", 45}})) ==
              "2/3 2026-06-13 20.00;3/3 2026-07-13 25.00;");
        // Staff call the charges off: what was agreed is owed by its days.
        execute(*base.store, {"UPDATE svc_scheduled_payments SET status = 'cancelled' WHERE status = 'scheduled'"});
        CHECK(base.plan_of(json::Value::object({{"booking_id", 50}, {"rest", 45}})) ==
              "2/3 2026-06-13 20.00;3/3 2026-07-13 25.00;");
    });
    // Paid so late that a day is over: the settings plan the balance anew.
    each_kind([](Scheduling& base) {
        base.in_installments();
        CHECK(base.plan_of(json::Value::object(
                  {{"booking_id", 50}, {"rest", 75}, {"travel_date", "2999-01-01"}, {"is_agreed", true}})) != "");
        base.clock.at = Instant::parse("2026-05-20T10:00:00Z").value();
        base.paid();
        CHECK(base.number("SELECT COUNT(*) FROM svc_scheduled_payments WHERE scheduled_date = '2026-05-30'") == 1);
        base.settings.values["enable_scheduled_payments"] = false;
        CHECK(base.plan_of(json::Value::object({{"rest", 75}, {"travel_date", "2999-01-01"}})).empty());
    });
}

TEST_CASE("what was agreed by the plan of a trip is charged, also where it is kept late or the plan has gone") {
    const auto given_plan = [](Scheduling& base) {
        base.given_plan_of_trip("fixed");
        const auto agreed = json::Value::object({{"booking_id", 50},
                                                 {"trip_id", 1},
                                                 {"total", 100},
                                                 {"rest", 75},
                                                 {"travel_date", "2999-01-01"},
                                                 {"is_agreed", true}});
        CHECK(base.plan_of(agreed) == "1/2 2026-05-14 30.00;2/2 2026-06-13 45.00;");
        CHECK(base.binds);
    };
    const auto booked = json::Value::object({{"booking_id", 50}, {"rest", 75}});
    each_kind([&](Scheduling& base) {
        given_plan(base);
        execute(*base.store, {"DELETE FROM svc_trip_payment_plans"});
        CHECK(base.plan_of(booked) == "1/2 2026-05-14 30.00;2/2 2026-06-13 45.00;");
        CHECK(base.binds);
        base.paid();
        CHECK(base.rows() == "scheduled 3000;scheduled 4500;");
        CHECK(base.plan_of(booked) == "1/2 2026-05-14 30.00;2/2 2026-06-13 45.00;");
        CHECK(base.binds);
    });
    // The first day is over when the deposit comes: it is charged on the next one.
    each_kind([&](Scheduling& base) {
        given_plan(base);
        base.clock.at = Instant::parse("2026-05-20T10:00:00Z").value();
        base.paid();
        CHECK(base.rows() == "scheduled 3000;scheduled 4500;");
        CHECK(base.number("SELECT COUNT(*) FROM svc_scheduled_payments WHERE scheduled_date = '2026-05-21'") == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_scheduled_payments WHERE scheduled_date = '2026-06-13'") == 1);
    });
}

TEST_CASE("a part that moves with the tour and passes one that stands by itself comes before it") {
    each_kind([](Scheduling& base) {
        execute(*base.store,
                {"UPDATE svc_bookings SET travel_date = '2026-06-20'",
                 "INSERT INTO svc_payment_plan_parts (booking_id, number, due_on, days_before_tour,"
                 " amount_minor, currency, made_by) VALUES (50, 1, '2026-06-01', NULL, 3000, 'USD', 'fixed'),"
                 " (50, 2, '2026-12-01', 30, 4500, 'USD', 'fixed')"});
        CHECK(base.plan_of(json::Value::object({{"booking_id", 50}, {"rest", 75}})) ==
              "1/2 2026-05-21 45.00;2/2 2026-06-01 30.00;");
        CHECK(base.binds);
    });
}

TEST_CASE("e-mails of planned payments name a day where the site has no format of its own") {
    each_kind([](Scheduling& base) {
        base.settings.values["date_format"] = "";
        base.paid();
        base.remind(base.due.plus(-std::chrono::hours(48)));
        REQUIRE(base.queued.size() == 1);
        CHECK(base.queued[0].values.at("scheduled_date_formatted").at("en") == "2026-05-19");
    });
}
