// One price in every place: random rules over ten thousand dates, asked in lists, pages, quotes and bookings.
#include <doctest/doctest.h>

#include "base/sales/booking/desk/partner_bookings.hpp"
#include "tests/support/random.hpp"
#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

constexpr int days = 350;  // on which each trip has a date, below the horizon of a year

struct Sold {
    std::int64_t id = 0;
    std::string slug;
    std::vector<std::int64_t> categories = {};  // empty: everybody pays the same
};

struct Shop : TestBase {
    explicit Shop(Database& database)
        : TestBase(database, &svc_plugin_entry),
          gate(app::make_gate(*assembly)),
          quotes({.records = assembly->bookings.records,
                  .offers = assembly->bookings.offers,
                  .creator = assembly->bookings.creator,
                  .desk = assembly->bookings.desk},
                 assembly->site.clock) {
        given_license("agency");
        pages().ask([this](const api::InnerRequest& request) { return gate.ask(request); });
        done(post("/modules/dynamic_pricing/toggle", Value::object({{"enabled", true}}), admin()), 200);
        adult = category("Adult price");
        child = category("Child price");
        trips.push_back(given("Lake walk", R"({"regular_price":80})"));
        trips.push_back(given("Nile cruise", R"({"regular_price":250,"discounted_price":199.99})"));
        trips.push_back(given("Family week", by_category()));
        trips.back().categories = {adult, child};
    }
    const Visitor& admin() { return user("administrator"); }
    static Value done(const Answered& answered, int status) {
        CAPTURE(answered.text);
        REQUIRE(answered.status == status);
        return answered.data();
    }
    std::int64_t category(const char* name) {
        return done(post("/traveler-categories", Value::object({{"name", name}}), admin()), 201)["id"].integer();
    }
    std::string by_category() const {
        const auto price = [](std::int64_t id, const char* amount) {
            return Value::object({{"category_id", id}, {"regular_price", json::Number{amount}}});
        };
        return Value::object({{"pricing_type", "traveler_based"},
                              {"price_types", Value::array({price(adult, "180.00"), price(child, "95.55")})}})
            .dump();
    }
    // A trip with a date on each day of the year to come, some of them departures with other seats.
    Sold given(const char* title, const std::string& fields) {
        const std::int64_t id = given_trip(title);
        const Value trip = done(call("PUT", "/trips/" + std::to_string(id), fields, admin()), 200);
        done(post("/recurring-availability",
                  Value::object({{"trip_id", id},
                                 {"rule_type", "weekly"},
                                 {"days_of_week", Value::array({0, 1, 2, 3, 4, 5, 6})},
                                 {"start_date", day(1)},
                                 {"end_date", day(days)},
                                 {"seats_total", 12}}),
                  admin()),
             201);
        for (int ahead = 5; ahead < days; ahead += 23)
            given_departure(id, ahead, 1 + ahead % 19);
        return {id, trip["slug"].text()};
    }
    std::string page(const std::string& target) {
        pages().written();
        const HttpRequest request{.method = "GET", .target = target, .headers = {}, .body = {}, .peer = "192.0.2.7"};
        const HttpAnswer answer = pages().answer(request);
        REQUIRE(answer.status == 200);
        return *answer.body;
    }
    pages::Pages& pages() { return assembly->pages.pages; }

    app::Gate gate;
    booking::PartnerBookings quotes;
    std::int64_t adult = 0, child = 0;
    std::vector<Sold> trips;
};

// ---- Random rules ----

Value random_comparison(test::Random& random, const Shop& shop) {
    static constexpr const char* fields[]{"weekday",   "days_before",   "seats_left", "occupancy",
                                          "travelers", "duration_days", "demand"};
    static constexpr const char* operators[]{"at_least", "at_most", "is", "is_not", "between", "one_of"};
    const std::string field = random.between(0, 7) == 0 ? "travel_date" : random.one_of(fields);
    const std::string operation = random.one_of(operators);
    const std::int64_t most = field == "weekday" ? 6 : field == "days_before" ? days : field == "travelers" ? 4 : 15;
    const std::int64_t first = random.between(0, most), last = random.between(first, most);
    const auto value = [&](std::int64_t number) {
        return field == "travel_date" ? Value(shop.day(static_cast<int>(number * 20))) : Value(number);
    };
    return Value::object(
        {{"field", field},
         {"operator", operation},
         {"value",
          operation == "between" || operation == "one_of" ? Value::array({value(first), value(last)}) : value(first)}});
}

Value random_conditions(test::Random& random, const Shop& shop, int depth) {
    Value members = Value::array();
    for (std::int64_t left = random.between(1, 3); left > 0; --left)
        members.push(depth < 3 && random.between(0, 2) == 0 ? random_conditions(random, shop, depth + 1)
                                                            : random_comparison(random, shop));
    return Value::object({{"match", random.between(0, 1) ? "all" : "any"}, {"conditions", std::move(members)}});
}

Value random_rule(test::Random& random, const Shop& shop, const char* kind) {
    Value rule = Value::object({{"name", kind}, {"rule_type", kind}, {"status", "active"}});
    rule.set("priority", random.between(1, 3));
    const bool is_share = random.between(0, 3) > 0;
    rule.set("adjustment_type", is_share ? "percentage" : "fixed");
    rule.set("adjustment_value", json::Number{std::to_string(random.between(is_share ? -90 : -60, 120)) + ".5"});
    const std::int64_t near = random.between(0, 200);
    rule.set("min_days_before", near).set("max_days_before", near + random.between(0, 200));
    const std::int64_t few = random.between(0, 8);
    rule.set("min_inventory", few).set("max_inventory", few + random.between(1, 12));
    rule.set("demand_threshold_low", random.between(0, 45)).set("demand_threshold_high", random.between(46, 100));
    rule.set("weekend_days",
             Value::array({std::to_string(random.between(0, 3)), std::to_string(random.between(4, 6))}));
    if (std::string_view(kind) == "seasonal" || std::string_view(kind) == "time_based") {
        const auto first = static_cast<int>(random.between(0, days));
        rule.set("start_date", shop.day(first))
            .set("end_date", shop.day(first + static_cast<int>(random.between(0, 150))));
    }
    if (random.between(0, 1))
        rule.set("conditions", random_conditions(random, shop, 1));
    if (random.between(0, 4) == 0) {
        rule.set("applicable_trips", "specific");
        rule.set("trip_ids", Value::array({random.one_of(shop.trips).id}));
    }
    return rule;
}

// Other rules, limits and scores of demand in place of the former ones. Two rules of each kind.
void shuffle(test::Random& random, Shop& shop) {
    const Value before = shop.get("/dynamic-pricing/rules?per_page=100", shop.admin()).data();
    Value ids = Value::array();
    for (const Value& each : before.items())
        ids.push(each["id"]);
    for (const char* action : {"trash", "delete"})
        if (ids.size() > 0)
            Shop::done(shop.post("/dynamic-pricing/bulk-status", Value::object({{"action", action}, {"ids", ids}}),
                                 shop.admin()),
                       200);
    std::string scores;
    for (const Sold& trip : shop.trips)
        for (int ahead = 1; ahead <= days; ahead += 1 + static_cast<int>(random.between(0, 2)))
            scores += (scores.empty() ? " (" : ", (") + std::to_string(trip.id) + ", '" + shop.day(ahead) + "', " +
                      std::to_string(random.between(0, 100)) + ", '{}', " +
                      std::to_string(shop.assembly->site.clock.now().micros()) + ")";
    shop.run("DELETE FROM svc_demand_scores");
    shop.run(
        ("INSERT INTO svc_demand_scores (trip_id, travel_date, score, inputs, calculated_at) VALUES" + scores).c_str());
    static constexpr const char* modes[]{"highest", "cumulative", "best"};
    static constexpr const char* bases[]{"discounted", "regular"};
    const Value settings = Value::object({{"rule_priority_mode", random.one_of(modes)},
                                          {"calculation_base", random.one_of(bases)},
                                          {"maximum_markup_percent", random.between(0, 200)},
                                          {"maximum_discount_percent", random.between(0, 100)}});
    Shop::done(shop.call("PUT", "/dynamic-pricing/settings", settings.dump(), shop.admin()), 200);
    for (const char* kind : {"early_bird", "last_minute", "demand", "inventory", "seasonal", "time_based"})
        for (int twice = 0; twice < 2; ++twice)
            Shop::done(shop.post("/dynamic-pricing/rules", random_rule(random, shop, kind), shop.admin()), 201);
}

// ---- The places ----

std::string path_of(const Sold& trip) { return "/trips/" + std::to_string(trip.id); }

Money usd(const Value& amount) {
    REQUIRE(amount.is_number());
    return Money::parse(amount.number_text(), Currency::usd()).value();
}

// What one of each category pays there, by its id; 0: everybody.
using Prices = std::map<std::int64_t, Money>;

Prices prices_on(const Value& date) {
    Prices prices;
    for (const Value& type : date["price_types"].items())
        prices.emplace(type["category_id"].integer(), usd(type["price"]));
    if (prices.empty())
        prices.emplace(0, usd(date["price"]));
    return prices;
}

Value party_of(const Sold& trip) {
    Value counts = Value::object();
    for (const std::int64_t id : trip.categories)
        counts.set(std::to_string(id), 1);
    return counts;
}

Value choice_of(const Sold& trip, const Value& date) {
    Value choice = Value::object({{"trip_id", trip.id}, {"travel_date", date["date"]}});
    if (trip.categories.empty())
        choice.set("travelers_count", 1);
    else
        choice.set("traveler_counts", party_of(trip));
    return choice;
}

void check_quote(const Value& quote, const Prices& prices) {
    Money sum = Money::zero(Currency::usd());
    for (const auto& [category, price] : prices) {
        sum += price;
        CHECK(usd(quote["category_prices_post_dp"][std::to_string(category)]) == price);
    }
    CHECK(usd(quote["final_total"]) == sum);
    const Value& dynamic = quote["dynamic_pricing"];
    if (!dynamic.is_object())
        return;
    for (const Value& each : dynamic["prices"].items()) {  // the reasons lead from the price before to this one
        CHECK(usd(each["price"]) == prices.at(each["category_id"].integer()));
        CHECK((each["rules"].size() > 0 || each["before"] == each["price"]));
    }
}

// The price of the date in the list, in its card, for itself and in a quote.
void check_date(Shop& shop, const Sold& trip, const Value& row, const Value& card, int travelers) {
    const std::string date = row["date"].text();
    CAPTURE(date);
    const auto one =
        shop.get(path_of(trip) + "/date-pricing?date=" + date + "&travelers=" + std::to_string(travelers)).data();
    CHECK(one["price"] == row["price"]);
    CHECK(one["original_price"] == row["original_price"]);
    CHECK(card["date"] == row["date"]);
    CHECK(card["price"] == row["price"]);
    CHECK(card["formatted_price"].text().find(row["price"].number_text()) != std::string::npos);
    const bool was_higher = usd(one["original_price"]) > usd(one["price"]);
    CHECK((was_higher || one["discount_percent"].is_null()));  // a price that rose shows no saving
    if (travelers > one["available_capacity"].integer())
        return;
    const auto quote = shop.quotes.quote(choice_of(trip, row));
    REQUIRE(quote);
    check_quote(*quote, prices_on(one));
}

Value cards_of(Shop& shop, const Sold& trip, int travelers) {
    Value cards = Value::array();
    for (std::size_t page = 1; page == 1 || cards.size() == 50 * (page - 1); ++page) {
        const Value answer =
            shop.get(path_of(trip) + "/availability-template?per_page=50&page=" + std::to_string(page) +
                     "&num_travelers=" + std::to_string(travelers))
                .data();
        for (const Value& card : answer["dates"].items())
            cards.push(card);
    }
    return cards;
}

// Lists and pages begin at the cheapest of the dates that one traveler can book.
void check_lists(Shop& shop, const Sold& trip) {
    std::optional<Money> least, most;
    const Value rows = shop.get(path_of(trip) + "/available-dates").data(), trips = shop.get("/trips/public").data();
    for (const Value& row : rows.items()) {
        if (row["is_full"].boolean())
            continue;
        const Money price = usd(row["price"]);
        least = least ? min(*least, price) : price;
        most = most ? max(*most, price) : price;
    }
    REQUIRE(least);
    for (const Value& listed : trips.items())
        if (listed["id"].integer() == trip.id) {
            CHECK(usd(listed["display_price"]) == *least);
            CHECK((listed["price_prefix"].text() == "From" || *least == *most));
            CHECK((listed["discount_percent"].is_null() || usd(listed["display_regular_price"]) > *least));
        }
    CHECK(usd(shop.get("/trips/public/" + trip.slug).data()["display_price"]) == *least);
    const std::string html = shop.page("/trip/" + trip.slug), member = R"("lowPrice":)";
    const auto at = html.find(member);
    REQUIRE(at != std::string::npos);
    const std::string price = html.substr(at + member.size(), html.find_first_of(",}", at) - at - member.size());
    CHECK(price == least->decimal());
    const auto filtered = shop.get("/trips/public?min_price=" + least->decimal() + "&max_price=" + least->decimal());
    const auto& found = filtered.data().items();
    CHECK(std::any_of(found.begin(), found.end(), [&](const Value& each) { return each["id"].integer() == trip.id; }));
}

// By the steps of a visitor: a session, its summary, the booking.
void check_booking(Shop& shop, const Sold& trip, const Value& row) {
    const std::string date = row["date"].text();
    CAPTURE(date);
    const int travelers = std::max(1, static_cast<int>(trip.categories.size()));
    const auto one =
        shop.get(path_of(trip) + "/date-pricing?date=" + date + "&travelers=" + std::to_string(travelers)).data();
    if (one["available_capacity"].integer() < travelers)
        return;
    const Prices prices = prices_on(one);
    const Value opened = Shop::done(shop.post("/booking/session", choice_of(trip, row)), 201);
    check_quote(shop.get("/booking/summary?session_id=" + opened["session_id"].text()).data(), prices);
    const Value made =
        Shop::done(shop.post("/booking/create", filled_in(Value::object({{"session_id", opened["session_id"]}}))), 201);
    const Value booked = shop.get("/bookings/" + std::to_string(made["booking_id"].integer()), shop.admin()).data();
    Money sum = Money::zero(Currency::usd());
    for (const auto& [category, price] : prices)
        sum += price;
    CHECK(usd(booked["total"]) == sum);
    if (!booked["dynamic_pricing"].is_object())
        return;
    for (const Value& reason : booked["dynamic_pricing"]["prices"].items())
        CHECK(usd(reason["price"]) == prices.at(reason["category_id"].integer()));
}

}  // namespace

TEST_CASE("ten thousand dates under random rules have one price in lists, pages, cards, quotes and bookings") {
    test::Random random;
    CAPTURE(random.seed);
    each_database([&](Database& database) {
        CAPTURE(database.name());
        Shop shop(database);
        std::size_t checked = 0;
        const std::size_t wanted = std::string_view(database.name()) == "SQLite" ? 10'000 : 1'000;
        while (checked < wanted) {
            shuffle(random, shop);
            for (const Sold& trip : shop.trips) {
                CAPTURE(trip.slug);
                check_lists(shop, trip);
                const int travelers = std::max(1, static_cast<int>(trip.categories.size()));
                const Value rows =
                    shop.get(path_of(trip) + "/available-dates?travelers=" + std::to_string(travelers)).data();
                const Value cards = cards_of(shop, trip, travelers);
                REQUIRE(rows.size() == cards.size());
                REQUIRE(rows.size() > 300);
                for (std::size_t i = 0; i < rows.size(); ++i)
                    check_date(shop, trip, rows[i], cards[i], travelers);
                checked += rows.size();
                check_booking(shop, trip, rows[static_cast<std::size_t>(random.between(0, 300))]);
            }
        }
        CHECK(checked >= wanted);
    });
}
