// Cancellation terms without a database: what is accepted, what they cost on a day, and how they are said.
#include <doctest/doctest.h>

#include "base/sales/booking/cancellation/agreed.hpp"
#include "tests/support/random.hpp"

using namespace svc;
using namespace svc::booking;
using json::Value;

namespace {

const Date departure = Date::parse("2026-12-29").value();

Value rows(const char* text) { return json::parse(text).value(); }

CancellationTerms terms_of(const char* text, Currency currency = Currency::usd()) {
    const auto terms = cancellation_terms_of(rows(text), currency, "cancellation_terms");
    REQUIRE(terms);
    return *terms;
}

// The fields at fault with their sentences; empty: it was accepted.
std::vector<FieldError> faults_of(const char* text, Currency currency = Currency::usd()) {
    const auto clean = cancellation_terms_type().check(rows(text), "cancellation_terms");
    if (!clean)
        return clean.error().fields();
    const auto terms = cancellation_terms_of(*clean, currency, "cancellation_terms");
    return terms ? std::vector<FieldError>{} : terms.error().fields();
}

void refuses(const char* text, const std::string& field, Currency currency = Currency::usd()) {
    CAPTURE(text);
    const auto faults = faults_of(text, currency);
    REQUIRE(!faults.empty());
    CHECK(faults.front().field == field);
}

Money usd(std::int64_t minor) { return {minor, Currency::usd()}; }

CancellationFare fare(Money total, std::int64_t travelers = 1) {
    return {.total = total, .travelers = travelers, .departs = departure};
}

Date before(int days) { return departure.plus_days(-days); }

Currency currency(const char* code) { return Currency::parse(code).value(); }

// Two, none and three decimals.
const char* const some_currencies[] = {"USD", "JPY", "KWD"};

CancellationTerms random_terms(test::Random& random, Currency of) {
    Value list = Value::array();
    std::int64_t days = random.between(20, 730), percent = 0, amount = 0;
    const bool by_percent = random.between(0, 2) != 0;
    for (std::int64_t count = random.between(1, 6); count > 0 && days >= 0; --count) {
        const bool as_percent = random.between(0, 4) == 0 ? !by_percent : by_percent;
        percent = random.between(percent, 10'000);
        amount += random.between(0, 50'000);
        Value row = Value::object({{"days", days}, {"per", "booking"}});
        if (as_percent)
            row.set("percentage", Rate{percent * 100});
        else
            row.set("amount", Money{amount, of});
        if (!as_percent && random.between(0, 1) == 1)
            row.set("per", "traveler");
        list.push(std::move(row));
        days -= random.between(1, 60);
    }
    const auto terms = cancellation_terms_of(list, of, "t");
    return terms ? *terms : CancellationTerms{};
}

}  // namespace

TEST_CASE("rows of cancellation terms are checked, and the fault names its row") {
    CHECK(faults_of("[]").empty());
    CHECK(faults_of(R"([{"days":730,"percentage":0},{"days":0,"percentage":99.99},{"days":null,"percentage":100}])")
              .empty());
    CHECK(faults_of(R"([{"days":30,"amount":12.5,"per":"traveler"},{"percentage":80}])").empty());
    refuses(R"([{"days":731,"percentage":0}])", "cancellation_terms.1.days");
    refuses(R"([{"days":-1,"percentage":0}])", "cancellation_terms.1.days");
    refuses(R"([{"days":5,"percentage":100.01}])", "cancellation_terms.1.percentage");
    refuses(R"([{"days":5,"percentage":-1}])", "cancellation_terms.1.percentage");
    refuses(R"([{"days":5,"percentage":12.345}])", "cancellation_terms.1.percentage");
    refuses(R"([{"days":5}])", "cancellation_terms.1.percentage");
    refuses(R"([{"days":5,"percentage":1,"amount":1}])", "cancellation_terms.1.percentage");
    refuses(R"([{"days":5,"amount":-1}])", "cancellation_terms.1.amount");
    refuses(R"([{"days":5,"amount":1.005}])", "cancellation_terms.1.amount");
    refuses(R"([{"days":5,"amount":1.5}])", "cancellation_terms.1.amount", currency("JPY"));
    refuses(R"([{"days":5,"amount":1,"per":"group"}])", "cancellation_terms.1.per");
    refuses(R"([{"days":5,"percentage":0},{"days":5,"percentage":10}])", "cancellation_terms.2.days");
    refuses(R"([{"days":5,"percentage":0},{"days":6,"percentage":10}])", "cancellation_terms.2.days");
    refuses(R"([{"percentage":0},{"days":6,"percentage":10}])", "cancellation_terms.1.days");
    refuses(R"([{"days":9,"percentage":20},{"days":6,"percentage":10}])", "cancellation_terms.2.percentage");
    refuses(R"([{"days":9,"amount":20},{"days":6,"amount":10}])", "cancellation_terms.2.amount");
    // Said to visitors, these would promise what the fee does not keep.
    refuses(R"([{"days":9,"percentage":20},{"days":6,"amount":0}])", "cancellation_terms.2.amount");
    refuses(R"([{"days":9,"amount":20},{"days":6,"percentage":0}])", "cancellation_terms.2.percentage");
    refuses(R"([{"days":9,"percentage":100},{"days":6,"amount":10}])", "cancellation_terms.2.amount");
    CHECK(faults_of(R"([{"days":9,"amount":0},{"days":6,"percentage":0},{"percentage":100}])").empty());
    // Twenty rows, the one from then on included.
    std::string many = "[";
    for (int days = 40; days > 20; --days)
        many += R"({"days":)" + std::to_string(days) + R"(,"percentage":1},)";
    refuses((many.substr(0, many.size() - 1) + "]").c_str(), "cancellation_terms");
    refuses((many + R"({"percentage":100}])").c_str(), "cancellation_terms");
}

TEST_CASE("without a row for the time from then on the full price is due") {
    const auto terms = terms_of(R"([{"days":14,"percentage":0}])");
    REQUIRE(terms.steps.size() == 2);
    CHECK(!terms.steps[1].until_days);
    CHECK(terms.steps[1].percentage == whole_price);
    // What is answered is accepted as it is.
    CHECK(terms_of(to_json(terms).dump().c_str()) == terms);
    CHECK(terms_of(R"([{"days":14,"percentage":0},{"percentage":80}])").steps.size() == 2);
}

TEST_CASE("the fee changes with the day, that of the row included") {
    const auto terms = terms_of(R"([{"days":14,"percentage":0},{"days":7,"percentage":30}])");
    const auto whole = fare(usd(40'000));
    CHECK(cancellation_fee(terms, whole, before(200)) == usd(0));
    CHECK(cancellation_fee(terms, whole, before(14)) == usd(0));
    CHECK(cancellation_fee(terms, whole, before(13)) == usd(12'000));
    CHECK(cancellation_fee(terms, whole, before(7)) == usd(12'000));
    CHECK(cancellation_fee(terms, whole, before(6)) == usd(40'000));
    CHECK(cancellation_fee(terms, whole, departure.plus_days(3)) == usd(40'000));
    CHECK(free_cancellation_until(terms, departure) == Date::parse("2026-12-15"));
    CHECK(!free_cancellation_until(terms_of(R"([{"days":14,"percentage":5}])"), departure));
    CHECK(free_cancellation_until(terms_of(R"([{"percentage":0}])"), departure) == departure);
}

TEST_CASE("the day of a fee begins at midnight in the site's zone, also when clocks change") {
    const auto terms = terms_of(R"([{"days":7,"percentage":0}])");
    // Berlin's clocks go forward on 28 March 2027, and New York is still on the day before.
    const Date travels = Date::parse("2027-04-01").value();
    const CancellationFare whole{.total = usd(10'000), .travelers = 1, .departs = travels};
    const auto fee_at = [&](const char* zone, const char* instant) {
        return cancellation_fee(terms, whole, Zone::named(zone)->date_at(Instant::parse(instant).value()));
    };
    CHECK(fee_at("Europe/Berlin", "2027-03-25T22:59:59Z") == usd(0));
    CHECK(fee_at("Europe/Berlin", "2027-03-25T23:00:00Z") == usd(10'000));
    CHECK(fee_at("America/New_York", "2027-03-26T03:59:59Z") == usd(0));
    CHECK(fee_at("America/New_York", "2027-03-26T04:00:00Z") == usd(10'000));
}

TEST_CASE("a percentage is rounded half away from zero to the currency's own unit") {
    const auto third = terms_of(R"([{"percentage":33.33}])");
    CHECK(cancellation_fee(third, fare({100, currency("USD")}), before(1)).minor() == 33);
    CHECK(cancellation_fee(third, fare({10'001, currency("USD")}), before(1)).minor() == 3333);
    const auto half = terms_of(R"([{"percentage":12.5}])");
    CHECK(cancellation_fee(half, fare({100, currency("JPY")}), before(1)).minor() == 13);
    CHECK(cancellation_fee(half, fare({83'616, currency("KWD")}), before(1)).minor() == 10'452);
    CHECK(cancellation_fee(half, fare({12, currency("USD")}), before(1)).minor() == 2);
}

TEST_CASE("property: the fee never falls as the departure comes nearer and never exceeds the total") {
    test::Random random;
    CAPTURE(random.seed);
    for (int i = 0; i < 2000; ++i) {
        const Currency of = currency(random.one_of(some_currencies));
        const CancellationTerms terms = random_terms(random, of);
        if (terms.empty())
            continue;
        CAPTURE(to_json(terms).dump());
        const CancellationFare whole = fare({random.between(0, 200'000), of}, random.between(1, 12));
        CAPTURE(whole.total.minor());
        Money last = Money::zero(of);
        const auto free_until = free_cancellation_until(terms, departure);
        for (int days = 735; days >= -2; --days) {
            const Money fee = cancellation_fee(terms, whole, before(days));
            REQUIRE(fee >= last);
            REQUIRE(fee <= whole.total);
            if (free_until && before(days) <= *free_until)
                REQUIRE(fee.is_zero());
            last = fee;
        }
        // The dated rows say the same.
        const auto fees = dated_fees(terms, whole);
        for (std::size_t at = 0; at < fees.size(); ++at) {
            if (fees[at].until) {
                REQUIRE(cancellation_fee(terms, whole, *fees[at].until) == fees[at].fee);
                REQUIRE(cancellation_fee(terms, whole, fees[at].until->plus_days(1)) == fees[at + 1].fee);
            } else {
                REQUIRE(cancellation_fee(terms, whole, departure.plus_days(1)) == fees[at].fee);
            }
        }
    }
}

TEST_CASE("property: an amount per traveler is the sum over the travelers") {
    test::Random random;
    CAPTURE(random.seed);
    for (int i = 0; i < 500; ++i) {
        const Currency of = currency(random.one_of(some_currencies));
        const Money amount{random.between(0, 10'000), of};
        const std::int64_t people = random.between(1, 40);
        const CancellationTerms terms{{{.until_days = {}, .amount = amount, .per_traveler = true}}};
        const Money much{1'000'000'000, of};
        Money sum = Money::zero(of);
        for (std::int64_t each = 0; each < people; ++each)
            sum += cancellation_fee(terms, fare(much), before(1));
        REQUIRE(cancellation_fee(terms, fare(much, people), before(1)) == sum);
    }
    // However large both are.
    const Money huge{999'999'999'999'999'99, Currency::usd()};
    const CancellationTerms terms{{{.until_days = {}, .amount = huge, .per_traveler = true}}};
    CHECK(cancellation_fee(terms, fare(huge, 10'000), before(1)) == huge);
}

TEST_CASE("what would be returned is what was paid beyond the fee") {
    const auto terms = terms_of(R"([{"days":7,"amount":120},{"percentage":100}])");
    const auto bill = [&](std::int64_t paid, int days) {
        return cancellation_bill(terms, {.fare = fare(usd(40'000)), .paid = usd(paid), .day = before(days)});
    };
    CHECK(bill(40'000, 10)->fee == usd(12'000));
    CHECK(bill(40'000, 10)->returned == usd(28'000));
    CHECK(bill(8'000, 10)->returned == usd(0));
    CHECK(bill(40'000, 3)->returned == usd(0));
    CHECK(!cancellation_bill({}, {.fare = fare(usd(1)), .paid = usd(1), .day = departure}));
}

TEST_CASE("terms are said in whole sentences, in the language and with the days of a booking") {
    const auto terms = terms_of(R"([{"days":30,"percentage":0},{"days":14,"percentage":12.5},{"days":1,"amount":50,
        "per":"traveler"},{"percentage":100}])");
    const CancellationReader english{};
    const auto said = sentences_of(terms, english);
    REQUIRE(said.size() == 5);
    CHECK(said[0] == "Cancelling is free until 30 days before departure.");
    CHECK(said[1] == "Until 14 days before departure, cancelling costs 12.5% of the price.");
    CHECK(said[2] == "Until one day before departure, cancelling costs USD 50.00 per traveler.");
    CHECK(said[3] == "After that, the full price is due.");
    CHECK(said[4] == "The fee is never less than in the time before.");
    const auto dated = dated_sentences(terms_of(R"([{"days":14,"percentage":0},{"days":7,"percentage":30}])"),
                                       fare(usd(40'000)), english);
    REQUIRE(dated.size() == 3);
    CHECK(dated[0] == "Cancelling is free until Tue, 15 December 2026.");
    CHECK(dated[1] == "Until Tue, 22 December 2026, cancelling costs USD 120.00.");
    CHECK(dated[2] == "After that, the full price of USD 400.00 is due.");
    CHECK(sentences_of(terms_of(R"([{"percentage":100}])"), english).front() ==
          "If you cancel, the full price is due.");
    CHECK(sentences_of(terms_of(R"([{"days":0,"percentage":0}])"), english).front() ==
          "Cancelling is free until the day of departure.");
    // Equal fees are one period.
    CHECK(dated_sentences(terms_of(R"([{"days":14,"amount":500},{"percentage":100}])"), fare(usd(40'000)), english) ==
          std::vector<std::string>{"If you cancel, the full price of USD 400.00 is due."});
}

TEST_CASE("free cancellation is offered only while it is true") {
    const auto terms = terms_of(R"([{"days":14,"percentage":0}])");
    const CancellationReader english{};
    CHECK(free_sentence(terms, departure, before(20), english) == "Free cancellation until Tue, 15 December 2026");
    CHECK(free_sentence(terms, departure, before(14), english) == "Free cancellation until Tue, 15 December 2026");
    CHECK(free_sentence(terms, departure, before(13), english).empty());
    CHECK(free_sentence(terms_of(R"([{"percentage":10}])"), departure, before(200), english).empty());
    CHECK(free_sentence({}, departure, before(200), english).empty());
}
