// The rules of media: accepted types, storage, access and deletion.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/catalog/media/media.hpp"
#include "base/catalog/media/repository.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/platform/files/files.hpp"
#include "base/platform/images/images.hpp"
#include "shared/resource/resource.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::media {

struct Upload {
    std::string_view bytes;
    std::string name;  // as given
    std::string alt_text = {}, caption = {};
    bool is_private = false;
};

// Any thread.
class Service {
  public:
    struct Parts {
        store::Store& store;
        std::shared_ptr<const crypto::Keyring> keyring;
        const Clock& clock;
        std::string folder;  // where the bytes lie
        std::string root;    // the namespace as visitors reach it: "https://example.org/svc/v1"
        // Marks the trips that show a picture as changed, in the transaction that changes its copies; called after it.
        std::function<void(store::Transaction&, std::int64_t media_id)> changing = {};
        std::function<void()> changed = {};
        std::function<void()> uploaded = {};                      // after a new picture: its copies are due
        std::function<Zone()> zone = [] { return Zone::utc(); };  // the site's, which days of a list are of
    };
    explicit Service(Parts parts);

    struct Stored {
        Media media;
        bool fresh = false;  // false: these bytes were there already
    };
    // On disk and known when it returns.
    Result<Stored> upload(const Upload& upload, std::optional<std::int64_t> user_id);

    [[nodiscard]] Result<Media> find(std::int64_t id) const;
    // Staff's routes. A file that anything refers to is svc_in_use, with its users in `used_by`.
    [[nodiscard]] const resource::Resource<Media>& resource() const { return resource_; }
    Result<void> remove(std::int64_t id);

    // A picture of the trip's page that is a download for those who booked too stays a picture of the page.
    void leave_shown(store::Session& session, Media& media) const;

    // Where everyone fetches a public file; of one that needs a link, where it is fetched for the next 15 minutes.
    [[nodiscard]] std::string url_of(const Media& media) const;
    [[nodiscard]] std::string thumbnail_url_of(const Media& media) const;  // empty but for pictures
    // The same for a public picture that is known by its id only.
    [[nodiscard]] std::string url_of(std::int64_t id) const;
    [[nodiscard]] std::string thumbnail_url_of(std::int64_t id) const;
    // Of a copy in that width, ending jpg or webp.
    [[nodiscard]] std::string size_url_of(std::int64_t id, int width, std::string_view ending) const;
    // The copies of a public picture as srcset of an <img>, by type: {jpeg, webp}; null without copies.
    [[nodiscard]] json::Value srcset_of(std::int64_t id, std::string_view sizes) const;
    // Where a link to the file of a download is had.
    [[nodiscard]] std::string download_url_of(std::int64_t download_id) const;
    // Whether a file that needs a link may be fetched by this one now.
    [[nodiscard]] Result<void> admits(const Media& media, std::optional<std::int64_t> expires,
                                      std::string_view signature) const;

    // The file to send: for a private file the upload, for a public picture its public copy. Null when it is missing on
    // disk.
    [[nodiscard]] std::shared_ptr<const OpenFile> open(const Media& media, bool thumbnail = false) const;
    // Null where there is no such copy.
    [[nodiscard]] std::shared_ptr<const OpenFile> open_size(const Media& media, int width,
                                                            std::string_view ending) const;

    // Makes missing copies of pictures, 200 at a turn. Returns how many.
    std::int64_t make_sizes();

    // Which records refer to a file: {total, items: [{type, id, title}]}, the first of them by name.
    [[nodiscard]] Result<json::Value> users_of(std::int64_t id) const;

    // Deletes files that have been unreferenced for a day. Returns how many.
    std::int64_t sweep();

  private:
    [[nodiscard]] Result<void> may_delete(store::Session& session, const Media& media) const;
    static std::string signature_of(const crypto::Keyring& keyring, std::int64_t id, std::int64_t expires);
    Result<void> store_shown(Media& media, const images::Shown& shown) const;
    Result<void> make_sizes_of(Media media);
    [[nodiscard]] bool has_files(const Media& media) const;

    Parts parts_;
    files::Files files_;
    const record::Record<Media> record_;
    const resource::Resource<Media> resource_;
};

}  // namespace svc::catalog::media
