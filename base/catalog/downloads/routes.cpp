// The set of a trip for staff; records, links and files for those they are for.
#include "base/catalog/downloads/routes.hpp"

#include "base/catalog/downloads/wire.hpp"
#include "base/catalog/media/wire.hpp"
#include "shared/api/author.hpp"
#include "shared/api/conditions.hpp"
#include "shared/api/keeping.hpp"

namespace svc::catalog::downloads {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;

json::Value downloads_json(const std::vector<Download>& downloads, const media::Service& media) {
    return json::array_of(downloads, [&](const Download& one) { return to_json(one, media); });
}

Action action_of(const Request& request) {
    return request.query.text_or("action") == "preview" ? Action::preview : Action::download;
}

Reply replace(Service& downloads, const media::Service& media, const Request& request) {
    const auto trip_id = request.path_id("trip_id");
    const auto seen = api::if_match_version(request, [&] { return downloads.version(trip_id); });
    if (!seen)
        return api::failed(seen.error());
    return api::respond_once(
        request, [&] { return downloads.replace(trip_id, request.body["items"], api::author(request.caller), *seen); },
        [&](const std::vector<Download>& all) { return api::ok(downloads_json(all, media)); });
}

Reply file(const Service& downloads, const Request& request) {
    const Link link{.expires = request.query.maybe_integer("exp"),
                    .booking_id = request.query.maybe_integer("booking_id"),
                    .signature = request.query.text_or("sig"),
                    .action = action_of(request)};
    // The rest of a fetch that broke off is not another one.
    const std::string_view range = request.header ? request.header("range") : std::string_view();
    const bool is_rest = !range.empty() && range.find("=0-") == std::string_view::npos;
    SVC_ASSIGN_OR_RETURN(auto opened, downloads.open(request.path_id(), link, !is_rest));
    Reply reply = api::prebuilt(nullptr);
    reply.file = std::move(opened.file);
    reply.content_type = opened.mime_type;
    reply.headers = media::file_headers(opened.mime_type, link.action == Action::preview, opened.name);
    reply.headers.emplace_back("ETag", '"' + opened.sha256 + '"');
    reply.headers.emplace_back("Cache-Control", "private, no-store");
    return reply;
}

// The file with a link, the record without one.
Reply one(const Service& downloads, const media::Service& media, const Request& request) {
    if (request.query.find("exp") || request.query.find("sig"))
        return file(downloads, request);
    return api::respond(downloads.record(request, request.path_id(), request.query.maybe_integer("booking_id")),
                        [&](const Download& download) { return api::ok(to_json(download, media)); });
}

Reply link(const Service& downloads, const Request& request) {
    return api::respond(
        downloads.issue(request, request.path_id(), request.query.maybe_integer("booking_id"), action_of(request)),
        [](const Service::Issued& issued) {
            Reply reply = api::ok(json::Value::object({{"download_url", issued.url},
                                                       {"filename", issued.file_name},
                                                       {"title", issued.download.title},
                                                       {"visibility", name_of(issued.download.visibility)},
                                                       {"expires_at", issued.expires_at}}));
            reply.headers.emplace_back("Cache-Control", "private, no-store");
            return reply;
        });
}

const std::vector<const ErrorCode*> refusals{&errc::not_found, &errc::login_required, &errc::booking_not_found,
                                             &errc::forbidden, &errc::rate_limited};

void add_public(api::RouteTable& routes, const Service& downloads, const media::Service& media) {
    const api::Field action{.name = "action",
                            .type = api::choice({"download", "preview"}),
                            .help = "Whether browsers save the file or display it.",
                            .otherwise = json::Value("download")};
    const api::Field booking{.name = "booking_id", .type = api::id(), .help = "Token of a booking of the trip."};
    const api::Field token{.name = "booking_token", .type = api::raw_text(200), .help = "Token of a guest's booking."};
    auto errors = refusals;
    for (const ErrorCode* more : {&errc::bad_request, &errc::link_expired})
        errors.push_back(more);
    routes.add({.method = Method::get,
                .path = "/downloads/{id}",
                .who = Permission::everyone(),
                .summary = "Return a download; with exp and sig of a signed link, return its file.",
                .query = {{.name = "exp", .type = api::integer(0), .help = "Expiry time of the signed link."},
                          {.name = "sig", .type = api::text(128), .help = "Signature of the signed link."},
                          booking,
                          token,
                          action},
                .answer = answer(),
                .files = media::accepted_types(),
                .errors = errors,
                .handle = [&](const Request& request) { return one(downloads, media, request); }});
    routes.add(
        {.method = Method::get,
         .path = "/downloads/{id}/download-url",
         .name = "getDownloadUrl",
         .who = Permission::everyone(),
         .summary = "Create a link to the file that is valid for 15 minutes.",
         .query = {booking, token, action},
         .answer = api::object({{.name = "download_url", .type = api::text(2000)},
                                {.name = "filename", .type = api::text(255)},
                                {.name = "title", .type = api::text(255)},
                                {.name = "visibility", .type = api::choice({"public", "logged_in", "booked_only"})},
                                {.name = "expires_at", .type = api::instant()}}),
         .errors = refusals,
         .handle = [&downloads](const Request& request) { return link(downloads, request); }});
}

}  // namespace

void add_routes(api::RouteTable& routes, Service& downloads, const media::Service& media) {
    routes.add({.method = Method::get,
                .path = "/trips/{trip_id}/downloads",
                .who = Permission::can("svc_edit_trips"),
                .summary = "List a trip's downloads, including disabled ones.",
                .answer = api::list(answer()),
                .errors = {&errc::trip_not_found},
                .handle = [&](const Request& request) {
                    return api::respond(
                        downloads.of_trip(request.path_id("trip_id")),
                        [&](const std::vector<Download>& all) { return api::ok(downloads_json(all, media)); });
                }});
    routes.add({.method = Method::post,
                .path = "/trips/{trip_id}/downloads",
                .who = Permission::can("manage_options"),
                .summary = "Replace a trip's downloads; downloads sent with their id are updated.",
                .body = {{.name = "items", .type = api::list(item(), most_downloads), .required = true}},
                .answer = api::list(answer()),
                .errors = {&errc::trip_not_found, &errc::conflict},
                .stores_reply = true,
                .handle = [&](const Request& request) { return replace(downloads, media, request); }});
    add_public(routes, downloads, media);
}

}  // namespace svc::catalog::downloads
