// The members of a file's record.
#include "base/catalog/media/wire.hpp"

#include "base/platform/images/images.hpp"
#include "shared/api/named.hpp"

namespace svc::catalog::media {

namespace {

// One by one and as the srcset of an <img>; none of a file that needs a link, as its copies would.
json::Value sizes_json(const Media& media, const Service& service) {
    auto list = json::Value::array();
    if (!media.is_picture() || media.needs_link())
        return list;
    for (const int width : widths_in(media.sizes))
        list.push(json::Value::object({{"width", width},
                                       {"height", images::copy_height(*media.width, *media.height, width)},
                                       {"jpeg_url", service.size_url_of(media.id, width, "jpg")},
                                       {"webp_url", service.size_url_of(media.id, width, "webp")}}));
    return list;
}

}  // namespace

api::Type srcset_type() {
    return api::object("MediaSrcset",
                       {{.name = "jpeg", .type = api::raw_text(4000), .says = "For the srcset of an <img>."},
                        {.name = "webp", .type = api::raw_text(4000), .says = "For the srcset of a <source>."}})
        .or_null();
}

json::Value to_json(const Media& media, const Service& service) {
    const std::string thumbnail = service.thumbnail_url_of(media);
    return json::Value::object(
        {{"id", media.id},
         {"url", service.url_of(media)},
         {"thumbnail_url", thumbnail.empty() ? json::Value() : json::Value(thumbnail)},
         {"sizes", sizes_json(media, service)},
         {"srcset", media.needs_link() ? json::Value() : service.srcset_of(media.id, media.sizes)},
         {"original_name", media.original_name},
         {"mime_type", media.mime_type},
         {"byte_size", media.byte_size},
         {"width", media.width},
         {"height", media.height},
         {"sha256", media.sha256},
         {"alt_text", media.alt_text},
         {"caption", media.caption},
         {"is_private", media.is_private},
         {"uploaded_by", media.uploaded_by},
         {"created_at", media.created_at},
         {"updated_at", media.updated_at}});
}

api::Type answer() {
    using api::text;
    return api::object(
        "Media", {{.name = "id", .type = api::id()},
                  {.name = "url",
                   .type = text(2000),
                   .says = "Address of the file; expires after 15 minutes for private files and restricted downloads."},
                  {.name = "thumbnail_url", .type = text(2000).or_null()},
                  {.name = "sizes",
                   .type = api::list(api::object("MediaSize", {{.name = "width", .type = api::integer(1)},
                                                               {.name = "height", .type = api::integer(1)},
                                                               {.name = "jpeg_url", .type = text(2000)},
                                                               {.name = "webp_url", .type = text(2000)}})),
                   .says = "Smaller copies of a public picture; empty until they are created."},
                  {.name = "srcset", .type = srcset_type()},
                  {.name = "original_name", .type = text(200)},
                  {.name = "mime_type", .type = text(200), .says = "Detected from the content."},
                  {.name = "byte_size", .type = api::integer(1)},
                  {.name = "width", .type = api::integer(1).or_null()},
                  {.name = "height", .type = api::integer(1).or_null()},
                  {.name = "sha256", .type = text(64)},
                  {.name = "alt_text", .type = text(500)},
                  {.name = "caption", .type = text(1000)},
                  {.name = "is_private", .type = api::boolean()},
                  {.name = "uploaded_by", .type = api::id().or_null()},
                  {.name = "created_at", .type = api::instant()},
                  {.name = "updated_at", .type = api::instant()}});
}

std::vector<std::pair<std::string, std::string>> file_headers(std::string_view mime_type, bool in_place,
                                                              std::string_view name) {
    return {{"Content-Disposition", disposition(in_place && shows_inline(mime_type), name)},
            {"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"},
            {"Cross-Origin-Resource-Policy", "cross-origin"}};
}

}  // namespace svc::catalog::media
