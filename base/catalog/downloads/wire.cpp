// The members of a download.
#include "base/catalog/downloads/wire.hpp"

#include "shared/core/text.hpp"

namespace svc::catalog::downloads {

json::Value to_json(const Download& download, const media::Service& media) {
    // The address is the way to a link: the file itself is fetched by a link alone.
    return json::Value::object({{"id", download.id},
                                {"trip_id", download.trip_id},
                                {"title", download.title},
                                {"description", download.description},
                                {"category", download.category},
                                {"attachment_id", download.media_id},
                                {"attachment_url", media.download_url_of(download.id)},
                                {"attachment_title", download.file_name},
                                {"mime_type", download.mime_type},
                                {"file_size", download.file_size},
                                {"visibility", name_of(download.visibility)},
                                {"enabled", download.is_active},
                                {"download_count", download.download_count},
                                {"sort_order", download.sort_order},
                                {"created_at", download.created_at},
                                {"updated_at", download.updated_at}});
}

api::Type answer() {
    using api::text;
    return api::object({{.name = "id", .type = api::id()},
                        {.name = "trip_id", .type = api::id()},
                        {.name = "title", .type = text(255)},
                        {.name = "description", .type = text(5000)},
                        {.name = "category", .type = text(100)},
                        {.name = "attachment_id", .type = api::id()},
                        {.name = "attachment_url", .type = text(2000), .says = "Gives a link to the file to who may."},
                        {.name = "attachment_title", .type = text(200), .says = "The file's own name."},
                        {.name = "mime_type", .type = text(200)},
                        {.name = "file_size", .type = api::integer(1)},
                        {.name = "visibility", .type = api::choice({"public", "logged_in", "booked_only"})},
                        {.name = "enabled", .type = api::boolean()},
                        {.name = "download_count", .type = api::integer(0)},
                        {.name = "sort_order", .type = api::integer(0)},
                        {.name = "created_at", .type = api::instant()},
                        {.name = "updated_at", .type = api::instant()}});
}

api::Type item() {
    return api::object(
        {{.name = "id", .type = api::id().or_null(), .says = "Of one that stays; none: a new one."},
         {.name = "attachment_id", .type = api::id(), .says = "The file, by its number in /media.", .required = true},
         {.name = "title", .type = api::text(255), .says = "The file's name without one."},
         {.name = "description", .type = api::raw_text(5000)},
         {.name = "category", .type = api::text(100)},
         {.name = "visibility",
          .type = api::choice({"public", "logged_in", "booked_only", "paid_only"}),
          .says = "paid_only is booked_only.",
          .otherwise = json::Value("booked_only")},
         {.name = "enabled", .type = api::boolean(), .otherwise = json::Value(true)},
         {.name = "sort_order", .type = api::integer(0, 1'000'000), .says = "The place in the list without one."}});
}

Download download_of(const json::Value& body) {
    return {.id = body.maybe_integer("id").value_or(0),
            .media_id = body["attachment_id"].integer(),
            .title = body.text_or("title"),
            .description = text::clean_lines(body.text_or("description")),
            .category = body.text_or("category"),
            .visibility = visibility_of(body.text_or("visibility")).value_or(Visibility::booked_only),
            .is_active = body.maybe_boolean("enabled").value_or(true)};
}

}  // namespace svc::catalog::downloads
