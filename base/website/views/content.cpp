// Pages with the operator's text, with shortcodes for trips, booking and account.
#include <algorithm>
#include <map>

#include "base/platform/html/html.hpp"
#include "base/settings/values/site_pages.hpp"
#include "base/website/views/cards.hpp"
#include "shared/api/query.hpp"
#include "shared/core/ascii.hpp"

namespace svc::pages {
namespace {

using json::Value;

// `card_layout="compact" destination=portugal` as names and values.
std::map<std::string, std::string> attributes_of(std::string_view text) {
    std::map<std::string, std::string> all;
    while (!(text = ascii::trimmed(text, " \t\r\n")).empty() && all.size() < 20) {
        const auto equals = text.find('=');
        if (equals == std::string_view::npos)
            break;
        const std::string name(ascii::trimmed(text.substr(0, equals)));
        text.remove_prefix(equals + 1);
        const bool is_quoted = text.starts_with('"') || text.starts_with('\'');
        const char end_mark = is_quoted ? text.front() : ' ';
        if (is_quoted)
            text.remove_prefix(1);
        const auto end = std::min(text.find(end_mark), text.size());
        all[name] = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return all;
}

// Cards; the first ones on the page are in view.
Value cards_part(Value cards, std::string layout, bool is_first) {
    if (is_first)
        place_pictures(cards, Sight::leading);
    std::string sizes = card_sizes(layout, "25rem");
    return Value::object(
        {{"is_trips", true}, {"trips", std::move(cards)}, {"layout", std::move(layout)}, {"sizes", std::move(sizes)}});
}

Value trips_part(const Views& views, PageRequest& visit, const std::map<std::string, std::string>& given,
                 bool is_first) {
    Pairs question;
    for (const char* name : {"destination", "activity", "trip_category", "difficulty", "search", "orderby", "order"})
        if (const auto found = given.find(name); found != given.end())
            question.emplace_back(name, found->second);
    const auto count = given.find("count");
    question.emplace_back("per_page", count == given.end() ? "6" : count->second);
    const Answered found = visit.get_partly("/trips/public" + query_of(question), card_members);
    const auto layout = given.find("card_layout");
    const bool is_known = layout != given.end() && (layout->second == "standard" ||
                                                    layout->second == "compact_mobile" || layout->second == "compact");
    return cards_part(views.cards(found.data(), visit),
                      is_known ? layout->second : views.settings().text("trip_card_layout"), is_first);
}

Value trip_part(const Views& views, PageRequest& visit, const std::map<std::string, std::string>& given,
                bool is_first) {
    const auto slug = given.find("slug"), id = given.find("id");
    std::string wanted = slug == given.end() ? std::string() : slug->second;
    if (wanted.empty() && id != given.end() && !id->second.empty() && id->second.size() < 18 &&
        id->second.find_first_not_of("0123456789") == std::string::npos)
        if (const auto shown = views.trips.public_trips().published(std::stoll(id->second)))
            wanted = shown->trip.slug;
    const Answered found = wanted.empty() ? Answered{} : visit.get("/trips/public/" + encoded(wanted));
    Value list = Value::array();
    if (found.is_good())
        list.push(views.card(found.data(), visit));
    return cards_part(std::move(list), "standard", is_first);
}

Value link_part(const std::string& url, const std::string& label) {
    return Value::object({{"is_link", true}, {"url", url}, {"label", label}});
}

}  // namespace

std::optional<View> Views::content(PageRequest& visit) const {
    const auto slug = visit.path.size() > 1 ? api::percent_decoded(visit.path.substr(1), false) : std::nullopt;
    if (!slug || slug->find('/') != std::string::npos)
        return std::nullopt;
    for (const settings::SitePage& page : settings::site_pages(settings(), site.installation.address)) {
        if (page.slug != *slug || page.content.empty())
            continue;
        View view{.page = "content"};
        Value parts = Value::array();
        const auto add_text = [&](std::string_view text) {
            if (!ascii::trimmed(text, " \t\r\n").empty())
                parts.push(Value::object({{"text_html", html::clean_html(text)}}));  // cut apart, so balanced again
        };
        std::string_view rest = page.content;
        while (parts.size() < 40) {
            const auto open = rest.find("[svc_");
            const auto close = open == std::string_view::npos ? open : rest.find(']', open);
            if (close == std::string_view::npos)
                break;
            add_text(rest.substr(0, open));
            const auto inside = rest.substr(open + 1, close - open - 1);
            const auto name = inside.substr(0, inside.find(' '));
            const bool has_no_cards = std::none_of(list_of(parts).begin(), list_of(parts).end(), [](const Value& each) {
                return each.maybe_boolean("is_trips").value_or(false);
            });
            const auto given = attributes_of(inside.substr(name.size()));
            if (name == "svc_trips")
                parts.push(trips_part(*this, visit, given, has_no_cards));
            else if (name == "svc_trip")
                parts.push(trip_part(*this, visit, given, has_no_cards));
            else if (name == "svc_booking")
                parts.push(link_part(path({bases().trip}), visit.words.say_text("Choose a trip and book")));
            else if (name == "svc_account")
                parts.push(link_part(path({bases().account}), visit.words.say_text("To my bookings")));
            rest.remove_prefix(close + 1);
        }
        add_text(rest);
        view.model.set("heading", page.title);
        view.model.set("parts", std::move(parts));
        view.head = {.title = page.title, .canonical = path({page.slug}), .is_indexed = true};
        return view;
    }
    return std::nullopt;
}

}  // namespace svc::pages
