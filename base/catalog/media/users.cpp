// Records that refer to a file by its id or its address, as the facts of their tables say;
// base/catalog/trips/record/texts.cpp reads the texts of trips when they are written.
#include "base/catalog/media/users.hpp"

#include <algorithm>

#include "base/feature/facts.hpp"

namespace svc::catalog::media {
namespace {

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

facts::Users users_of(store::Session& session, std::int64_t id, std::string_view root, int most) {
    return facts::of_base().users_of(session, facts::of_media, params_of(id, root), most);
}

bool is_shown(store::Session& session, std::int64_t id, std::string_view root) {
    return facts::of_base().is_used(session, facts::of_media, params_of(id, root), /*shown=*/true);
}

}  // namespace svc::catalog::media
