// Trips side by side, by an address that can be shared.
#include <algorithm>

#include "base/website/views/views.hpp"

namespace svc::pages {
namespace {

using json::Value;

constexpr std::size_t most_compared = 4;

std::vector<std::string> wanted_slugs(const PageRequest& visit) {
    std::vector<std::string> slugs;
    const auto add = [&](const Value& one) {
        if (one.is_string() && !one.text().empty() && slugs.size() < most_compared &&
            std::find(slugs.begin(), slugs.end(), one.text()) == slugs.end())
            slugs.push_back(one.text());
    };
    if (const Value* given = visit.query.find("trip"); given && given->is_array())
        for (const Value& one : given->items())
            add(one);
    else if (given)
        add(*given);
    return slugs;
}

std::string names_of(const Value& list, std::string_view member) {
    std::string text;
    for (const Value& each : list_of(list))
        text += (text.empty() ? "" : ", ") + each.text_or(member);
    return text;
}

std::string number_in(const Value& trip, std::string_view member) {
    const Value& value = trip[member];
    return value.is_number() && value.number_text() != "0" ? value.number_text() : std::string();
}

}  // namespace

View Views::compare(PageRequest& visit) const {
    if (!settings().flag("enable_comparison"))
        missing();
    View view{.page = "compare"};
    const Format& words = visit.words;
    std::vector<Value> trips;
    std::vector<std::string> slugs;
    for (const std::string& slug : wanted_slugs(visit))
        if (Answered read = visit.get("/trips/public/" + encoded(slug)); read.is_good()) {
            trips.push_back(read.data());
            slugs.push_back(slug);
        }
    const std::string own = "/compare";
    Value columns = Value::array();
    for (std::size_t i = 0; i < trips.size(); ++i) {
        Value column = card(trips[i], visit);
        Pairs others;
        for (const std::string& slug : slugs)
            if (slug != slugs[i])
                others.emplace_back("trip", slug);
        column.set("without", own + query_of(others));
        columns.push(std::move(column));
    }
    Value rows = Value::array();
    const auto row = [&](const std::string& label, const std::function<std::string(std::size_t)>& text) {
        Value cells = Value::array();
        bool is_said = false;
        for (std::size_t i = 0; i < trips.size(); ++i) {
            std::string one = text(i);
            is_said = is_said || !one.empty();
            cells.push(Value::object({{"text", std::move(one)}}));
        }
        if (is_said)
            rows.push(Value::object({{"label", label}, {"cells", std::move(cells)}}));
    };
    row(words.say_text("Price"), [&](std::size_t i) {
        const std::string price = columns[i].text_or("price");
        return price.empty() ? price : price + " " + columns[i].text_or("unit");
    });
    row(words.say_text("Duration"), [&](std::size_t i) { return columns[i].text_or("duration"); });
    row(words.say_text("Where"), [&](std::size_t i) { return names_of(trips[i]["destinations"], "name"); });
    row(words.say_text("What"), [&](std::size_t i) { return names_of(trips[i]["activity_types"], "name"); });
    row(words.say_text("Difficulty"), [&](std::size_t i) { return columns[i].text_or("difficulty"); });
    row(words.say_text("Rating"), [&](std::size_t i) { return columns[i].text_or("rating"); });
    row(words.say_text("Largest group"), [&](std::size_t i) { return number_in(trips[i], "max_travelers"); });
    row(words.say_text("Youngest age"), [&](std::size_t i) { return number_in(trips[i], "age_min"); });
    row(words.say_text("Starts in"), [&](std::size_t i) { return trips[i].text_or("starting_location"); });
    row(words.say_text("Best season"), [&](std::size_t i) { return trips[i].text_or("best_season"); });
    row(words.say_text("Included"), [&](std::size_t i) { return names_of(trips[i]["included_items"], "title"); });
    row(words.say_text("Not included"), [&](std::size_t i) { return names_of(trips[i]["excluded_items"], "title"); });
    Value hidden = Value::array(), others = Value::array();
    for (const std::string& slug : slugs)
        hidden.push(Value::object({{"value", slug}}));
    constexpr std::string_view members[] = {"slug", "title"};
    const Answered all = visit.get_partly("/trips/public?per_page=100&orderby=title&order=asc", members);
    for (const Value& each : list_of(all.data()))
        if (std::find(slugs.begin(), slugs.end(), each.text_or("slug")) == slugs.end())
            others.push(Value::object({{"value", each["slug"]}, {"label", each["title"]}}));
    view.model.set("has_trips", !trips.empty());
    view.model.set("trips", std::move(columns));
    view.model.set("rows", std::move(rows));
    view.model.set("action", own);
    view.model.set("can_add", slugs.size() < most_compared && others.size() > 0);
    view.model.set("hidden", std::move(hidden));
    view.model.set("others", std::move(others));
    view.head.title = words.say_text("Compare trips");
    return view;
}

}  // namespace svc::pages
