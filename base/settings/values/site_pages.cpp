// The list is one setting that only its own route writes; in memory like every other.
#include "base/settings/values/site_pages.hpp"

#include <algorithm>
#include <set>

#include "base/platform/html/html.hpp"
#include "base/settings/values/repository.hpp"
#include "shared/core/slug.hpp"
#include "shared/core/uri.hpp"

namespace svc::settings {
namespace {

constexpr std::string_view list_key = "site_pages";
constexpr const char* naming_keys[] = {"terms_page_id", "privacy_policy_page_id", "booking_page_id"};

constexpr std::size_t longest_content = 200'000;

api::Type list_type() {
    return api::list(api::object({{.name = "id", .type = api::id(), .required = true},
                                  {.name = "title", .type = api::text(200, 1), .required = true},
                                  {.name = "slug", .type = api::text(text::longest_slug, 1), .required = true},
                                  {.name = "url", .type = api::text(2000, 1), .required = true},
                                  {.name = "content", .type = api::raw_text(longest_content)}}),
                     500);
}

json::Value read_list(const std::optional<std::string>& stored) {
    auto list = stored ? json::parse(*stored) : Result<json::Value>(json::Value::array());
    return list && list->is_array() ? std::move(*list) : json::Value::array();
}

bool lists(const json::Value& pages, std::int64_t id) {
    return std::any_of(pages.items().begin(), pages.items().end(),
                       [&](const json::Value& page) { return page["id"].integer() == id; });
}

SitePage page_of(const json::Value& stored, std::string_view site_url) {
    const std::string& url = stored["url"].text();
    return {stored["id"].integer(), stored["title"].text(), stored["slug"].text(),
            url.starts_with('/') ? std::string(site_url) + url : url, stored.text_or("content")};
}

// Sent ids first, then sent slugs: generated ones avoid both.
struct Taken {
    std::set<std::int64_t> ids;
    std::set<std::string> slugs;

    Result<void> take(const json::Value& sent_pages) {
        std::optional<Error> error;
        for (std::size_t i = 0; i < sent_pages.size(); ++i) {
            const auto refuse = [&](const char* member, SentenceId sentence) {
                const std::string field = "pages." + std::to_string(i + 1) + "." + member;
                error = error ? error->at(field, sentence) : invalid(field, sentence);
            };
            const json::Value& page = sent_pages[i];
            if (page["id"].is_number() && !ids.insert(page["id"].integer()).second)
                refuse("id", "Another page has this id."_sentence);
            const std::string slug = page.text_or("slug"), url = page.text_or("url");
            if (is_reserved_base(slug))
                refuse("slug", "The server uses this address itself. Choose another slug."_sentence);
            else if (!slug.empty() && !text::is_slug(slug))
                refuse("slug", "Use letters, digits, hyphens and underscores."_sentence);
            else if (!slug.empty() && !slugs.insert(slug).second)
                refuse("slug", "Another page has this slug."_sentence);
            if (!url.empty() && !text::is_place(url))
                refuse("url", "Enter an address that begins with https://, http:// or /."_sentence);
        }
        return error ? *std::move(error) : Result<void>{};
    }
    std::int64_t next_id() {
        const std::int64_t id = ids.empty() ? 1 : *ids.rbegin() == INT64_MAX ? free_id() : *ids.rbegin() + 1;
        ids.insert(id);
        return id;
    }
    std::string next_slug(const std::string& title, std::int64_t id) {
        std::string base = text::slug_of(title, text::longest_slug);
        if (base.empty())
            base = "page-" + std::to_string(id);
        std::string slug = base;
        for (std::int64_t number = 2; !slugs.insert(slug).second; ++number)
            slug = text::numbered_slug(base, number);
        return slug;
    }

  private:
    [[nodiscard]] std::int64_t free_id() const {
        std::int64_t id = 1;
        while (ids.contains(id))
            ++id;
        return id;
    }
};

// New pages get no number of an existing page, nor of one that is deleted now.
Result<json::Value> made_of(const json::Value& sent_pages, const json::Value& before) {
    Taken taken;
    SVC_RETURN_IF_ERROR(taken.take(sent_pages));
    for (const json::Value& page : before.items())
        taken.ids.insert(page["id"].integer());
    json::Value pages = json::Value::array();
    for (const json::Value& page : sent_pages.items()) {
        const std::int64_t id = page["id"].is_number() ? page["id"].integer() : taken.next_id();
        std::string slug = page.text_or("slug"), url = page.text_or("url");
        if (slug.empty())
            slug = taken.next_slug(page.text_or("title"), id);
        if (url.empty())
            url = "/" + text::uri_of(slug);
        pages.push(json::Value::object({{"id", id},
                                        {"title", page["title"]},
                                        {"slug", slug},
                                        {"url", url},
                                        {"content", html::clean_html(page.text_or("content"))}}));
    }
    return pages;
}

}  // namespace

json::Value SitePage::json() const {
    return json::Value::object({{"id", id}, {"title", title}, {"slug", slug}, {"url", url}});
}

bool is_reserved_base(std::string_view base) {
    return std::find(std::begin(reserved_bases), std::end(reserved_bases), base) != std::end(reserved_bases);
}

void declare_site_pages(SiteSettings& settings) {
    settings.declare({.key = std::string(list_key),
                      .type = list_type(),
                      .initial = json::Value::array(),
                      .help = "The site's pages, as stored by PUT /settings/pages.",
                      .group = "internal"});
    for (const char* key : naming_keys)
        settings.declare_naming(key, [](store::Session& session, const json::Value& id) {
            // Under the list's lock: a page that is named meanwhile stays.
            if (id.integer() == 0 || lists(read_list(repository::locked(session, list_key)), id.integer()))
                return Result<void>{};
            return Result<void>{Error(errc::validation_error, "Enter the id of a page of /settings/pages."_sentence)};
        });
}

std::vector<SitePage> site_pages(const Settings& settings, std::string_view site_url) {
    std::vector<std::pair<std::string, SitePage>> pages;
    for (const json::Value& stored : settings.get(list_key).items()) {
        SitePage page = page_of(stored, site_url);
        pages.emplace_back(text::folded(page.title), std::move(page));
    }
    std::sort(pages.begin(), pages.end(), [](const auto& a, const auto& b) {
        return std::tie(a.first, a.second.id) < std::tie(b.first, b.second.id);
    });
    std::vector<SitePage> sorted;
    sorted.reserve(pages.size());
    for (auto& [title, page] : pages)
        sorted.push_back(std::move(page));
    return sorted;
}

std::optional<SitePage> page_named_by(const Settings& settings, std::string_view key, std::string_view site_url) {
    const std::int64_t id = settings.integer(key);
    if (id > 0)
        for (const json::Value& stored : settings.get(list_key).items())
            if (stored["id"].integer() == id)
                return page_of(stored, site_url);
    return std::nullopt;
}

std::string booking_address(const Settings& settings, std::string_view site_url) {
    if (settings.flag("use_booking_page"))
        if (auto page = page_named_by(settings, "booking_page_id", site_url))
            return std::move(page->url);
    return std::string(site_url) + "/" + settings.text("booking_base");
}

bool has_shortcode(std::string_view content, std::string_view name) {
    const std::string opening = "[" + std::string(name);
    for (auto at = content.find(opening); at != std::string_view::npos; at = content.find(opening, at + 1)) {
        const auto after = content.substr(at + opening.size());
        if (!after.empty() && (after.front() == ']' || after.front() == ' ') && after.find(']') != std::string::npos)
            return true;
    }
    return false;
}

Result<Inserted> insert_shortcode(store::Store& store, SiteSettings& settings, std::int64_t page_id,
                                  std::string_view name, std::string_view site_url, std::int64_t user_id) {
    Inserted inserted;
    const auto done = store.write([&](store::Transaction& tx) -> Result<void> {
        json::Value pages = read_list(repository::locked(tx, list_key));
        for (json::Value& page : pages.items()) {
            if (page["id"].integer() != page_id)
                continue;
            std::string content = page.text_or("content");
            inserted.already_exists = has_shortcode(content, name);
            if (!inserted.already_exists) {
                if (page.text_or("url") != "/" + text::uri_of(page.text_or("slug")))
                    return Error{
                        errc::conflict,
                        "Another server serves this page. Write [{name}] into it there, or clear the page's url."_sentence
                            .with("name", name)};
                page.set("content", html::clean_html(content + "<p>[" + std::string(name) + "]</p>"));
            }
            inserted.page = page_of(page, site_url);
            if (inserted.already_exists)
                return {};
            const auto written = settings.write(tx, json::Value::object({{std::string(list_key), pages}}), user_id);
            return written ? Result<void>{} : written.error();
        }
        return errc::not_found;
    });
    return done ? Result<Inserted>(std::move(inserted)) : done.error();
}

Result<void> put_site_pages(store::Store& store, SiteSettings& settings, const json::Value& sent_pages,
                            std::int64_t user_id) {
    return store.write([&](store::Transaction& tx) -> Result<void> {
        const json::Value before = read_list(repository::locked(tx, list_key));
        SVC_ASSIGN_OR_RETURN(const auto pages, made_of(sent_pages, before));
        for (const char* key : naming_keys) {
            const auto stored = repository::value_of(tx, key);
            const auto named = stored ? json::parse(*stored) : Result<json::Value>(json::Value(0));
            const std::int64_t id = named && named->is_number() ? named->integer() : 0;
            if (id > 0 && lists(before, id) && !lists(pages, id))
                return Error{
                    errc::conflict,
                    "The setting {key} names page {id}, which is missing in the list. Keep it or change the setting first."_sentence
                        .with("key", key)
                        .with("id", id)};
        }
        const auto written = settings.write(tx, json::Value::object({{std::string(list_key), pages}}), user_id);
        return written ? Result<void>{} : written.error();
    });
}

}  // namespace svc::settings
