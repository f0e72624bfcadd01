// Uploading, describing and deleting files for staff; fetching them for everyone.
#include "base/catalog/media/routes.hpp"

#include "base/catalog/media/multipart.hpp"
#include "base/catalog/media/wire.hpp"
#include "shared/api/author.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/public_answer.hpp"

namespace svc::catalog::media {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;

constexpr std::size_t most_form = std::size_t{64} << 10;  // around the file

// The form's other fields.
const api::Schema described{
    {.name = "alt_text", .type = api::text(500), .help = "Alternative text of the picture."},
    {.name = "caption", .type = api::text(1000)},
    {.name = "is_private", .type = api::boolean(), .help = "The file can only be fetched by signed links."}};

Result<Upload> upload_of(const Request& request) {
    SVC_ASSIGN_OR_RETURN(auto form, read_upload(request.header("content-type"), request.raw_body, request.route->body));
    SVC_ASSIGN_OR_RETURN(const auto clean, described.check(form.fields, true));
    Upload upload;
    upload.bytes = form.file.content;
    upload.name = form.file.file_name.value_or("");
    upload.alt_text = clean.text_or("alt_text");
    upload.caption = clean.text_or("caption");
    upload.is_private = clean.maybe_boolean("is_private").value_or(false);
    return upload;
}

Reply upload(Service& media, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto given, upload_of(request));
    const auto answer = [&](const Service::Stored& stored) {
        Reply reply = api::created(media.resource().engine().reply_with(&stored.media).data,
                                   "/media/" + std::to_string(stored.media.id));
        reply.status = stored.fresh ? 201 : 200;
        return reply;
    };
    return api::respond_once(
        request, [&] { return media.upload(given, api::author(request.caller)); }, answer);
}

// The requested file of a picture.
enum class Which : std::uint8_t { file, thumbnail, size };

// The ETag of a picture's file, which changes when its copies are made again.
std::string tag_of(const Media& media, Which which, const std::string& size) {
    std::string tag = '"' + media.sha256;
    if (which == Which::thumbnail)
        tag += media.upright ? "-small" : "-thumb";
    else if (which == Which::size)
        tag += "-" + size;
    else if (media.has_public_copy && !media.is_private)
        tag += "-public";
    return tag + '"';
}

// The content of an id never changes, so clients may cache it forever.
Reply file(const Service& service, const Request& request, Which which) {
    SVC_ASSIGN_OR_RETURN(const auto media, service.find(request.path_id()));
    const std::string size_name = which == Which::size ? request.path["size"].text() : std::string();
    const auto size = size_named(size_name);
    if ((which != Which::file && !media.is_picture()) || (which == Which::size && !size))
        return api::failed(errc::not_found);
    const auto sig = request.query.text_or("sig");
    SVC_RETURN_IF_ERROR(service.admits(media, request.query.maybe_integer("exp"), sig));
    const std::string etag = tag_of(media, which, size_name);
    Reply reply = api::prebuilt(nullptr);
    reply.content_type = which == Which::file ? media.mime_type : size && size->is_webp ? "image/webp" : "image/jpeg";
    reply.headers = file_headers(reply.content_type, true, media.original_name);
    reply.headers.emplace_back("ETag", etag);
    reply.headers.emplace_back("Cache-Control",
                               media.needs_link() ? "private, no-store" : "public, max-age=31536000, immutable");
    if (request.header && api::has_tag(request.header("if-none-match"), etag)) {
        reply.status = 304;
        return reply;
    }
    reply.file = size ? service.open_size(media, size->width, size->is_webp ? "webp" : "jpg")
                      : service.open(media, which == Which::thumbnail);
    if (size && !reply.file)
        return api::failed(errc::not_found);
    return reply.file ? reply : api::failed(Error{errc::not_found}.because("media: the disk has lost the file"));
}

void add_file_routes(api::RouteTable& routes, const Service& media) {
    const api::Schema link{
        {.name = "exp", .type = api::integer(0), .help = "Expiry of a signed link, in seconds since 1970."},
        {.name = "sig", .type = api::text(128), .help = "Signature of a signed link."}};
    struct FileRoute {
        Which which;
        const char *path, *summary;
        std::vector<std::string> types;
    };
    for (const FileRoute& each :
         {FileRoute{
              Which::file, "/media/{id}/file",
              "Return the file; public pictures are rotated upright, without EXIF, and keep their colour profile.",
              accepted_types()},
          FileRoute{Which::thumbnail, "/media/{id}/thumbnail", "Return a picture's thumbnail as JPEG.", {"image/jpeg"}},
          FileRoute{Which::size,
                    "/media/{id}/sizes/{size}",
                    "Return a picture in one of its widths, such as 640.jpg or 640.webp.",
                    {"image/jpeg", "image/webp"}}})
        routes.add(
            {.method = Method::get,
             .path = each.path,
             .who = Permission::everyone(),
             .summary = each.summary,
             .query = link,
             .enveloped = false,
             .files = each.types,
             .errors = {&errc::not_found, &errc::link_expired},
             .handle = [&media, which = each.which](const Request& request) { return file(media, request, which); }});
}

}  // namespace

void add_routes(api::RouteTable& routes, Service& media) {
    const auto& files = media.resource();
    auto list = files.list_route(), read = files.read_route(), update = files.update_route(),
         remove = files.remove_route();
    list.summary = "List the uploaded files; from and to filter by the day of the upload.";
    read.summary = "Return a file's description.";
    update.summary = "Update a file's description.";
    update.body = update.body.changed([](api::Field& field) { field.type = field.type.or_null(); });
    remove.summary = "Delete a file without references; svc_in_use lists its references in `used_by`.";
    routes.add({.method = Method::post,
                .path = "/media",
                .who = Permission::can("svc_edit_trips"),
                .summary = "Upload a file as multipart/form-data: the part `file`, and alt_text, caption, is_private. "
                           "A file that exists already returns 200 with its record.",
                .body = upload_form(described, "A picture, a PDF or another file that downloads may be."),
                .answer = read.answer,
                .success = 201,
                .errors = {&errc::unsupported_media_type, &errc::payload_too_large, &errc::bad_request},
                .body_limit = most_bytes + most_form,
                .raw_body_only = true,
                .raw_media = "multipart/form-data",
                .stores_reply = true,
                .handle = [&media](const Request& request) { return upload(media, request); }});
    for (auto* spec : {&list, &read, &update, &remove})
        routes.add(std::move(*spec));
    routes.add({.method = Method::get,
                .path = "/media/{id}/users",
                .who = Permission::can("svc_view_trips"),
                .summary = "List the records that refer to a file; while there are any, it cannot be deleted.",
                .answer = api::object(
                    {{.name = "total", .type = api::integer(0), .required = true},
                     {.name = "items",
                      .type = api::list(api::object({{.name = "type", .type = api::text(50), .required = true},
                                                     {.name = "id", .type = api::id().or_null()},
                                                     {.name = "title", .type = api::text(255)}})),
                      .help = "The first of them.",
                      .required = true}}),
                .errors = {&errc::not_found},
                .handle = [&media](const Request& request) -> Reply {
                    return api::respond(media.users_of(request.path_id()),
                                        [](json::Value users) { return api::ok(std::move(users)); });
                }});
    add_file_routes(routes, media);
}

}  // namespace svc::catalog::media
