// One account of the money: pay page, confirmation, account, e-mails and documents show the same lines, in two
// languages.
#include <algorithm>
#include <map>
#include <regex>
#include <sstream>
#include <tuple>
#include <utility>

#include <doctest/doctest.h>

#include "base/platform/texts/texts.hpp"
#include "base/sales/booking/record/deadline.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/booking/record/payment_plan.hpp"
#include "base/sales/payment/record/hooks.hpp"
#include "tests/support/open_mails.hpp"
#include "tests/support/pdf_tools.hpp"
#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

using Lines = std::vector<std::string>;  // "Total: USD 100.00"

std::string unescaped(std::string text) {
    for (const auto& [entity, plain] : {std::pair{"&amp;", "&"}, {"&#39;", "'"}, {"&quot;", "\""}, {"&lt;", "<"}})
        for (auto at = text.find(entity); at != std::string::npos; at = text.find(entity, at + 1))
            text.replace(at, std::string_view(entity).size(), plain);
    return text;
}

std::string between(const std::string& text, std::string_view open, std::string_view close, std::size_t& at) {
    const auto from = text.find(open, at);
    const auto end = from == std::string::npos ? from : text.find(close, from + open.size());
    if (end == std::string::npos) {
        at = std::string::npos;
        return {};
    }
    at = end;
    return text.substr(from + open.size(), end - from - open.size());
}

// The money of a page: of its chosen row, or of its booking.
Lines on_page(const std::string& page) {
    std::size_t at = page.find(" checked");
    at = page.find("svc-money", at == std::string::npos ? 0 : at);
    if (at == std::string::npos)
        return {};
    const std::string list = page.substr(at, page.find("</dl>", at) - at);
    Lines lines;
    for (std::size_t next = 0; next != std::string::npos;) {
        const std::string label = between(list, "<dt>", "</dt>", next);
        const std::string value = next == std::string::npos ? "" : between(list, "<dd>", "</dd>", next);
        if (next != std::string::npos)
            lines.push_back(unescaped(label + ": " + value));
    }
    return lines;
}

// Those of these lines that another medium has, in its order, as it writes them.
Lines in_html(const std::string& sent, const Lines& wanted) {
    static const std::regex looks(R"re( (style|dir)="[^"]*")re");  // e-mails carry them in each element
    const std::string html = std::regex_replace(sent, looks, "");
    Lines lines;
    for (std::size_t next = 0; next != std::string::npos;) {
        const std::string label = between(html, "<th>", "</th>", next);
        const std::string value = next == std::string::npos ? "" : between(html, "<td>", "</td>", next);
        const std::string line = unescaped(label + ": " + value);
        if (next != std::string::npos && std::find(wanted.begin(), wanted.end(), line) != wanted.end())
            lines.push_back(line);
    }
    return lines;
}

Lines in_text(const std::string& text, const Lines& wanted) {
    std::istringstream all(text);
    Lines lines;
    for (std::string line; std::getline(all, line);)
        if (std::find(wanted.begin(), wanted.end(), line) != wanted.end())
            lines.push_back(line);
    return lines;
}

// A document has its columns apart: the label, then the value, in that order one after the other.
Lines in_pdf(const std::string& bytes, const Lines& wanted) {
    std::string text;
    for (const char c : PdfFile(bytes).text())
        if (const bool is_space = c == ' ' || c == '\n' || c == '\f';
            !is_space || (!text.empty() && text.back() != ' '))
            text += is_space ? ' ' : c;
    Lines lines;
    std::size_t from = 0;
    for (const std::string& line : wanted) {
        std::string as_printed = line;
        as_printed.erase(line.find(": "), 1);
        if (const auto at = text.find(as_printed, from); at != std::string::npos) {
            lines.push_back(line);
            from = at;
        }
    }
    return lines;
}

// Cookies of one browser.
struct Browser {
    TestBase& base;
    app::Gate gate{app::make_gate(*base.assembly)};
    std::map<std::string, std::string> cookies = {};

    explicit Browser(TestBase& of) : base(of) {
        base.assembly->pages.pages.ask([this](const api::InnerRequest& request) { return gate.ask(request); });
    }
    std::string open(const std::string& target, const Visitor& as = {}) {
        std::string all;
        for (const auto& [name, value] : cookies)
            all += (all.empty() ? "" : "; ") + name + "=" + value;
        std::vector<HttpHeader> headers = as.headers;
        if (headers.empty())
            headers.emplace_back("Cookie", all);
        const HttpRequest request{
            .method = "GET", .target = target, .headers = headers, .body = {}, .peer = "192.0.2.7"};
        auto& pages = base.assembly->pages.pages;
        pages.written();
        const auto at_once = pages.answer_at_once(request);
        const HttpAnswer answer = at_once ? *at_once : pages.answer(request);
        std::string location;
        for (const auto& [name, value] : answer.headers) {
            if (name == "Set-Cookie")
                cookies[value.substr(0, value.find('='))] =
                    value.substr(value.find('=') + 1, value.find(';') - value.find('=') - 1);
            if (name == "Location")
                location = value;
        }
        if (answer.status / 100 == 3)
            return open(location.substr(0, location.find('#')), as);
        CAPTURE(target);
        REQUIRE(answer.status == 200);
        return answer.body ? *answer.body : std::string();
    }
};

struct Shop {
    Shop(Database& database, const std::string& language) : base(database, &svc_plugin_entry), browser(base) {
        base.given_license("agency");
        for (const char* module : {"flexible_payments", "scheduled_payments"})
            post("/modules/" + std::string(module) + "/toggle", Value::object({{"enabled", true}}));
        settings({{"site_language", language},
                  {"timezone", "Europe/Berlin"},
                  {"company_name", "Blue Boots"},
                  {"company_email", "hello@boots.example"},
                  {"admin_email", "office@boots.example"},
                  {"company_phone", "+44 20 7946 0100"},
                  {"payment_test_mode", false},
                  {"auto_confirm_mode", "none"},
                  {"allow_waitlist", true},
                  {"enable_deposit", true},
                  {"deposit_percentage", 20},
                  {"enable_scheduled_payments", true},
                  {"balance_anchor", "tour"},
                  {"balance_due_days", 14},
                  {"email_template_partial_payment", true}});
        post("/payment/gateways/bank_transfer/config", Value::object({{"enabled", true},
                                                                      {"bank_name", "Harbour Bank"},
                                                                      {"account_name", "Blue Boots"},
                                                                      {"account_number", "GB33BUKB20201555555555"}}));
        post("/payment/gateways/pay_later/config", Value::object({{"enabled", true}, {"payment_deadline_days", 7}}));
        trip = base.given_trip("Nile cruise");
        departure = base.given_departure(trip, 60, 4);
    }
    Answered post(const std::string& path, const Value& body, int status = 2) {
        auto done = base.post(path, body, base.user("administrator"));
        CAPTURE(path);
        CAPTURE(done.text);
        REQUIRE(done.status / 100 == status);
        return done;
    }
    void settings(const json::Object& values) {
        const auto put = base.call("PUT", "/settings", Value(values).dump(), base.user("administrator"));
        CAPTURE(put.text);
        REQUIRE(put.status == 200);
        REQUIRE(put.data()["rejected_keys"].size() == 0);
    }
    // The pay page of a session with that choice, and the booking made of it.
    struct Made {
        std::int64_t id = 0;
        std::string reference, token;
        std::string pay_page;
        Lines offered;
    };
    Made book(const std::string& method, const std::string& gateway, int people = 1, bool waits = false,
              const std::string& coupon = {}) {
        Value choice = Value::object({{"trip_id", trip},
                                      {"travel_date", base.day(60)},
                                      {"travelers_count", people},
                                      {"payment_method", method},
                                      {"payment_gateway", gateway},
                                      {"form_data", Value::object({{"contact_first_name", "Ada"}})}});
        if (!coupon.empty())
            choice.set("coupon_code", coupon);
        Made made;
        const auto opened = base.post("/booking/session", choice);
        CAPTURE(opened.text);
        REQUIRE(opened.status == 201);
        const std::string session = opened.data().text_or("session_id");
        if (!waits) {
            browser.cookies["svc_checkout"] = session;
            made.pay_page = browser.open("/book/nile-cruise/pay");
            made.offered = on_page(made.pay_page);
        }
        Value body = Value::object({{"session_id", session}});
        body.set("payment_gateway", gateway);
        body.set("travelers_count", people);
        body.set("join_waitlist", waits);
        const auto created = base.post("/booking/create", filled_in(std::move(body)));
        CAPTURE(created.text);
        REQUIRE(created.status == 201);
        made.id = created.data()["booking_id"].integer();
        made.reference = created.data()["reference"].text();
        made.token = created.data().text_or("booking_token");
        REQUIRE(base.assembly->hooks.drain());
        return made;
    }
    Lines confirmed(const Made& made) {
        return on_page(browser.open("/book/confirmation/" + made.reference + "?booking_token=" + made.token));
    }
    std::string pdf(const std::string& path) {
        const auto got = base.get(path, base.user("administrator"));
        CAPTURE(path);
        REQUIRE(got.status == 200);
        return got.text;
    }
    // HTML and text of the newest e-mail of that template.
    std::pair<std::string, std::string> mail(const std::string& template_key) {
        REQUIRE(base.assembly->hooks.drain());
        open_mails(*base.assembly->store, *base.assembly->keyring);
        std::pair<std::string, std::string> found;
        base.assembly->store->read([&](store::Session& session) {
            session.each("SELECT body_html, body_text FROM svc_email_outbox WHERE template_key = :key ORDER BY id",
                         "tt", {{"key", template_key}}, [&](const store::Row& row) {
                             found = {row.text(0), row.text(1)};
                         });
        });
        CAPTURE(template_key);
        REQUIRE(!found.first.empty());
        return found;
    }
    // The booking's page in the account of somebody who owns it meanwhile.
    Lines in_account(const Made& made) {
        const std::string id = std::to_string(made.id), owner = std::to_string(base.user("svc_customer").user_id);
        base.run(("UPDATE svc_users SET email = 'ada@example.org', email_verified_at = 1 WHERE id = " + owner).c_str());
        base.run(("UPDATE svc_bookings SET user_id = " + owner + ", contact_email = 'ada@example.org' WHERE id = " + id)
                     .c_str());
        const Lines lines = on_page(browser.open("/account/bookings/" + id, base.cookie("svc_customer", true)));
        base.run(("UPDATE svc_bookings SET user_id = NULL WHERE id = " + id).c_str());
        return lines;
    }
    // The page of the booking's pay link says these lines' amount due and its deadline.
    void check_pay_link(const Made& made, const Lines& lines, const std::string& language) {
        const auto value_of = [&](const std::string& label) {
            for (const std::string& line : lines)
                if (line.starts_with(label + ": "))
                    return line.substr(label.size() + 2);
            return std::string();
        };
        const bool german = language == "de";
        std::string due = value_of(german ? "Jetzt fällig" : "Due now");
        if (due.empty())
            due = value_of(german ? "Noch zu zahlen" : "Still to pay");
        const std::string until = value_of(german ? "Zahlbar bis" : "Pay by");
        REQUIRE(!due.empty());
        REQUIRE(!until.empty());
        const auto own = std::exchange(browser.cookies, {});  // whoever has the link, in another browser
        const std::string page =
            unescaped(browser.open("/book/confirmation/" + made.reference + "?pay=remaining&booking_token=" +
                                   base.assembly->bookings.records.new_pay_link(made.id)));
        browser.cookies = own;
        CAPTURE(page);
        CHECK(page.find(std::string("<dt>") + (german ? "Jetzt fällig" : "Due now") + "</dt><dd>" + due + "</dd>") !=
              std::string::npos);
        CHECK(page.find((german ? "bis " : "by ") + until) != std::string::npos);
        CHECK(page.find("Lovelace") == std::string::npos);  // reference, trip and amount alone
    }
    // Every medium shows these lines, all of them, once each and in this order.
    void agree(const Made& made, const Lines& lines, const std::string& template_key,
               const std::vector<std::string>& documents) {
        CHECK(confirmed(made) == lines);
        CHECK(in_account(made) == lines);
        const auto [html, text] = mail(template_key);
        CHECK(in_html(html, lines) == lines);
        CHECK(in_text(text, lines) == lines);
        for (const std::string& path : documents) {
            CAPTURE(path);
            CHECK(in_pdf(pdf(path), lines) == lines);
        }
    }
    [[nodiscard]] std::vector<std::string> papers(const Made& made) const {
        const std::string id = std::to_string(made.id);
        return {"/booking/" + id + "/invoice", "/bookings/" + id + "/voucher"};
    }

    TestBase base;
    Browser browser;
    std::int64_t trip = 0, departure = 0;
};

std::string in_words(const std::string& language, Date day) {
    return texts::day_in_words(language, day, texts::DayStyle::whole);
}

void each_shop(const std::function<void(Shop&, const std::string& language)>& body) {
    for (const std::string language : {"en", "de"})
        each_database([&](Database& database) {
            CAPTURE(database.name());
            CAPTURE(language);
            Shop shop(database, language);
            body(shop, language);
        });
}

}  // namespace

TEST_CASE("a deposit by transfer: what is due now, until when, how, and the rest with its day, alike in every medium") {
    each_shop([](Shop& shop, const std::string& language) {
        const bool german = language == "de";
        const auto made = shop.book("deposit", "bank_transfer");
        const Zone berlin = Zone::named("Europe/Berlin").value();
        const Date today = berlin.date_at(shop.base.assembly->clock.now());
        const Date due = booking::working_days_after(today, 5), travel = Date::parse(shop.base.day(60)).value();
        const std::string until =
            in_words(language, due) + ", 23:59, " + texts::zone_in_words(language, "Europe/Berlin");
        const std::string rest_day = in_words(language, travel.plus_days(-14));
        const Lines lines = german ? Lines{"Gesamt: USD 100.00", "Jetzt fällig: USD 20.00", "Zahlbar bis: " + until,
                                           "Zahlungsart: Überweisung", "Der Rest: USD 80.00, bis " + rest_day}
                                   : Lines{"Total: USD 100.00", "Due now: USD 20.00", "Pay by: " + until,
                                           "Way of paying: Bank transfer", "The rest: USD 80.00, by " + rest_day};
        CHECK(made.offered == lines);
        // The button of the chosen row names what is paid today, not the total.
        CHECK(made.pay_page.find(german ? "data-button=\"Für USD 20.00 buchen\" checked"
                                        : "data-button=\"Book for USD 20.00\" checked") != std::string::npos);
        shop.agree(made, lines, "booking_confirmation", shop.papers(made));
        shop.check_pay_link(made, lines, language);
        const auto [html, text] = shop.mail("admin_new_booking");
        CHECK(in_text(text, lines) == lines);
        // Every e-mail speaks the reader's language, the bank's lines too.
        CHECK((shop.mail("booking_confirmation").second.find(german ? "Kontonummer: GB33" : "Account number: GB33") !=
               std::string::npos));

        // The deposit has come: the rest is left, by its day.
        const auto deposit = shop.post(
            "/payments",
            Value::object({{"booking_id", made.id}, {"amount", 20}, {"gateway", "cash"}, {"status", "completed"}}));
        const Lines paid = german ? Lines{"Gesamt: USD 100.00", "Bezahlt: USD 20.00", "Noch zu zahlen: USD 80.00",
                                          "Zahlbar bis: " + rest_day, "Zahlungsart: Überweisung"}
                                  : Lines{"Total: USD 100.00", "Paid: USD 20.00", "Still to pay: USD 80.00",
                                          "Pay by: " + rest_day, "Way of paying: Bank transfer"};
        auto papers = shop.papers(made);
        papers.push_back("/payment/" + std::to_string(deposit.data()["id"].integer()) + "/invoice");
        shop.agree(made, paid, "partial_payment_received", papers);
        shop.check_pay_link(made, paid, language);
        CHECK(shop.mail("partial_payment_received").second.find(german ? "Bezahlt mit: Bar" : "Paid by: Cash") !=
              std::string::npos);
        const auto confirm = shop.base.call("PUT", "/bookings/" + std::to_string(made.id) + "/status",
                                            R"({"status":"confirmed"})", shop.base.user("administrator"));
        REQUIRE(confirm.status == 200);
        shop.agree(made, paid, "booking_confirmed", shop.papers(made));
    });
}

TEST_CASE("a plan in installments: each with its day and amount before paying, and alike in every medium after it") {
    each_shop([](Shop& shop, const std::string& language) {
        const bool german = language == "de";
        shop.settings({{"balance_anchor", "booking"},
                       {"scheduled_payment_type", "installments"},
                       {"scheduled_payment_installments", 3},
                       {"scheduled_payment_days", 10},
                       {"scheduled_payment_interval", 15}});
        const auto made = shop.book("deposit", "bank_transfer");
        const Zone berlin = Zone::named("Europe/Berlin").value();
        const Date today = berlin.date_at(shop.base.assembly->clock.now());
        const std::string until = in_words(language, booking::working_days_after(today, 5)) + ", 23:59, " +
                                  texts::zone_in_words(language, "Europe/Berlin");
        const auto part = [&](int number, const char* amount) {
            const std::string day = in_words(language, today.plus_days(10 + (number - 1) * 15));
            return german ? "Rate " + std::to_string(number) + " von 3: USD " + amount + ", bis " + day
                          : "Installment " + std::to_string(number) + " of 3: USD " + amount + ", by " + day;
        };
        Lines lines = german ? Lines{"Gesamt: USD 100.00", "Jetzt fällig: USD 20.00", "Zahlbar bis: " + until,
                                     "Zahlungsart: Überweisung"}
                             : Lines{"Total: USD 100.00", "Due now: USD 20.00", "Pay by: " + until,
                                     "Way of paying: Bank transfer"};
        for (const auto& [number, amount] : {std::pair{1, "26.66"}, {2, "26.66"}, {3, "26.68"}})
            lines.push_back(part(number, amount));
        CHECK(made.offered == lines);
        shop.agree(made, lines, "booking_confirmation", shop.papers(made));
        CHECK(in_text(shop.mail("admin_new_booking").second, lines) == lines);
        // The plan stays as it was seen.
        shop.settings({{"scheduled_payment_installments", 2}});
        CHECK(shop.confirmed(made) == lines);

        const auto receive = [&](int amount) {
            shop.post("/payments",
                      Value::object(
                          {{"booking_id", made.id}, {"amount", amount}, {"gateway", "cash"}, {"status", "completed"}}));
        };
        receive(20);
        Lines paid = german ? Lines{"Gesamt: USD 100.00", "Bezahlt: USD 20.00", "Noch zu zahlen: USD 80.00",
                                    "Zahlungsart: Überweisung"}
                            : Lines{"Total: USD 100.00", "Paid: USD 20.00", "Still to pay: USD 80.00",
                                    "Way of paying: Bank transfer"};
        for (const auto& [number, amount] : {std::pair{1, "26.66"}, {2, "26.66"}, {3, "26.68"}})
            paid.push_back(part(number, amount));
        shop.agree(made, paid, "partial_payment_received", shop.papers(made));
        // Paid early: the first is settled, and a part of the second.
        receive(30);
        const Lines early = german
                                ? Lines{"Gesamt: USD 100.00",       "Bezahlt: USD 50.00", "Noch zu zahlen: USD 50.00",
                                        "Zahlungsart: Überweisung", part(2, "23.32"),     part(3, "26.68")}
                                : Lines{"Total: USD 100.00",       "Paid: USD 50.00",
                                        "Still to pay: USD 50.00", "Way of paying: Bank transfer",
                                        part(2, "23.32"),          part(3, "26.68")};
        shop.agree(made, early, "partial_payment_received", shop.papers(made));
        // Routes say the same.
        const auto detail = shop.base.get("/bookings/" + std::to_string(made.id), shop.base.user("administrator"));
        const Value& plan = detail.data()["payment_terms"]["plan"];
        REQUIRE(plan.size() == 2);
        CHECK(plan[std::size_t{0}]["amount"].number_text() == "23.32");
        CHECK(plan[std::size_t{0}]["number"].integer() == 2);
        CHECK(plan[std::size_t{1}]["date"].text() == today.plus_days(40).text());
        CHECK(detail.data()["payment_terms"]["rest_on"].text() == today.plus_days(40).text());
    });
}

TEST_CASE("the plan of a trip: its parts before paying, and alike in every medium after it, whatever becomes of it") {
    each_shop([](Shop& shop, const std::string& language) {
        const bool german = language == "de";
        const std::string path = "/trips/" + std::to_string(shop.trip) + "/payment-plan";
        const auto put = [&](const char* parts) {
            const auto done = shop.base.call("PUT", path, std::string(R"({"kind": "fixed", "parts": )") + parts + "}",
                                             shop.base.user("administrator"));
            CAPTURE(done.text);
            REQUIRE(done.status == 200);
        };
        put(R"([{"percentage": 10, "due": "booking"}, {"amount": 25.55, "due": "after_booking", "days": 7},
                {"due": "before_departure", "days": 20}])");
        const auto made = shop.book("deposit", "bank_transfer");
        const Zone berlin = Zone::named("Europe/Berlin").value();
        const Date today = berlin.date_at(shop.base.assembly->clock.now());
        const std::string until = in_words(language, booking::working_days_after(today, 5)) + ", 23:59, " +
                                  texts::zone_in_words(language, "Europe/Berlin");
        const std::string first = in_words(language, today.plus_days(7)),
                          last = in_words(language, Date::parse(shop.base.day(60)).value().plus_days(-20));
        const Lines parts =
            german ? Lines{"Rate 1 von 2: USD 25.55, bis " + first, "Rate 2 von 2: USD 64.45, bis " + last}
                   : Lines{"Installment 1 of 2: USD 25.55, by " + first, "Installment 2 of 2: USD 64.45, by " + last};
        Lines lines = german ? Lines{"Gesamt: USD 100.00", "Jetzt fällig: USD 10.00", "Zahlbar bis: " + until,
                                     "Zahlungsart: Überweisung"}
                             : Lines{"Total: USD 100.00", "Due now: USD 10.00", "Pay by: " + until,
                                     "Way of paying: Bank transfer"};
        lines.insert(lines.end(), parts.begin(), parts.end());
        CHECK(made.offered == lines);
        // The one way to pay it is chosen.
        CHECK(made.pay_page.find(german ? "Für USD 10.00 buchen" : "Book for USD 10.00") != std::string::npos);
        shop.agree(made, lines, "booking_confirmation", shop.papers(made));
        put(R"([{"percentage": 90, "due": "booking"}, {"due": "before_departure", "days": 1}])");
        CHECK(shop.confirmed(made) == lines);
        shop.post(
            "/payments",
            Value::object({{"booking_id", made.id}, {"amount", 10}, {"gateway", "cash"}, {"status", "completed"}}));
        Lines paid = german ? Lines{"Gesamt: USD 100.00", "Bezahlt: USD 10.00", "Noch zu zahlen: USD 90.00",
                                    "Zahlungsart: Überweisung"}
                            : Lines{"Total: USD 100.00", "Paid: USD 10.00", "Still to pay: USD 90.00",
                                    "Way of paying: Bank transfer"};
        paid.insert(paid.end(), parts.begin(), parts.end());
        shop.agree(made, paid, "partial_payment_received", shop.papers(made));
    });
}

TEST_CASE("a plan that does not come to the rest, or is out of order, is no plan") {
    const auto plan_of = [](std::vector<std::pair<const char*, int>> parts) {
        auto list = Value::array();
        for (const auto& [date, amount] : parts)
            list.push(Value::object({{"date", date}, {"amount", amount}, {"number", 1}, {"count", 2}}));
        const auto money = booking::planned_money_from(Value::object({{"stage", "open"},
                                                                      {"currency", "USD"},
                                                                      {"total", 100},
                                                                      {"paid", 20},
                                                                      {"refunded", 0},
                                                                      {"due_now", 0},
                                                                      {"rest", 80},
                                                                      {"rest_on", "2027-05-01"},
                                                                      {"plan", std::move(list)}}));
        REQUIRE(money);
        return std::pair(money->parts.size(), money->rest_on ? money->rest_on->text() : "");
    };
    using Plan = std::pair<std::size_t, std::string>;
    CHECK(plan_of({{"2027-03-01", 30}, {"2027-04-01", 50}}) == Plan{2, "2027-04-01"});
    CHECK(plan_of({{"2027-04-01", 80}}) == Plan{0, "2027-04-01"});  // one part is the rest
    CHECK(plan_of({}) == Plan{0, "2027-05-01"});
    CHECK(plan_of({{"2027-03-01", 30}, {"2027-04-01", 49}}) == Plan{0, "2027-05-01"});
    CHECK(plan_of({{"2027-04-01", 30}, {"2027-03-01", 50}}) == Plan{0, "2027-05-01"});
    CHECK(plan_of({{"2027-03-01", 90}, {"2027-04-01", -10}}) == Plan{0, "2027-05-01"});
    CHECK(plan_of({{"soon", 30}, {"2027-04-01", 50}}) == Plan{0, "2027-05-01"});
}

TEST_CASE("full payment by transfer and pay later: one deadline, that of the gateway") {
    each_shop([](Shop& shop, const std::string& language) {
        const bool german = language == "de";
        const Zone berlin = Zone::named("Europe/Berlin").value();
        const Date today = berlin.date_at(shop.base.assembly->clock.now());
        for (const auto& [gateway, way, due] :
             {std::tuple{"bank_transfer", german ? "Überweisung" : "Bank transfer",
                         booking::working_days_after(today, 5)},
              {"pay_later", german ? "Später zahlen" : "Pay later", today.plus_days(7)}}) {
            CAPTURE(gateway);
            const auto made = shop.book("full", gateway);
            const std::string until =
                in_words(language, due) + ", 23:59, " + texts::zone_in_words(language, "Europe/Berlin");
            const Lines lines = german ? Lines{"Gesamt: USD 100.00", "Jetzt fällig: USD 100.00",
                                               "Zahlbar bis: " + until, std::string("Zahlungsart: ") + way}
                                       : Lines{"Total: USD 100.00", "Due now: USD 100.00", "Pay by: " + until,
                                               std::string("Way of paying: ") + way};
            CHECK(made.offered == lines);
            shop.agree(made, lines, "booking_confirmation", shop.papers(made));
            shop.check_pay_link(made, lines, language);
            CHECK(in_text(shop.mail("admin_new_booking").second, lines) == lines);
            // Routes say the same moment.
            const auto by = berlin.instant_of(due, ClockTime::from_minutes(23 * 60 + 59)).text();
            const auto status =
                shop.base.get("/payment/status/" + std::to_string(made.id), shop.base.user("administrator"));
            CHECK(status.data().text_or("pay_by") == by);
            const auto detail = shop.base.get("/bookings/" + std::to_string(made.id), shop.base.user("administrator"));
            CHECK(detail.data().text_or("pay_by") == by);
            CHECK(detail.data()["payment_terms"].text_or("due_by") == by);
            const auto listed = shop.base.get("/payment/gateways");
            for (const Value& each : listed.data()["gateways"].items())
                if (each.text_or("id") == gateway)
                    CHECK(each.text_or("pay_by") == by);
            // Confirmed, its customer prints the voucher: it says the same.
            REQUIRE(shop.base
                        .call("PUT", "/bookings/" + std::to_string(made.id) + "/status", R"({"status":"confirmed"})",
                              shop.base.user("administrator"))
                        .status == 200);
            const Lines standing = shop.confirmed(made);
            CHECK(standing.size() == 4);
            const auto voucher = shop.base.get("/bookings/" + std::to_string(made.id) + "/voucher",
                                               Visitor{}.with("X-Svc-Booking-Token", made.token));
            CAPTURE(gateway);
            REQUIRE(voucher.status == 200);
            CHECK(in_pdf(voucher.text, standing) == standing);
        }
    });
}

TEST_CASE("pay later that asks for a deposit: its share is the same on the pay page, in the booking and on paper") {
    each_shop([](Shop& shop, const std::string& language) {
        const bool german = language == "de";
        for (const auto& [percent, due, rest] : {std::tuple{30, "USD 59.97", "USD 139.93"},
                                                 {50, "USD 99.95", "USD 99.95"},
                                                 {1, "USD 2.00", "USD 197.90"}}) {
            CAPTURE(percent);
            REQUIRE(shop.base
                        .call("PUT", "/trips/" + std::to_string(shop.trip), R"({"regular_price":199.90})",
                              shop.base.user("administrator"))
                        .status == 200);
            shop.post("/payment/gateways/pay_later/config", Value::object({{"enabled", true},
                                                                           {"payment_deadline_days", 7},
                                                                           {"require_deposit", true},
                                                                           {"deposit_amount", percent}}));
            const auto made = shop.book("full", "pay_later");
            REQUIRE(made.offered.size() >= 4);
            CHECK(made.offered[1] == (german ? "Jetzt fällig: " : "Due now: ") + std::string(due));
            CHECK(made.offered.back().starts_with((german ? "Der Rest: " : "The rest: ") + std::string(rest)));
            shop.agree(made, made.offered, "booking_confirmation", shop.papers(made));
        }
    });
}

TEST_CASE("the waitlist, its offer, a refund and a free booking: the same lines in every medium") {
    each_shop([](Shop& shop, const std::string& language) {
        const bool german = language == "de";
        const auto first = shop.book("full", "pay_later", 4);
        const auto waiting = shop.book("full", "pay_later", 2, true);
        shop.agree(waiting,
                   german ? Lines{"Gesamt: USD 200.00", "Jetzt fällig: Nichts, bis Plätze für Sie frei sind"}
                          : Lines{"Total: USD 200.00", "Due now: Nothing until seats are free for you"},
                   "waitlist_joined", {"/booking/" + std::to_string(waiting.id) + "/invoice"});

        // Paid, then sent back: the booking is over, its seats go to who waits.
        const auto paid = shop.post(
            "/payments",
            Value::object({{"booking_id", first.id}, {"amount", 400}, {"gateway", "cash"}, {"status", "completed"}}));
        shop.post("/payments/" + std::to_string(paid.data()["id"].integer()) + "/refunds",
                  Value::object({{"amount", 400}, {"close", true}, {"by_hand", true}}));
        const Lines refunded =
            german ? Lines{"Gesamt: USD 400.00", "Bezahlt: USD 400.00", "Erstattet: USD 400.00",
                           "Noch zu zahlen: USD 0.00"}
                   : Lines{"Total: USD 400.00", "Paid: USD 400.00", "Refunded: USD 400.00", "Still to pay: USD 0.00"};
        const auto [html, text] = shop.mail("booking_refunded");
        CHECK(in_html(html, refunded) == refunded);
        CHECK(in_text(text, refunded) == refunded);
        CHECK(shop.confirmed(first) == refunded);
        CHECK(shop.in_account(first) == refunded);
        for (const std::string& path : {"/booking/" + std::to_string(first.id) + "/invoice",
                                        "/payment/" + std::to_string(paid.data()["id"].integer()) + "/credit-note"})
            CHECK(in_pdf(shop.pdf(path), refunded) == refunded);

        const auto offered = shop.confirmed(waiting);
        REQUIRE(offered.size() == 4);
        CHECK(offered[2].starts_with(german ? "Zahlbar bis: " : "Pay by: "));
        shop.agree(waiting, offered, "waitlist_offer", {"/booking/" + std::to_string(waiting.id) + "/invoice"});
        // The e-mail's sentence names the deadline of its rows.
        const std::string by = offered[2].substr(offered[2].find(": ") + 2);
        CHECK(shop.mail("waitlist_offer").second.find((german ? "bis " : "until ") + by) != std::string::npos);

        shop.post("/discounts",
                  Value::object({{"code", "GIFT"}, {"type", "percentage"}, {"amount", 100}, {"status", "publish"}}));
        const auto free = shop.book("full", "pay_later", 1, false, "GIFT");
        const Lines nothing = german ? Lines{"Gesamt: USD 0.00", "Noch zu zahlen: USD 0.00"}
                                     : Lines{"Total: USD 0.00", "Still to pay: USD 0.00"};
        CHECK(free.offered == nothing);
        CHECK(free.pay_page.find(german ? ">Jetzt buchen<" : ">Book now<") != std::string::npos);
        CHECK(shop.confirmed(free) == nothing);
        CHECK(shop.in_account(free) == nothing);
        const auto [free_html, free_text] = shop.mail("booking_confirmation");
        CHECK(in_html(free_html, nothing) == nothing);
        CHECK(in_text(free_text, nothing) == nothing);
        for (const std::string& path : shop.papers(free))
            CHECK(in_pdf(shop.pdf(path), nothing) == nothing);
    });
}

TEST_CASE(
    "a price per group says the travelers and the groups, in the summary, on the booking's page and its invoice") {
    each_shop([](Shop& shop, const std::string& language) {
        const bool german = language == "de";
        const auto category = shop.post("/traveler-categories", Value::object({{"name", "Private group"},
                                                                               {"status", "publish"},
                                                                               {"pricing_mode", "per_group"},
                                                                               {"max_pax", 4},
                                                                               {"group_overflow", "per_block"}}));
        const auto kind = category.data()["id"].integer();
        const auto priced = shop.base.call(
            "PUT", "/trips/" + std::to_string(shop.trip),
            Value::object(
                {{"pricing_type", "traveler_based"},
                 {"price_types", Value::array({Value::object({{"category_id", kind}, {"original_price", 290}})})}})
                .dump(),
            shop.base.user("administrator"));
        CAPTURE(priced.text);
        REQUIRE(priced.status == 200);
        const auto said = [&](int people) {
            const std::string all = std::to_string(people);
            return german ? "Private group: " + all + " Reisende, 1 Gruppe"
                          : "Private group: " + all + " travelers, 1 group";
        };
        const auto has = [](const std::string& text, const std::string& words) {
            return unescaped(text).find(words) != std::string::npos;
        };
        const auto opened = shop.base.post(
            "/booking/session", Value::object({{"trip_id", shop.trip},
                                               {"travel_date", shop.base.day(60)},
                                               {"traveler_counts", Value::object({{std::to_string(kind), 4}})},
                                               {"form_data", Value::object({{"contact_first_name", "Ada"}})}}));
        CAPTURE(opened.text);
        REQUIRE(opened.status == 201);
        const std::string session = opened.data().text_or("session_id");
        const Value quoted = opened.data()["quote"]["lines"][std::size_t{0}];
        CHECK(quoted["pricing_mode"].text() == "per_group");
        CHECK(quoted["people"].integer() == 4);
        CHECK(quoted["quantity"].integer() == 1);
        shop.browser.cookies["svc_checkout"] = session;
        const std::string page = shop.browser.open("/book/nile-cruise/pay");
        CHECK(has(page, said(4)));
        CHECK_FALSE(has(page, "1 × Private group"));
        const auto created = shop.base.post("/booking/create", filled_in(Value::object({{"session_id", session}})));
        CAPTURE(created.text);
        REQUIRE(created.status == 201);
        const Shop::Made made{.id = created.data()["booking_id"].integer(),
                              .reference = created.data()["reference"].text(),
                              .token = created.data().text_or("booking_token"),
                              .offered = {}};
        const std::string confirmation =
            shop.browser.open("/book/confirmation/" + made.reference + "?booking_token=" + made.token);
        CHECK(has(confirmation, said(4)));
        CHECK_FALSE(has(confirmation, "1 × Private group"));
        const auto line = shop.base.get("/bookings/" + std::to_string(made.id), shop.base.user("administrator"))
                              .data()["lines"][std::size_t{0}];
        CHECK(line["pricing_mode"].text() == "per_group");
        CHECK(line["people"].integer() == 4);
        std::string invoice;
        for (const char c : PdfFile(shop.pdf("/booking/" + std::to_string(made.id) + "/invoice")).text())
            if (const bool is_space = c == ' ' || c == '\n' || c == '\f';
                !is_space || (!invoice.empty() && invoice.back() != ' '))
                invoice += is_space ? ' ' : c;
        CHECK(has(invoice, german ? "4 Reisende" : "4 travelers"));  // its cell may be of two lines
        CHECK(has(shop.mail("booking_confirmation").second, german ? "Reisende: 4" : "Travelers: 4"));
    });
    const Money none = Money::zero(Currency::usd());
    const booking::Line five{
        .kind = "traveler", .label = "Bus", .quantity = 2, .unit = none, .amount = none, .people = 5};
    CHECK(booking::label_of(five, "en") == "Bus: 5 travelers, 2 groups");
    CHECK(booking::label_of(five, "de") == "Bus: 5 Reisende, 2 Gruppen");
    CHECK(booking::label_of(five, "es") == "Bus: 5 viajeros, 2 grupos");
    CHECK(booking::label_of(five, "fr") == "Bus : 5 voyageurs, 2 groupes");
}

TEST_CASE(
    "extras count what their price is for, and a tax within the prices says so, on the pay page, the booking's page"
    " and its invoice") {
    each_shop([](Shop& shop, const std::string& language) {
        const bool german = language == "de";
        shop.post("/modules/additional_services/toggle", Value::object({{"enabled", true}}));
        shop.settings({{"enable_tax", true}, {"tax_inclusive", true}, {"tax_label", "Excise"}, {"tax_rate", 19}});
        const auto poles = shop.post(
            "/additional-services",
            Value::object({{"name", "Walking poles"}, {"price", 12}, {"price_per", "person"}, {"status", "publish"}}));
        const auto opened =
            shop.base.post("/booking/session",
                           Value::object({{"trip_id", shop.trip},
                                          {"travel_date", shop.base.day(60)},
                                          {"travelers_count", 3},
                                          {"selected_services", Value::object({{poles.data()["id"].number_text(), 1}})},
                                          {"form_data", Value::object({{"contact_first_name", "Ada"}})}}));
        CAPTURE(opened.text);
        REQUIRE(opened.status == 201);
        const std::string session = opened.data().text_or("session_id");
        const std::string tax = german ? "Excise (19%), enthalten" : "Excise (19%), included";
        const auto check_page = [&](const std::string& page) {
            CAPTURE(page);
            for (const std::string& part : {std::string("3 × Walking poles, USD 12"), std::string("USD 36.00"), tax})
                CHECK(page.find(part) != std::string::npos);
            CHECK(page.find("1 × Walking poles") == std::string::npos);
        };
        shop.browser.cookies["svc_checkout"] = session;
        check_page(unescaped(shop.browser.open("/book/nile-cruise/pay")));
        const auto created = shop.base.post("/booking/create", filled_in(Value::object({{"session_id", session}})));
        CAPTURE(created.text);
        REQUIRE(created.status == 201);
        check_page(unescaped(shop.browser.open("/book/confirmation/" + created.data()["reference"].text() +
                                               "?booking_token=" + created.data().text_or("booking_token"))));
        const std::string id = std::to_string(created.data()["booking_id"].integer());
        std::string invoice;
        for (const char c : PdfFile(shop.pdf("/booking/" + id + "/invoice")).text())
            if (const bool is_space = c == ' ' || c == '\n' || c == '\f';
                !is_space || (!invoice.empty() && invoice.back() != ' '))
                invoice += is_space ? ' ' : c;
        CAPTURE(invoice);
        CHECK(invoice.find("Walking poles 3 USD 12.00 USD 36.00") != std::string::npos);
        CHECK(invoice.find(tax) != std::string::npos);
    });
}

TEST_CASE("discounts on an invoice are named in the reader's language, as on the booking's page") {
    each_shop([](Shop& shop, const std::string& language) {
        const bool german = language == "de";
        shop.post("/discounts",
                  Value::object({{"code", "SPRING"}, {"type", "percentage"}, {"amount", 10}, {"status", "publish"}}));
        const auto opened = shop.base.post(
            "/booking/session",
            Value::object({{"trip_id", shop.trip}, {"travel_date", shop.base.day(60)}, {"coupon_code", "SPRING"}}));
        REQUIRE(opened.status == 201);
        const auto created =
            shop.base.post("/booking/create", filled_in(Value::object({{"session_id", opened.data()["session_id"]}})));
        CAPTURE(created.text);
        REQUIRE(created.status == 201);
        const std::string id = std::to_string(created.data()["booking_id"].integer());
        const std::string invoice = PdfFile(shop.pdf("/booking/" + id + "/invoice")).text();
        CAPTURE(invoice);
        CHECK(invoice.find(german ? "Gutschein SPRING" : "Coupon SPRING") != std::string::npos);
        if (german)
            CHECK(invoice.find("Coupon") == std::string::npos);
        const std::string page = shop.browser.open("/book/confirmation/" + created.data()["reference"].text() +
                                                   "?booking_token=" + created.data().text_or("booking_token"));
        CHECK(page.find(german ? "Gutschein SPRING" : "Coupon SPRING") != std::string::npos);
    });
    const auto said = [](const char* kind, const char* label, const char* language) {
        const Money none = Money::zero(Currency::usd());
        return booking::label_of({.kind = kind, .label = label, .unit = none, .amount = none}, language);
    };
    CHECK(said("coupon", "Coupon SPRING", "es") == "Cupón SPRING");
    CHECK(said("coupon", "Discount", "de") == "Rabatt");
    CHECK(said("group_discount", "Group Discount", "fr") == "Remise de groupe");
    CHECK(said("group_discount", "Group Discount (10%)", "de") == "Gruppenrabatt (10%)");
    CHECK(said("dynamic", "Adjustment", "de") == "Anpassung");
    CHECK(said("service", "Additional services", "de") == "Zusatzleistungen");
    // The operator's own words stay.
    CHECK(said("service", "Coupon book", "de") == "Coupon book");
    CHECK(said("coupon", "Spring sale", "de") == "Spring sale");
}

TEST_CASE("a new date, the trip's reminder and scheduled charges: their e-mails show the lines of the page") {
    each_shop([](Shop& shop, const std::string& language) {
        const bool german = language == "de";
        const auto made = shop.book("deposit", "bank_transfer");
        const std::string path = "/bookings/" + std::to_string(made.id);
        const auto agree = [&](const char* template_key, std::size_t count) {
            CAPTURE(template_key);
            const Lines lines = shop.confirmed(made);
            CHECK(lines.size() == count);
            const auto [html, text] = shop.mail(template_key);
            CHECK(in_html(html, lines) == lines);
            CHECK(in_text(text, lines) == lines);
            return text;
        };
        const auto happens = [&](const hooks::Action& action, const std::function<json::Array(const Value&)>& with) {
            const Value booking = shop.base.get(path, shop.base.user("administrator")).data();
            REQUIRE(shop.base.assembly->store->write([&](store::Transaction& tx) -> Result<void> {
                shop.base.assembly->hooks.emit(tx, action, with(booking));
                return {};
            }));
        };
        shop.base.given_departure(shop.trip, 40, 4);
        const auto moved = shop.base.call("PUT", path, Value::object({{"travel_date", shop.base.day(40)}}).dump(),
                                          shop.base.user("administrator"));
        CAPTURE(moved.text);
        REQUIRE(moved.status == 200);
        // Due now, until when, how, and the rest, as long before the new date as before the old one.
        const std::string text = agree("booking_rescheduled", 5);
        CHECK(text.find((german ? "bis " : "by ") + in_words(language, Date::parse(shop.base.day(26)).value())) !=
              std::string::npos);
        shop.post(
            "/payments",
            Value::object({{"booking_id", made.id}, {"amount", 20}, {"gateway", "cash"}, {"status", "completed"}}));
        happens(booking::reminder_due, [&](const Value& booking) { return json::Array{made.id, booking, 3}; });
        const std::string reminder = agree("trip_reminder", 5);
        // Said once: the rows say it.
        const std::string still = german ? "Noch zu zahlen: " : "Still to pay: ";
        CHECK(reminder.find(still) != std::string::npos);
        CHECK(reminder.find(still) == reminder.rfind(still));
        const auto charge = [&](const char* template_key) {
            REQUIRE(shop.base.assembly->store->write([&](store::Transaction& tx) {
                return shop.base.assembly->messaging.plugin_mails.queue(
                    tx, "svc-pro",
                    {.template_key = template_key,
                     .dedupe_key = "71",
                     .booking_id = made.id,
                     .values = {{"scheduled_amount_formatted", {{"en", "USD 80.00"}}},
                                {"scheduled_date_formatted", {{"en", shop.base.day(26)}}},
                                {"payment_type_label", {{"en", "Rest"}}},
                                {"balance_after_formatted", {{"en", "USD 0.00"}}},
                                {"failure_reason", {{"en", "declined"}}}}});
            }));
        };
        charge("scheduled_payment_reminder");
        agree("scheduled_payment_reminder", 5);
        charge("scheduled_payment_failed");
        charge("admin_scheduled_payment_failed");
        agree("scheduled_payment_failed", 5);
        CHECK(shop.mail("admin_scheduled_payment_failed").second.find("USD 80.00") != std::string::npos);
        shop.post(
            "/payments",
            Value::object({{"booking_id", made.id}, {"amount", 80}, {"gateway", "cash"}, {"status", "completed"}}));
        charge("scheduled_payment_succeeded");
        agree("scheduled_payment_succeeded", 3);
        REQUIRE(shop.base.call("PUT", path + "/status", R"({"status":"cancelled"})", shop.base.user("administrator"))
                    .status == 200);
        const Lines over = german ? Lines{"Gesamt: USD 100.00", "Bezahlt: USD 100.00", "Noch zu zahlen: USD 0.00"}
                                  : Lines{"Total: USD 100.00", "Paid: USD 100.00", "Still to pay: USD 0.00"};
        for (const char* key : {"booking_cancelled", "admin_booking_cancelled"}) {
            CAPTURE(key);
            CHECK(in_text(shop.mail(key).second, over) == over);
        }
    });
}

TEST_CASE("the account shows a booking's money as its e-mail does") {
    each_shop([](Shop& shop, const std::string&) {
        const Visitor& owner = shop.base.user("svc_customer");
        const auto opened = shop.base.post("/booking/session",
                                           Value::object({{"trip_id", shop.trip},
                                                          {"travel_date", shop.base.day(60)},
                                                          {"payment_method", "deposit"},
                                                          {"payment_gateway", "bank_transfer"}}),
                                           owner);
        REQUIRE(opened.status == 201);
        const auto made = shop.base.post(
            "/booking/create", filled_in(Value::object({{"session_id", opened.data()["session_id"]}})), owner);
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        const std::string id = std::to_string(made.data()["booking_id"].integer());
        const Lines lines =
            on_page(shop.browser.open("/account/bookings/" + id, shop.base.cookie("svc_customer", true)));
        CHECK(lines.size() == 5);
        CHECK(in_html(shop.mail("booking_confirmation").first, lines) == lines);
    });
}
