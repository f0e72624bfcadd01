// Makes the model of pro/pages/landing-page.html, with few calls of the interface.
#include <algorithm>
#include <map>

#include "pro/landing_pages/landing_pages.hpp"

namespace svc::pro::landing_pages {
namespace {

using json::Value;

// What the page asks of the base, each thing once: a call for each picture and for each list, one for all chosen trips.
class Asked {
  public:
    Asked(const plugin::Calls& calls, const Value& blocks) : calls_(calls), blocks_(blocks) {}

    Value picture_of(const Value& block) {
        const auto id = block.maybe_integer("image_id");
        if (!id)
            return {};
        auto known = pictures_.find(*id);
        if (known == pictures_.end() && pictures_.size() < most_pictures)
            known = pictures_.emplace(*id, picture(*id)).first;
        if (known == pictures_.end() || known->second.is_null())
            return {};  // the picture was deleted since
        Value shown = known->second;
        if (const std::string alt = block.text_or("image_alt"); !alt.empty())
            shown.set("alt", alt);
        return shown;
    }

    Value trips_of(const Value& block) {
        const std::string source = block.text_or("source", "all");
        if (source == "chosen")
            return chosen_trips(block["trip_ids"]);
        constexpr std::int64_t usual = 6;
        Value query = Value::object({{"per_page", block.maybe_integer("count").value_or(usual)}});
        if (source == "featured")
            query.set("featured", true);
        else if (source != "all")
            query.set(source, block.text_or("source_slug"));
        const std::string name = query.dump();
        auto known = lists_.find(name);
        if (known == lists_.end() && lists_.size() < most_trip_lists)
            known = lists_.emplace(name, trips(std::move(query))).first;
        return known == lists_.end() ? Value::array() : known->second;
    }

  private:
    Value picture(std::int64_t id) const {
        const auto read = calls_({.path = "/media/" + std::to_string(id), .as = plugin::Calls::As::system});
        if (!read || !read->is_good())
            return {};
        return Value::object({{"url", read->data().text_or("url")},
                              {"alt", read->data().text_or("alt_text")},
                              {"width", read->data()["width"]},
                              {"height", read->data()["height"]}});
    }

    Value trips(Value query) const {
        const auto read = calls_({.path = "/trips/public", .query = std::move(query)});
        return read && read->is_good() ? read->data() : Value::array();
    }

    // Those of all blocks are read at the first one.
    Value chosen_trips(const Value& ids) {
        if (!chosen_) {
            Value wanted = Value::array();
            for (const Value& block : blocks_.items())
                if (block.text_or("type") == "trips" && block.text_or("source") == "chosen")
                    for (const Value& id : block["trip_ids"].items())
                        if (wanted.size() < most_chosen &&
                            std::find(wanted.items().begin(), wanted.items().end(), id) == wanted.items().end())
                            wanted.push(id);
            chosen_.emplace();
            const auto count = static_cast<std::int64_t>(wanted.size());
            if (count == 0)
                return Value::array();
            const Value found = trips(Value::object({{"include", std::move(wanted)}, {"per_page", count}}));
            for (const Value& trip : found.items())
                chosen_->emplace(trip["id"].number_text(), trip);
        }
        Value ordered = Value::array();
        for (const Value& id : ids.items())
            if (const auto trip = chosen_->find(id.number_text()); trip != chosen_->end())
                ordered.push(trip->second);
        return ordered;
    }

    static constexpr std::size_t most_chosen = 100;  // in one call
    const plugin::Calls& calls_;
    const Value& blocks_;
    std::map<std::int64_t, Value> pictures_;
    std::map<std::string, Value> lists_;  // by their query
    std::optional<std::map<std::string, Value>> chosen_;
};

Value part_of(const Value& block, Asked& asked) {
    const std::string type = block.text_or("type");
    Value part = Value::object({{"is_" + type, true}, {"heading", block.text_or("heading")}});
    const bool is_html = type == "text";
    part.set(is_html ? "text_html" : "text",
             is_html ? Value::object({{"html", block.text_or("text")}}) : Value(block.text_or("text")));
    part.set("label", block.text_or("label"));
    part.set("url", block.text_or("url"));
    if (Value picture = asked.picture_of(block); !picture.is_null())
        part.set("picture", std::move(picture));
    if (type == "trips") {
        Value rows = asked.trips_of(block);
        part.set("has_trips", rows.size() > 0);
        part.set("listed", Value::object({{"cards", std::move(rows)}}));
    }
    Value items = Value::array();
    if (block["items"].is_array())
        for (const Value& item : block["items"].items())
            items.push(Value::object(
                {{"title", item.text_or("title")}, {"text_html", Value::object({{"html", item.text_or("text")}})}}));
    return part.set("items", std::move(items));
}

}  // namespace

Result<Value> LandingPages::shown(const LandingPage& page) const {
    Asked asked(calls_, page.blocks);
    Value parts = Value::array();
    bool has_opening = false;
    std::string image;
    for (const Value& block : page.blocks.items()) {
        Value part = part_of(block, asked);
        has_opening = has_opening || block.text_or("type") == "hero";
        if (image.empty())
            image = part["picture"].text_or("url");
        parts.push(std::move(part));
    }
    const bool is_published = page.status == "publish";
    Value head = Value::object({{"description", page.seo_description},
                                {"canonical", std::string(page_path) + "/" + page.slug},
                                {"image", image},
                                {"is_indexed", page.is_indexed && is_published}});
    return Value::object({{"title", page.seo_title.empty() ? page.title : page.seo_title},
                          {"head", std::move(head)},
                          {"model", Value::object({{"heading", page.title},
                                                   {"has_opening", has_opening},
                                                   {"is_draft", !is_published},
                                                   {"parts", std::move(parts)}})}});
}

}  // namespace svc::pro::landing_pages
