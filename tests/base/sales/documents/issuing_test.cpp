// Numbers of invoices and credit notes: without a gap, once each; and what an issued document keeps.
#include "base/sales/documents/issuing.hpp"

#include <algorithm>
#include <thread>

#include <doctest/doctest.h>

#include "base/sales/documents/numbers.hpp"
#include "tests/support/pdf_tools.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Books {
    explicit Books(Database& database) : base(database), boss(base.user("administrator")) {
        set({{"company_name", "Nile & Co"}, {"vat_number", "EG-1"}});
        trip = base.given_trip("Nile cruise");
        base.given_departure(trip, 30);
        booking = base.given_booking(trip, 30);
    }
    void set(const json::Object& values) {
        REQUIRE(static_cast<bool>(base.assembly->settings.write(Value(values), boss.user_id)));
    }
    std::int64_t pay(int amount, const char* status = "completed") {
        const auto made = base.post(
            "/payments",
            Value::object({{"booking_id", booking.id}, {"amount", amount}, {"gateway", "cash"}, {"status", status}}),
            boss);
        REQUIRE(made.status == 201);
        return made.data()["id"].integer();
    }
    std::int64_t refund(std::int64_t payment, int amount) {
        const auto made = base.post("/payments/" + std::to_string(payment) + "/refunds",
                                    Value::object({{"amount", amount}, {"by_hand", true}}), boss);
        REQUIRE(made.status == 201);
        return made.data()["id"].integer();
    }
    std::string text(const std::string& target, const Visitor& visitor) {
        const auto got = base.get(target, visitor);
        REQUIRE(got.status == 200);
        return PdfFile(got.text).text();
    }
    std::string invoice(std::int64_t payment) { return text("/payment/" + std::to_string(payment) + "/invoice", boss); }
    std::vector<std::string> numbers() {
        return base.assembly->store->reading<std::vector<std::string>>([](store::Session& session) {
            return session.all<std::string>("SELECT number FROM svc_issued_documents ORDER BY number", "t", {},
                                            [](const store::Row& row) { return row.text(0); });
        });
    }
    std::string year() {
        return std::to_string(base.assembly->settings.zone().date_at(base.assembly->clock.now()).year());
    }

    TestBase base;
    const Visitor& boss;
    std::int64_t trip = 0;
    GivenBooking booking;
};

void each_books(const std::function<void(Books&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        Books books(database);
        body(books);
    });
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a pattern of numbers has the running number once, the year at most once and no other braces") {
    for (const char* good : {"INV-{year}-{number:5}", "{number}", "R{number:9}/{year}", "№ {number}"})
        CHECK_MESSAGE(static_cast<bool>(documents::check_number_pattern(Value(good))), good);
    for (const char* bad : {"INV", "INV-{year}", "{number}{number}", "{number:0}", "{number:10}", "{number",
                            "{month}{number}", "{year}{year}{number}", "{number}}"})
        CHECK_MESSAGE(!static_cast<bool>(documents::check_number_pattern(Value(bad))), bad);
    CHECK(documents::number_at("INV-{year}-{number:5}", 2026, 42) == "INV-2026-00042");
    CHECK(documents::number_at("{number:2}/{year}", 2026, 123) == "123/2026");
    CHECK(documents::series_of("INV-{year}-{number:5}", 2026) == documents::series_of("INV-{year}-{number}", 2026));
    CHECK(documents::series_of("INV-{year}-{number}", 2026) != documents::series_of("INV-{year}-{number}", 2027));
    CHECK(documents::series_of("INV-{number}", 2026) == documents::series_of("INV-{number}", 2027));
}

TEST_CASE("a pattern that makes no numbers is refused and names the setting") {
    each_books([](Books& books) {
        const auto answer =
            books.base.call("PUT", "/settings", R"({"invoice_number_pattern":"INV-{year}"})", books.boss);
        CHECK(answer.status == 400);
        CHECK(answer.field() == "invoice_number_pattern");
    });
}

TEST_CASE(
    "each payment that came in has an invoice number of its own, the next of the year, from the setting's start") {
    each_books([](Books& books) {
        books.set({{"invoice_number_pattern", "R-{year}/{number:4}"}, {"invoice_number_start", 501}});
        const auto first = books.pay(10), second = books.pay(20), open = books.pay(5, "pending");
        CHECK(holds(books.invoice(first), "R-" + books.year() + "/0501"));
        CHECK(holds(books.invoice(second), "R-" + books.year() + "/0502"));
        CHECK(holds(books.invoice(first), "R-" + books.year() + "/0501"));
        CHECK(holds(books.invoice(first), books.booking.reference));
        // An unpaid booking has none yet.
        CHECK(holds(books.invoice(open), "Pro forma invoice"));
        CHECK(holds(books.text("/booking/" + std::to_string(books.booking.id) + "/invoice", books.boss),
                    "Pro forma invoice"));
        CHECK(books.numbers().size() == 2);
        // A start that is raised later raises the next number, one that is behind changes nothing.
        books.set({{"invoice_number_start", 900}});
        CHECK(holds(books.invoice(books.pay(1)), "R-" + books.year() + "/0900"));
        books.set({{"invoice_number_start", 1}});
        CHECK(holds(books.invoice(books.pay(1)), "R-" + books.year() + "/0901"));
    });
}

TEST_CASE("a completed payment has its invoice number before anybody prints it") {
    each_books([](Books& books) {
        books.pay(10);
        books.pay(7, "pending");
        REQUIRE(books.base.assembly->hooks.drain());
        CHECK(books.numbers() == std::vector<std::string>{"INV-" + books.year() + "-00001"});
    });
}

TEST_CASE("a refund has the number of its credit note before anybody prints it") {
    each_books([](Books& books) {
        const auto payment = books.pay(10);
        books.refund(payment, 4);
        books.refund(payment, 6);
        REQUIRE(books.base.assembly->hooks.drain());
        CHECK(books.numbers() == std::vector<std::string>{"CRN-" + books.year() + "-00001",
                                                          "CRN-" + books.year() + "-00002",
                                                          "INV-" + books.year() + "-00001"});
    });
}

TEST_CASE("numbers that are issued at once by many have no gap and no duplicate, and a failed one leaves none") {
    each_books([](Books& books) {
        documents::Issuing issuing(*books.base.assembly->store, books.base.assembly->settings,
                                   books.base.assembly->clock);
        std::vector<std::thread> threads;
        for (int thread = 0; thread < 8; ++thread)
            threads.emplace_back([&, thread] {
                for (int i = 0; i < 12; ++i) {
                    // Each payment is asked for by two threads; each third transaction fails after its number was made.
                    const std::int64_t payment = 1000 + (thread / 2) * 12 + i;
                    static_cast<void>(books.base.assembly->store->write([&](store::Transaction& tx) -> Result<void> {
                        if (i % 3 != 0)
                            return {};
                        static_cast<void>(
                            issuing.issue(tx, {.booking_id = 1, .payment_id = 5000 + thread * 12 + i}, {}));
                        return errc::conflict;
                    }));
                    static_cast<void>(issuing.issue({.booking_id = 1, .payment_id = payment}, {.name = "Ada"}));
                }
            });
        for (std::thread& thread : threads)
            thread.join();
        std::vector<std::string> expected;
        for (int i = 1; i <= 48; ++i)
            expected.push_back(documents::number_at("INV-{year}-{number:5}", std::stoi(books.year()), i));
        CHECK(books.numbers() == expected);
    });
}

TEST_CASE("an issued invoice keeps the seller and the customer of its day") {
    each_books([](Books& books) {
        const auto payment = books.pay(10);
        const std::string before = books.invoice(payment);
        CHECK(holds(before, "Nile & Co"));
        CHECK(holds(before, "VAT EG-1"));
        books.set({{"company_name", "Delta Ltd"}, {"vat_number", "EG-2"}});
        REQUIRE(books.base
                    .call("PUT", "/bookings/" + std::to_string(books.booking.id), R"({"contact_last_name":"Byron"})",
                          books.boss)
                    .status == 200);
        const std::string after = books.invoice(payment);
        CAPTURE(after);
        CHECK(holds(after, "Nile & Co"));
        CHECK(holds(after, "VAT EG-1"));
        CHECK(holds(after, "Ada Lovelace"));
        CHECK_FALSE(holds(after, "Delta"));
        const std::string next = books.invoice(books.pay(10));
        CHECK(holds(next, "Delta Ltd"));
        CHECK(holds(next, "VAT EG-2"));
        CHECK(holds(next, "Ada Byron"));
    });
}

TEST_CASE("a refund has a credit note with a number of its own, read by whom the invoice is read") {
    each_books([](Books& books) {
        const auto payment = books.pay(30);
        const std::string target = "/payment/" + std::to_string(payment) + "/credit-note";
        CHECK(books.base.get(target, books.boss).status == 404);
        const auto first = books.refund(payment, 10), second = books.refund(payment, 5);
        const std::string of_first = books.text(target + "?refund_id=" + std::to_string(first), books.boss);
        CAPTURE(of_first);
        CHECK(holds(of_first, "Credit note"));
        CHECK(holds(of_first, "CRN-" + books.year() + "-00001"));
        CHECK(holds(of_first, "INV-" + books.year() + "-00001"));
        CHECK(holds(of_first, "10.00"));
        CHECK(holds(of_first, books.booking.reference));
        CHECK(holds(of_first, "Ada Lovelace"));
        // Without a wish it is the latest refund's.
        const std::string latest = books.text(target, books.boss);
        CHECK(holds(latest, "CRN-" + books.year() + "-00002"));
        CHECK(holds(latest, "5.00"));
        CHECK(books.base.assembly->documents.service.credit_note_for(first).value() ==
              "CRN-" + books.year() + "-00001");
        CHECK(books.base.assembly->documents.service.credit_note_for(second).value() ==
              "CRN-" + books.year() + "-00002");
        CHECK_FALSE(static_cast<bool>(books.base.assembly->documents.service.credit_note_for(999'999)));

        CHECK(books.base.get(target + "?refund_id=999999", books.boss).status == 404);
        CHECK(books.base.get(target).status == 401);
        CHECK(books.base.get(target, Visitor{}.with("X-Svc-Booking-Token", books.booking.token)).status == 200);
        const auto other = books.base.given_booking(books.trip, 30, "Hopper");
        CHECK(books.base.get(target, Visitor{}.with("X-Svc-Booking-Token", other.token)).status == 403);
        const auto detail = books.base.get("/payments/" + std::to_string(payment), books.boss);
        const std::string token = books.base.assembly->payments.service.invoice_token(
            books.base.assembly->payments.service.find(payment).value());
        CHECK(books.base.get(target + "?invoice_token=" + token).status == 200);
        const auto file = books.base.get(target, books.boss);
        CHECK(holds(file.header("Content-Disposition"), "Credit Note #" + books.booking.reference + ".pdf"));
        // The same pattern for both gives them one series.
        books.set({{"credit_note_number_pattern", "INV-{year}-{number:5}"}});
        books.refund(payment, 1);
        CHECK(holds(books.text(target, books.boss), "INV-" + books.year() + "-00002"));
    });
}
