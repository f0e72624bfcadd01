// The routes of Mailchimp for staff.
#pragma once

#include <map>
#include <mutex>

#include "pro/common/site_address.hpp"
#include "pro/mailchimp/sync.hpp"

namespace svc::pro::mailchimp {

inline constexpr std::string_view capability = "manage_svc";

// What was read of Mailchimp a moment ago, so that a form that is drawn again asks nobody. Any thread.
class Cache {
  public:
    explicit Cache(const Clock& clock) : clock_(clock) {}

    // `read` is called without the lock; only a good answer is kept.
    Answer of(const std::string& what, const std::function<Answer()>& read);
    void clear();

  private:
    struct Kept {
        Answer answer;
        Instant until;
    };
    const Clock& clock_;
    std::mutex mutex_;
    std::map<std::string, Kept> kept_;
};

// The address of this site's interface, without a slash at its end.
class Root {
  public:
    explicit Root(const plugin::Calls& calls) : address_(calls) {}
    Result<std::string> operator()();

  private:
    SiteAddress address_;
};

struct Parts {
    const Site& site;
    const Client& client;
    const Sync& sync;
    Cache& cache;
    Root& root;
};

void add_routes(const Parts& parts);
void add_settings_routes(const Parts& parts);
void add_sync_routes(const Parts& parts);

api::RouteSpec route(api::Method method, std::string path, std::string summary);

}  // namespace svc::pro::mailchimp
