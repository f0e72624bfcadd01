// Taking files in, giving them out, and letting them go.
#include "base/catalog/media/service.hpp"

#include <chrono>

#include "base/catalog/media/users.hpp"
#include "base/platform/files/content_type.hpp"
#include "base/platform/images/images.hpp"
#include "shared/json/value.hpp"

namespace svc::catalog::media {
namespace {

constexpr std::chrono::minutes link_lives{15};
// A file is stored before its row, and a row deleted before its file: the limit for the time between them.
constexpr std::chrono::hours unused_for{24};
constexpr int most_swept = 1000;
constexpr int most_named = 20;
// The sweep may delete a file between storing it and inserting its row; twice in a row is very unlikely.
constexpr int most_tries = 3;

// Those of an earlier version may lie on their side; a file is never written over.
std::string small_name(const Media& media) { return media.sha256 + (media.upright ? "-small" : "-thumb"); }
std::string public_name(const Media& media) { return media.sha256 + "-public"; }

}  // namespace

Service::Service(Parts parts)
    : parts_(std::move(parts)),
      files_(parts_.folder),
      record_(media_record(this)),
      resource_(record_,
                {.store = parts_.store,
                 .path = "/media",
                 .one = "file",
                 .many = "files",
                 .reads = api::Permission::can("svc_view_trips"),
                 .writes = api::Permission::can("svc_edit_trips"),
                 .removes = api::Permission::can("svc_edit_trips"),
                 .zone = parts_.zone},
                {.may_delete = [this](store::Session& session, const Media& media, bool) {
                    return may_delete(session, media);
                }}) {}

// The copies that everyone gets, noted in the record.
Result<void> Service::store_shown(Media& media, const images::Shown& shown) const {
    media.width = shown.width;
    media.height = shown.height;
    media.upright = true;
    media.has_public_copy = !shown.bytes.empty();
    SVC_RETURN_IF_ERROR(files_.put(small_name(media), shown.thumbnail));
    return media.has_public_copy ? files_.put(public_name(media), shown.bytes) : Result<void>{};
}

bool Service::has_files(const Media& media) const {
    return files_.has(media.sha256) && (!media.is_picture() || files_.has(small_name(media))) &&
           (!media.has_public_copy || files_.has(public_name(media)));
}

Result<Service::Stored> Service::upload(const Upload& upload, std::optional<std::int64_t> user_id) {
    if (upload.bytes.empty())
        return invalid("file", "The file is empty."_sentence);
    if (upload.bytes.size() > most_bytes)
        return errc::payload_too_large;
    Media media{.sha256 = crypto::sha256_hex(upload.bytes),
                .is_private = upload.is_private,
                .original_name = clean_name(upload.name),
                .mime_type = type_of(files::content_type(upload.bytes), upload.name, upload.bytes),
                .byte_size = static_cast<std::int64_t>(upload.bytes.size()),
                .alt_text = upload.alt_text,
                .caption = upload.caption,
                .uploaded_by = user_id};
    if (!is_taken(media.mime_type)) {
        constexpr SentenceId refused = "Files of this kind are not accepted."_sentence;
        const SentenceId advice = advice_for(media.mime_type);
        const Sentence named =
            "Files of this kind are not accepted: {mime_type}."_sentence.with("mime_type", media.mime_type);
        return Error{errc::unsupported_media_type,
                     advice ? "{refused} {advice}"_sentence.with("refused", named).with("advice", advice) : named}
            .at("file", advice ? advice : refused);
    }
    std::optional<images::Shown> shown;
    if (images::is_picture(media.mime_type)) {
        auto seen = images::shown_of(media.mime_type, upload.bytes);
        if (!seen)
            return invalid("file", seen.error().message());
        shown = std::move(*seen);
    }
    for (int tries = 0; tries < most_tries; ++tries) {
        SVC_RETURN_IF_ERROR(files_.put(media.sha256, upload.bytes));
        SVC_RETURN_IF_ERROR(shown ? store_shown(media, *shown) : Result<void>{});
        media.created_at = media.updated_at = parts_.clock.now();
        bool swept = false;
        auto done = parts_.store.transact<Stored>([&](store::Transaction& tx) -> Result<Stored> {
            rows::lock_contents(tx);
            swept = !has_files(media);
            if (swept)
                return errc::unavailable;
            Stored stored{media, true};
            if (auto known = rows::with_content(tx, media.sha256, media.is_private))
                stored = {std::move(*known), false};
            else
                stored.media.id = rows::insert(tx, media);
            return stored;
        });
        if (done && done->fresh && shown && parts_.uploaded)
            parts_.uploaded();
        if (done || !swept)
            return done;
    }
    return Error{errc::unavailable}.after(1);
}

Result<Media> Service::find(std::int64_t id) const {
    auto found =
        parts_.store.reading<std::optional<Media>>([&](store::Session& session) { return record_.find(session, id); });
    return found ? Result<Media>(std::move(*found)) : errc::not_found;
}

void Service::leave_shown(store::Session& session, Media& media) const {
    if (media.is_withheld && !media.is_private)
        media.is_withheld = !is_shown(session, media.id, parts_.root);
}

// The sweep deletes the files, since it knows whether the other visibility still uses them.
Result<void> Service::may_delete(store::Session& session, const Media& media) const {
    // Whoever writes a text that names it has it until then.
    if (session.dialect() == store::Dialect::postgresql)
        session.number("SELECT id FROM svc_media WHERE id = :id FOR UPDATE", {{"id", media.id}});
    const facts::Users users = media::users_of(session, media.id, parts_.root, most_named);
    if (users.total > 0)
        return Error{errc::in_use, "The file is in use."_sentence}.with("used_by", users.to_json().dump());
    return {};
}

Result<json::Value> Service::users_of(std::int64_t id) const {
    const auto found = parts_.store.reading<std::optional<json::Value>>([&](store::Session& session) {
        return record_.find(session, id)
                   ? std::optional(media::users_of(session, id, parts_.root, most_named).to_json())
                   : std::nullopt;
    });
    return found ? Result<json::Value>(*found) : errc::not_found;
}

Result<void> Service::remove(std::int64_t id) {
    return parts_.store.write(
        [&](store::Transaction& tx) { return resource_.engine().remove(tx, id, {}, {.now = parts_.clock.now()}); });
}

std::string Service::signature_of(const crypto::Keyring& keyring, std::int64_t id, std::int64_t expires) {
    return crypto::hex(keyring.mac("media_link", std::to_string(id) + "|" + std::to_string(expires)));
}

std::string Service::url_of(const Media& media) const {
    if (!media.needs_link())
        return url_of(media.id);
    const std::int64_t expires = parts_.clock.now().plus(link_lives).micros() / 1'000'000;
    return url_of(media.id) + "?exp=" + std::to_string(expires) +
           "&sig=" + signature_of(*parts_.keyring, media.id, expires);
}

std::string Service::thumbnail_url_of(const Media& media) const {
    return media.is_picture() && !media.needs_link() ? thumbnail_url_of(media.id) : std::string();
}

std::string Service::url_of(std::int64_t id) const { return parts_.root + "/media/" + std::to_string(id) + "/file"; }

std::string Service::thumbnail_url_of(std::int64_t id) const {
    return parts_.root + "/media/" + std::to_string(id) + "/thumbnail";
}

std::string Service::download_url_of(std::int64_t download_id) const {
    return parts_.root + "/downloads/" + std::to_string(download_id) + "/download-url";
}

Result<void> Service::admits(const Media& media, std::optional<std::int64_t> expires,
                             std::string_view signature) const {
    if (!media.needs_link())
        return {};
    if (!expires || signature.empty())
        return errc::not_found;
    const bool is_ours = parts_.keyring->any(
        [&](const crypto::Keyring& one) { return crypto::equal(signature_of(one, media.id, *expires), signature); });
    if (!is_ours || *expires * 1'000'000 < parts_.clock.now().micros())
        return errc::link_expired;
    return {};
}

std::shared_ptr<const OpenFile> Service::open(const Media& media, bool thumbnail) const {
    if (thumbnail)
        return files_.open(small_name(media));
    return files_.open(media.has_public_copy && !media.is_private ? public_name(media) : media.sha256);
}

std::int64_t Service::sweep() {
    std::vector<std::string> aged;
    files_.each_older(std::chrono::system_clock::now() - unused_for, [&](const std::string& name) {
        const std::string content = name.substr(0, name.find('-'));
        const bool used = parts_.store.reading<bool>(
            [&](store::Session& session) { return rows::any_with_content(session, content); });
        if (!used)
            aged.push_back(name);
        return aged.size() < most_swept;
    });
    std::int64_t removed = 0;
    for (const std::string& name : aged) {
        const auto done = parts_.store.transact<bool>([&](store::Transaction& tx) -> Result<bool> {
            rows::lock_contents(tx);
            const bool used = rows::any_with_content(tx, name.substr(0, name.find('-')));
            if (!used)
                files_.remove(name);
            return !used;
        });
        removed += done && *done ? 1 : 0;
    }
    return removed;
}

}  // namespace svc::catalog::media
