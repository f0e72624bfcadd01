// The pages of the operator's site that settings name by number: terms, privacy, booking.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/settings/values/site_settings.hpp"

namespace svc::settings {

struct SitePage {
    std::int64_t id = 0;
    std::string title, slug, url;  // the whole address, that of the site with it
    std::string content = {};      // HTML that the site serves at /{slug}; empty: another server serves the page

    [[nodiscard]] json::Value json() const;  // as links to it need it, without the content
};

// A page as routes return it.
api::Type page_answer();

// The list of pages, and that settings name pages of it alone. [start-up]
void declare_site_pages(SiteSettings& settings);

// First parts of paths at which the server has something else than pages of the site.
inline constexpr std::string_view reserved_bases[] = {"admin",      "svc",       "embed",          "assets",
                                                      "svc-assets", "svc-theme", "docs",           "robots.txt",
                                                      "compare",    "embed.js",  "privacy-choices"};
bool is_reserved_base(std::string_view base);

// By title.
std::vector<SitePage> site_pages(const Settings& settings, std::string_view site_url);
// The page that a setting such as terms_page_id names; nothing where it names none that is listed.
std::optional<SitePage> page_named_by(const Settings& settings, std::string_view key, std::string_view site_url);
// Where customers book: the page that the operator chose, or the one at booking_base.
std::string booking_address(const Settings& settings, std::string_view site_url);

// Shortcodes that a page's content may contain.
inline constexpr std::string_view shortcodes[] = {"svc_booking", "svc_trips", "svc_trip", "svc_account"};
// Whether the content holds that shortcode, with or without attributes.
bool has_shortcode(std::string_view content, std::string_view name);
// Puts the shortcode at the end of the page's content, unless it is there. svc_not_found: no such page; svc_conflict:
// another server serves it.
struct Inserted {
    SitePage page;
    bool already_exists = false;
};
Result<Inserted> insert_shortcode(store::Store& store, SiteSettings& settings, std::int64_t page_id,
                                  std::string_view name, std::string_view site_url, std::int64_t user_id);

// Applies `sent_pages`, a list of {id, title, slug, url}: it replaces the list. A page without an id gets the next
// number, without slug or url those derived from its title and slug. svc_conflict when a setting names a page that is
// missing.
Result<void> put_site_pages(store::Store& store, SiteSettings& settings, const json::Value& sent_pages,
                            std::int64_t user_id);

}  // namespace svc::settings
