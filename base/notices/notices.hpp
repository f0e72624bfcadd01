// Notices for staff: what needs their attention, each put away by each user for themselves (spec 4.11;
// routes 18.1, 18.2).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/site/site.hpp"

namespace svc::notices {

struct Notice {
    std::string key = {};          // "undeliverable_mails"
    std::string type = "warning";  // error, warning, info
    std::string title = {}, message = {};
    // Where to go on: a label and a path of the admin each.
    std::vector<std::pair<std::string, std::string>> actions = {};
    // When its cause last came up: put away, it comes back with a newer one. Epoch: it stays away.
    Instant since = {};
    std::string capability = "svc_access_admin";  // who is told
    bool dismissible = true;
};

// Asked at each request; returns what holds now.
using Source = std::function<std::vector<Notice>(store::Session& session, Instant now)>;

// The sources of the base itself: mail, queues, seats, jobs, payments, settings.
std::vector<Source> own_sources(const Site& site);

// Any thread after the start.
class Notices {
  public:
    explicit Notices(const Site& site) : site_(site) {}
    void add(Source source) { sources_.push_back(std::move(source)); }  // [start-up]

    // What this caller is told now, filters included, errors first.
    [[nodiscard]] std::vector<Notice> of(const api::Caller& caller) const;
    // False: this caller is told of no such notice, or it cannot be put away.
    Result<bool> dismiss(const api::Caller& caller, const std::string& key) const;

  private:
    [[nodiscard]] std::vector<Notice> current(const api::Caller& caller) const;
    const Site& site_;
    std::vector<Source> sources_;
};

}  // namespace svc::notices
