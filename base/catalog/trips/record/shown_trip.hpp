// A public trip, prepared once: its JSON, the facts for filters and order, its words.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/catalog/trips/record/search_text.hpp"
#include "base/catalog/trips/record/trip.hpp"
#include "base/catalog/trips/record/trip_facts.hpp"
#include "shared/api/held.hpp"
#include "shared/json/value.hpp"

namespace svc::catalog::trips {

// A serialized body. Its tag depends on the content alone, so that all nodes return the same.
struct Body {
    std::shared_ptr<const std::string> text;
    std::string etag;  // quoted
};
Body body_of(std::string text);

// The facets by which trips are filtered.
enum class Kind : std::uint8_t { destination, activity, trip_category, difficulty };
inline constexpr std::array<std::string_view, 4> kind_names{"destination", "activity", "trip_category", "difficulty"};

struct ClassKey {
    Kind kind;
    std::int64_t id;
    friend auto operator<=>(const ClassKey&, const ClassKey&) = default;
};
struct ClassName {
    std::string name, slug;
    friend bool operator==(const ClassName&, const ClassName&) = default;
};
using ClassNames = std::map<ClassKey, ClassName>;

struct Facts {
    Money price{0, Currency::usd()};      // as displayed
    std::vector<std::int64_t> prices;     // every price that can be booked, in the trip's currency, ascending
    std::vector<ClassKey> classes;        // ascending
    std::vector<TripFact> of_parts = {};  // of Part::add_facts, ascending
    std::int64_t rating = 0;              // hundredths of a star
};
// Destinations, activities and trip categories that lie below others, by their id.
struct Above {
    std::int64_t parent = 0;
    ClassName name;  // the parent's
};
using Tree = std::map<std::int64_t, Above>;
// Reads the trip's classifications and their ancestors from its public JSON. Adds the names of both to `names`.
Facts facts_of(const Trip& trip, Money displayed, const json::Value& shown, const Tree& tree, ClassNames& names);

// Where the prices of a trip's dates begin.
struct FromPrice {
    Money price, regular;                   // of the cheapest date that can be booked, after and before a reduction
    bool differs = false;                   // other dates or categories cost more
    std::vector<std::int64_t> prices = {};  // of dates and categories, in minor units, ascending
    std::optional<Money> least{}, most{};   // of traveler categories that cost something
    struct Category {
        std::int64_t id = 0;
        Money price;           // the lowest of its dates
        bool differs = false;  // other dates cost more
        friend bool operator==(const Category&, const Category&) = default;
    };
    std::vector<Category> categories = {};
    friend bool operator==(const FromPrice&, const FromPrice&) = default;
};

// A trip that everyone may read: published, or archived and then reached by its address alone. Immutable once it is
// part of a snapshot.
struct ShownTrip {
    Trip trip;  // without its long texts, which `body` holds
    Facts facts;
    std::string title_folded;  // as titles are put in order
    SearchWords words;
    Body body;                              // the envelope of the single answer
    std::size_t row_bytes = 0;              // of the trip's JSON: the members that lists show, which come first
    std::shared_ptr<const Body> card;       // the row where it is not those members; else null
    std::uint32_t slot = 0;                 // its place in the snapshot's index
    std::int64_t stamp = 0;                 // when it was last changed, or before (rows::stamps)
    std::shared_ptr<const FromPrice> from;  // in place of the trip's own price; null: that is shown

    void row_to(std::string& out) const;  // the trip as lists show it
    [[nodiscard]] std::size_t row_size() const { return card ? card->text->size() : row_bytes + 1; }
    // Another one for other members of the row.
    [[nodiscard]] std::string_view row_version() const { return card ? card->etag : body.etag; }
    // Some members of the row and of the whole trip; all of them when none is named.
    [[nodiscard]] json::Value row(api::Members members = {}) const;
    [[nodiscard]] json::Value whole(api::Members members = {}) const;
};
using Shown = std::shared_ptr<const ShownTrip>;
using Draft = std::shared_ptr<ShownTrip>;

// Adds the parts of a trip that a booking's price needs, read from its public JSON.
void add_price_facts(Trip& trip, const json::Value& shown);

// The whole answer for one trip: the members of `row`, then those of `more`.
void set_body(ShownTrip& shown, const json::Value& row, const json::Value& more);

// Shows the price at which its dates begin, in its JSON and to filters and orders of lists.
void show_from(ShownTrip& shown, const FromPrice& from);

inline constexpr std::string_view envelope = R"({"success":true,"data":)";

// The single answer for callers in this process.
class HeldTrip final : public api::Held {
  public:
    explicit HeldTrip(Shown trip) : trip_(std::move(trip)) {}
    [[nodiscard]] bool is_list() const override { return false; }
    [[nodiscard]] std::size_t size() const override { return 1; }
    [[nodiscard]] Named whole() const override { return {trip_->trip.id, trip_->body.etag}; }
    [[nodiscard]] json::Value read(std::size_t, api::Members members) const override { return trip_->whole(members); }

  private:
    const Shown trip_;
};

}  // namespace svc::catalog::trips
