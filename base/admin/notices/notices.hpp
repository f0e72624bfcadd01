// Notices for staff: matters that need attention; each user dismisses them separately (spec 4.11;
// routes 18.1, 18.2).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/feature/site.hpp"

namespace svc::notices {

// Where to go on from a notice.
struct Action {
    std::string label;
    std::string url;              // the path of a screen, "/admin/settings", or an address
    std::string capability = {};  // required to open it; empty: whoever sees the notice may
};

struct Notice {
    std::string key = {};          // "undeliverable_mails"
    std::string type = "warning";  // error, warning, info
    std::string title = {}, message = {};
    std::vector<Action> actions = {};
    // The last occurrence of its cause: a dismissed notice returns with a newer one. Epoch: it never returns.
    Instant since = {};
    std::string capability = "svc_access_admin";  // required to see it
    bool dismissible = true;
};

// As the interface and the filter show it.
json::Value to_json(const Notice& notice);

// Called at each request; returns the present notices.
using Source = std::function<std::vector<Notice>(store::Session& session, Instant now)>;

// The sources of the base itself: mail, queues, seats, jobs, payments, settings.
std::vector<Source> own_sources(const Site& site);

// Any thread after the start.
class Notices {
  public:
    explicit Notices(const Site& site) : site_(site) {}
    void add(Source source) { sources_.push_back(std::move(source)); }  // [start-up]

    // The caller's notices, filters applied, errors first.
    [[nodiscard]] std::vector<Notice> of(const api::Caller& caller) const;
    // False: the caller has no such notice, or it is not dismissible.
    Result<bool> dismiss(const api::Caller& caller, const std::string& key) const;

  private:
    [[nodiscard]] std::vector<Notice> current(const api::Caller& caller) const;
    const Site& site_;
    std::vector<Source> sources_;
};

}  // namespace svc::notices
