// The members of a file's record.
#include "base/catalog/media/wire.hpp"

#include "base/platform/images/images.hpp"
#include "shared/api/named.hpp"

namespace svc::catalog::media {

namespace {

// Each size and the srcset of an <img>; empty for a file that needs a signed link, as its copies would.
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

api::Type sizes_type() {
    return api::list(api::object({{.name = "width", .type = api::integer(1)},
                                  {.name = "height", .type = api::integer(1)},
                                  {.name = "jpeg_url", .type = api::text(2000)},
                                  {.name = "webp_url", .type = api::text(2000)}}));
}

record::Layout layout(const Service* service) {
    return {.table = "svc_media",
            .component = "Media",
            .search_column = "search",
            // Folds text that an older version stored unfolded.
            .searched =
                "CASE WHEN r.search = '' THEN lower(r.original_name || ' ' || r.alt_text || ' ' || r.caption)"
                " ELSE r.search END",
            .sorts = {{"id", {"r.id"}}, {"name", {"lower(r.original_name)"}}, {"created_at", {"r.created_at"}}},
            .read_more = [service](store::Session& session, const std::vector<record::Any>& records) {
                for (const record::Any& each : records)
                    if (service)
                        service->leave_shown(session, *static_cast<Media*>(each.get()));
            }};
}

}  // namespace

api::Type srcset_type() {
    return api::object("MediaSrcset",
                       {{.name = "jpeg", .type = api::raw_text(4000), .help = "For the srcset of an <img>."},
                        {.name = "webp", .type = api::raw_text(4000), .help = "For the srcset of a <source>."}})
        .or_null();
}

record::Record<Media> media_record(const Service* service) {
    using namespace record;
    const auto text = [](std::size_t longest) { return api::text(longest); };
    const Mark once = by_server_on_create;
    return record::Record<Media>{
        layout(service),
        {id(&Media::id),
         computed<Media>(
             "url", text(2000), [service](const Media& m) { return json::Value(service->url_of(m)); }, {}, {},
             "Expires after 15 minutes if the file is private or a download for bookers only."),
         computed<Media>("thumbnail_url", text(2000).or_null(),
                         [service](const Media& m) {
                             const std::string url = service->thumbnail_url_of(m);
                             return url.empty() ? json::Value() : json::Value(url);
                         }),
         computed<Media>(
             "sizes", sizes_type(), [service](const Media& m) { return sizes_json(m, *service); }, {}, {},
             "Smaller copies of a public picture; empty until they exist."),
         computed<Media>(
             "srcset", srcset_type(),
             [service](const Media& m) { return m.needs_link() ? json::Value() : service->srcset_of(m.id, m.sizes); }),
         column("original_name", &Media::original_name, text(200), once | searched),
         column("mime_type", &Media::mime_type, text(200), once, "Detected from the content."),
         column("byte_size", &Media::byte_size, api::integer(1), once),
         column("width", &Media::width, api::integer(1), once),
         column("height", &Media::height, api::integer(1), once),
         column("sha256", &Media::sha256, text(64), once),
         column("alt_text", &Media::alt_text, text(500), by_client | searched,
                "A description for people who cannot see the picture."),
         column("caption", &Media::caption, text(1000), by_client | searched),
         column("is_private", &Media::is_private, api::boolean(), once, "Only signed links return the file."),
         column("uploaded_by", &Media::uploaded_by, api::id(), once),
         record::row_version<Media>(),
         timestamps<Media>(),
         column("upright", &Media::upright, api::boolean(), hidden | by_server_on_create),
         column("has_public_copy", &Media::has_public_copy, api::boolean(), hidden | by_server_on_create),
         column("made_sizes", &Media::sizes, text(200), hidden | by_other | stored_as("sizes")),
         derived("is_withheld", &Media::is_withheld,
                 "(SELECT CASE WHEN COUNT(*) > 0 THEN 1 ELSE 0 END FROM svc_trip_downloads d WHERE d.media_id = r.id"
                 " AND (d.visibility <> 'public' OR d.is_active = 0))",
                 api::boolean(), {}, hidden)}};
}

std::vector<std::pair<std::string, std::string>> file_headers(std::string_view mime_type, bool in_place,
                                                              std::string_view name) {
    return {{"Content-Disposition", disposition(in_place && shows_inline(mime_type), name)},
            {"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"},
            {"Cross-Origin-Resource-Policy", "cross-origin"}};
}

}  // namespace svc::catalog::media
