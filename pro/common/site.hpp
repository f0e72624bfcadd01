// The parts that a feature of Pro is built from: the abilities of the base, the clock, and how the site writes things.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pro/common/look.hpp"
#include "shared/plugin/host.hpp"
#include "shared/plugin/host_changes.hpp"
#include "shared/plugin/host_charges.hpp"
#include "shared/plugin/host_mails.hpp"
#include "shared/plugin/host_pages.hpp"

namespace svc::pro {

class Feature;

// The features of a Site in the order they were built. Each step runs for all of them. [start-up]
class Features {
  public:
    void add(Feature& feature) { all_.push_back(&feature); }
    // Runs every step, in the order of pro/common/feature.hpp.
    void run_steps() const;

  private:
    std::vector<Feature*> all_;
};

// Lives from attach until detach and outlives the features. A null pointer is an ability that this base does not have.
// Throws plugin::Refused when one is missing that Pro requires.
class Site {
  public:
    // `tick` and the host outlive it; tests pass a clock that they set.
    Site(plugin::Host& base, const Clock& tick);

    plugin::Host& host;
    const Clock& clock;
    plugin::Store& store;
    plugin::Hooks& hooks;
    plugin::Settings& settings;
    plugin::Modules& modules;
    plugin::Routes& routes;
    const plugin::Secrets& secrets;
    plugin::Jobs* jobs;
    plugin::Pages* pages;
    plugin::Mails* mails;
    plugin::Changes* changes;
    const plugin::BookingCharges* charges;
    const plugin::Log* log;
    Features& features;  // a feature that is built from this Site registers here

    // Of the settings, read at each call. Any thread.
    [[nodiscard]] Currency currency() const;
    [[nodiscard]] Zone zone() const;  // UTC while the setting names none
    [[nodiscard]] Date today(Instant now) const { return zone().date_at(now); }
    [[nodiscard]] Look look() const;

    // Listens where the base has that hook; false: it has none, and nothing happens. Throws plugin::Refused when the
    // base has it and takes no listener. [start-up]
    bool listen_if_known(std::string_view action, hooks::Listener listener, hooks::ActionCall call) const;
    bool filter_if_known(std::string_view filter, hooks::Listener listener, hooks::FilterCall call) const;

  private:
    void require(std::string_view hook, const Result<void>& subscribed) const;
};

}  // namespace svc::pro
