// Days and pictures of trips.
#include <set>

#include "base/data/wordpress_import/trip_reading.hpp"
#include "base/platform/html/html.hpp"
#include "shared/core/text.hpp"

namespace svc::wordpress_import {
namespace {

using json::Value;
using old::text_at, old::text_of, old::whole_text;

// Limits of one trip. Pictures have a lower one because one step fetches all pictures of a trip.
constexpr std::size_t most_days = 365, most_pictures = 30, longest_day = 20'000;

// A name that says no more than the day's number does not count beside a title.
bool is_bare_number(const std::string& heading) {
    const std::string folded = text::folded(heading);
    const auto digits = folded.find_first_of("0123456789");
    return digits != std::string::npos && digits <= 5 &&
           folded.find_first_not_of("0123456789:.- ", digits) == std::string::npos;
}

std::string day_title(const std::string& heading, const std::string& title) {
    if (title.empty() || heading.empty())
        return title.empty() ? heading : title;
    return is_bare_number(heading) ? title : heading + ": " + title;
}

// Steps beyond the duration are added to the last day, so that no text is lost.
void fold_days(Value& days, std::size_t most, Value& record) {
    const std::size_t found = days.size();
    if (most == 0 || found <= most)
        return;
    auto& items = days.items();
    std::string text = items[most - 1].text_or("description");
    for (std::size_t i = most; i < found; ++i)
        text += "\n<h4>" + html::escaped(items[i].text_or("title")) + "</h4>\n" + items[i].text_or("description");
    items[most - 1].set("description", text::first(text, longest_day));
    items.resize(most);
    add_remark(record, "The trip lasts " + std::to_string(most) + (most == 1 ? " day" : " days") +
                           ", its itinerary has " + std::to_string(found) +
                           ". The others are in the text of the last day. Check the duration.");
}

// The member at that place of a list, or of a PHP array with other keys.
std::string text_at_place(const Value& list, std::size_t index) {
    if (index >= list.size())
        return {};
    return text_of(list.is_array() ? list[index] : list.members()[index].second);
}

}  // namespace

Value days_of(Reading& reading, std::size_t duration, Value& record) {
    auto days = Value::array();
    const auto add = [&](const std::string& title, const std::string& text) {
        if (!title.empty() || !text.empty())
            days.push(Value::object({{"day_number", static_cast<std::int64_t>(days.size()) + 1},
                                     {"title", text::first(title, 255)},
                                     {"description", text::first(reading.shown(text), longest_day)}}));
    };
    const Value of_yatra = reading.meta("itinerary_repeator");
    const Value &headings = of_yatra["itinerary_heading"], &titles = of_yatra["itinerary_title"];
    const bool has_headings = headings.size() > 0;
    std::size_t index = 0;
    each_pair(has_headings ? headings : titles, of_yatra["itinerary_details"],
              [&](const std::string& name, const std::string& text) {
                  const std::string title = has_headings ? text_at_place(titles, index) : std::string();
                  ++index;
                  add(day_title(numbered(name, index), title), text);
              });
    if (const Value of_travel = reading.meta("wp_travel_trip_itinerary_data"); of_travel.is_array())
        for (const Value& day : of_travel.items())
            add(text_at(day, {"title", "label"}), whole_text(day["desc"]));
    const Value& of_engine = reading.settings["itinerary"];
    each_pair(of_engine["itinerary_title"], of_engine["itinerary_content"], add);
    shorten(days, most_days, "Days of the itinerary", reading.left);
    fold_days(days, duration, record);
    return days;
}

Value pictures_of(Reading& reading) {
    const Item& item = reading.item;
    auto pictures = Value::array();
    std::set<std::string> known;
    const auto add = [&](const std::string& stored) {
        const std::string address = picture_address(stored, reading.references);
        if (!address.empty() && known.insert(address).second)
            pictures.push(address);
    };
    add(item.meta_of("_thumbnail_id"));
    for (const char* key :
         {"yatra_tour_meta_gallery", "yatra_tour_gallery", "wp_travel_itinerary_gallery_ids", "wpte_gallery_id"}) {
        const Value stored = reading.meta(key);
        if (stored.is_string()) {
            std::string_view rest = stored.text();
            while (!rest.empty()) {
                const auto comma = rest.find(',');
                add(text::clean(std::string(rest.substr(0, comma))));
                rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
            }
        }
        const auto add_one = [&](const Value& one) {
            add(one.is_object() ? text_at(one, {"url", "id"}) : text_of(one));
        };
        if (stored.is_array())
            for (const Value& one : stored.items())
                add_one(one);
        if (stored.is_object())
            for (const auto& [name, one] : stored.members())
                if (name != "enable")
                    add_one(one);
    }
    for (const std::string& of_gallery : reading.remains.pictures)
        add(of_gallery);
    shorten(pictures, most_pictures, "Pictures", reading.left);
    return pictures;
}

}  // namespace svc::wordpress_import
