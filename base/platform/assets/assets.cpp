// Looks assets up, chooses their coding and their caching headers.
#include "base/platform/assets/assets.hpp"

#include <stdexcept>

#include "base/platform/compression/coding.hpp"
#include "shared/api/public_answer.hpp"

namespace svc::embedded {
assets::Pack plain_assets();
#ifdef SVC_WEB
assets::Pack web_assets();
#endif
}  // namespace svc::embedded

namespace svc::assets {
namespace {

// "theme/style.3f2a91c04d.css" -> "theme/style.css".
std::string without_hash(std::string_view file) {
    const auto slash = file.rfind('/');
    const auto end = file.rfind('.');
    const auto begin = end == std::string_view::npos || end == 0 ? end : file.rfind('.', end - 1);
    if (begin == std::string_view::npos || end == std::string_view::npos ||
        (slash != std::string_view::npos && begin < slash))
        return {};
    return std::string(file.substr(0, begin)) + std::string(file.substr(end));
}

}  // namespace

Assets::Assets(std::vector<Pack> packs) : packs_(std::move(packs)) {
    for (const Pack& pack : packs_)
        for (const Packed& packed : pack.files) {
            if (!by_name_.emplace(packed.name, Asset{&pack, &packed}).second)
                throw std::logic_error("Two assets are named " + std::string(packed.name) + ".");
            by_file_.emplace(packed.file, Asset{&pack, &packed});
        }
}

std::string Assets::path(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::string() : std::string(root) + std::string(found->second.packed->file);
}

std::string_view Assets::text(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::string_view{} : found->second.pack->body(found->second.packed->plain);
}

const Assets::Asset* Assets::named_without_hash(std::string_view file) const {
    if (const auto found = by_name_.find(file); found != by_name_.end())
        return &found->second;
    const std::string name = without_hash(file);
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &found->second;
}

std::optional<api::Reply> Assets::answer(std::string_view path,
                                         const std::function<std::string_view(std::string_view)>& header) const {
    if (!path.starts_with(root))
        return std::nullopt;
    const std::string_view file = path.substr(root.size());
    const auto current = by_file_.find(file);
    const Asset* asset = current == by_file_.end() ? named_without_hash(file) : &current->second;
    if (!asset)
        return std::nullopt;

    const Packed& packed = *asset->packed;
    const compression::Coding coding = compression::best_coding(header("accept-encoding"));
    Place place = packed.plain;
    std::string_view coded_as;
    if (coding == compression::Coding::brotli && packed.brotli.size)
        place = packed.brotli, coded_as = "br";
    else if (coding != compression::Coding::plain && packed.gzip.size)
        place = packed.gzip, coded_as = "gzip";
    const std::string etag =
        "\"" + std::string(packed.hash) + (coded_as.empty() ? "" : "-") + std::string(coded_as) + "\"";

    api::Request request{};
    request.header = header;
    auto reply = api::public_answer(request, std::make_shared<const std::string>(asset->pack->body(place)), etag);
    reply.content_type = packed.type;
    if (packed.gzip.size || packed.brotli.size)
        reply.headers.emplace_back("Vary", "Accept-Encoding");
    if (!coded_as.empty() && reply.status != 304)
        reply.headers.emplace_back("Content-Encoding", coded_as);
    if (current != by_file_.end())
        for (auto& [name, value] : reply.headers)
            if (name == "Cache-Control")
                value = "public, max-age=31536000, immutable";
    return reply;
}

const Assets& built_in() {
    static const Assets all{{
        embedded::plain_assets(),
#ifdef SVC_WEB
        embedded::web_assets(),
#endif
    }};
    return all;
}

}  // namespace svc::assets
