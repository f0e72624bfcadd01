// The shell's interface to the base edition: open, handle requests, health, stop.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/api/http.hpp"
#include "shared/core/progress.hpp"
#include "shared/plugin/svc_plugin.h"

#define SVC_BASE_API __attribute__((visibility("default")))

namespace svc {

namespace commands {
struct Finding {
    enum class Level : std::uint8_t { good, warning, bad } level;
    std::string what, help;
};
}  // namespace commands

// How the operator runs this installation; the shell fills it from file, environment and flags.
struct BaseOptions {
    std::string database = "sqlite:var/svc.db";  // "sqlite:PATH" or "postgresql:CONNINFO"
    std::string key_file = "var/svc.key";        // 32 bytes that seal secrets; made 0400 when absent
    std::string data_dir = "var";                // uploads, exports
    std::string site_url = "http://127.0.0.1:8080";
    std::string base_path = "/svc/v1";                                // where the namespace root is mounted
    std::vector<std::string> trusted_proxies = {"127.0.0.1", "::1"};  // addresses and CIDR blocks
    std::vector<std::string> cors_origins = {};                       // empty: CORS is off
    bool cookie_secure = false;                           // Secure and __Host- on the session cookie: on behind TLS
    int database_sessions = 4;                            // at least one a worker thread is wise
    std::chrono::milliseconds lease_time{2000};           // how long a request waits for a session before 503
    bool require_durable = true;                          // refuse a database that acknowledges before it is on disk
    bool serves = true;                                   // false: a command that prints and ends
    std::string log_level = "info";                       // the least that is written: info, warning, error
    bool run_jobs = true;                                 // timers, outbox and sweeps in this process
    std::vector<std::string> allowed_private_hosts = {};  // outbound targets that may be private (tests, LAN SMTP)
    // Checks that only the shell can make, for the doctor and for staff: no path in it.
    std::function<std::vector<commands::Finding>()> shell_findings = {};
    std::vector<svc_plugin_entry_fn*> plugins = {};   // beside Pro, in the order in which they attach
    std::vector<std::string> gateway_api_bases = {};  // "paypal=http://127.0.0.1:9": instead of the provider's own
};

struct Readiness {
    bool ready = false;
    std::vector<std::pair<std::string, std::string>> checks;  // name, "ok" or the reason
};

// The whole base edition on one database. Any thread; nothing thrown leaves it but from open().
class SVC_BASE_API Base {
  public:
    // Opens the database (the schema must be up to date: see migrate), builds the features, attaches the plugin if
    // one is given, starts the jobs. Throws std::runtime_error with a sentence for the operator.
    // `plugin` null: none. `plugin_path` is for the log.
    static std::unique_ptr<Base> open(const BaseOptions& options, svc_plugin_entry_fn* plugin,
                                      const std::string& plugin_path);
    virtual ~Base() = default;

    // Decided by the request line and the fields alone; a request with credentials waits for the database.
    virtual HttpPlan plan(std::string_view method, std::string_view target, const std::vector<HttpHeader>& headers) = 0;
    virtual HttpAnswer answer(const HttpRequest& request) = 0;
    // On a thread that must not wait; empty when the answer would have to, and nothing has changed but the limits'
    // count.
    virtual std::optional<HttpAnswer> answer_at_once(const HttpRequest& request) = 0;
    // Looks up the credential before a body over HttpPlan::body_limit is read: nothing, or the answer that refuses.
    virtual std::optional<HttpAnswer> refusal_of_head(const HttpRequest& head) = 0;
    // The answer to a request outside the namespace that is led into it, in the log as any other.
    virtual HttpAnswer redirected(const HttpRequest& request, const std::string& location) = 0;
    // The error body for the transport's own errors; for a request with these fields, empty when unread.
    virtual HttpAnswer failure(int status, const std::vector<HttpHeader>& headers) = 0;
    // The key that clients at that peer share: the address, of IPv6 its /64; empty for a trusted proxy.
    virtual std::string network(std::string_view peer) = 0;

    virtual Readiness readiness() = 0;  // writes a probe row; waits for the database
    virtual std::string metrics() = 0;  // Prometheus text format 0.0.4
    virtual void draining() = 0;        // readiness turns red
    virtual void stop() = 0;            // ends jobs and plugin; no call but the destructor follows

    // A line per method and path: method, path, who, module.
    virtual std::string route_list() = 0;
    // The plugin's state for the log and `svc doctor`: "attached 3.0.0", "none", or the refusal.
    virtual std::string plugin_state() = 0;
};

// Commands of the operator that need no running server. Each throws std::runtime_error with a sentence, also when its
// progress stopped it.
namespace commands {
// Brings the schema to this release, Pro's enabled modules too; several processes may start it at once.
// Returns a line per step applied.
SVC_BASE_API std::vector<std::string> migrate(const BaseOptions& options, svc_plugin_entry_fn* plugin,
                                              Progress& progress = unwatched());
SVC_BASE_API std::int64_t add_user(const BaseOptions& options, const std::string& login, const std::string& email,
                                   const std::string& role, const std::string& password);
// Returns the password, which is stored only hashed.
SVC_BASE_API std::string add_application_password(const BaseOptions& options, const std::string& login,
                                                  const std::string& name);
SVC_BASE_API bool has_users(const BaseOptions& options);
// Users as the operator manages them. A login or an e-mail address names one; the last administrator stays one.
struct ListedUser {
    std::string login, email, role, status, last_login;  // the last sign-in as an instant; empty: never
};
// Without customers unless they are wanted.
SVC_BASE_API std::vector<ListedUser> list_users(const BaseOptions& options, bool with_customers);
SVC_BASE_API void set_user_role(const BaseOptions& options, const std::string& login, const std::string& role);
// Disabling ends the user's sessions, application passwords and mailed links.
SVC_BASE_API void set_user_enabled(const BaseOptions& options, const std::string& login, bool is_enabled);
// Ends the same.
SVC_BASE_API void set_user_password(const BaseOptions& options, const std::string& login, const std::string& password);
// A consistent copy of a running installation's database at `path`, and of its uploaded files in `path`.media. Stopped
// while the database is copied it leaves nothing, later the database and the files so far.
SVC_BASE_API void backup(const BaseOptions& options, const std::string& path, Progress& progress = unwatched());
// Events and e-mails that were given up after too many attempts.
struct FailedDeliveries {
    std::string kind;  // event, mail
    std::int64_t id = 0;
    std::string what, since, why;  // the event's or template's name, an instant, a sentence
};
SVC_BASE_API std::vector<FailedDeliveries> given_up(const BaseOptions& options);
// Tries that one again, or all of the kind where the id is 0; returns how many. A running server does so within a
// minute.
SVC_BASE_API int run_again(const BaseOptions& options, const std::string& kind, std::int64_t id);
// The key file's keys, while servers run: add another; use the last one from now on; encrypt values of other keys with
// it (returns how many); drop the others afterwards.
SVC_BASE_API void add_key(const BaseOptions& options);
SVC_BASE_API void use_last_key(const BaseOptions& options);
SVC_BASE_API std::int64_t renew_sealed(const BaseOptions& options, svc_plugin_entry_fn* plugin);
SVC_BASE_API void drop_other_keys(const BaseOptions& options);
// Takes the key file's key, a new one where there is none, as the database's from now on: for a lost key.
SVC_BASE_API void accept_key(const BaseOptions& options);
// All stored data of that address's owner as JSON; throws when there is none.
SVC_BASE_API std::string export_person(const BaseOptions& options, svc_plugin_entry_fn* plugin,
                                       const std::string& address);
// Blanks it permanently, except issued invoices and amounts of payments. Returns the rows changed by table.
SVC_BASE_API std::vector<std::pair<std::string, std::int64_t>> erase_person(const BaseOptions& options,
                                                                            svc_plugin_entry_fn* plugin,
                                                                            const std::string& address);
// Begins Pro's evaluation and turns on the modules that it allows; a running server sees them within a second. Throws
// where there is none: without Pro, in a build with a licence server's key, the second time.
struct Evaluation {
    std::string ends_at;  // an instant
    std::vector<std::string> modules;
};
SVC_BASE_API Evaluation evaluate(const BaseOptions& options, svc_plugin_entry_fn* plugin);
// Errors in the site's own files in data_dir/theme/svc: file and sentence. Each template is rendered once.
SVC_BASE_API std::vector<std::pair<std::string, std::string>> theme_check(const BaseOptions& options);
// Copies a bundled file of the theme there, to be changed, and answers its path; "" as the name: a line for each file.
// Throws for an unknown name and for a file that is there already.
SVC_BASE_API std::string theme_eject(const BaseOptions& options, const std::string& name);
// Loads the sample catalogue unless it is there already, and goes on where an earlier call was stopped or killed;
// returns the number of trips made.
SVC_BASE_API int load_samples(const BaseOptions& options, Progress& progress = unwatched());
// An export of records as staff's tools make it, or of everything: all tables, users, password hashes and sealed
// secrets included, and the uploaded files in `path`.media. Rejects an existing file at `path`. Continues an export
// that was stopped or killed.
struct ExportWish {
    std::vector<std::string> kinds = {};  // of records; empty: all
    bool everything = false;
};
SVC_BASE_API void export_to(const BaseOptions& options, svc_plugin_entry_fn* plugin, const std::string& path,
                            const ExportWish& wish, Progress& progress = unwatched());
// An archive of either kind, JSON, or a CSV file of one kind. Everything goes into a fresh database alone. Answers
// lines for the operator.
struct ImportWish {
    std::vector<std::string> kinds = {};  // of records; empty: all that the file has
    std::string mode = "skip";            // of records that are there already: skip, update, create
    bool dry_run = false;
};
SVC_BASE_API std::vector<std::string> import_from(const BaseOptions& options, svc_plugin_entry_fn* plugin,
                                                  const std::string& path, const ImportWish& wish,
                                                  Progress& progress = unwatched());
// Puts a backup of backup() in place, and its uploaded files. Returns lines for the operator.
struct RestoreChoice {
    bool replaces = false;  // a database that is not empty, which is refused otherwise
    bool any_key = false;   // although the key file does not open what the backup holds
};
SVC_BASE_API std::vector<std::string> restore(const BaseOptions& options, const std::string& path,
                                              const RestoreChoice& choice, Progress& progress = unwatched());
// With a plugin, of the schema it needs too.
SVC_BASE_API std::vector<Finding> doctor(const BaseOptions& options, svc_plugin_entry_fn* plugin);
// The declarations of this build and of the plugin: hooks, errors, settings, routes, jobs or transitions as a page of
// Markdown, or the OpenAPI document ("openapi") as JSON. Works on a temporary database.
SVC_BASE_API std::string catalogue(svc_plugin_entry_fn* plugin, const std::string& kind);
}  // namespace commands

}  // namespace svc
