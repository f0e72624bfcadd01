// The gate of pages: finds the page, checks a form's origin, calls it as the visitor, renders, sets the headers for
// browsers. Each call that a page makes passes app::Gate too.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/feature/site.hpp"
#include "base/people/identity/gatekeeper.hpp"
#include "base/platform/compression/bodies.hpp"
#include "base/website/pages/plugin_pages.hpp"
#include "base/website/pages/request.hpp"
#include "base/website/pages/router.hpp"
#include "base/website/pages/tags.hpp"
#include "base/website/pages/theme.hpp"
#include "shared/api/http.hpp"

namespace svc::pages {

inline constexpr std::string_view theme_root = "/svc-theme/";  // where the theme's own files are served
inline constexpr const char* choices_path = "/privacy-choices";
inline constexpr char mark_before_consent = '\n';  // in the key of a page in memory: no target has it

// Any thread, once the routes of the interface are known.
class Pages {
  public:
    struct Parts {
        const Site& site;
        identity::Gatekeeper& gatekeeper;
        const Router& router;
        const Theme& theme;
        std::string base_path;  // of the interface, "/svc/v1"
        std::function<Bases()> bases;
        // The layout's model on every page: name, links, texts of the site.
        std::function<json::Value(PageRequest&)> frame;
        // A page of the site's own content at that path; nothing: there is none.
        std::function<std::optional<View>(PageRequest&)> content;
        const Partners& partners;
        const Tags& tags;
        // Whether an address outside of our bases is led to the host, "accel:@host" (setting site_unclaimed).
        std::function<std::string()> unclaimed;
    };
    explicit Pages(Parts parts);

    void ask(Interface interface) { interface_ = std::move(interface); }  // [start-up]

    // Whether the address is a page's: all but the interface's and files'.
    [[nodiscard]] bool serves(std::string_view target) const;
    [[nodiscard]] HttpPlan plan(std::string_view method, std::string_view target,
                                const std::vector<HttpHeader>& headers) const;
    // Never throws.
    [[nodiscard]] HttpAnswer answer(const HttpRequest& http);
    // A page behind a mailed link, whose form the interface answers; see identity/mailed_page.hpp.
    [[nodiscard]] api::Reply site_page(int status, const json::Value& model);
    // Only pages that are in memory; never waits.
    [[nodiscard]] std::optional<HttpAnswer> answer_at_once(const HttpRequest& http);
    // After a write of this process: discards the pages in memory.
    void written() { writes_.fetch_add(1, std::memory_order_relaxed); }
    // Pages in memory by their address, for the list of caches; and their bodies as browsers take them.
    [[nodiscard]] caches::Usage usage() const;
    void each(const std::function<void(std::string_view target, std::size_t bytes)>& take) const;
    std::int64_t forget(const std::function<bool(std::string_view target)>& fits);
    [[nodiscard]] caches::Tally& tally() { return tally_; }
    [[nodiscard]] compression::Bodies& bodies() { return bodies_; }

  private:
    struct Kept {
        std::shared_ptr<const std::string> body;
        std::string etag, policy;
        std::uint64_t writes = 0;
        std::int64_t until = 0;  // microseconds since 1970
    };
    static std::size_t kept_size(const std::string& body) { return body.size() + 512; }
    [[nodiscard]] HttpAnswer served(PageRequest& visit);
    [[nodiscard]] Router::Match found(PageRequest& visit) const;
    [[nodiscard]] std::optional<View> moved_from(const PageRequest& visit, Router::Match& match) const;
    void see_consent(PageRequest& visit) const;
    void add_tags(const PageRequest& visit, const PageSpec* page, View& view) const;
    [[nodiscard]] std::string key_of(std::string_view target, const TagsOn& tags, const HttpRequest& http) const;
    [[nodiscard]] View show(PageRequest& visit, const PageSpec& page);
    [[nodiscard]] std::optional<View> refusal_of_form(PageRequest& visit) const;
    [[nodiscard]] HttpAnswer finish(PageRequest& visit, const PageSpec* page, View view);
    void in_its_frame(const PageRequest& visit, View& view) const;
    [[nodiscard]] HttpAnswer failed(PageRequest& visit, int status, std::string_view message,
                                    std::string_view after = {});
    [[nodiscard]] std::string rendered(PageRequest& visit, const PageSpec* page, View& view);  // takes its model
    [[nodiscard]] std::optional<HttpAnswer> kept(const HttpRequest& http);
    void keep(const std::string& key, Kept made);
    [[nodiscard]] HttpAnswer compress(const HttpRequest& http, const std::shared_ptr<const std::string>& body,
                                      const std::string& etag) const;
    [[nodiscard]] std::optional<HttpAnswer> file(const HttpRequest& http) const;
    [[nodiscard]] std::string policy(const View& view) const;
    // A file of the theme as it is now, with the name that its content gives it.
    struct ThemeFile {
        std::shared_ptr<const std::string> text;
        std::string name, made_of;
    };
    [[nodiscard]] ThemeFile style() const;

    Parts parts_;
    Interface interface_;
    mutable compression::Bodies bodies_;
    mutable std::mutex styling_;
    mutable ThemeFile style_;
    std::atomic<std::uint64_t> writes_{0};
    caches::Tally tally_;
    mutable std::mutex keeping_;
    // By target; while tags are on, the mark of a consent follows, as such visitors have pages of their own.
    std::unordered_map<std::string, Kept> pages_;
    mutable TagsOn tags_on_;  // as the page that was made last found them
    std::size_t bytes_ = 0;
};

}  // namespace svc::pages
