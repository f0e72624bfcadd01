// A trip's pictures: the one it is shown with, and its gallery.
#include <algorithm>

#include "base/catalog/trips/record/own_parts.hpp"
#include "base/catalog/trips/record/rows_part.hpp"
#include "shared/api/named.hpp"

namespace svc::catalog::trips {
namespace {

using json::Value;

constexpr std::size_t most_pictures = 200;

api::Type srcset_answer() {
    return api::object("Srcset",
                       {{.name = "jpeg", .type = api::raw_text(4000)}, {.name = "webp", .type = api::raw_text(4000)}})
        .or_null();
}

class Gallery : public Part {
  public:
    explicit Gallery(Pictures pictures) : pictures_(std::move(pictures)) {}

    [[nodiscard]] std::string_view name() const override { return "gallery_images"; }
    [[nodiscard]] api::Type body_type() const override {
        using namespace api;
        using api::text;
        return list(
            object("GalleryImageInput",
                   {{.name = "id", .type = id().or_null(), .help = "Id of a picture; alternatively send url."},
                    {.name = "kind",
                     .type = choice({"image", "video", "youtube", "virtual_tour"}),
                     .otherwise = Value("image")},
                    {.name = "url", .type = text(2000).or_null(), .help = "Address of an external picture or video."},
                    {.name = "thumbnail_url", .type = text(2000).or_null()},
                    {.name = "alt_text", .type = text(255).or_null()},
                    {.name = "caption", .type = text(500).or_null()},
                    {.name = "is_featured", .type = boolean(), .otherwise = Value(false)},
                    {.name = "order",
                     .type = integer(0, 1'000'000'000).or_null(),
                     .help = "Position; defaults to its place in the list."}}),
            most_pictures);
    }
    [[nodiscard]] api::Type answer_type() const override {
        using namespace api;
        using api::text;
        return list(
            object("GalleryImage", {{.name = "id", .type = id().or_null()},
                                    {.name = "kind", .type = choice({"image", "video", "youtube", "virtual_tour"})},
                                    {.name = "url", .type = text(2000)},
                                    {.name = "thumbnail_url", .type = text(2000)},
                                    {.name = "srcset", .type = srcset_answer()},
                                    {.name = "alt_text", .type = text(255)},
                                    {.name = "caption", .type = text(500)},
                                    {.name = "order", .type = integer(0)},
                                    {.name = "is_featured", .type = boolean()}}));
    }
    [[nodiscard]] Result<void> check(store::Session& session, const Trip& /*trip*/, const Value& value,
                                     const Writing& writing) const override {
        const auto places = checked_places(session, value, writing);
        return places ? Result<void>{} : places.error();
    }
    Result<void> write(store::Transaction& tx, const Trip& trip, const Value& value,
                       const Writing& writing) const override;

    void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const override {
        ItemsByTrip by_trip(take);
        store::each_row_of(
            session,
            SVC_BY_IDS("SELECT trip_id, media_id, kind, url, thumbnail_url, alt_text, caption, is_featured,"
                       " COALESCE((SELECT m.sizes FROM svc_media m WHERE m.id = media_id), '')"
                       " FROM svc_trip_gallery WHERE",
                       "trip_id", "ORDER BY trip_id, sort_order"),
            trip_ids,
            [&](std::int64_t trip_id, std::optional<std::int64_t> media, const std::string& kind,
                const std::string& url, const std::string& thumbnail_url, const std::string& alt_text,
                const std::string& caption, bool is_featured, const std::string& sizes) {
                Value& items = by_trip.of(trip_id);
                items.push(Value::object({{"id", media},
                                          {"kind", kind},
                                          {"url", media ? pictures_.url(*media) : url},
                                          {"thumbnail_url", media ? pictures_.thumbnail_url(*media) : thumbnail_url},
                                          {"srcset", media ? pictures_.srcset(*media, sizes) : Value()},
                                          {"alt_text", alt_text},
                                          {"caption", caption},
                                          {"order", static_cast<std::int64_t>(items.size())},
                                          {"is_featured", is_featured}}));
            });
        by_trip.finish();
    }

  private:
    // Which of the numbers named are pictures that everyone may see.
    static std::vector<std::int64_t> known(store::Session& session, const Value& value);
    // The places of the valid items, in their order.
    static Result<std::vector<std::size_t>> checked_places(store::Session& session, const Value& value,
                                                           const Writing& writing);
    const Pictures pictures_;
};

std::vector<std::int64_t> Gallery::known(store::Session& session, const Value& value) {
    std::vector<std::int64_t> ids, found;
    for (std::size_t i = 0; i < value.size(); ++i)
        if (const auto id = value[i].maybe_integer("id"))
            ids.push_back(*id);
    store::each_row_of(session, SVC_BY_IDS("SELECT id FROM svc_media WHERE is_private = 0 AND", "id", ""), ids,
                       [&](std::int64_t id) { found.push_back(id); });
    return found;
}

Result<std::vector<std::size_t>> Gallery::checked_places(store::Session& session, const Value& value,
                                                         const Writing& writing) {
    const auto pictures = known(session, value);
    std::vector<std::size_t> places;
    for (const std::size_t i : in_order(value)) {
        const std::string path = "gallery_images." + std::to_string(i + 1);
        const auto id = value[i].maybe_integer("id");
        const std::string url = value[i].text_or("url");
        if (id && std::find(pictures.begin(), pictures.end(), *id) == pictures.end()) {
            if (!writing.lenient)
                return invalid(path + ".id", "This picture does not exist."_sentence);
            if (writing.left_out)
                writing.left_out->push_back("gallery_images." + std::to_string(*id));
            continue;
        }
        if (!id && url.rfind("https://", 0) != 0 && url.rfind("http://", 0) != 0)
            return invalid(path + ".url", "Enter a picture's id, or an address that begins with https://."_sentence);
        places.push_back(i);
    }
    return places;
}

Result<void> Gallery::write(store::Transaction& tx, const Trip& trip, const Value& value,
                            const Writing& writing) const {
    SVC_ASSIGN_OR_RETURN(const auto places, checked_places(tx, value, writing));
    tx.run("DELETE FROM svc_trip_gallery WHERE trip_id = :trip_id", {{"trip_id", trip.id}});
    std::int64_t place = 0;
    for (const std::size_t i : places) {
        const Value& given = value[i];
        const auto id = given.maybe_integer("id");
        tx.run(
            "INSERT INTO svc_trip_gallery (trip_id, media_id, kind, url, alt_text, caption, thumbnail_url, is_featured,"
            " sort_order) VALUES (:trip_id, :media_id, :kind, :url, :alt_text, :caption, :thumbnail_url, :is_featured,"
            " :sort_order)",
            {{"trip_id", trip.id},
             {"media_id", id},
             {"kind", given["kind"].text()},
             {"url", id ? std::string() : given.text_or("url")},
             {"alt_text", given.text_or("alt_text")},
             {"caption", given.text_or("caption")},
             {"thumbnail_url", id ? std::string() : given.text_or("thumbnail_url")},
             {"is_featured", given["is_featured"].boolean()},
             {"sort_order", place++}});
    }
    return {};
}

class FeaturedImage : public ReadOnlyPart {
  public:
    explicit FeaturedImage(Pictures pictures) : pictures_(std::move(pictures)) {}

    [[nodiscard]] std::string_view name() const override { return "featured_image_url"; }
    [[nodiscard]] api::Type answer_type() const override { return api::text(2000); }
    [[nodiscard]] Value none() const override { return ""; }
    void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const override {
        store::each_row_of(
            session,
            SVC_BY_IDS("SELECT id, featured_image_id FROM svc_trips WHERE featured_image_id IS NOT NULL AND", "id", ""),
            trip_ids, [&](std::int64_t id, std::int64_t picture) { take(id, pictures_.url(picture)); });
    }

  private:
    const Pictures pictures_;
};

class FeaturedSrcset : public ReadOnlyPart {
  public:
    explicit FeaturedSrcset(Pictures pictures) : pictures_(std::move(pictures)) {}

    [[nodiscard]] std::string_view name() const override { return "featured_image_srcset"; }
    [[nodiscard]] api::Type answer_type() const override { return srcset_answer(); }
    [[nodiscard]] Value none() const override { return {}; }
    void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const override {
        store::each_row_of(session,
                           SVC_BY_IDS("SELECT id, featured_image_id,"
                                      " COALESCE((SELECT m.sizes FROM svc_media m WHERE m.id = featured_image_id), '')"
                                      " FROM svc_trips WHERE featured_image_id IS NOT NULL AND",
                                      "id", ""),
                           trip_ids, [&](std::int64_t id, std::int64_t picture, const std::string& sizes) {
                               take(id, pictures_.srcset(picture, sizes));
                           });
    }

  private:
    const Pictures pictures_;
};

}  // namespace

Parts picture_parts(const Pictures& pictures) {
    return {std::make_shared<Gallery>(pictures), std::make_shared<FeaturedImage>(pictures),
            std::make_shared<FeaturedSrcset>(pictures)};
}

}  // namespace svc::catalog::trips
