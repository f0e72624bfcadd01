// The scripts that count visits: those of partners, and two of the base's own that need an id alone.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "base/feature/site.hpp"
#include "base/website/pages/consent.hpp"
#include "base/website/pages/plugin_pages.hpp"

namespace svc::pages {

// Any thread, once all partners are there.
class Tags {
  public:
    Tags(const Site& site, const Partners& partners);

    // Those that are on: of modules that are on and with something to read, and the base's own whose id is set, unless
    // a partner has one of that name. Found out once a second, and after each write of this process: `writes`.
    [[nodiscard]] TagsOn on(std::uint64_t writes) const;

    // What a tag reads on a page; null: it is not there. One that fails is missing, and the page stands.
    [[nodiscard]] static json::Value read_by(const Tag& tag, const json::Value& request);

  private:
    [[nodiscard]] std::vector<const Tag*> now() const;
    struct Own {
        Tag tag;
        const char* setting;  // with its id
    };
    const Site& site_;
    const Partners& partners_;
    std::vector<Own> own_;
    mutable std::mutex mutex_;
    mutable TagsOn on_;
    mutable std::uint64_t writes_ = 0;
    mutable std::int64_t until_ = 0;  // microseconds since 1970
};

}  // namespace svc::pages
