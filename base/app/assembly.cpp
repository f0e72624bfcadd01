// Runs the features' steps, and says in which order the parts start and stop.
#include "base/app/assembly.hpp"

namespace svc::app {

Assembly::Assembly(const BaseOptions& given) : Platform(given) {
    features.connect();
    features.declare();
    features.add_routes();
    features.add_jobs();
    features.follow_changes();
}

Assembly::~Assembly() { stop(); }

void Assembly::start(svc_plugin_entry_fn* plugin) {
    started_ = true;  // first: what began is stopped, also when a later step throws
    // The feed first: what is loaded once it has noted the counters misses nothing.
    changes.begin();
    const auto second = store::open_another(*store);  // beside what one thread does here, as two load the trips
    plugins.attach(plugin);
    changes.noted();
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
