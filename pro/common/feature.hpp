// The base of every feature of Pro: it is built from a Site and registers its parts, in steps that all features share.
// The base's own features have the same form (base/feature/feature.hpp).
#pragma once

#include "pro/common/site.hpp"

namespace svc::pro {

// Derive `pro/<folder>/feature.hpp` from it, with a constructor that takes the Site, and add it to the list in
// pro/app/pro.cpp. Override the steps that the feature needs. All run during attach, on its thread; a step that throws
// plugin::Refused refuses all of Pro. The plugin interface has no step after attach: a feature has no threads of its
// own, and what it holds ends with its destructor.
class Feature {
  public:
    explicit Feature(const Site& site) : site_(site) { site.features.add(*this); }
    virtual ~Feature() = default;
    Feature(const Feature&) = delete;
    Feature& operator=(const Feature&) = delete;

    // Whether this base has all that the feature needs; it is not built otherwise. Hide it in the derived class.
    static bool fits(const Site&) { return true; }

    virtual void declare() {}     // modules, storage, hooks, settings, listeners
    virtual void connect() {}     // hands the base its ports: gateways, pages, e-mails; all modules are declared
    virtual void add_routes() {}  // to site_.routes
    virtual void add_jobs() {}    // to site_.jobs, which is null on a base without jobs

  protected:
    const Site& site_;  // outlives the feature
};

}  // namespace svc::pro
