// Cards by the trips that they are made of.
#include "base/website/views/cards.hpp"

#include <algorithm>

#include "base/website/pages/hooks.hpp"

namespace svc::pages {

using json::Value;

namespace {

// A card's entry in an ItemList, and whether it has a picture.
Value brief_of(const Value& row) {
    std::string entry = "\"url\":";
    row["permalink"].dump_to(entry);
    entry += ",\"name\":";
    row["title"].dump_to(entry);
    return Value::object({{"entry", std::move(entry)}, {"has_picture", !row.text_or("featured_image_url").empty()}});
}

constexpr std::size_t first_row = 3;  // the cards in view before anybody scrolls, on a wide screen

// Where a picture stands decides how it is loaded.
Value place_of(bool in_view, bool leads) { return Value::object({{"in_view", in_view}, {"leads", leads}}); }

// Which of the pictures of a list are loaded at once, and which of them before all others; the last one is for the
// rest.
std::vector<Value> places_of(const std::vector<bool>& have_pictures, Sight sight) {
    if (sight == Sight::below)
        return {};
    const auto lead =
        static_cast<std::size_t>(std::find(have_pictures.begin(), have_pictures.end(), true) - have_pictures.begin());
    std::vector<Value> places;
    for (std::size_t i = 0; i < std::min(first_row, have_pictures.size()); ++i)
        places.push_back(place_of(true, sight == Sight::leading && i == lead));
    places.push_back(place_of(false, false));
    return places;
}

}  // namespace

std::string Views::made_with(PageRequest& visit, const Value& trip_id) const {
    std::string text = visit.words.sameness();
    if (site.hooks.filtered(price_display_settings.name)) {
        const PriceDisplay display = price_display(visit, trip_id);
        for (const bool each : {display.original, display.savings, display.urgency})
            text += each ? '1' : '0';
    }
    return text;
}

Listed list_of_trips(const Views& views, PageRequest& visit, const std::string& path) {
    Listed listed{.found = visit.get_held(path), .cards = {}};
    const auto& held = listed.found.held;
    if (!held) {  // a listener's list, or none
        for (const Value& row : list_of(listed.found.data()))
            listed.cards.push_back({.trip_id = row["id"].is_number() ? row["id"].integer() : 0,
                                    .part = views.kept.put({}, {}, {}, brief_of(row)),
                                    .row = row});
        return listed;
    }
    // What the wording alone decides is the same for all of them.
    const bool differs = views.site.hooks.filtered(price_display_settings.name);
    std::string with, name;
    for (std::size_t i = 0; i < held->size(); ++i) {
        const auto trip = held->name_of(i);
        if (differs || with.empty())
            with = views.made_with(visit, Value(trip.id));
        name = "card:" + std::to_string(trip.id);
        Listed::Card card{.trip_id = trip.id, .part = views.kept.find(name, trip.version, with), .index = i};
        if (!card.part) {
            card.row = held->read(i, card_members);
            card.part = views.kept.put(name, trip.version, with, brief_of(card.row));
        }
        listed.cards.push_back(std::move(card));
    }
    return listed;
}

void add_cards(const Views& views, PageRequest& visit, View& view, const std::string& name, Listed listed, Sight sight,
               std::size_t most) {
    listed.cards.resize(std::min(most, listed.cards.size()));
    std::vector<std::shared_ptr<templates::Renderings>> texts;
    std::vector<bool> have_pictures;
    texts.reserve(listed.cards.size());
    for (const auto& card : listed.cards) {
        texts.push_back(card.part->texts);
        have_pictures.push_back(card.part->brief["has_picture"].boolean());
    }
    auto made = [&views, &visit, held = listed.found.held,
                 cards =
                     std::make_shared<const std::vector<Listed::Card>>(std::move(listed.cards))](std::size_t index) {
        const Listed::Card& card = (*cards)[index];
        return views.card(card.row.is_null() ? held->read(card.index, card_members) : card.row, visit);
    };
    view.later.emplace_back(name, std::move(texts), std::move(made)).stands_in(places_of(have_pictures, sight));
    view.model.set(name, view.later.back().place());
}

void place_pictures(Value& list, Sight sight) {
    std::vector<bool> have_pictures;
    for (const Value& each : list.items())
        have_pictures.push_back(!each.text_or("picture").empty());
    const auto places = places_of(have_pictures, sight);
    for (std::size_t i = 0; i < list.size() && !places.empty(); ++i)
        for (const auto& [name, value] : places[std::min(i, places.size() - 1)].members())
            list.items()[i].set(name, value);
}

Known known_answer(const Views& views, PageRequest& visit, const std::string& path, const Taking& taking) {
    Answered answer = visit.get_held(path);
    Known known{.part = nullptr, .held = std::move(answer.held), .members = taking.members};
    if (!answer.is_good())
        return known;
    const auto version = known.held ? known.held->whole().version : std::string_view{};
    known.part = views.kept.find(taking.name, version, taking.made_with);
    if (known.part)
        return known;
    known.value = std::make_shared<const Value>(known.held ? known.held->data(taking.members) : answer.data());
    known.part = views.kept.put(taking.name, version, taking.made_with, taking.brief(*known.value));
    return known;
}

std::shared_ptr<const Value> Known::data() const {
    return value ? value : std::make_shared<const Value>(held->data(members));
}

templates::Later& add_later(View& view, const std::string& name, const std::shared_ptr<CachedPart>& part,
                            std::size_t count, std::function<Value()> make) {
    view.later.emplace_back(
        name, std::vector(count, part ? part->texts : nullptr),
        [make = std::move(make)](std::size_t) { return make(); }, false);
    view.model.set(name, view.later.back().place());
    return view.later.back();
}

void leave_out(Listed& listed, const Value& trip_id) {
    std::erase_if(listed.cards, [&](const Listed::Card& card) { return Value(card.trip_id) == trip_id; });
}

std::string item_list(const Listed& listed) {
    std::string text = R"({"@context":"https://schema.org","@type":"ItemList","itemListElement":[)";
    std::size_t position = 0;
    for (const auto& card : listed.cards) {
        text.append(position == 0 ? "" : ",").append(R"({"@type":"ListItem","position":)");
        text.append(std::to_string(++position)).append(",").append(card.part->brief["entry"].text()).append("}");
    }
    return text + "]}";
}

}  // namespace svc::pages
