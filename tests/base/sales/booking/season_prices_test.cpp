// What a date costs is the same in calendar, cards, price of one date, quote and list of trips, over random trips with
// seasons, rules and departures, and follows the order: departure, rule, season, trip.
#include <map>
#include <optional>

#include <doctest/doctest.h>

#include "shared/core/money.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/random.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

constexpr int first_day = 3, last_day = 50;

std::string decimal(std::int64_t minor) { return Money{minor, Currency::usd()}.decimal(); }
Value amount(std::int64_t minor) { return json::Number{decimal(minor)}; }

// Prices that one level names, as the model has them: what is paid, and of whom.
struct Prices {
    std::optional<std::int64_t> alike;
    std::map<std::int64_t, std::int64_t> of_category;
    Value pair = Value::object();       // the members of the alike price, by the level's names
    Value categories = Value::array();  // rows of prices by category
};

struct Season {
    int first = 0, last = 0;
    Prices prices;
    std::optional<std::int64_t> seats;
};

// A trip as the test made it, and what its dates must cost.
struct Model {
    std::int64_t id = 0;
    bool by_category = false;
    Prices own;
    std::vector<Season> seasons;
    std::optional<Prices> rule;
    std::map<int, Prices> departures;  // by day
    std::optional<std::int64_t> rule_seats;

    [[nodiscard]] const Season* season_on(int day) const {
        for (const Season& each : seasons)
            if (each.first <= day && day <= each.last)
                return &each;
        return nullptr;
    }
    [[nodiscard]] std::vector<const Prices*> levels(int day) const {
        std::vector<const Prices*> levels;
        if (const auto of_day = departures.find(day); of_day != departures.end())
            levels.push_back(&of_day->second);
        else if (rule)
            levels.push_back(&*rule);
        if (const Season* season = season_on(day))
            levels.push_back(&season->prices);
        levels.push_back(&own);
        return levels;
    }
    [[nodiscard]] std::int64_t alike(int day) const {
        for (const Prices* level : levels(day))
            if (level->alike)
                return *level->alike;
        return 0;
    }
    [[nodiscard]] std::int64_t of_category(int day, std::int64_t category) const {
        for (const Prices* level : levels(day))
            if (const auto price = level->of_category.find(category); price != level->of_category.end())
                return price->second;
        return 0;
    }
};

class Market {
  public:
    explicit Market(Database& database) : base(database), boss(base.user("owner")) {
        for (const char* name : {"Grown", "Small"})
            categories.push_back(
                base.post("/traveler-categories", Value::object({{"name", name}, {"status", "publish"}}), boss)
                    .data()["id"]
                    .integer());
    }

    Model given(test::Random& random) {
        Model model;
        model.by_category = random.between(0, 1) == 1;
        model.own = prices(random, {"regular_price", "sale_price"}, {true, model.by_category});
        Value body = Value::object({{"title", "Trip " + std::to_string(++made_)},
                                    {"status", "publish"},
                                    {"duration", 1},
                                    {"max_travelers", 30},
                                    {"pricing_type", model.by_category ? "traveler_based" : "regular"},
                                    {"price_types", model.own.categories}});
        for (const auto& [name, value] : model.own.pair.members())
            body.set(name, value);
        body.set("seasons", seasons(random, model));
        const auto trip = base.post("/trips", body, boss);
        REQUIRE_MESSAGE(trip.status == 201, trip.text);
        model.id = trip.data()["id"].integer();
        if (random.between(0, 2) > 0)
            add_rule(random, model);
        for (auto left = random.between(0, 5); left > 0; --left)
            add_departure(random, model);
        base.assembly->availability.from_prices.begin();  // what the own thread does within half a second
        return model;
    }

    TestBase base;
    Visitor boss;
    std::vector<std::int64_t> categories;

  private:
    struct Names {
        const char *list, *lowered;
    };
    struct Wanted {
        bool alike, all_categories;
    };

    // A reduced price in half of the cases.
    static std::int64_t put_price(test::Random& random, Value& into, const Names& names) {
        const auto list = random.between(1'000, 90'000);
        into.set(names.list, amount(list));
        if (random.between(0, 1) == 0)
            return list;
        const auto lowered = random.between(500, list - 1);
        into.set(names.lowered, amount(lowered));
        return lowered;
    }

    Prices prices(test::Random& random, const Names& names, const Wanted& wanted) {
        Prices made;
        if (wanted.alike || random.between(0, 1) == 1)
            made.alike = put_price(random, made.pair, names);
        for (const std::int64_t category : categories)
            if (wanted.all_categories || random.between(0, 1) == 1) {
                Value row = Value::object({{"category_id", category}});
                made.of_category[category] = put_price(random, row, names);
                made.categories.push(std::move(row));
            }
        return made;
    }

    Value seasons(test::Random& random, Model& model) {
        auto rows = Value::array();
        for (int day = first_day + static_cast<int>(random.between(0, 5)); day <= last_day;) {
            Season season{
                .first = day, .last = day + static_cast<int>(random.between(0, 15)), .prices = {}, .seats = {}};
            season.prices = prices(random, {"regular_price", "sale_price"}, {false, false});
            if (!model.by_category) {  // such a trip may have no categories
                season.prices.of_category.clear();
                season.prices.categories = Value::array();
            }
            if (random.between(0, 1) == 1)
                season.seats = random.between(5, 25);
            Value row = season.prices.pair;
            row.set("from", base.day(season.first))
                .set("to", base.day(season.last))
                .set("seats", season.seats)
                .set("price_types", season.prices.categories);
            rows.push(std::move(row));
            day = season.last + 1 + static_cast<int>(random.between(0, 4));
            model.seasons.push_back(std::move(season));
        }
        return rows;
    }

    void add_rule(test::Random& random, Model& model) {
        model.rule = prices(random, {"original_price", "sale_price"}, {false, false});
        Value body = model.rule->pair;
        body.set("trip_id", model.id)
            .set("rule_type", "weekly")
            .set("days_of_week", Value::array({0, 1, 2, 3, 4, 5, 6}))
            .set("start_date", base.day(1));
        auto rows = Value::array();
        if (!model.by_category)
            model.rule->of_category.clear();
        else
            for (const Value& row : model.rule->categories.items()) {
                Value renamed =
                    Value::object({{"category_id", row["category_id"]}, {"original_price", row["original_price"]}});
                if (const Value* lowered = row.find("sale_price"))
                    renamed.set("sale_price", *lowered);
                rows.push(std::move(renamed));
            }
        body.set("traveler_pricing", rows);
        if (random.between(0, 1) == 1) {
            model.rule_seats = random.between(5, 25);
            body.set("seats_total", model.rule_seats);
        }
        const auto rule = base.post("/recurring-availability", body, boss);
        REQUIRE_MESSAGE(rule.status == 201, rule.text);
    }

    void add_departure(test::Random& random, Model& model) {
        const int day = static_cast<int>(random.between(first_day, last_day));
        if (model.departures.contains(day))
            return;
        Prices own = prices(random, {"original_price", "discounted_price"}, {false, false});
        if (!model.by_category) {
            own.of_category.clear();
            own.categories = Value::array();
        }
        Value body = own.pair;
        body.set("trip_id", model.id)
            .set("departure_date", base.day(day))
            .set("seats_total", 11)
            .set("price_types", own.categories);
        const auto departure = base.post("/availability", body, boss);
        REQUIRE_MESSAGE(departure.status == 201, departure.text);
        model.departures.emplace(day, std::move(own));
    }

    int made_ = 0;
};

const auto each_market = each_on<Market>;

std::int64_t minor_of(const Value& number) {
    return Money::parse(number.number_text(), Currency::usd()).value().minor();
}

// The day of the first date in an answer, counted from today as the market counts.
int day_of(const TestBase& base, const Value& date) {
    return Date::parse(date["date"].text()).value().days() - Date::parse(base.day(0)).value().days();
}

void check_listed(const Market& market, const Model& model, const Value& date) {
    const int day = day_of(market.base, date);
    CAPTURE(day);
    if (!model.by_category) {
        CHECK(minor_of(date["price"]) == model.alike(day));
    } else {
        for (const std::int64_t category : market.categories) {
            const Value& own = date["price_by_traveler_type"][std::to_string(category)];
            const auto price = own.is_object() ? minor_of(own["price"]) : model.own.of_category.at(category);
            CHECK(price == model.of_category(day, category));
        }
        // The first category is the default one, which the date is shown with.
        CHECK(minor_of(date["price"]) == model.of_category(day, market.categories.front()));
    }
    const Season* season = model.season_on(day);
    const std::int64_t usual = season ? season->seats.value_or(30) : 30;
    CHECK(date["max_capacity"].integer() == (!date["id"].is_null() ? 11 : model.rule_seats.value_or(usual)));
}

// The price of one date, and what a checkout asks for it.
void check_quoted(Market& market, const Model& model, const Value& date) {
    const int day = day_of(market.base, date);
    CAPTURE(day);
    const auto path = "/trips/" + std::to_string(model.id) + "/date-pricing?date=" + market.base.day(day);
    const auto one = market.base.get(path).data();
    CHECK(one["price"] == date["price"]);
    Value wish = Value::object({{"trip_id", model.id}, {"travel_date", market.base.day(day)}});
    if (model.by_category) {
        for (const Value& type : one["price_types"].items())
            CHECK(minor_of(type["price"]) == model.of_category(day, type["category_id"].integer()));
        auto counts = Value::object();
        for (const std::int64_t category : market.categories)
            counts.set(std::to_string(category), 1);
        wish.set("traveler_counts", counts);
    } else {
        wish.set("travelers_count", 2);
    }
    const auto opened = market.base.post("/booking/session", wish);
    REQUIRE_MESSAGE(opened.status == 201, opened.text);
    const auto asked = market.base.get("/booking/summary?session_id=" + opened.data()["session_id"].text());
    REQUIRE_MESSAGE(asked.status == 200, asked.text);
    std::int64_t sum = 0;
    if (!model.by_category) {
        CHECK(minor_of(asked.data()["unit_price"]) == model.alike(day));
        sum = 2 * model.alike(day);
    } else {
        CHECK(asked.data()["category_breakdown"].size() == market.categories.size());
        for (const Value& line : asked.data()["category_breakdown"].items())
            CHECK(minor_of(line["unit_price"]) == model.of_category(day, line["category_id"].integer()));
        for (const std::int64_t category : market.categories)
            sum += model.of_category(day, category);
    }
    CHECK(minor_of(asked.data()["base_amount"]) == sum);
    // A list by price has no trip less than those with such a date.
    const auto price = date["price"].number_text();
    const auto found = market.base.get("/trips/public?per_page=100&min_price=" + price + "&max_price=" + price).data();
    CHECK(std::any_of(found.items().begin(), found.items().end(),
                      [&](const Value& trip) { return trip["id"].integer() == model.id; }));
}

// Lists show the price of the cheapest date that can be booked, with "From" if others cost more.
void check_card(Market& market, const Model& model, const Value& dates) {
    std::optional<std::int64_t> least;
    bool differs = false;
    for (const Value& date : dates.items()) {
        if (date["available_capacity"].integer() == 0)
            continue;
        const auto price = minor_of(date["price"]);
        differs = differs || (least && price != *least);
        least = least ? std::min(*least, price) : price;
    }
    if (!least)
        return;
    const auto listed = market.base.get("/trips/public?include=" + std::to_string(model.id)).data();
    REQUIRE(listed.size() == 1);
    CHECK(minor_of(listed[0]["display_price"]) == *least);
    if (differs)
        CHECK(listed[0]["price_prefix"].text() == "From");
}

}  // namespace

TEST_CASE(
    "calendar, cards, price of one date, quote and list agree, by departure, rule, season and trip in this order") {
    each_market([](Market& market) {
        test::Random random;
        CAPTURE(random.seed);
        for (int trips = 0; trips < 25; ++trips) {
            const Model model = market.given(random);
            CAPTURE(model.id);
            CAPTURE(model.by_category);
            const std::string path = "/trips/" + std::to_string(model.id);
            const auto listed = market.base.get(path + "/available-dates?from_date=" + market.base.day(first_day) +
                                                "&to_date=" + market.base.day(last_day));
            REQUIRE(listed.status == 200);
            for (const Value& date : listed.data().items())
                check_listed(market, model, date);
            const auto all = market.base.get(path + "/available-dates").data();
            const auto cards = market.base.get(path + "/availability-template?per_page=50").data()["dates"];
            REQUIRE(cards.size() == std::min<std::size_t>(all.size(), 50));
            for (std::size_t i = 0; i < cards.size(); ++i) {
                CHECK(cards[i]["date"] == all[i]["date"]);
                CHECK(cards[i]["price"] == all[i]["price"]);
                CHECK(cards[i]["price_by_traveler_type"] == all[i]["price_by_traveler_type"]);
            }
            check_card(market, model, all);
            for (int picked = 0; picked < 3 && listed.data().size() > 0; ++picked)
                check_quoted(market, model, random.one_of(listed.data().items()));
        }
    });
}
