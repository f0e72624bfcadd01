// The published landing pages in memory: which page replaces which record's, and what the sitemap lists.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "pro/common/site.hpp"
#include "pro/landing_pages/landing_page.hpp"
#include "shared/plugin/host_calls.hpp"
#include "shared/resource/resource.hpp"

namespace svc::pro::landing_pages {

// Any thread after attach. Lists of trips ask for the address of each of their classes, so that is answered from memory
// and read again after a change.
class LandingPages {
  public:
    LandingPages(const Site& site, const plugin::Calls& calls) : site_(site), calls_(calls) {}

    // The path of the published page that replaces this record's; empty: none does.
    [[nodiscard]] std::string path_for(std::string_view owner_type, std::int64_t owner_id) const;
    // {"path", "updated_at"} of the published pages that replace none and that search engines may list.
    [[nodiscard]] json::Value listed() const;
    // Paths of the published pages that replace another and that search engines may not list.
    [[nodiscard]] json::Value left_out() const;
    // After a change in any process.
    void forget() const;

    // The page at a slug, also one that is not published: published() is for visitors.
    [[nodiscard]] std::optional<LandingPage> find(std::string_view slug) const;
    // Whether this user may see pages that are not published.
    [[nodiscard]] bool may_preview(std::int64_t user_id, std::int64_t page_id) const;
    // The model and the head of the page, as shared/pages/offered.hpp says.
    [[nodiscard]] Result<json::Value> shown(const LandingPage& page) const;

    [[nodiscard]] resource::Resource<LandingPage> resource(std::function<void(store::Transaction&)> note_change) const;

  private:
    struct Published {
        std::map<std::pair<std::string, std::int64_t>, std::string> paths;
        json::Value listed = json::Value::array(), left_out = json::Value::array();
    };
    [[nodiscard]] std::shared_ptr<const Published> published() const;

    const Site& site_;
    const plugin::Calls& calls_;
    mutable std::mutex mutex_;
    mutable std::shared_ptr<const Published> published_;
    mutable std::uint64_t changes_ = 0;  // what was read before one of them is not stored
};

}  // namespace svc::pro::landing_pages
