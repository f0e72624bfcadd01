// Collects the facts at each request, which are rare.
#include "base/app/system_status.hpp"

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/app/health.hpp"
#include "shared/api/named.hpp"
#include "shared/store/typed.hpp"

namespace svc::app {
namespace {

using json::Value;

// "VmRSS:     123 kB" of /proc/self/status, in bytes; empty when missing.
std::optional<std::int64_t> memory_in_use() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "VmRSS:") {
            std::int64_t kilobytes = 0;
            if (status >> kilobytes)
                return kilobytes * 1024;
        }
    return std::nullopt;
}

Value database_facts(store::Store& store) {
    const bool sqlite = store.dialect() == store::Dialect::sqlite;
    std::string version, charset;
    store.read([&](store::Session& session) {
        version = store::value<std::string>(
                      session, sqlite ? "SELECT sqlite_version()" : "SELECT current_setting('server_version')", {})
                      .value_or("");
        charset = store::value<std::string>(
                      session,
                      sqlite ? "SELECT encoding FROM pragma_encoding" : "SELECT current_setting('server_encoding')", {})
                      .value_or("");
    });
    return Value::object({{"driver", sqlite ? "SQLite" : "PostgreSQL"}, {"version", version}, {"charset", charset}});
}

const char* word_of(commands::Finding::Level level) {
    switch (level) {
        case commands::Finding::Level::good:
            return "pass";
        case commands::Finding::Level::warning:
            return "warning";
        case commands::Finding::Level::bad:
            break;
    }
    return "fail";
}

const std::map<std::string, std::string>& required_states() {
    static const std::map<std::string, std::string> states{
        {"key file", "readable by its owner alone"},
        {"data directory", "writable by its owner alone"},
        {"disk", "at least 5 % free"},
        {"database file", "readable by its owner alone"},
        {"schema", "of this release"},
        {"schema of Pro", "of this release"},
        {"queues", "nothing was given up"},
        {"way in", "TLS, or from this machine alone"},
        {"configuration", "readable by its owner and group alone"},
        {"clock", "synchronised, within 2 s of the database's"},
    };
    return states;
}

// Removes paths, since readers of the response need not know where the installation is.
std::string without_paths(std::string help, const BaseOptions& options) {
    const std::string file = options.database.substr(options.database.find(':') + 1);
    const std::string folder = std::filesystem::path(file).parent_path().string();
    for (const auto& [path, name] : {std::pair<std::string, const char*>(options.key_file, "the key file"),
                                     {file, "the database file"},
                                     {options.data_dir, "the data directory"},
                                     {folder, "the database's directory"}})
        for (auto at = help.find(path); path.size() > 1 && at != std::string::npos; at = help.find(path, at))
            help.replace(at, path.size(), name);
    return help;
}

Value requirements_of(const Platform& platform, const plugins::Feature& plugins) {
    auto all = Value::object();
    for (const auto& finding : findings_of(platform.options, plugins.service.steps())) {
        const auto found = required_states().find(finding.what);
        all.set(finding.what, Value::object({{"required", found == required_states().end() ? "" : found->second},
                                             {"current", without_paths(finding.help, platform.options)},
                                             {"status", word_of(finding.level)}}));
    }
    return all;
}

Value status_of(const Platform& platform, const plugins::Feature& plugins, Instant now) {
    std::int64_t overdue = 0;
    platform.store->read([&](store::Session& session) {
        overdue = session.number("SELECT COUNT(*) FROM svc_jobs WHERE next_run_at < :before",
                                 {{"before", now.minus(std::chrono::minutes(5))}});
    });
    return Value::object(
        {{"runtime", Value::object({{"memory_bytes", memory_in_use()},
                                    {"threads_of_machine", std::int64_t{std::thread::hardware_concurrency()}},
                                    {"database_sessions", platform.options.database_sessions},
                                    {"runs_jobs", platform.options.run_jobs},
                                    {"overdue_jobs", overdue}})},
         {"service", Value::object({{"version", SVC_VERSION},
                                    {"edition", plugins.is_pro() ? "pro" : "base"},
                                    {"pro_version", plugins.is_pro() ? Value(plugins.pro_version()) : Value()},
                                    {"plugin", plugins.service.state()},
                                    {"plugins_beside_pro", json::array_of(plugins.service.beside_pro())}})},
         {"database", database_facts(*platform.store)},
         {"server", Value::object({{"site_url", platform.options.site_url},
                                   {"base_path", platform.options.base_path},
                                   {"timezone", platform.settings.zone().name()},
                                   {"time", now}})},
         {"extensions", Value::object({{"pro", plugins.is_pro()}})},
         {"requirements", requirements_of(platform, plugins)}});
}

}  // namespace

void add_status_route(api::RouteTable& routes, const Platform& platform, const plugins::Feature& plugins) {
    const api::Type check =
        api::object("SystemRequirement", {{.name = "required", .type = api::text(200)},
                                          {.name = "current", .type = api::text(1'000)},
                                          {.name = "status", .type = api::choice({"pass", "warning", "fail"})}});
    routes.add({.method = api::Method::get,
                .path = "/tools/system-status",
                .name = "getSystemStatus",
                .who = api::Permission::can("manage_options"),
                .summary = "Return versions, the database's state, and the checks of `svc doctor`.",
                .answer = api::object("SystemStatus", {{.name = "runtime", .type = api::map(api::anything())},
                                                       {.name = "service", .type = api::map(api::anything())},
                                                       {.name = "database", .type = api::map(api::anything())},
                                                       {.name = "server", .type = api::map(api::anything())},
                                                       {.name = "extensions", .type = api::map(api::boolean())},
                                                       {.name = "requirements", .type = api::map(check)}}),
                .lane = api::Lane::admin,
                .handle = [&platform, &plugins](const api::Request& request) {
                    return api::ok(status_of(platform, plugins, request.now));
                }});
}

}  // namespace svc::app
