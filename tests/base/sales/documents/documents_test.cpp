// Invoice, voucher and itinerary: who may read them, and that they say what is stored.
#include <doctest/doctest.h>

#include "base/sales/booking/record/invoice_token.hpp"
#include "base/sales/documents/hooks.hpp"
#include "base/sales/documents/logo.hpp"
#include "shared/plugin/host.hpp"
#include "tests/support/form.hpp"
#include "tests/support/pdf_tools.hpp"
#include "tests/support/set_clock.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

extern "C" const svc_plugin* svc_plugin_entry(void);

namespace {

template <class T>
bool done(const Result<T>& result) {
    return static_cast<bool>(result);
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The answers of the plugin below to filters, by name; other filters pass their value on.
std::map<std::string, std::function<Value(const json::Array&)>> answers;

void attach(plugin::Host& host) {
    for (const char* name :
         {"svc_invoice_token_ttl_seconds", "svc_invoice_payment_instructions", "svc_pdf_remote_enabled",
          "svc_pdf_header_color", "svc_pdf_default_font", "svc_document_mark"}) {
        const auto call = [name](store::Transaction*, const json::Array& given) {
            const auto found = answers.find(name);
            return found == answers.end() ? given.front() : found->second(given);
        };
        if (!host.hooks().filter(name, {.name = "test"}, call))
            throw plugin::Refused(name);
    }
}

// A guest's booking of two, one of a customer, and a payment of each.
struct Desk {
    explicit Desk(TestBase& test_base) : base(test_base), boss(base.user("administrator")) {
        set({{"company_name", "Nile & Co"},
             {"company_phone", "+20 2 1234"},
             {"company_email", "desk@example.org"},
             {"vat_number", "EG-998877"},
             {"date_format", "j F Y"}});
        trip = base.given_trip("Nile cruise");
        const auto changed = base.call("PUT", "/trips/" + std::to_string(trip), std::string(R"({
            "description": "<p>Slow boats.</p><ul><li>Tea &amp; dates</li></ul>",
            "pickup_location": "Cairo station", "starting_location": "Cairo",
            "highlights": ["Karnak by night"], "visa_requirements": "Visa on arrival.",
            "included_items": [{"title": "All meals", "description": "on board"}],
            "excluded_items": [{"title": "Flights", "description": ""}]})"),
                                       boss);
        REQUIRE(changed.status == 200);
        REQUIRE(base.post("/itineraries",
                          body(R"({"trip_id": )" + std::to_string(trip) + R"(, "day": 1, "day_title": "Embarkation"})"),
                          boss)
                    .status == 201);
        REQUIRE(base.post("/itineraries",
                          body(R"({"trip_id": )" + std::to_string(trip) +
                               R"(, "day": 1, "mode": "activity", "title": "Felucca", "start_time": "16:30",
                                                   "time_type": "exact", "location": "Aswan", "notes": "Bring a hat"})"),
                          boss)
                    .status == 201);
        base.given_departure(trip, 30);
        guest = base.given_booking(trip, 30, "Lovelace");
        other = base.given_booking(trip, 30, "Hopper");
        const auto session =
            base.post("/booking/session", Value::object({{"trip_id", trip}, {"travel_date", base.day(30)}}), owner());
        const auto made = base.post("/booking/create",
                                    filled_in(Value::object({{"session_id", session.data().text_or("session_id")},
                                                             {"contact_first_name", "Grace"},
                                                             {"contact_last_name", "Owner"},
                                                             {"contact_email", "grace@example.org"}})),
                                    owner());
        REQUIRE(made.status == 201);
        owned = made.data()["booking_id"].integer();
        paid = pay(guest.id, 10, "completed");
    }

    static Value body(const std::string& text) { return json::parse(text).value(); }
    const Visitor& owner() { return base.user("svc_customer"); }
    void set(const json::Object& values) { REQUIRE(done(base.assembly->settings.write(Value(values), boss.user_id))); }
    std::int64_t pay(std::int64_t booking, int amount, const char* status) {
        const auto made = base.post("/payments",
                                    Value::object({{"booking_id", booking},
                                                   {"amount", amount},
                                                   {"gateway", "cash"},
                                                   {"transaction_id", "T-" + std::to_string(++payments)},
                                                   {"status", status}}),
                                    boss);
        REQUIRE(made.status == 201);
        return made.data()["id"].integer();
    }
    void confirm(std::int64_t booking) {
        REQUIRE(base.call("PUT", "/bookings/" + std::to_string(booking) + "/status", R"({"status":"confirmed"})", boss)
                    .status == 200);
    }
    [[nodiscard]] std::string of(std::int64_t booking, const char* document) const {
        return "/bookings/" + std::to_string(booking) + "/" + document;
    }
    [[nodiscard]] std::string of_payment(std::int64_t payment, const char* document = "invoice") const {
        return "/payment/" + std::to_string(payment) + "/" + document;
    }
    [[nodiscard]] std::string token(std::int64_t payment, std::int64_t booking, int days_ago = 0) const {
        const auto known = base.assembly->bookings.records.find(booking);
        return booking::InvoiceTokens{*base.assembly->keyring}.issue(
            {payment, booking, known ? std::string_view(known->email) : ""},
            base.assembly->clock.now().minus(std::chrono::hours(24 * days_ago)));
    }
    [[nodiscard]] static Visitor with(const std::string& booking_token) {
        return Visitor{}.with("X-Svc-Booking-Token", booking_token);
    }
    std::string text(const std::string& target) {
        const auto got = base.get(target, boss);
        REQUIRE(got.status == 200);
        CHECK(got.header("Content-Type") == "application/pdf");
        return PdfFile(got.text).text();
    }

    TestBase& base;
    const Visitor& boss;
    std::int64_t trip = 0, owned = 0, paid = 0;
    GivenBooking guest, other;
    int payments = 0;
};

void each_desk(const std::function<void(Desk&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        answers.clear();
        TestBase base(database, &svc_plugin_entry);
        Desk desk(base);
        body(desk);
    });
}

// The amount a line of text names behind that label, without the currency.
std::string amount_after(const std::string& text, const std::string& label) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (line.find(label) != std::string::npos)
            return line.substr(line.rfind(' ') + 1);
    return {};
}

}  // namespace

TEST_CASE("nobody reads a document without a proof: 401 for anonymous callers, for missing bookings too") {
    each_desk([](Desk& desk) {
        for (const std::string& target :
             {desk.of(desk.guest.id, "invoice"), desk.of(desk.guest.id, "voucher"), desk.of(desk.guest.id, "itinerary"),
              "/booking/" + std::to_string(desk.guest.id) + "/invoice", desk.of_payment(desk.paid),
              desk.of_payment(desk.paid, "voucher"), desk.of(999'999, "invoice"), desk.of_payment(999'999)}) {
            CAPTURE(target);
            CHECK(desk.base.get(target).status == 401);
        }
    });
}

TEST_CASE("a signed-in stranger is refused with 403, on guests' bookings too; the owner and staff read") {
    each_desk([](Desk& desk) {
        desk.confirm(desk.owned);
        const auto payment = desk.pay(desk.owned, 5, "completed");
        for (const std::string& target :
             {desk.of(desk.owned, "invoice"), desk.of(desk.owned, "voucher"), desk.of(desk.owned, "itinerary"),
              "/booking/" + std::to_string(desk.owned) + "/invoice", desk.of_payment(payment),
              desk.of_payment(payment, "voucher")}) {
            CAPTURE(target);
            CHECK(desk.base.get(target, desk.owner()).status == 200);
            CHECK(desk.base.get(target, desk.base.holding({"svc_view_bookings", "svc_view_customers"})).status == 200);
            CHECK(desk.base.get(target, desk.base.holding({})).status == 403);
        }
        CHECK(desk.base.get(desk.of(desk.guest.id, "invoice"), desk.owner()).status == 403);
        CHECK(desk.base.get(desk.of_payment(desk.paid), desk.owner()).status == 403);
        CHECK(desk.base.get(desk.of_payment(desk.paid, "voucher"), desk.owner()).status == 403);
    });
}

TEST_CASE("a guest reads with the booking_token of that booking alone, until it is cancelled") {
    each_desk([](Desk& desk) {
        desk.confirm(desk.guest.id);
        for (const std::string& target : {desk.of(desk.guest.id, "invoice"), desk.of(desk.guest.id, "voucher"),
                                          desk.of_payment(desk.paid), desk.of_payment(desk.paid, "voucher")}) {
            CAPTURE(target);
            CHECK(desk.base.get(target, Desk::with(desk.guest.token)).status == 200);
            CHECK(desk.base.get(target + "?booking_token=" + desk.guest.token).status == 200);
            CHECK(desk.base.get(target, Desk::with(desk.other.token)).status == 403);
        }
        CHECK(desk.base
                  .call("PUT", "/bookings/" + std::to_string(desk.guest.id) + "/status", R"({"status":"cancelled"})",
                        desk.boss)
                  .status == 200);
        CHECK(desk.base.get(desk.of(desk.guest.id, "invoice"), Desk::with(desk.guest.token)).status == 403);
    });
}

TEST_CASE("an invoice_token proves one invoice for 365 days; altered, foreign or older ones are 403") {
    each_desk([](Desk& desk) {
        const auto get = [&](const std::string& target, const std::string& token) {
            return desk.base.get(target + "?invoice_token=" + token).status;
        };
        const std::string booking = "/booking/" + std::to_string(desk.guest.id) + "/invoice";
        const std::string payment = desk.of_payment(desk.paid);
        CHECK(get(booking, desk.token(0, desk.guest.id)) == 200);
        CHECK(get(desk.of(desk.guest.id, "invoice"), desk.token(0, desk.guest.id)) == 200);
        CHECK(get(payment, desk.token(desk.paid, desk.guest.id)) == 200);
        CHECK(get(payment, desk.token(desk.paid, desk.guest.id, 364)) == 200);
        CHECK(get(payment, desk.token(desk.paid, desk.guest.id, 366)) == 403);
        CHECK(get(payment, desk.token(0, desk.guest.id)) == 403);
        CHECK(get(payment, desk.token(desk.paid, desk.other.id)) == 403);
        CHECK(get(booking, desk.token(desk.paid, desk.guest.id)) == 403);
        CHECK(get(booking, desk.token(0, desk.other.id)) == 403);
        CHECK(get(desk.of_payment(999'999), desk.token(0, 0)) == 403);
        // Where the latest payment's invoice is printed, that payment's proof is enough, until there is a later one.
        const std::string latest = desk.of(desk.guest.id, "invoice");
        CHECK(get(latest, desk.token(desk.paid, desk.guest.id)) == 200);
        CHECK(get(latest, desk.token(desk.paid, desk.other.id)) == 403);
        const auto later = desk.pay(desk.guest.id, 5, "completed");
        CHECK(get(latest, desk.token(desk.paid, desk.guest.id)) == 403);
        CHECK(get(latest, desk.token(later, desk.guest.id)) == 200);
        CHECK(get(desk.of(desk.guest.id, "voucher"), desk.token(later, desk.guest.id)) == 403);

        const std::string good = desk.token(0, desk.guest.id);
        for (std::size_t i = 0; i < good.size(); ++i) {
            std::string altered = good;
            altered[i] = altered[i] == '1' ? '2' : '1';
            CAPTURE(altered);
            CHECK(get(booking, altered) == (altered == good ? 200 : 403));
        }
        for (const std::string& wrong :
             {good + "0", good.substr(0, good.size() - 1), std::string("v2.."),
              std::string("v2.99999999999999999999.ab"), std::string("v1") + good.substr(2)}) {
            CAPTURE(wrong);
            CHECK(get(booking, wrong) == 403);
        }
        // The one that came with the booking; and a right that is there is not lost by a wrong token.
        CHECK(desk.base.get(booking + "?invoice_token=wrong", Desk::with(desk.guest.token)).status == 200);
        CHECK(desk.base.get(booking + "?invoice_token=wrong", desk.owner()).status == 403);
        desk.confirm(desk.guest.id);
        CHECK(get(desk.of_payment(desk.paid, "voucher"), desk.token(desk.paid, desk.guest.id)) == 200);
    });
}

TEST_CASE("an invoice_token of the former address is refused once the booking's e-mail was changed") {
    each_desk([](Desk& desk) {
        const std::string whole = "/booking/" + std::to_string(desk.guest.id) + "/invoice?invoice_token=";
        const std::string of_payment = desk.of_payment(desk.paid) + "?invoice_token=";
        const std::string old_whole = desk.token(0, desk.guest.id), old_payment = desk.token(desk.paid, desk.guest.id);
        CHECK(desk.base.get(whole + old_whole).status == 200);
        CHECK(desk.base.get(of_payment + old_payment).status == 200);
        REQUIRE(desk.base
                    .call("PUT", "/bookings/" + std::to_string(desk.guest.id),
                          R"({"contact_email":"new.owner@example.org"})", desk.boss)
                    .status == 200);
        CHECK(desk.base.get(whole + old_whole).status == 403);
        CHECK(desk.base.get(of_payment + old_payment).status == 403);
        CHECK(desk.base.get(whole + desk.token(0, desk.guest.id)).status == 200);
        // The new owner does not read the first one's address on the invoice that was issued to them.
        const auto invoice = desk.base.get(of_payment + desk.token(desk.paid, desk.guest.id));
        REQUIRE(invoice.status == 200);
        const std::string text = PdfFile(invoice.text).text();
        CHECK(holds(text, "Ada Lovelace"));
        CHECK_FALSE(holds(text, "ada@"));
    });
}

TEST_CASE("a booking's documents are rendered 30 times a minute for its guest, for staff as often as they ask") {
    each_desk([](Desk& desk) {
        const std::string target = desk.of(desk.guest.id, "invoice");
        for (int i = 0; i < 30; ++i)
            REQUIRE(desk.base.get(target, Desk::with(desk.guest.token)).status == 200);
        const auto refused = desk.base.get(target, Desk::with(desk.guest.token));
        CHECK(refused.status == 429);
        CHECK_FALSE(refused.header("Retry-After").empty());
        CHECK(desk.base.get(desk.of_payment(desk.paid), Desk::with(desk.guest.token)).status == 429);
        CHECK(desk.base.get(target, desk.boss).status == 200);
        CHECK(desk.base.get(desk.of(desk.other.id, "invoice"), Desk::with(desk.other.token)).status == 200);
    });
}

TEST_CASE("a document that did not change is rendered once, one of a booking that changed anew") {
    each_desk([](Desk& desk) {
        const auto rendered = [&] {
            return desk.base.assembly->documents.service
                .print({.kind = documents::Kind::voucher, .booking_id = desk.guest.id}, true)
                .value()
                .rendered;
        };
        const auto first = rendered();
        CHECK(rendered() == first);
        REQUIRE(desk.base
                    .call("PUT", "/bookings/" + std::to_string(desk.guest.id), R"({"special_requests":"A cabin aft"})",
                          desk.boss)
                    .status == 200);
        const auto second = rendered();
        CHECK(second != first);
        CHECK(rendered() == second);
        desk.set({{"company_name", "Another & Co"}});
        CHECK(rendered() != second);
    });
}

TEST_CASE("rendered documents take no more memory than is allowed, the least used go first") {
    documents::PrintedPages pages(1000);
    const auto of = [](std::size_t size) {
        return std::make_shared<const pdf::Rendered>(pdf::Rendered{.bytes = std::string(size, 'x')});
    };
    pages.add("a", of(400));
    pages.add("b", of(400));
    CHECK(pages.find("a"));
    pages.add("c", of(400));
    CHECK(pages.find("a"));
    CHECK_FALSE(pages.find("b"));
    CHECK(pages.bytes() == 800);
    pages.add("d", of(1001));
    CHECK_FALSE(pages.find("d"));
    CHECK(pages.bytes() == 800);
}

TEST_CASE("every route that renders a document has its own lane") {
    each_desk([](Desk& desk) {
        const app::Gate gate = app::make_gate(*desk.base.assembly);
        const auto lane = [&](const std::string& target) { return gate.plan("GET", "/svc/v1" + target, {}).lane; };
        for (const char* document : {"invoice", "voucher", "itinerary"})
            CHECK(lane(desk.of(desk.guest.id, document)) == HttpLane::document);
        for (const char* document : {"invoice", "voucher", "credit-note"})
            CHECK(lane(desk.of_payment(desk.paid, document)) == HttpLane::document);
        CHECK(lane("/booking/" + std::to_string(desk.guest.id) + "/invoice") == HttpLane::document);
        CHECK(lane("/bookings/" + std::to_string(desk.guest.id)) == HttpLane::general);
        CHECK(lane("/media/1/file") == HttpLane::general);
    });
}

TEST_CASE("what a stranger typed takes bounded paper") {
    each_desk([](Desk& desk) {
        std::string marked = "A";
        while (marked.size() < 65'000)
            marked += "\u0301";
        for (const std::string& wish : {marked, std::string(60'000, '\n') + "x", std::string(60'000, 'W')}) {
            REQUIRE(done(desk.base.assembly->store->write([&](store::Transaction& tx) -> Result<void> {
                tx.run("UPDATE svc_bookings SET special_requests = :wish WHERE id = :id",
                       {{"wish", wish}, {"id", desk.guest.id}});
                return {};
            })));
            const auto printed = desk.base.assembly->documents.service
                                     .print({.kind = documents::Kind::voucher, .booking_id = desk.guest.id}, true)
                                     .value();
            CHECK(printed.rendered->pages <= 3);
            CHECK(printed.rendered->bytes.size() < 100'000);
        }
    });
}

TEST_CASE("a voucher shows an arrival before the start on the next day") {
    each_desk([](Desk& desk) {
        desk.base.leaves_what_holds = false;
        const std::string id = std::to_string(desk.guest.id);
        desk.base.run("UPDATE svc_departures SET start_time = '22:00', arrival_time = '02:00'");
        desk.base.run("UPDATE svc_bookings SET departure_time = '22:00', end_date = travel_date");
        const settings::Look look = settings::look_of(desk.base.assembly->settings);
        const Date day = desk.base.assembly->bookings.records.find(desk.guest.id)->travel_date;
        for (const char* document : {"voucher", "itinerary"}) {
            const std::string text = desk.text(desk.of(desk.guest.id, document));
            CAPTURE(text);
            CHECK(holds(text, look.day(day) + ", 22:00"));
            CHECK(holds(text, look.day(day.plus_days(1)) + ", 02:00"));
            CHECK(holds(text, "(the next day)"));  // on the line below where the column is narrow
        }
        desk.base.run("UPDATE svc_departures SET arrival_time = '23:30'");
        CHECK(holds(desk.text(desk.of(desk.guest.id, "voucher")), look.day(day) + ", 23:30"));
    });
}

TEST_CASE("no document has a heading with nothing below it") {
    each_desk([](Desk& desk) {
        desk.set({{"company_name", ""}, {"company_phone", ""}, {"company_email", ""}, {"vat_number", ""}});
        REQUIRE(desk.base
                    .call("PUT", "/trips/" + std::to_string(desk.trip),
                          R"({"description": "<p> </p>", "highlights": [], "included_items": [], "excluded_items": [],
                              "visa_requirements": ""})",
                          desk.boss)
                    .status == 200);
        desk.base.run("UPDATE svc_trips SET short_description = ''");
        desk.base.run("UPDATE svc_bookings SET emergency_contact = '{}', emergency_sealed = ''");
        const std::string voucher = desk.text(desk.of(desk.guest.id, "voucher"));
        for (const char* heading : {"Your contact", "Included services", "Special requests", "Emergency contact"})
            CHECK_FALSE(holds(voucher, heading));
        const std::string itinerary = desk.text(desk.of(desk.guest.id, "itinerary"));
        for (const char* heading : {"About the trip", "Highlights", "Included", "Important information"})
            CHECK_FALSE(holds(itinerary, heading));
    });
}

TEST_CASE("svc_invoice_token_ttl_seconds sets how long invoice tokens live") {
    each_desk([](Desk& desk) {
        answers["svc_invoice_token_ttl_seconds"] = [](const json::Array&) { return Value(86'400 * 2); };
        const std::string target = desk.of_payment(desk.paid) + "?invoice_token=";
        CHECK(desk.base.get(target + desk.token(desk.paid, desk.guest.id, 1)).status == 200);
        CHECK(desk.base.get(target + desk.token(desk.paid, desk.guest.id, 3)).status == 403);
    });
}

TEST_CASE("voucher and itinerary are for customers once the booking is confirmed or paid, for staff always") {
    each_desk([](Desk& desk) {
        for (const char* document : {"voucher", "itinerary"}) {
            CAPTURE(document);
            CHECK(desk.base.get(desk.of(desk.guest.id, document), Desk::with(desk.guest.token)).status == 403);
            CHECK(desk.base.get(desk.of(desk.guest.id, document), desk.boss).status == 200);
            CHECK(desk.base.get(desk.of(desk.owned, document), desk.owner()).status == 403);
        }
        CHECK(desk.base.get(desk.of(desk.guest.id, "invoice"), Desk::with(desk.guest.token)).status == 200);
        desk.confirm(desk.guest.id);
        desk.base.leaves_what_holds = false;  // paid without a payment
        desk.base.run("UPDATE svc_bookings SET payment_status = 'paid' WHERE contact_last_name = 'Owner'");
        for (const char* document : {"voucher", "itinerary"}) {
            CAPTURE(document);
            CHECK(desk.base.get(desk.of(desk.guest.id, document), Desk::with(desk.guest.token)).status == 200);
            CHECK(desk.base.get(desk.of(desk.owned, document), desk.owner()).status == 200);
        }
        desk.base.run("UPDATE svc_bookings SET status = 'cancelled' WHERE contact_last_name = 'Owner'");
        CHECK(desk.base.get(desk.of(desk.owned, "voucher"), desk.owner()).status == 403);
        CHECK(desk.base.get(desk.of(desk.owned, "invoice"), desk.owner()).status == 200);
    });
}

TEST_CASE("a document is an attachment by its name, and with preview=1 JSON of the same bytes") {
    each_desk([](Desk& desk) {
        const std::string reference = desk.guest.reference;
        const std::tuple<std::string, std::string, std::string> expected[] = {
            {desk.of(desk.guest.id, "invoice"), "Invoice #" + reference + ".pdf", "Invoice%20%23" + reference + ".pdf"},
            {desk.of(desk.guest.id, "voucher"), "Travel Voucher #" + reference + ".pdf", ""},
            {desk.of_payment(desk.paid, "voucher"), "Travel Voucher #" + reference + ".pdf", ""},
            {desk.of(desk.guest.id, "itinerary"), "Travel-Itinerary-" + reference + ".pdf", ""}};
        for (const auto& [target, name, encoded] : expected) {
            CAPTURE(target);
            const auto file = desk.base.get(target, desk.boss);
            CHECK(file.status == 200);
            CHECK(file.text.starts_with("%PDF-"));
            CHECK(file.header("Content-Type") == "application/pdf");
            CHECK(file.header("Content-Disposition").starts_with("attachment"));
            CHECK(holds(file.header("Content-Disposition"), name));
            CHECK(holds(file.header("Cache-Control"), "no-store"));
            CHECK(file.header("Referrer-Policy") == "no-referrer");
            const auto preview = desk.base.get(target + "?preview=1", desk.boss);
            CHECK(preview.status == 200);
            CHECK(preview.data()["filename"].text() == name);
            CHECK(crypto::from_base64(preview.data()["pdf_data"].text()).value() == file.text);
        }
        CHECK(desk.base.get(desk.of(999'999, "invoice"), desk.boss).code() == "booking_not_found");
        for (const char* kind : {"invoice", "voucher"})
            CHECK(desk.base.get(desk.of_payment(999'999, kind), desk.boss).code() == "payment_not_found");
    });
}

TEST_CASE("an invoice's amounts are the booking's stored sums") {
    each_desk([](Desk& desk) {
        desk.base.leaves_what_holds = false;  // sums of no lines
        desk.base.run(
            "UPDATE svc_bookings SET subtotal_minor = 123456789, discount_minor = 50, tax_minor = 1234,"
            " tax_inclusive = 1, total_minor = 123456739, amount_paid_minor = 1000"
            " WHERE contact_last_name = 'Lovelace'");
        const std::string text = desk.text(desk.of(desk.guest.id, "invoice"));
        CAPTURE(text);
        CHECK(amount_after(text, "Subtotal") == "1,234,567.89");
        CHECK(amount_after(text, "Discount") == "-0.50");
        CHECK(amount_after(text, "Tax, included") == "12.34");
        CHECK(amount_after(text, "Total") == "1,234,567.39");
        CHECK(amount_after(text, "Paid") == "10.00");
        CHECK(amount_after(text, "Still to pay") == "1,234,557.39");
        const auto booking = desk.base.get("/bookings/" + std::to_string(desk.guest.id), desk.boss);
        CHECK(booking.data()["total"].number_text() == "1234567.39");
        for (const Value& line : booking.data()["lines"].items())
            CHECK(holds(text, line["label"].text()));
        CHECK(holds(text, desk.guest.reference));
        CHECK(holds(text, "Ada Lovelace"));
        CHECK(holds(text, "United Kingdom"));  // and not its code
        CHECK(holds(text, "Nile & Co"));
        CHECK(holds(text, "VAT EG-998877"));
        CHECK(holds(text, "T-1"));
        CHECK(holds(text, "Paid"));
    });
}

TEST_CASE("documents name the countries of customer and operator in their own language") {
    each_desk([](Desk& desk) {
        desk.set({{"company_address", "Hauptstr. 1"}, {"company_country", "AT"}});
        for (const auto& [locale, customer, company] : {std::tuple{"de", "Vereinigtes Königreich", "Österreich"},
                                                        {"fr", "Royaume-Uni", "Autriche"},
                                                        {"en", "United Kingdom", "Austria"}}) {
            CAPTURE(locale);
            desk.base.run(("UPDATE svc_bookings SET locale = '" + std::string(locale) + "'").c_str());
            const std::string pro_forma = desk.text(desk.of(desk.guest.id, "invoice"));
            CHECK(holds(pro_forma, customer));
            CHECK(holds(pro_forma, "Hauptstr. 1, " + std::string(company)));
            // An issued invoice, too: it keeps the country and not its name.
            const std::string issued = desk.text(desk.of_payment(desk.paid));
            CHECK(holds(issued, customer));
            CHECK(holds(desk.text(desk.of(desk.guest.id, "voucher")), company));
        }
        desk.set({{"company_country", "Österreich"}});  // a name in any language
        CHECK(holds(desk.text(desk.of(desk.guest.id, "voucher")), "Austria"));
    });
}

TEST_CASE("an invoice shows payments, refunds and the balance") {
    each_desk([](Desk& desk) {
        const auto refund = desk.base.post("/payments/" + std::to_string(desk.paid) + "/refunds",
                                           Desk::body(R"({"amount": 3, "by_hand": true})"), desk.boss);
        REQUIRE(refund.status == 201);
        const std::string text = desk.text(desk.of(desk.guest.id, "invoice"));
        CAPTURE(text);
        CHECK(amount_after(text, "Paid") == "10.00");
        CHECK(amount_after(text, "Refunded") == "3.00");
        CHECK(amount_after(text, "Still to pay") == "90.00");  // the refund lowers the total
    });
}

TEST_CASE("an invoice of a payment that came is headed by what is paid of the booking") {
    each_desk([](Desk& desk) {
        const std::string text = desk.text(desk.of_payment(desk.paid));
        CAPTURE(text);
        CHECK(amount_after(text, "Still to pay") == "90.00");
        CHECK(amount_after(text, "Status") == "Partial");
        CHECK(amount_after(text.substr(text.find("This payment")), "Status") == "Paid");
    });
}

TEST_CASE("nothing is due on the invoice of a booking that has ended") {
    each_desk([](Desk& desk) {
        const std::string booking = "/bookings/" + std::to_string(desk.owned);
        REQUIRE(desk.base.call("PUT", booking + "/status", R"({"status":"cancelled"})", desk.boss).status == 200);
        const std::string text = desk.text("/booking/" + std::to_string(desk.owned) + "/invoice");
        CHECK(amount_after(text, "Still to pay") == "0.00");
    });
}

TEST_CASE("an invoice of a pending payment is unpaid, and one of the booking explains how to pay the balance") {
    each_desk([](Desk& desk) {
        const auto pending = desk.pay(desk.owned, 7, "pending");
        CHECK(holds(desk.text(desk.of_payment(pending)), "Unpaid"));
        // The latest payment's by default; the other address is of the booking as a whole.
        CHECK(holds(desk.text(desk.of(desk.owned, "invoice")), "This payment"));
        const std::string whole = desk.text("/booking/" + std::to_string(desk.owned) + "/invoice");
        CHECK_FALSE(holds(whole, "This payment"));
        CHECK(holds(whole, "How to pay"));
        CHECK(holds(whole, "Nothing is charged now."));  // of pay_later
        answers["svc_invoice_payment_instructions"] = [](const json::Array& given) {
            Value lines = given[0];
            lines.push("To IBAN XY77 for " + given[1].text_or("reference"));
            return lines;
        };
        CHECK(holds(desk.text("/booking/" + std::to_string(desk.owned) + "/invoice"), "To IBAN XY77"));
        desk.pay(desk.owned, 1'000'000, "completed");
        CHECK_FALSE(holds(desk.text("/booking/" + std::to_string(desk.owned) + "/invoice"), "How to pay"));
    });
}

TEST_CASE("a voucher shows the number of travelers while nobody is named") {
    each_desk([](Desk& desk) {
        const Value body = Value::object({{"trip_id", desk.trip},
                                          {"travel_date", desk.base.day(30)},
                                          {"travelers_count", 2},
                                          {"contact_first_name", "Ada"},
                                          {"contact_email", "ada@example.org"}});
        const auto made = desk.base.post("/bookings", body, desk.boss);
        REQUIRE(made.status == 201);
        const std::string text = desk.text(desk.of(made.data()["id"].integer(), "voucher"));
        CHECK(holds(text, "Travelers (2)"));
        CHECK(holds(text, "Not named yet"));
    });
}

TEST_CASE("a voucher shows travelers, place, time and extras, and a code that only we can make") {
    each_desk([](Desk& desk) {
        desk.base.call("PUT", "/bookings/" + std::to_string(desk.guest.id),
                       R"({"travelers":[{"first_name":"Ada","last_name":"Byron"}],"special_requests":"A cabin aft"})",
                       desk.boss);
        desk.base.run("UPDATE svc_bookings SET emergency_contact = '{}'");  // a form that did not ask for one
        const std::string text = desk.text(desk.of(desk.guest.id, "voucher"));
        CAPTURE(text);
        for (const char* part :
             {"Travel voucher", "Ada Byron", "Ada Lovelace", "Nile cruise", "Cairo station", "All meals", "A cabin aft",
              "+20 2 1234", "Verification code", "Still to pay", "Duration"})
            CHECK(holds(text, part));
        const auto code = amount_after(text, "Verification code");
        CHECK(code.size() == 19);
        CHECK(text.find("Emergency contact") == std::string::npos);
        desk.base.run(
            "UPDATE svc_bookings SET emergency_contact = '{\"name\":\"Annabella\",\"phone\":\"+44 20 99\","
            "\"relationship\":\"parent\",\"note\":\"only for us\"}'");
        const std::string told = desk.text(desk.of(desk.guest.id, "voucher"));
        for (const char* part : {"Emergency contact", "Annabella", "+44 20 99", "parent"})
            CHECK_MESSAGE(told.find(part) != std::string::npos, part);
        CHECK(told.find("only for us") == std::string::npos);
        CHECK(amount_after(desk.text(desk.of(desk.guest.id, "voucher")), "Verification code") == code);
        CHECK(amount_after(desk.text(desk.of(desk.other.id, "voucher")), "Verification code") != code);
    });
}

TEST_CASE("an itinerary lists the trip day by day, as plain text") {
    each_desk([](Desk& desk) {
        const std::string text = desk.text(desk.of(desk.guest.id, "itinerary"));
        CAPTURE(text);
        for (const char* part :
             {"Nile cruise", "Slow boats.", "Tea & dates", "Karnak by night", "Embarkation", "Day 1", "16:30",
              "Felucca", "Aswan", "Bring a hat", "All meals", "Flights", "Visa on arrival."})
            CHECK(holds(text, part));
        CHECK_FALSE(holds(text, "<"));
    });
}

TEST_CASE("an itinerary prints a description of 60,000 characters to its last word") {
    each_desk([](Desk& desk) {
        std::string words;
        for (int i = 0; words.size() < 60'000; ++i)
            words += "word" + std::to_string(i) + ' ';
        for (const std::string& description :
             {"<p>" + words + "theend</p>", "<p>Short.</p><div>" + words + "<b>theend</b></div>"}) {
            REQUIRE(desk.base
                        .call("PUT", "/trips/" + std::to_string(desk.trip),
                              Value::object({{"description", description}}).dump(), desk.boss)
                        .status == 200);
            const std::string text = desk.text(desk.of(desk.owned, "itinerary"));
            CHECK(holds(text, "word0 "));
            CHECK(holds(text, "word5000"));
            CHECK(holds(text, "theend"));
            CHECK(holds(text, "Day by day"));
        }
    });
}

TEST_CASE("names in any script are printed with embedded fonts") {
    each_desk([](Desk& desk) {
        desk.base.run(
            "UPDATE svc_bookings SET trip_title = '東京 Ταξίδι नेपाल',"
            " contact_first_name = 'Łukasz', contact_last_name = 'Ивановичъ' WHERE contact_last_name = 'Hopper'");
        for (const char* document : {"invoice", "voucher", "itinerary"}) {
            CAPTURE(document);
            desk.set({{"company_name", "رحلات النيل"}});
            const auto got = desk.base.get(desk.of(desk.other.id, document), desk.boss);
            const PdfFile file(got.text);
            for (const auto& font : file.fonts()) {
                CAPTURE(font.name);
                CHECK(font.embedded);
            }
            CHECK(file.fonts().size() >= 4);
            const std::string text = file.text();
            CAPTURE(text);
            CHECK(holds(text, "Łukasz Ивановичъ"));
            CHECK(holds(text, "東京"));
        }
    });
}

TEST_CASE("the logo is a picture of ours, and a document goes without one that is not there or not public") {
    each_desk([](Desk& desk) {
        const auto dark = [&] {
            const auto page = PdfFile(desk.base.get(desk.of(desk.guest.id, "invoice"), desk.boss).text).page(1);
            return page.at(410, 60) < 60 && page.at(530, 80) < 60;
        };
        CHECK_FALSE(dark());
        const auto picture =
            upload(desk.base, Form{}.file("logo.jpg", images::to_jpeg(images::Picture::blank(300, 100))), desk.boss);
        REQUIRE(picture.status == 201);
        desk.set({{"company_logo", picture.data()["url"].text()}});
        CHECK(dark());
        desk.set({{"company_logo", desk.base.assembly->media.service.url_of(999'999)}});
        CHECK_FALSE(dark());
        // Nothing inside is asked.
        desk.set({{"company_logo", "http://127.0.0.1:9/logo.png"}});
        CHECK_FALSE(dark());
    });
}

TEST_CASE("another server's logo is asked for when that is allowed, and kept for a while") {
    const auto database = Database::sqlite();
    TestBase base(*database);
    SetClock clock{"2026-05-04T10:00:00Z"};
    std::vector<std::string> asked;
    std::optional<std::string> there = images::to_jpeg(images::Picture::blank(300, 100));
    documents::Logos logos(
        base.assembly->media.service, "https://site.example/svc/v1/media/",
        [&](const std::string& url) -> Result<std::string> {
            asked.push_back(url);
            return there ? Result<std::string>(*there) : Result<std::string>(errc::upstream_error);
        },
        clock);
    const std::string url = "https://other.example/logo.png";
    CHECK_FALSE(logos.at(url, false).has_value());
    CHECK_FALSE(logos.at("file:///etc/passwd", true).has_value());
    CHECK_FALSE(logos.at("ftp://other.example/logo.png", true).has_value());
    CHECK_FALSE(logos.at("https://site.example/svc/v1/media/../secret", true).has_value());
    CHECK(asked.empty());
    REQUIRE(logos.at(url, true).has_value());
    CHECK(logos.at(url, true)->width == 300);
    CHECK(asked.size() == 1);
    clock.set("2026-05-04T10:10:01Z");
    there.reset();
    CHECK_FALSE(logos.at(url, true).has_value());
    CHECK_FALSE(logos.at(url, true).has_value());
    CHECK(asked.size() == 2);  // a failure is kept too, for a minute
    clock.set("2026-05-04T10:11:02Z");
    there = "<html>not a picture</html>";
    CHECK_FALSE(logos.at(url, true).has_value());
    CHECK(asked.size() == 3);
}

TEST_CASE("filters set the colour and the fonts of documents") {
    each_desk([](Desk& desk) {
        answers["svc_pdf_header_color"] = [](const json::Array&) { return Value("#ff0000"); };
        answers["svc_pdf_default_font"] = [](const json::Array&) { return Value("DejaVu Sans"); };
        const PdfFile file(desk.base.get(desk.of(desk.guest.id, "invoice"), desk.boss).text);
        const auto fonts = file.fonts();
        REQUIRE(!fonts.empty());
        for (const auto& font : fonts)
            CHECK(holds(font.name, "DejaVuSans"));
    });
}

TEST_CASE("a mark of a listener, such as Evaluation, stands on every document, and none without one") {
    each_desk([](Desk& desk) {
        const auto& boss = desk.boss;
        for (const char* kind : {"invoice", "voucher", "itinerary"}) {
            CAPTURE(kind);
            const auto text = [&] { return PdfFile(desk.base.get(desk.of(desk.guest.id, kind), boss).text).text(); };
            CHECK_FALSE(holds(text(), "Evaluation"));
            answers["svc_document_mark"] = [&](const json::Array& given) {
                CHECK(given.at(1).text() == kind);
                return Value("Evaluation");
            };
            CHECK(holds(text(), "Evaluation"));
            answers.clear();
        }
        // Documents of plugins are marked like the base's own.
        answers["svc_document_mark"] = [](const json::Array& given) {
            CHECK(given.at(1).text() == "other");
            return Value("Evaluation");
        };
        const auto made = desk.base.assembly->documents.partners.pdf(Value::object(
            {{"title", "t"},
             {"blocks", Value::array({Value::object({{"type", "paragraph"}, {"text", "Signed by hand"}})})}}));
        answers.clear();
        REQUIRE(made);
        CHECK(holds(PdfFile(made->bytes).text(), "Signed by hand"));
        CHECK(holds(PdfFile(made->bytes).text(), "Evaluation"));
    });
}

SVC_PLUGIN("svc-documents-test", "1.0.0", 0, attach);
