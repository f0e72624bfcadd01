// Prepares the responses of a public trip.
#include "base/catalog/trips/record/shown_trip.hpp"

#include <algorithm>

#include "base/catalog/trips/record/wire.hpp"
#include "shared/api/public_answer.hpp"
#include "shared/json/own.hpp"

namespace svc::catalog::trips {
namespace {

// The members of the public JSON with classifications.
constexpr std::array<std::string_view, 4> members{"destinations", "activity_types", "trip_category", "difficulty"};

void add_class(Kind kind, const json::Value& given, Facts& facts, ClassNames& names) {
    const auto id = given.is_object() ? given.maybe_integer("id") : std::nullopt;
    if (!id)
        return;
    const ClassKey key{kind, *id};
    facts.classes.push_back(key);
    names[key] = {given.text_or("name"), given.text_or("slug")};
}

void add_price(const json::Value& given, const Trip& trip, Facts& facts) {
    if (!given.is_number())
        return;
    if (const auto price = Money::parse(given.number_text(), trip.currency); price)
        facts.prices.push_back(price->minor());
}

}  // namespace

Body body_of(std::string text) {
    Body body;
    body.etag = api::entity_tag(text);
    text.shrink_to_fit();
    body.text = std::make_shared<const std::string>(std::move(text));
    return body;
}

Facts facts_of(const Trip& trip, Money displayed, const json::Value& shown, const Tree& tree, ClassNames& names) {
    Facts facts{.price = displayed, .prices = {}, .classes = {}, .of_parts = {}, .rating = 0};
    for (std::size_t kind = 0; kind < members.size(); ++kind) {
        const json::Value& given = shown[members[kind]];
        if (given.is_array())
            for (const json::Value& each : given.items())
                add_class(static_cast<Kind>(kind), each, facts, names);
        else
            add_class(static_cast<Kind>(kind), given, facts, names);
    }
    for (std::size_t at = 0; at < facts.classes.size(); ++at) {  // it grows while it is walked, five levels at most
        const ClassKey below = facts.classes[at];
        const auto above = tree.find(below.id);
        if (above == tree.end())
            continue;
        const ClassKey key{below.kind, above->second.parent};
        if (std::find(facts.classes.begin(), facts.classes.end(), key) == facts.classes.end())
            facts.classes.push_back(key);
        names[key] = above->second.name;
    }
    // Filters use the id where the JSON has nothing else.
    if (const json::Value& level = shown["difficulty_level"]; level.is_number()) {
        const ClassKey key{Kind::difficulty, level.integer()};
        facts.classes.push_back(key);
        names.try_emplace(key);
    }
    facts.prices.push_back(displayed.minor());
    const json::Value& types = shown["price_types"];
    if (types.is_array() && types.size() > 0 && shown.text_or("pricing_type") == "traveler_based")
        for (const json::Value& type : types.items())
            add_price(type["effective_price"], trip, facts);
    else
        facts.prices.push_back(price_of(trip).effective().minor());
    if (trip.has_default_time_slots)
        for (const TimeSlot& slot : trip.time_slots)
            if (slot.price)
                facts.prices.push_back(slot.price->minor());
    if (const json::Value& rating = shown["avg_rating"]; rating.is_number())
        if (const auto stars = Money::parse(rating.number_text(), Currency::usd()); stars)
            facts.rating = stars->minor();
    // A free category does not make a trip cheap.
    if (std::any_of(facts.prices.begin(), facts.prices.end(), [](std::int64_t price) { return price > 0; }))
        std::erase(facts.prices, 0);
    const auto tidy = [](auto& list) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        list.shrink_to_fit();
    };
    tidy(facts.prices);
    tidy(facts.classes);
    return facts;
}

void ShownTrip::row_to(std::string& out) const {
    if (card) {
        out += *card->text;
        return;
    }
    out.append(*body.text, envelope.size(), row_bytes);
    out += '}';
}

json::Value ShownTrip::row(api::Members members) const {
    std::string text;
    row_to(text);
    return json::parse_own(text, members).value();
}

json::Value ShownTrip::whole(api::Members members) const {
    const std::string_view text = *body.text;
    return json::parse_own(text.substr(envelope.size(), text.size() - envelope.size() - 1), members).value();
}

void set_body(ShownTrip& shown, const json::Value& row, const json::Value& more) {
    std::string text(envelope);
    row.dump_to(text);
    text.pop_back();
    shown.row_bytes = text.size() - envelope.size();
    if (more.size() > 0) {
        std::string rest = more.dump();
        rest.front() = ',';
        text += rest;
    } else {
        text += '}';
    }
    text += '}';
    shown.body = body_of(std::move(text));
}

namespace {

void set_categories(json::Value& types, const FromPrice& from) {
    if (!types.is_array())
        return;
    for (json::Value& type : types.items())
        for (const FromPrice::Category& each : from.categories)
            if (type.is_object() && type.maybe_integer("category_id") == each.id) {
                type.set("effective_price", each.price);
                if (each.differs)
                    type.set("price_prefix", default_text("From"));
            }
}

// Sets the members of a row that show its price.
void set_price(json::Value& row, const FromPrice& from) {
    const PricePair pair{from.regular, from.price < from.regular ? std::optional(from.price) : std::nullopt};
    const int percent = from.price < from.regular ? pair.discount_percent() : 0;
    row.set("display_price", from.price);
    row.set("display_regular_price", from.regular);
    row.set("discount_percent", percent > 0 ? json::Value(percent) : json::Value());
    row.set("traveler_min_price", from.least);
    row.set("traveler_max_price", from.most);
    if (from.differs)
        row.set("price_prefix", default_text("From"));
    for (auto& [name, value] : row.members())
        if (name == "price_types")
            set_categories(value, from);
}

}  // namespace

void show_from(ShownTrip& shown, const FromPrice& from) {
    const std::string& text = *shown.body.text;
    auto row = json::parse(text.substr(envelope.size(), shown.row_bytes) + "}", stored_limits);
    auto card = shown.card ? json::parse(*shown.card->text, stored_limits) : Result<json::Value>(json::Value());
    shown.from = std::make_shared<const FromPrice>(from);
    if (!row || !card)
        return;  // a listener's row that cannot be read again keeps the trip's own price
    set_price(*row, from);
    std::string fresh(envelope);
    row->dump_to(fresh);
    fresh.pop_back();
    const std::size_t row_bytes = fresh.size() - envelope.size();
    fresh.append(text, envelope.size() + shown.row_bytes);
    shown.body = body_of(std::move(fresh));
    shown.row_bytes = row_bytes;
    if (shown.card) {
        set_price(*card, from);
        shown.card = std::make_shared<const Body>(body_of(card->dump()));
    }
    shown.facts.price = from.price;
    shown.facts.prices = from.prices;
}

void add_price_facts(Trip& trip, const json::Value& shown) {
    if (const json::Value* days = shown.find("itinerary_days"); days && days->is_array())
        for (const json::Value& day : days->items()) {
            if (!day["entries"].is_array())
                continue;
            for (const json::Value& entry : day["entries"].items()) {
                if (!entry.maybe_boolean("charge").value_or(false) || !entry["cost"].is_number())
                    continue;
                const auto cost = Money::parse(entry["cost"].number_text(), trip.currency);
                if (cost && !cost->is_zero() && !cost->is_negative())
                    trip.charges.push_back({.entry_id = entry.maybe_integer("id").value_or(0),
                                            .day_number = day.maybe_integer("day_number").value_or(1),
                                            .title = entry.text_or("title"),
                                            .cost = *cost,
                                            .per_person = entry.maybe_boolean("cost_per_person").value_or(true)});
            }
        }
    if (const json::Value* places = shown.find("destinations"); places && places->is_array())
        for (const json::Value& place : places->items())
            if (trip.country_code.empty())
                trip.country_code = place.text_or("country_code");
}

}  // namespace svc::catalog::trips
