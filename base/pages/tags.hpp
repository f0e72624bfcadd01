// The scripts that count visits: those of partners, and two of the base's own that need an id alone.
#pragma once

#include "base/pages/consent.hpp"
#include "base/pages/partners.hpp"
#include "base/site/site.hpp"

namespace svc::pages {

// Any thread, once all partners are there.
class Tags {
  public:
    Tags(const Site& site, const Partners& partners);

    // Those that are on now: of modules that are on, and the base's own whose id is set, unless a partner has one of
    // that name.
    [[nodiscard]] TagsOn on() const;

  private:
    struct Own {
        Tag tag;
        const char* setting;  // with its id
    };
    const Site& site_;
    const Partners& partners_;
    std::vector<Own> own_;
};

}  // namespace svc::pages
