// Pictures of the former site: fetched from where they are.
#include "base/data/wordpress_import/stored.hpp"

namespace svc::wordpress_import {
namespace {

using json::Value;

constexpr std::size_t most_picture_bytes = 20 << 20;
constexpr auto picture_time = std::chrono::milliseconds(15'000);

// By the first bytes of the kinds that are taken.
bool looks_like_picture(std::string_view bytes) {
    return bytes.starts_with("\xFF\xD8\xFF") || bytes.starts_with("\x89PNG\r\n\x1A\n") ||
           (bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP"));
}

}  // namespace

bool RecordMigration::wants_pictures(const Value& fields, bool force, bool if_missing) const {
    return site_.store.reading<bool>([&](store::Session& session) {
        const auto type = stored::class_type(fields.text_or("term"));
        const auto owner = type ? stored::class_of(session, *type, fields.text_or("slug"))
                                : stored::trip_of(session, fields.text_or("trip"));
        if (owner == 0 || force)
            return owner == 0 ? if_missing : true;
        return session.number(type ? "SELECT COUNT(*) FROM svc_classifications WHERE id = :id AND featured_image_id IS"
                                     " NULL"
                                   : "SELECT COUNT(*) FROM svc_trips WHERE id = :id AND featured_image_id IS NULL",
                              {{"id", owner}}) > 0;
    });
}

RecordMigration::FetchedPictures RecordMigration::fetch_pictures(const Value& fields, bool only_looks) const {
    FetchedPictures fetched;
    for (const Value& address : fields["addresses"].items()) {
        const auto answer = site_.fetch(
            {.url = address.text(), .timeout = picture_time, .most_bytes = most_picture_bytes, .redirects = 3});
        const auto problem = [&](const std::string& why) { fetched.problems.push_back(address.text() + ": " + why); };
        if (!answer || answer->status != 200) {
            problem(answer ? "The server answers " + std::to_string(answer->status) + "."
                           : "The picture cannot be fetched.");
            continue;
        }
        if (only_looks) {
            if (looks_like_picture(answer->body))
                ++fetched.seen;
            else
                problem("This is no JPEG, PNG or WebP picture.");
            continue;
        }
        std::string name = address.text().substr(address.text().rfind('/') + 1);
        name = name.substr(0, name.find_first_of("?#"));
        const auto stored = lower_.media.service.upload({.bytes = answer->body, .name = name}, std::nullopt);
        if (!stored) {
            const Error& error = stored.error();
            problem((error.fields().empty() ? error.message() : error.fields().front().sentence).english());
        } else if (!stored->media.is_picture()) {
            problem("This is no picture.");
        } else {
            fetched.ids.push_back(stored->media.id);
            ++fetched.seen;
        }
    }
    return fetched;
}

Result<Outcome> RecordMigration::migrate_pictures(store::Transaction& tx, const Value& fields,
                                                  const FetchedPictures* fetched) const {
    const auto type = stored::class_type(fields.text_or("term"));
    const auto owner =
        type ? stored::class_of(tx, *type, fields.text_or("slug")) : stored::trip_of(tx, fields.text_or("trip"));
    if (owner == 0)
        return type ? Error(invalid("slug", "It is not here. Migrate destinations and activities first."_sentence))
                    : stored::no_trip();
    if (!fetched)
        return Outcome::skipped;
    if (fetched->seen == 0)
        return invalid("addresses", "None of the pictures could be fetched."_sentence);
    if (fetched->ids.empty())
        return Outcome::migrated;  // it was only looked at
    if (type) {
        auto done = lower_.classifications.service.resource(*type).update(
            tx, owner, Value::object({{"featured_image", fetched->ids.front()}}),
            {.user_id = std::nullopt, .now = site_.clock.now()});
        return done ? Result<Outcome>(Outcome::migrated) : Result<Outcome>(done.error());
    }
    auto gallery = Value::array();
    for (const std::int64_t id : fetched->ids)
        gallery.push(Value::object({{"id", id}}));
    return change_trip(
        tx, owner, Value::object({{"featured_image", fetched->ids.front()}, {"gallery_images", std::move(gallery)}}));
}

}  // namespace svc::wordpress_import
