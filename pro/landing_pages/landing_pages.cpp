// Reads landing pages.
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
            if (owner_id) {  // the sitemap lists the record's page, which is this one
                fresh->paths.emplace(std::pair(owner_type, *owner_id), path);
                if (!is_indexed)
                    fresh->left_out.push(path);
            } else if (is_indexed)
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

Value LandingPages::left_out() const { return published()->left_out; }

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

}  // namespace svc::pro::landing_pages
