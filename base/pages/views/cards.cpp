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

std::string entry_of(const Value& row) {
    std::string text = "\"url\":";
    row["permalink"].dump_to(text);
    text += ",\"name\":";
    row["title"].dump_to(text);
    return text;
}

Value read_row(std::string_view text) {
    auto row = json::parse_own(text, {".", card_members});
    return row ? std::move(*row) : Value();
}

}  // namespace

std::string Views::made_with(const Wording& words, std::string_view trip_id) const {
    std::string text = words.sameness();
    if (site.hooks.filtered(price_display_settings.name)) {
        const PriceDisplay display = price_display(Value(json::Number{std::string(trip_id)}));
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
            with = views.made_with(visit.words, name.substr(row_start.size()));
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
        listed.cards[i] = views.kept.put(name, raw.items[i], made_with(name), entry_of(listed.rows[i]));
    }
    return listed;
}

void add_cards(const Views& views, const Visit& visit, View& view, const std::string& name, Listed listed,
               std::size_t most) {
    listed.cards.resize(std::min(most, listed.cards.size()));
    std::vector<std::shared_ptr<templates::Renderings>> texts;
    texts.reserve(listed.cards.size());
    for (const auto& card : listed.cards)
        texts.push_back(card->texts);
    auto made = [&views, words = visit.words, cards = std::move(listed.cards),
                 rows = std::move(listed.rows)](std::size_t index) {
        return views.card(rows[index].is_null() ? read_row(cards[index]->made_of) : rows[index], words);
    };
    view.later.emplace_back(name, std::move(texts), std::move(made));
    view.model.set(name, view.later.back().place());
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
        text.append(std::to_string(++position)).append(",").append(card->brief.text()).append("}");
    }
    return text + "]}";
}

}  // namespace svc::pages
