// A snapshot that came from another by changes answers as one that was made anew.
#include "base/catalog/trips/public/snapshot.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "shared/core/text.hpp"
#include "tests/support/random.hpp"

using namespace svc;
using namespace svc::catalog::trips;

namespace {

Draft draft(std::int64_t id, const std::string& title, std::int64_t price, bool is_public) {
    auto shown = std::make_shared<ShownTrip>();
    Trip& trip = shown->trip;
    trip.id = id;
    trip.title = title;
    trip.slug = "trip-" + std::to_string(id);
    trip.status = is_public ? TripStatus::publish : TripStatus::archived;
    trip.duration_days = static_cast<int>(price % 7);
    trip.created_at = Instant::from_micros(price % 3);
    shown->facts.price = Money{price, Currency::usd()};
    shown->facts.prices = {price, price + 40, price + 90};
    for (std::int64_t number = 0; number <= price % 3; ++number)
        shown->facts.classes.push_back({Kind::destination, 1 + (price + number) % 7});
    shown->facts.classes.push_back({Kind::difficulty, 100 + price % 4});
    std::sort(shown->facts.classes.begin(), shown->facts.classes.end());
    shown->facts.rating = price % 501;
    shown->title_folded = text::folded(title);
    shown->words = words_of(search_text(trip));
    set_body(*shown, json::Value::object({{"id", id}, {"title", title}}), json::Value::object());
    return shown;
}

std::shared_ptr<const ClassNames> names_of_classes() {
    auto names = std::make_shared<ClassNames>();
    for (std::int64_t id = 1; id <= 7; ++id)
        (*names)[{Kind::destination, id}] = {"Place", "place-" + std::to_string(id)};
    for (std::int64_t id = 100; id < 104; ++id)
        (*names)[{Kind::difficulty, id}] = {"Level", "level-" + std::to_string(id)};
    return names;
}

// Every answer that could differ.
std::string everything(const Snapshot& snapshot) {
    std::string all = std::to_string(snapshot.size());
    snapshot.each([&](const Shown& each) {
        all += ' ' + each->trip.slug + (snapshot.by_slug(each->trip.slug) == each ? "" : "?");
    });
    for (const char* order : {"created_at", "title", "price", "duration", "avg_rating"})
        for (const bool ascending : {false, true})
            all +=
                '\n' + *snapshot.page({.per_page = 1000, .order_by = order, .ascending = ascending}, {})->body().text;
    for (const char* search : {"a", "al", "alpha", "beta gamma", "delta", "trip", "z"})
        all += '\n' + *snapshot.page({.per_page = 1000, .order_by = "relevance", .search = search}, {})->body().text;
    all +=
        '\n' +
        *snapshot.page({.per_page = 1, .trip_type = "multi_day", .min_price = "1.00", .facets = true}, {})->body().text;
    for (const char* price : {"0.40", "1.90", "4.00"})
        all += '\n' + *snapshot.page({.per_page = 1000, .min_price = price, .max_price = price}, {})->body().text;
    for (const char* place : {"2", "place-3", "nowhere"})
        all += '\n' + *snapshot
                           .page({.per_page = 7,
                                  .order_by = "title",
                                  .classes = {place, "", "", "level-101"},
                                  .min_duration = 2,
                                  .max_duration = 5,
                                  .min_rating = 90,
                                  .facets = true},
                                 {})
                           ->body()
                           .text;
    return all;
}

}  // namespace

TEST_CASE("changes lead to the same snapshot as loading anew, and leave the old one as it was") {
    test::Random random;
    CAPTURE(random.seed);
    const std::vector<std::string> words{"alpha", "alphabet", "beta", "gamma", "delta", "zeta", "Äther"};
    const auto title = [&] {
        std::string text;
        for (std::int64_t i = random.between(0, 4); i >= 0; --i)
            text += words[static_cast<std::size_t>(random.between(0, 6))] + ' ';
        return text;
    };
    std::map<std::int64_t, std::tuple<std::string, std::int64_t, bool>> now;
    auto snapshot = std::make_shared<const Snapshot>();
    const auto names = names_of_classes();
    for (int round = 0; round < 60; ++round) {
        std::vector<Draft> changed;
        std::vector<std::int64_t> gone;
        std::map<std::int64_t, bool> touched;
        for (std::int64_t i = random.between(1, round == 0 ? 700 : 30); i > 0; --i) {
            const auto id = random.between(1, 900);
            if (!touched.emplace(id, true).second)
                continue;
            if (random.between(0, 3) == 0) {
                gone.push_back(id);
                now.erase(id);
                continue;
            }
            now[id] = {title(), random.between(0, 500), random.between(0, 5) > 0};
            changed.push_back(std::apply([&](auto... fields) { return draft(id, fields...); }, now[id]));
        }
        const auto before = everything(*snapshot);
        const auto next = snapshot->with(changed, gone, names);
        REQUIRE(everything(*snapshot) == before);
        std::vector<Draft> anew;
        for (const auto& [id, fields] : now)
            anew.push_back(std::apply([id = id](auto... each) { return draft(id, each...); }, fields));
        REQUIRE(everything(*next) == everything(Snapshot(std::move(anew), names)));
        snapshot = next;
    }
}

TEST_CASE("filters answer as a look at every trip does") {
    test::Random random;
    CAPTURE(random.seed);
    std::vector<Draft> trips;
    for (std::int64_t id = 1; id <= 600; ++id)
        trips.push_back(draft(id, "t" + std::to_string(id), random.between(0, 500), random.between(0, 9) > 0));
    for (const Draft& each : trips)
        each->trip.traveler_based = each->trip.id % 7 == 0;
    const Snapshot snapshot(trips, names_of_classes());
    // Every third trip costs 9.99 on all its dates, every fifth on some; one that is priced by category does not.
    const Date first = Date::from(2026, 1, 1), last = Date::from(2026, 12, 31);
    const auto at_999 = Money{999, Currency::usd()};
    const TripDates dates{
        .has_date = {},
        .each_price =
            [&](const auto& take) {
                for (std::int64_t id = 1; id <= 700; ++id) {
                    if (id % 3 == 0 || id % 5 == 0)
                        take({.trip_id = id, .first = first, .last = last, .own = at_999, .categories = nullptr});
                    if (id % 3 != 0 && id % 5 == 0)
                        take({.trip_id = id, .first = first, .last = last, .categories = nullptr});
                }
            },
        .today = [&] { return first; },
        .edition = {}};
    for (int round = 0; round < 200; ++round) {
        const std::int64_t least = random.between(0, 1100), most = least + random.between(0, 60);
        const std::int64_t days = random.between(0, 7), stars = random.between(0, 400), place = random.between(1, 8);
        std::int64_t expected = 0;
        for (const Draft& each : trips) {
            const auto within = [&](std::int64_t price) { return price >= least && price <= most; };
            const auto& facts = each->facts;
            const bool own = std::any_of(facts.prices.begin(), facts.prices.end(), within);
            const std::int64_t id = each->trip.id;
            const bool priced = each->trip.traveler_based ? own
                                : id % 3 == 0             ? within(999)
                                : id % 5 == 0             ? within(999) || own
                                                          : own;
            const ClassKey key{Kind::destination, place};
            expected += each->trip.is_public() && priced && each->trip.duration_days >= days && facts.rating >= stars &&
                                (place == 8 ||
                                 std::find(facts.classes.begin(), facts.classes.end(), key) != facts.classes.end())
                            ? 1
                            : 0;
        }
        PublicQuery query{.per_page = 5,
                          .min_price = Money{least, Currency::usd()}.decimal(),
                          .max_price = Money{most, Currency::usd()}.decimal(),
                          .min_duration = days,
                          .min_rating = stars};
        if (place < 8)
            query.classes[0] = std::to_string(place);
        REQUIRE(snapshot.page(query, dates)->total == expected);
    }
}

TEST_CASE("trips may exchange their slugs in one change") {
    const auto names = names_of_classes();
    const auto first = std::make_shared<const Snapshot>(
        std::vector<Draft>{draft(1, "a", 1, true), draft(2, "b", 2, true), draft(3, "c", 3, true)}, names);
    const auto renamed = [](std::int64_t id, const char* slug) {
        auto shown = draft(id, "x", 5, true);
        shown->trip.slug = slug;
        return shown;
    };
    const std::vector<Draft> changed{renamed(1, "trip-2"), renamed(2, "trip-3"), renamed(3, "trip-1")};
    const auto next = first->with(changed, {}, names);
    for (std::size_t i = 0; i < changed.size(); ++i)
        CHECK(next->by_slug(changed[i]->trip.slug) == changed[i]);
    CHECK(next->size() == 3);
}

TEST_CASE("a page's rows are those of its text, as values and by the members that are asked for") {
    std::vector<Draft> trips;
    for (std::int64_t id = 1; id <= 5; ++id)
        trips.push_back(draft(id, "Trip " + std::to_string(id), id, true));
    auto other = json::Value::object({{"id", 3}, {"title", "A listener's"}});
    trips[2]->card = std::make_shared<const Body>(body_of(other.dump()));
    const auto first = std::make_shared<const Snapshot>(trips, names_of_classes());
    const auto page = first->page({.page = 1, .per_page = 3, .order_by = "title", .ascending = true}, {});
    const auto whole = json::parse(*page->body().text).value();
    CHECK(page->data() == whole["data"]);
    CHECK(page->data()[2] == other);
    CHECK(whole["meta"]["total"].integer() == 5);
    constexpr std::string_view wanted[] = {"title"};
    CHECK(page->data(wanted)[0] == json::Value::object({{"title", "Trip 1"}}));
    // A change of a trip gives its row another version, and no other one.
    const auto changed = draft(1, "Trip 1, changed", 1, true);
    const auto next = first->with(std::vector<Draft>{changed}, {}, names_of_classes());
    const auto again = next->page({.page = 1, .per_page = 3, .order_by = "title", .ascending = true}, {});
    CHECK(again->name_of(0).id == 1);
    CHECK(again->name_of(0).version != page->name_of(0).version);
    CHECK(again->name_of(1).version == page->name_of(1).version);
    CHECK(again->name_of(2).version == page->name_of(2).version);
    CHECK(first->find(1)->whole() == json::Value::object({{"id", 1}, {"title", "Trip 1"}}));
}

TEST_CASE("remembered pages are bounded in bytes") {
    RememberedPages pages(10'000);
    const Shown long_row = draft(1, std::string(1'000, 'x'), 1, true);
    for (int i = 0; i < 1'000; ++i) {
        const auto key = std::to_string(i);
        pages.put(key, std::make_shared<const PublicPage>(PublicQuery{}, std::vector<Shown>{long_row}, i));
        CHECK(pages.find(key)->total == i);
    }
    int kept = 0;
    for (int i = 0; i < 1'000; ++i)
        kept += pages.find(std::to_string(i)) ? 1 : 0;
    CHECK(kept < 10);
}
