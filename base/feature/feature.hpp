// The base of every feature: it is built from a Site and registers its parts, in steps that all features
// share.
#pragma once

#include <vector>

#include "base/feature/site.hpp"

namespace svc {

class Feature;

// The features of a Site in the order they were built, lowest first. Each step runs for all of them. [start-up]
class Features {
  public:
    void add(Feature& feature) { all_.push_back(&feature); }

    inline void connect();
    inline void declare();
    inline void add_routes();
    inline void add_jobs();
    inline void follow_changes();
    inline void load();
    inline void start(bool with_jobs);
    inline void stop();  // in reverse
    // How many values all of them sealed with the key in use; the first error ends it.
    inline Result<std::int64_t> renew_sealed();

  private:
    std::vector<Feature*> all_;
};

// Derive `base/<folder>/feature.hpp` from it, with a constructor that takes the Site and references to the features
// below. Override the steps that the feature needs. All run on the start-up thread, before the first request. The
// constructor changes none of its arguments, so that a second instance over another Site does not replace the first.
class Feature {
  public:
    explicit Feature(const Site& site) : site_(site) { site.features.add(*this); }
    virtual ~Feature() = default;
    Feature(const Feature&) = delete;
    Feature& operator=(const Feature&) = delete;

    virtual void connect() {}         // hands lower features their ports: parts of trips and the like
    virtual void declare() {}         // hooks, settings, listeners
    virtual void add_routes() {}      // to site_.routes
    virtual void add_jobs() {}        // to site_.jobs and site_.housekeeping
    virtual void follow_changes() {}  // of other processes: site_.changes, by channel, in the features' order
    virtual void load() {}            // reads its in-memory state; the database is open, the plugin attached
    // Starts its own threads. `with_jobs`: jobs will run in this process.
    virtual void start(bool with_jobs) { static_cast<void>(with_jobs); }
    virtual void stop() {}  // ends them; also called when start() was not
    // Seals its sealed values with the current key; returns their number.
    virtual Result<std::int64_t> renew_sealed() { return 0; }

  protected:
    const Site& site_;  // outlives the feature
};

void Features::connect() {
    for (Feature* feature : all_)
        feature->connect();
}

void Features::declare() {
    for (Feature* feature : all_)
        feature->declare();
}

void Features::add_routes() {
    for (Feature* feature : all_)
        feature->add_routes();
}

void Features::add_jobs() {
    for (Feature* feature : all_)
        feature->add_jobs();
}

void Features::follow_changes() {
    for (Feature* feature : all_)
        feature->follow_changes();
}

void Features::load() {
    for (Feature* feature : all_)
        feature->load();
}

void Features::start(bool with_jobs) {
    for (Feature* feature : all_)
        feature->start(with_jobs);
}

void Features::stop() {
    for (auto feature = all_.rbegin(); feature != all_.rend(); ++feature)
        (*feature)->stop();
}

Result<std::int64_t> Features::renew_sealed() {
    std::int64_t count = 0;
    for (Feature* feature : all_) {
        auto renewed = feature->renew_sealed();
        if (!renewed)
            return renewed;
        count += *renewed;
    }
    return count;
}

}  // namespace svc
