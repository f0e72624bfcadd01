// Registers what media have.
#include "base/catalog/media/feature.hpp"

#include "base/catalog/media/jobs.hpp"
#include "base/catalog/media/routes.hpp"

namespace svc::catalog::media {

Feature::Feature(const Site& site)
    : svc::Feature(site),
      service({.store = site.store,
               .keyring = site.keyring,
               .clock = site.clock,
               .folder = site.installation.media_folder,
               .root = site.installation.root,
               .changing =
                   [this](store::Transaction& tx, std::int64_t id) {
                       for (const Follower& follower : followers_)
                           follower.changing(tx, id);
                   },
               .changed =
                   [this] {
                       for (const Follower& follower : followers_)
                           follower.changed();
                   },
               .uploaded = [this] { site_.jobs.wake("media_sizes"); },
               .zone = [this] { return site_.settings.zone(); }}) {}

void Feature::declare() {
    site_.settings.declare_naming("seo_trip_meta_image", [](store::Session& session, const json::Value& id) {
        const auto picture = rows::find(session, id.integer());
        if (id.integer() == 0 || (picture && picture->is_picture() && !picture->is_private))
            return Result<void>{};
        return Result<void>{
            Error(errc::validation_error, "There is no picture of this number that everyone may see."_sentence)};
    });
}

void Feature::add_routes() { media::add_routes(site_.routes, service); }

void Feature::add_jobs() { media::add_jobs(site_.jobs, service); }

// For pictures of a command or of an archive, which were stored while no job ran.
void Feature::start(bool with_jobs) {
    if (with_jobs)
        site_.jobs.wake("media_sizes");
}

}  // namespace svc::catalog::media
