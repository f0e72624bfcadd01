// Puts addresses together.
#include "base/catalog/classifications/permalink.hpp"

namespace svc::catalog::classifications {

std::string permalink_of(Type type, std::int64_t id, const std::string& slug, const std::string& site,
                         const hooks::Hooks& hooks) {
    const auto asked = [&](const hooks::Filter& filter, const char* folder) {
        return hooks.apply(filter, site + folder + slug, {id, slug}).text();
    };
    switch (type) {
        case Type::destination:
            return asked(destination_permalink, "/destination/");
        case Type::activity:
            return asked(activity_permalink, "/activity/");
        default:
            return asked(category_permalink, "/trip-category/");
    }
}

}  // namespace svc::catalog::classifications
