// Puts addresses together.
#include "base/catalog/classifications/permalink.hpp"

namespace svc::catalog::classifications {

std::string permalink_of(Type type, std::int64_t id, const std::string& slug, const Bases& bases,
                         const hooks::Hooks& hooks) {
    const auto asked = [&](const hooks::Filter& filter, const std::string& folder) {
        return hooks.apply(filter, bases.site + "/" + folder + "/" + slug, {id, slug}).text();
    };
    switch (type) {
        case Type::destination:
            return asked(destination_permalink, bases.destination);
        case Type::activity:
            return asked(activity_permalink, bases.activity);
        default:
            return asked(category_permalink, bases.category);
    }
}

}  // namespace svc::catalog::classifications
