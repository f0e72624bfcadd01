// Finds the page of a path. The first parts of paths are settings and may change while the server runs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings/values/settings.hpp"
#include "base/website/pages/page.hpp"

namespace svc::pages {

// The bases as they are set now.
struct Bases {
    std::string trip, destination, activity, trip_category, book, account;
};
Bases bases_of(const settings::Settings& settings);

// The settings of the bases.
inline constexpr std::string_view base_settings[] = {"trip_base",          "destination_base", "activity_base",
                                                     "trip_category_base", "booking_base",     "account_base"};

// "trip" of a page below the base of trips; empty: it is below none.
std::string_view base_of(const PageSpec& page);

class Router {
  public:
    void add(PageSpec page) { pages_.push_back(std::make_unique<PageSpec>(std::move(page))); }  // [start-up]

    using Names = std::map<std::string, std::string, std::less<>>;
    struct Match {
        const PageSpec* page = nullptr;
        Names names;
        bool is_ours = false;  // the path lies below one of the bases, so that nothing else answers it
    };
    // The path without query, not yet decoded; each part is decoded once. Literals win over names.
    [[nodiscard]] Match match(std::string_view path, const Bases& bases) const;
    // The page of that type whose path has these names and no others; `base` ("destination") tells apart those that
    // stand below several bases. Null: there is none.
    [[nodiscard]] const PageSpec* named(std::string_view type, std::string_view base, const Names& names) const;
    // Whether a page without a base begins with that word, one of a partner included: "consent" of /consent/{token}.
    [[nodiscard]] bool begins_with(std::string_view word) const;
    [[nodiscard]] const std::vector<std::unique_ptr<PageSpec>>& all() const { return pages_; }

  private:
    std::vector<std::unique_ptr<PageSpec>> pages_;
};

}  // namespace svc::pages
