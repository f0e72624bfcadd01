// The rules of downloads: visibility, links and their expiry.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/catalog/downloads/buyers.hpp"
#include "base/catalog/downloads/download.hpp"
#include "base/catalog/media/service.hpp"
#include "base/catalog/trips/editor/service.hpp"
#include "base/catalog/trips/record/part.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "shared/api/route.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::downloads {

// A link's query parameters.
struct Link {
    std::optional<std::int64_t> expires, booking_id;
    std::string signature;
    Action action = Action::download;
};

struct Opened {
    std::shared_ptr<const OpenFile> file;
    std::string mime_type, name, sha256;
};

// Any thread.
class Service {
  public:
    struct Parts {
        store::Store& store;
        trips::Service& trips;
        const media::Service& media;
        std::shared_ptr<const crypto::Keyring> keyring;
        const Clock& clock;
        std::string root;  // the namespace as visitors reach it
    };
    explicit Service(Parts parts) : parts_(std::move(parts)) {}
    void sell_to(const Buyers& buyers) { buyers_ = &buyers; }  // which outlive it; before the first request

    [[nodiscard]] Result<std::vector<Download>> of_trip(std::int64_t trip_id) const;
    // All of the trip's; `items` is a clean list of the part's.
    Result<std::vector<Download>> replace(std::int64_t trip_id, const json::Value& items,
                                          std::optional<std::int64_t> user_id, trips::Seen seen = {});
    [[nodiscard]] trips::Seen version(std::int64_t trip_id) const { return parts_.trips.version(trip_id); }

    // The public fields for everyone it is visible to; staff see disabled ones too.
    Result<Download> record(const api::Request& request, std::int64_t id, std::optional<std::int64_t> booking_id) const;
    struct Issued {
        std::string url, file_name;
        Download download;
        Instant expires_at;
    };
    Result<Issued> issue(const api::Request& request, std::int64_t id, std::optional<std::int64_t> booking_id,
                         Action action) const;
    // By the link alone; `counted`: as one more fetch of the file.
    Result<Opened> open(std::int64_t id, const Link& link, bool counted) const;

  private:
    Result<Download> visible(const api::Request& request, std::int64_t id,
                             std::optional<std::int64_t> booking_id) const;
    static std::string signature_of(const crypto::Keyring& keyring, std::int64_t id, std::int64_t expires,
                                    std::int64_t booking_id, Action action);
    [[nodiscard]] std::string name_for(const Download& download) const;

    Parts parts_;
    const Buyers* buyers_ = nullptr;
};

// The trip's member `downloadable_items`.
std::shared_ptr<const trips::Part> make_part(const media::Service& media);
// Writes a clean list as the part does.
Result<void> write_items(store::Transaction& tx, std::int64_t trip_id, const json::Value& items,
                         const trips::Part::Writing& writing, const std::string& field);

}  // namespace svc::catalog::downloads
