// Copies of pictures in several widths, made after the upload: the job media_sizes.
#include "base/catalog/media/service.hpp"
#include "base/platform/images/images.hpp"
#include "shared/core/log.hpp"

namespace svc::catalog::media {
namespace {

constexpr int most_made = 200;  // pictures a turn

std::string bytes_in(const OpenFile& file) {
    std::string bytes(file.size(), '\0');
    bytes.resize(file.read(0, bytes.data(), bytes.size()));
    return bytes;
}

std::string joined_widths(const std::vector<images::Copy>& copies) {
    std::string widths;
    for (const images::Copy& copy : copies)
        widths += (widths.empty() ? "" : ",") + std::to_string(copy.width);
    return widths;
}

std::string size_name(const std::string& sha256, int width, std::string_view ending) {
    return sha256 + "-w" + std::to_string(width) + "-" + std::string(ending);
}

}  // namespace

Result<void> Service::make_sizes_of(Media media) {
    const auto original = files_.open(media.sha256);
    if (!original)
        return Error{errc::not_found, "The file is missing on the disk."_sentence};
    const std::string bytes = bytes_in(*original);
    if (!media.upright) {
        SVC_ASSIGN_OR_RETURN(const auto shown, images::shown_of(media.mime_type, bytes));
        SVC_RETURN_IF_ERROR(store_shown(media, shown));
    }
    SVC_ASSIGN_OR_RETURN(const auto copies, images::copies_of(media.mime_type, bytes));
    for (const images::Copy& copy : copies)
        for (const auto& [ending, made] : {std::pair("jpg", &copy.jpeg), std::pair("webp", &copy.webp)})
            SVC_RETURN_IF_ERROR(files_.put(size_name(media.sha256, copy.width, ending), *made));
    media.sizes = joined_widths(copies);
    return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (rows::update_sizes(tx, media, parts_.clock.now()) && parts_.changing)
            parts_.changing(tx, media.id);
        return {};
    });
}

std::int64_t Service::make_sizes() {
    std::int64_t created = 0;
    for (int i = 0; i < most_made; ++i) {
        auto claimed = parts_.store.transact<std::optional<Media>>(
            [&](store::Transaction& tx) -> Result<std::optional<Media>> { return rows::begin_sizes(tx); });
        if (!claimed || !*claimed)
            break;
        const std::int64_t id = (*claimed)->id;
        if (const auto done = make_sizes_of(std::move(**claimed)); done)
            ++created;
        else
            log::warning("media_sizes_failed",
                         {{"media_id", std::to_string(id)}, {"why", done.error().message().english()}});
    }
    if (created > 0 && parts_.changed)
        parts_.changed();
    return created;
}

std::vector<int> widths_in(std::string_view sizes) {
    std::vector<int> widths;
    while (!sizes.empty()) {
        const auto end = std::min(sizes.find(','), sizes.size());
        widths.push_back(std::stoi(std::string(sizes.substr(0, end))));
        sizes.remove_prefix(std::min(end + 1, sizes.size()));
    }
    return widths;
}

std::string Service::size_url_of(std::int64_t id, int width, std::string_view ending) const {
    return parts_.root + "/media/" + std::to_string(id) + "/sizes/" + std::to_string(width) + "." + std::string(ending);
}

json::Value Service::srcset_of(std::int64_t id, std::string_view sizes) const {
    if (sizes.empty())
        return {};
    json::Value sets = json::Value::object();
    for (const auto& [name, ending] : {std::pair("jpeg", "jpg"), std::pair("webp", "webp")}) {
        std::string set;
        for (const int width : widths_in(sizes))
            set += (set.empty() ? "" : ", ") + size_url_of(id, width, ending) + " " + std::to_string(width) + "w";
        sets.set(name, set);
    }
    return sets;
}

std::shared_ptr<const OpenFile> Service::open_size(const Media& media, int width, std::string_view ending) const {
    for (const int width_present : widths_in(media.sizes))
        if (width_present == width)
            return files_.open(size_name(media.sha256, width, ending));
    return nullptr;
}

}  // namespace svc::catalog::media
