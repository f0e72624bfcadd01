// Runs the features' steps, and orders start and stop of the parts.
#include "base/app/assembly.hpp"

#include "base/settings/routes.hpp"

namespace svc::app {
namespace {

void list_caches(caches::Caches& caches, pages::Pages& pages, pages::PartCache& parts) {
    caches.add(caches::of_answers(
        "pages", "pages",
        "The site's pages that are the same for all visitors, for a second.", [&pages]() -> auto& { return pages; }));
    caches.add(caches::of_answers(
        "page_bodies", "pages",
        "The site's pages and styles as browsers take them.", [&pages]() -> auto& { return pages.bodies(); }));
    caches.add(caches::of_answers(
        "page_parts", "pages",
        "Cards, dates and texts of pages, by the data that they were rendered from.", [&parts]() -> auto& {
            return parts;
        }));
}

}  // namespace

Assembly::Assembly(const BaseOptions& given) : Platform(given) {
    for (const auto& [file, sentence] : texts::add_catalogues(given.data_dir + "/theme/svc/i18n"))
        log::warning("catalogue_rejected", {{"file", file}, {"cause", sentence}});
    list_caches(maintenance.caches, pages.pages, pages.kept);
    plugins.when_changed([this](bool here) {
        here ? availability.from_prices.listeners_changed() : availability.from_prices.listeners_changed_elsewhere();
    });
    features.connect();
    features.declare();
    features.add_routes();
    features.add_jobs();
    features.follow_changes();
}

Assembly::~Assembly() { stop(); }

void Assembly::start(svc_plugin_entry_fn* plugin) {
    started_ = true;  // set first, so that a failing step stops the features that have started
    // The feed first: data loaded after it noted the counters misses no change.
    changes.begin();
    const auto second = store::open_another(*store);  // parallel to this thread, since two load the trips faster
    plugins.attach(plugin, options.plugins);
    import_export.add_list_files();  // of the plugin's lists too
    changes.noted();
    plugins.service.changes_noted();
    modules.reload();
    settings.reload();
    modules.prepare_enabled();
    if (options.serves)
        modules.turn_on_defaults();
    features.load();
    store::release_memory(*store);
    hooks.start();
    limits.start();
    features.start(options.run_jobs);
    if (options.serves)
        settings::announce_addresses(*store, hooks);
    if (options.run_jobs)
        jobs.start();
}

void Assembly::stop() {
    if (!started_)
        return;
    started_ = false;
    features.stop();
    jobs.stop();
    hooks.stop();
    limits.stop();
    changes.stop();
    plugins.service.detach();
}

}  // namespace svc::app
