// Records that refer to a file: trips by any of their parts, classifications, settings, modules and gateways. Add new
// kinds of references here; base/catalog/trips/texts.cpp reads the texts of trips when they are written.
#include "base/catalog/media/users.hpp"

#include <algorithm>

#include "shared/store/typed.hpp"

namespace svc::catalog::media {
namespace {

#define SVC_SHOWN_BY(column) column " LIKE :absolute ESCAPE '!' OR " column " LIKE :relative ESCAPE '!'"
#define SVC_TRIPS_USING(downloads)                                                                         \
    " FROM svc_trips WHERE id IN (SELECT id FROM svc_trips WHERE featured_image_id = :id"                  \
    " UNION SELECT trip_id FROM svc_trip_gallery WHERE media_id = :id" downloads                           \
    " UNION SELECT trip_id FROM svc_itinerary_days WHERE image_id = :id"                                   \
    " UNION SELECT d.trip_id FROM svc_itinerary_media m JOIN svc_itinerary_entries e ON e.id = m.entry_id" \
    " JOIN svc_itinerary_days d ON d.id = e.day_id WHERE m.media_id = :id"                                 \
    " UNION SELECT l.trip_id FROM svc_classifications c JOIN svc_trip_classifications l"                   \
    " ON l.classification_id = c.id WHERE c.type = 'attribute' AND c.field_type = 'file'"                  \
    " AND l.attribute_value = :number"                                                                     \
    " UNION SELECT trip_id FROM svc_trip_mentions WHERE media_id = :id AND root IN (:root, :path))"
#define SVC_TRIPS_SHOWING SVC_TRIPS_USING(" UNION SELECT trip_id FROM svc_trip_downloads WHERE media_id = :id")
#define SVC_TRIPS_PICTURING SVC_TRIPS_USING("")
#define SVC_CLASSES_SHOWING \
    " FROM svc_classifications WHERE id IN (SELECT id FROM svc_classifications WHERE featured_image_id = :id" \
    " UNION SELECT classification_id FROM svc_classification_gallery WHERE media_id = :id"                    \
    " UNION SELECT id FROM svc_classifications WHERE icon <> '' AND (" SVC_SHOWN_BY("icon") ")"               \
    " UNION SELECT id FROM svc_classifications WHERE description <> '' AND (" SVC_SHOWN_BY("description") ")" \
    " UNION SELECT id FROM svc_classifications WHERE " SVC_SHOWN_BY("details") ")"
// By its number, or at the address that everyone fetches it from.
#define SVC_SETTINGS_SHOWING                                                                        \
    " FROM svc_settings WHERE is_secret = 0 AND ((key = 'seo_trip_meta_image' AND value = :number)" \
    " OR " SVC_SHOWN_BY("value") ")"
#define SVC_MODULES_SHOWING " FROM svc_modules WHERE " SVC_SHOWN_BY("settings")
#define SVC_GATEWAYS_SHOWING " FROM svc_payment_gateways WHERE " SVC_SHOWN_BY("config")

struct UserStatements {
    const char *first, *total;
};
// Trips come first.
constexpr UserStatements users[] = {
    {"SELECT 'trip', id, title" SVC_TRIPS_SHOWING " ORDER BY id LIMIT :most", "SELECT COUNT(*)" SVC_TRIPS_SHOWING},
    {"SELECT type, id, name" SVC_CLASSES_SHOWING " ORDER BY id LIMIT :most", "SELECT COUNT(*)" SVC_CLASSES_SHOWING},
    {"SELECT 'setting', CAST(NULL AS BIGINT), key" SVC_SETTINGS_SHOWING " ORDER BY key LIMIT :most",
     "SELECT COUNT(*)" SVC_SETTINGS_SHOWING},
    {"SELECT 'module', CAST(NULL AS BIGINT), slug" SVC_MODULES_SHOWING " ORDER BY slug LIMIT :most",
     "SELECT COUNT(*)" SVC_MODULES_SHOWING},
    {"SELECT 'payment_gateway', CAST(NULL AS BIGINT), slug" SVC_GATEWAYS_SHOWING " ORDER BY slug LIMIT :most",
     "SELECT COUNT(*)" SVC_GATEWAYS_SHOWING}};

// Finds JSON with a text that begins so.
std::string pattern_of(std::string_view beginning) {
    std::string pattern = "%\"";
    for (const char c : beginning) {
        if (c == '%' || c == '_' || c == '!')
            pattern += '!';
        pattern += c;
    }
    return pattern += '%';
}

store::Params params_of(std::int64_t id, std::string_view root) {
    const std::string number = std::to_string(id);
    const std::string address = "/media/" + number + "/";
    // The same for pages of this server, which may leave out the host.
    const auto host = root.find("://");
    const std::string path(root.substr(std::min(root.find('/', host == root.npos ? 0 : host + 3), root.size())));
    return {{"id", id},
            {"number", number},
            {"root", std::string(root)},
            {"path", path},
            {"absolute", pattern_of(std::string(root) + address)},
            {"relative", pattern_of(path + address)}};
}

}  // namespace

Users users_of(store::Session& session, std::int64_t id, std::string_view root, int most) {
    const store::Params params = params_of(id, root);
    Users found;
    for (const UserStatements& statements : users) {
        const auto total = session.number(statements.total, params);
        found.total += total;
        const int room = most - static_cast<int>(found.first.size());
        store::Params some = params;
        some.emplace_back("most", room);
        if (total > 0 && room > 0)
            for (User& user : store::structs<User, std::string, std::optional<std::int64_t>, std::string>(
                     session, statements.first, some))
                found.first.push_back(std::move(user));
    }
    return found;
}

bool is_shown(store::Session& session, std::int64_t id, std::string_view root) {
    const store::Params params = params_of(id, root);
    if (session.number("SELECT COUNT(*)" SVC_TRIPS_PICTURING, params) > 0)
        return true;
    return std::any_of(std::begin(users) + 1, std::end(users),
                       [&](const UserStatements& statements) { return session.number(statements.total, params) > 0; });
}

}  // namespace svc::catalog::media
