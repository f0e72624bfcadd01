// Declares the record of downloads, and what differs on the wire.
#include "base/catalog/downloads/wire.hpp"

#include "shared/api/sometimes_sent.hpp"
#include "shared/core/text.hpp"

namespace svc::catalog::downloads {

const record::Record<Download>& download_record() {
    using namespace record;
    static const Record<Download> download{
        {.table = "svc_trip_downloads", .component = "Download", .joins = "JOIN svc_media m ON m.id = r.media_id"},
        {id(&Download::id), column("trip_id", &Download::trip_id, api::id(), by_server_on_create),
         column("title", &Download::title, api::text(255), by_client, "Title; defaults to the file's name."),
         column("description", &Download::description, api::raw_text(5000), by_client),
         column("category", &Download::category, api::text(100), by_client),
         column("attachment_id", &Download::media_id, api::id(), by_client | required | stored_as("media_id"),
                "Id of the file in /media."),
         computed<Download>(
             "attachment_url", api::text(2000), [](const Download& d) { return json::Value(d.url); }, {}, {},
             "Whether the file can be downloaded."),
         derived("attachment_title", &Download::file_name, "m.original_name", api::text(200), "Name of the file."),
         derived("mime_type", &Download::mime_type, "m.mime_type", api::text(200)),
         derived("file_size", &Download::file_size, "m.byte_size", api::integer(1)),
         choice("visibility", &Download::visibility, visibilities, by_client | default_value("booked_only")),
         column("enabled", &Download::is_active, api::boolean(),
                by_client | default_value(true) | stored_as("is_active")),
         column("download_count", &Download::download_count, api::integer(0), by_server_on_create),
         column("sort_order", &Download::sort_order, api::integer(0, 1'000'000), by_client,
                "Position; defaults to its place in the list."),
         timestamps<Download>()}};
    return download;
}

json::Value to_json(Download download, const media::Service& media) {
    download.url = media.download_url_of(download.id);  // the file itself is fetched by a link alone
    return download_record().to_json(download);
}

// The public sees fewer members.
api::Type answer() {
    return api::object(
        api::sometimes_sent(download_record().answer_schema(), {"attachment_id", "download_count"}).named("Download"));
}

api::Type item() {
    return api::object(api::Schema{
        {.name = "id", .type = api::id().or_null(), .help = "Id of an existing download; absent for a new one."}}
                           .plus(download_record().create_schema())
                           .changed([](api::Field& field) {
                               if (field.name != "visibility")
                                   return;
                               field.type.values.emplace_back("paid_only");
                               field.help = "paid_only is an alias of booked_only.";
                           })
                           .named("DownloadItem"));
}

Download download_of(json::Value body) {
    if (body.text_or("visibility") == "paid_only")
        body.set("visibility", "booked_only");
    Download download;
    Faults none;  // no member of it can be at fault
    download_record().patch(download, body, true, none);
    download.id = body.maybe_integer("id").value_or(0);
    download.description = text::clean_lines(download.description);
    return download;
}

}  // namespace svc::catalog::downloads
