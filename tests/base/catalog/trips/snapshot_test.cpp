// A snapshot that came from another by changes answers as one that was made anew.
#include "base/catalog/trips/snapshot.hpp"

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
    shown->facts.prices = {price};
    shown->title_folded = text::folded(title);
    shown->words = words_of(search_text(trip));
    set_body(*shown, json::Value::object({{"id", id}, {"title", title}}), json::Value::object());
    return shown;
}

// Every answer that could differ.
std::string everything(const Snapshot& snapshot) {
    std::string all = std::to_string(snapshot.size());
    snapshot.each([&](const Shown& each) {
        all += ' ' + each->trip.slug + (snapshot.by_slug(each->trip.slug) == each ? "" : "?");
    });
    for (const char* order : {"created_at", "title", "price", "duration", "avg_rating"})
        for (const bool ascending : {false, true})
            all += '\n' + *snapshot.page({.per_page = 1000, .order_by = order, .ascending = ascending}, {}).body.text;
    for (const char* search : {"a", "al", "alpha", "beta gamma", "delta", "trip", "z"})
        all += '\n' + *snapshot.page({.per_page = 1000, .order_by = "relevance", .search = search}, {}).body.text;
    all += '\n' +
           *snapshot.page({.per_page = 1, .trip_type = "multi_day", .min_price = "1.00", .facets = true}, {}).body.text;
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
    const auto names = std::make_shared<const ClassNames>();
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

TEST_CASE("trips may exchange their slugs in one change") {
    const auto names = std::make_shared<const ClassNames>();
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

TEST_CASE("remembered pages are bounded in bytes") {
    RememberedPages pages(10'000);
    for (int i = 0; i < 1'000; ++i) {
        const auto key = std::to_string(i);
        pages.put(key, {body_of(std::string(1'000, 'x')), i});
        CHECK(pages.find(key)->total == i);
    }
    int kept = 0;
    for (int i = 0; i < 1'000; ++i)
        kept += pages.find(std::to_string(i)) ? 1 : 0;
    CHECK(kept < 10);
}
