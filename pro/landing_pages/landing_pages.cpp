// Reads landing pages and makes the model of pro/pages/landing-page.html.
#include "pro/landing_pages/landing_pages.hpp"

#include "shared/store/typed.hpp"

namespace svc::pro::landing_pages {

using json::Value;

std::shared_ptr<const LandingPages::Published> LandingPages::published() const {
    std::uint64_t changes = 0;
    {
        const std::lock_guard lock(mutex_);
        if (published_)
            return published_;
        changes = changes_;
    }
    auto fresh = std::make_shared<Published>();
    site_.store.reading<bool>([&](store::Session& session) {
        for (const auto& [slug, owner_type, owner_id, is_indexed, updated_at] :
             store::tuples<std::string, std::string, std::optional<std::int64_t>, bool, std::int64_t>(
                 session,
                 "SELECT slug, owner_type, owner_id, is_indexed, updated_at FROM svc_landing_pages"
                 " WHERE status = 'publish' ORDER BY slug",
                 {})) {
            const std::string path = std::string(page_path) + "/" + slug;
            if (owner_id)  // the sitemap lists the record's page, which is this one
                fresh->paths.emplace(std::pair(owner_type, *owner_id), path);
            else if (is_indexed)
                fresh->listed.push(
                    Value::object({{"path", path}, {"updated_at", Instant::from_micros(updated_at).text()}}));
        }
        return true;
    });
    const std::lock_guard lock(mutex_);
    if (changes == changes_)
        published_ = fresh;
    return fresh;
}

void LandingPages::forget() const {
    const std::lock_guard lock(mutex_);
    published_.reset();
    ++changes_;
}

std::string LandingPages::path_for(std::string_view owner_type, std::int64_t owner_id) const {
    const auto all = published();
    const auto found = all->paths.find(std::pair(std::string(owner_type), owner_id));
    return found == all->paths.end() ? std::string() : found->second;
}

Value LandingPages::listed() const { return published()->listed; }

std::optional<LandingPage> LandingPages::find(std::string_view slug) const {
    static const std::string sql = landing_page_record().select("WHERE r.slug = :slug AND r.status <> 'trash'");
    return site_.store.reading<std::optional<LandingPage>>([&](store::Session& session) {
        auto found = landing_page_record().all(session, sql, {{"slug", std::string(slug)}});
        return found.empty() ? std::optional<LandingPage>() : std::move(found.front());
    });
}

bool LandingPages::may_preview(std::int64_t user_id, std::int64_t page_id) const {
    if (user_id <= 0)
        return false;
    const auto read = calls_(
        {.path = "/landing-pages/" + std::to_string(page_id), .as = plugin::Calls::As::user, .user_id = user_id});
    return read && read->is_good();
}

Value LandingPages::picture_of(const Value& block) const {
    const auto id = block.maybe_integer("image_id");
    if (!id)
        return {};
    const auto read = calls_({.path = "/media/" + std::to_string(*id), .as = plugin::Calls::As::system});
    if (!read || !read->is_good())
        return {};  // the picture was deleted since
    const std::string alt = block.text_or("image_alt");
    return Value::object({{"url", read->data().text_or("url")},
                          {"alt", alt.empty() ? read->data().text_or("alt_text") : alt},
                          {"width", read->data()["width"]},
                          {"height", read->data()["height"]}});
}

Value LandingPages::trips_of(const Value& block) const {
    constexpr std::int64_t usual = 6;
    const std::string source = block.text_or("source", "all");
    Value query = Value::object({{"per_page", block.maybe_integer("count").value_or(usual)}});
    if (source == "featured")
        query.set("featured", true);
    else if (source == "chosen")
        query.set("include", block["trip_ids"]);
    else if (source != "all")
        query.set(source, block.text_or("source_slug"));
    const auto read = calls_({.path = "/trips/public", .query = std::move(query)});
    if (!read || !read->is_good())
        return Value::array();
    if (source != "chosen")
        return read->data();
    Value ordered = Value::array();
    for (const Value& id : block["trip_ids"].items())
        for (const Value& trip : read->data().items())
            if (trip["id"].number_text() == id.number_text())
                ordered.push(trip);
    return ordered;
}

Value LandingPages::part_of(const Value& block) const {
    const std::string type = block.text_or("type");
    Value part = Value::object({{"is_" + type, true}, {"heading", block.text_or("heading")}});
    const bool is_html = type == "text";
    part.set(is_html ? "text_html" : "text",
             is_html ? Value::object({{"html", block.text_or("text")}}) : Value(block.text_or("text")));
    part.set("label", block.text_or("label"));
    part.set("url", block.text_or("url"));
    if (Value picture = picture_of(block); !picture.is_null())
        part.set("picture", std::move(picture));
    if (type == "trips") {
        Value rows = trips_of(block);
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

Result<Value> LandingPages::shown(const LandingPage& page) const {
    Value parts = Value::array();
    bool has_opening = false;
    std::string image;
    for (const Value& block : page.blocks.items()) {
        Value part = part_of(block);
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
