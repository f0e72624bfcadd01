// Links, and the files behind them.
#include "base/catalog/downloads/service.hpp"

#include "base/catalog/downloads/repository.hpp"

namespace svc::catalog::downloads {
namespace {

constexpr std::chrono::minutes link_lives{15};

// Staff for this download: editors of trips for files on trip pages, readers of bookings for files of buyers.
bool is_staff(const api::Caller& caller, const Download& download) {
    return caller.can(download.visibility == Visibility::booked_only ? "svc_view_bookings" : "svc_edit_trips");
}

}  // namespace

Result<std::vector<Download>> Service::of_trip(std::int64_t trip_id) const {
    std::optional<Result<std::vector<Download>>> answer;
    parts_.store.read([&](store::Session& session) {
        if (auto trip = trips::Service::find(session, trip_id); !trip) {
            answer.emplace(trip.error());
            return;
        }
        answer.emplace(std::vector<Download>());
        rows::read(session, std::span(&trip_id, 1),
                   [&](std::int64_t, std::vector<Download> found) { answer.emplace(std::move(found)); });
    });
    return std::move(answer).value();
}

Result<std::vector<Download>> Service::replace(std::int64_t trip_id, const json::Value& items,
                                               std::optional<std::int64_t> user_id, trips::Seen seen) {
    auto done =
        parts_.store.transact<std::vector<Download>>([&](store::Transaction& tx) -> Result<std::vector<Download>> {
            SVC_RETURN_IF_ERROR(parts_.trips.editor().begin_change(tx, trip_id, user_id, seen));
            if (auto written =
                    write_items(tx, trip_id, items, {.user_id = user_id, .now = parts_.clock.now()}, "items");
                !written)
                return written.error();
            std::vector<Download> all;
            rows::read(tx, std::span(&trip_id, 1),
                       [&](std::int64_t, std::vector<Download> found) { all = std::move(found); });
            parts_.trips.editor().end_change(tx, trip_id, user_id);
            return all;
        });
    if (done)
        parts_.trips.public_trips().refresh(trip_id);
    return done;
}

// The download, if the caller may have it.
Result<Download> Service::visible(const api::Request& request, std::int64_t id,
                                  std::optional<std::int64_t> booking_id) const {
    std::optional<Download> found;
    bool is_shown = false;
    parts_.store.read([&](store::Session& session) {
        found = download_record().find(session, id);
        const auto trip = found ? trips::Service::find(session, found->trip_id) : Result<trips::Trip>(errc::not_found);
        is_shown = trip && (trip->status == trips::TripStatus::publish || trip->status == trips::TripStatus::archived);
    });
    if (!found)
        return errc::not_found;
    if (is_staff(request.caller, *found))
        return std::move(*found);
    // Files of a booked trip remain available, whatever happens to the trip's page.
    if (found->visibility != Visibility::booked_only && !is_shown)
        return errc::not_found;
    if (!found->is_active)
        return Error{errc::forbidden, "This download is not available."_sentence};
    if (found->visibility == Visibility::logged_in && !request.caller.is_user())
        return Error{errc::login_required, "Sign in to download this file."_sentence};
    if (found->visibility == Visibility::booked_only) {
        if (!booking_id)
            return Error{errc::forbidden, "This is for those who booked the trip."_sentence};
        SVC_RETURN_IF_ERROR(buyers_->owns(request, *booking_id));
        SVC_RETURN_IF_ERROR(buyers_->may_download(*booking_id, found->trip_id));
    }
    return std::move(*found);
}

Result<Download> Service::record(const api::Request& request, std::int64_t id,
                                 std::optional<std::int64_t> booking_id) const {
    return visible(request, id, booking_id);
}

std::string Service::signature_of(const crypto::Keyring& keyring, std::int64_t id, std::int64_t expires,
                                  std::int64_t booking_id, Action action) {
    std::string text;
    for (const std::int64_t number : {id, expires, booking_id})
        text += std::to_string(number) + "|";
    return crypto::hex(keyring.mac("download_link", text.append(name_of(action))));
}

std::string Service::name_for(const Download& download) const {
    std::int64_t place = 1;
    std::string title = download.title;
    parts_.store.read([&](store::Session& session) {
        if (const auto trip = trips::Service::find(session, download.trip_id))
            title = trip->title;
        rows::read(session, std::span(&download.trip_id, 1), [&](std::int64_t, const std::vector<Download>& all) {
            for (std::size_t at = 0; at < all.size(); ++at)
                if (all[at].id == download.id)
                    place = static_cast<std::int64_t>(at) + 1;
        });
    });
    return media::clean_name(title + " - Download - " + std::to_string(place) + "." +
                             std::string(media::extension_of(download.mime_type)));
}

Result<Service::Issued> Service::issue(const api::Request& request, std::int64_t id,
                                       std::optional<std::int64_t> booking_id, Action action) const {
    SVC_ASSIGN_OR_RETURN(auto download, visible(request, id, booking_id));
    const std::int64_t expires = parts_.clock.now().plus(link_lives).micros() / 1'000'000;
    // Staff need no booking; since a link without one opens no booked file, they get a separate kind of link.
    const std::int64_t booking = download.visibility == Visibility::booked_only && !is_staff(request.caller, download)
                                     ? booking_id.value_or(0)
                                     : 0;
    Issued issued{.url = parts_.root + "/downloads/" + std::to_string(id) + "?exp=" + std::to_string(expires),
                  .file_name = name_for(download),
                  .download = std::move(download),
                  .expires_at = Instant::from_micros(expires * 1'000'000)};
    if (booking != 0)
        issued.url += "&booking_id=" + std::to_string(booking);
    issued.url += "&action=" + std::string(name_of(action)) +
                  "&sig=" + signature_of(*parts_.keyring, id, expires, booking, action);
    return issued;
}

// The signature proves that the caller was allowed when the link was issued. Until it expires a download may be
// disabled and a booking cancelled, so both are checked again.
Result<Opened> Service::open(std::int64_t id, const Link& link, bool counted) const {
    if (!link.expires || link.signature.empty())
        return Error{errc::bad_request, "This link is incomplete. Send both exp and sig."_sentence};
    const std::int64_t booking = link.booking_id.value_or(0);
    const bool is_ours = parts_.keyring->any([&](const crypto::Keyring& one) {
        return crypto::equal(signature_of(one, id, *link.expires, booking, link.action), link.signature);
    });
    if (!is_ours || parts_.clock.now().micros() > *link.expires * 1'000'000)
        return errc::link_expired;
    const auto download = parts_.store.reading<std::optional<Download>>(
        [&](store::Session& session) { return download_record().find(session, id); });
    if (!download)
        return errc::not_found;
    if (!download->is_active)
        return Error{errc::forbidden, "This download is not available."_sentence};
    if (booking != 0)
        SVC_RETURN_IF_ERROR(buyers_->may_download(booking, download->trip_id));
    const auto media = parts_.media.find(download->media_id);
    auto file = media ? parts_.media.open(*media) : nullptr;
    if (!file)
        return Error{errc::not_found}.because("downloads: the disk has lost the file");
    if (counted && link.action == Action::download)
        static_cast<void>(parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            rows::count_one(tx, id);
            return {};
        }));
    return Opened{std::move(file), media->mime_type, name_for(*download), media->sha256};
}

}  // namespace svc::catalog::downloads
