// Cards by the rows that they are made of.
#include "base/pages/views/cards.hpp"

#include <algorithm>
#include <charconv>

#include "base/pages/hooks.hpp"
#include "shared/json/own.hpp"

namespace svc::pages {

using json::Value;

namespace {

constexpr std::string_view row_start = R"({"id":)";

// A row's beginning, which names its trip; empty for a row that begins otherwise.
std::string_view name_of(std::string_view text) {
    constexpr std::size_t longest = 40;
    const auto end = text.substr(0, longest).find(',');
    const auto digits = end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
    return digits.size() > row_start.size() && digits.starts_with(row_start) &&
                   digits.find_first_not_of("0123456789", row_start.size()) == std::string_view::npos
               ? digits
               : std::string_view{};
}

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

Value read_row(std::string_view text) {
    auto row = json::parse_own(text, {".", card_members});
    return row ? std::move(*row) : Value();
}

}  // namespace

std::string Views::made_with(Visit& visit, const Value& trip_id) const {
    std::string text = visit.words.sameness();
    if (site.hooks.filtered(price_display_settings.name)) {
        const PriceDisplay display = price_display(visit, trip_id);
        for (const bool each : {display.original, display.savings, display.urgency})
            text += each ? '1' : '0';
    }
    return text;
}

Listed list_of_trips(const Views& views, Visit& visit, const std::string& path) {
    Listed listed;
    // What the wording alone decides is the same for all of them.
    const bool differs = views.site.hooks.filtered(price_display_settings.name);
    std::string with;
    const auto made_with = [&](std::string_view name) -> const std::string& {
        if (!name.empty() && (differs || with.empty()))
            with = views.made_with(visit, Value(json::Number{std::string(name.substr(row_start.size()))}));
        return with;
    };
    json::RawItems raw{.list = "data"};
    raw.known = [&](std::string_view text) -> std::size_t {
        const auto name = name_of(text);
        listed.cards.push_back(name.empty() ? nullptr : views.kept.find(name, text, made_with(name)));
        return listed.cards.back() ? listed.cards.back()->made_of.size() : 0;
    };
    listed.found = visit.get_by(path, [&raw](std::string_view text) { return json::parse_own(text, raw); });
    listed.rows.resize(raw.items.size());
    listed.cards.resize(raw.items.size());
    for (std::size_t i = 0; i < raw.items.size(); ++i) {
        if (listed.cards[i])
            continue;
        const auto name = name_of(raw.items[i]);
        listed.rows[i] = read_row(raw.items[i]);
        listed.cards[i] = views.kept.put(name, raw.items[i], made_with(name), brief_of(listed.rows[i]));
    }
    return listed;
}

void add_cards(const Views& views, Visit& visit, View& view, const std::string& name, Listed listed, Sight sight,
               std::size_t most) {
    listed.cards.resize(std::min(most, listed.cards.size()));
    std::vector<std::shared_ptr<templates::Renderings>> texts;
    std::vector<bool> have_pictures;
    texts.reserve(listed.cards.size());
    for (const auto& card : listed.cards) {
        texts.push_back(card->texts);
        have_pictures.push_back(card->brief["has_picture"].boolean());
    }
    auto made = [&views, &visit, cards = std::move(listed.cards), rows = std::move(listed.rows)](std::size_t index) {
        return views.card(rows[index].is_null() ? read_row(cards[index]->made_of) : rows[index], visit);
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

std::string card_sizes(std::string_view layout, std::string_view column) {
    // A compact card's picture fills its height and is cut at the sides.
    if (layout == "compact")
        return "16rem";
    return std::string(layout == "compact_mobile" ? "(max-width: 40rem) 16rem, " : "(max-width: 40rem) 100vw, ")
        .append("(max-width: 60rem) 50vw, ")
        .append(column);
}

Known known_answer(const Views& views, Visit& visit, const std::string& path, const std::string& name,
                   const std::string& made_with, Value (*brief)(const Value& data)) {
    Known known;
    known.answer = visit.get_by(path, [&](std::string_view text) -> Result<Value> {
        known.part = views.kept.find(name, text, made_with);
        if (known.part && known.part->made_of.size() == text.size())
            return Value();
        known.part = nullptr;
        return json::parse_own(text);
    });
    if (known.answer.is_good() && !known.part)
        known.part = views.kept.put(name, *known.answer.text, made_with, brief(known.answer.data()));
    return known;
}

Value Known::data() const {
    if (!answer.body.is_null())
        return answer.data();
    const auto body = json::parse_own(*answer.text);
    return body ? (*body)["data"] : Value();
}

templates::Later& add_later(View& view, const std::string& name, const std::shared_ptr<KeptPart>& part,
                            std::size_t count, std::function<Value()> make) {
    view.later.emplace_back(
        name, std::vector(count, part ? part->texts : nullptr),
        [make = std::move(make)](std::size_t) { return make(); }, false);
    view.model.set(name, view.later.back().place());
    return view.later.back();
}

void leave_out(Listed& listed, const Value& trip_id) {
    const std::string start = std::string(row_start) + trip_id.number_text() + ",";
    for (std::size_t i = listed.cards.size(); i-- > 0;)
        if (listed.cards[i]->made_of.starts_with(start)) {
            listed.cards.erase(listed.cards.begin() + static_cast<std::ptrdiff_t>(i));
            listed.rows.erase(listed.rows.begin() + static_cast<std::ptrdiff_t>(i));
        }
}

std::string item_list(const Listed& listed) {
    std::string text = R"({"@context":"https://schema.org","@type":"ItemList","itemListElement":[)";
    std::size_t position = 0;
    for (const auto& card : listed.cards) {
        text.append(position == 0 ? "" : ",").append(R"({"@type":"ListItem","position":)");
        text.append(std::to_string(++position)).append(",").append(card->brief["entry"].text()).append("}");
    }
    return text + "]}";
}

}  // namespace svc::pages
