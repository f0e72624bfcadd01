// The ability to bring pages, their files and addresses to the site: svc.pages/1 as a plugin sees it.
#pragma once

#include "shared/pages/offered.hpp"
#include "shared/plugin/host.hpp"

namespace svc::plugin {

// Registrations throw Refused; a plugin makes them in attach.
class Pages {
  public:
    using Table = svc_pages_1;
    static constexpr const char* id = SVC_PAGES_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_pages_1, table, declare_origins); }
    explicit Pages(const Table* table) : table_(table) {}

    // False: the base is too old for pages of the account and does not show this one.
    bool add(pages::OfferedPage page);
    void add(const pages::OfferedAsset& asset);
    // False: the base is too old to ask visitors; nothing is counted in their browsers.
    bool add(pages::OfferedTag tag);
    // The origins that pages need when they offer the gateway with the id `of`.
    void declare(std::string_view of, const pages::Origins& origins);

  private:
    static svc_status show(void* context, svc_text request, svc_answer* answer) noexcept;
    static svc_status configure(void* context, svc_text request, svc_answer* answer) noexcept;
    const Table* table_;
    std::deque<pages::OfferedPage> pages_;  // stable addresses: each is its function's context
    std::deque<pages::OfferedTag> tags_;
};

// Both sides' form of origins. from: Malformed unless each is scheme and host.
json::Value to_json(const pages::Origins& origins);
pages::Origins origins_from(const json::Value& value);

}  // namespace svc::plugin
