// Readiness and the doctor's checks.
#include "base/app/health.hpp"

#include <cerrno>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <sys/timex.h>

#include "base/app/key_mark.hpp"
#include "base/modules/repository.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/platform/store/migrate.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::app {
namespace {

using commands::Finding;

// Free space of the file system that holds `path`, in percent; empty when unknown.
std::optional<double> free_percent(const std::string& path) {
    std::error_code failed;
    const auto room = std::filesystem::space(path, failed);
    if (failed || room.capacity == 0)
        return std::nullopt;
    return 100.0 * static_cast<double>(room.available) / static_cast<double>(room.capacity);
}

constexpr double least_free_percent = 5;

constexpr std::string_view sqlite_prefix = "sqlite:";

std::string folder_of_database(const BaseOptions& options) {
    if (!options.database.starts_with(sqlite_prefix))
        return options.data_dir;
    const std::filesystem::path file = options.database.substr(sqlite_prefix.size());
    return file.has_parent_path() ? file.parent_path().string() : ".";
}

// A committed write: only this shows that a booking would work.
std::string write_probe(Assembly& parts, const store::DatabaseFile& file) {
    if (!file.is_in_its_place())
        return "The database file was moved or replaced. Restore it, or restart the server with the current file.";
    try {
        auto written = parts.store->write([](store::Transaction& tx) -> Result<void> {
            store::touch(tx, "probe", store::Announce::polled);
            return {};
        });
        return written ? "ok" : written.error().message().english();
    } catch (const store::Failure& failure) {
        return failure.what();
    }
}

// Checks the space for PostgreSQL's data, which no system call of ours reaches: writes a temporary file of a megabyte,
// as new rows would need, which ends with the statement and which `temp_file_limit` must allow. The row of the write
// check needs no space there.
std::string room_at_database(store::Store& store) {
    if (store.dialect() == store::Dialect::sqlite)
        return "ok";
    try {
        const auto took = store.write([](store::Transaction& tx) -> Result<void> {
            // The least memory there is, so that it is a file; and on the disk of the database, not another one's.
            static_cast<void>(
                tx.number("SELECT length(set_config('work_mem', '64kB', true)"
                          " || set_config('temp_tablespaces', '', true))",
                          {}));
            static_cast<void>(
                tx.number("WITH wide AS MATERIALIZED (SELECT repeat('x', 8000) AS room"
                          " FROM generate_series(1, 128)) SELECT COUNT(room) FROM wide",
                          {}));
            return {};
        });
        return took ? "ok" : took.error().message().english();
    } catch (const store::Failure&) {
        return "The database has no disk space left.";
    }
}

// A mail queued for ten minutes shows that the server accepts none.
std::string mail_state(Assembly& parts) {
    try {
        const auto late = parts.messaging.sender.lateness();
        return late && *late > std::chrono::minutes(10) ? "an e-mail has waited for more than 10 minutes" : "ok";
    } catch (const store::Failure& failure) {
        return failure.what();
    }
}

// As events that wait: their e-mails are not queued yet.
std::string event_state(Assembly& parts) {
    try {
        const auto late = parts.hooks.lateness();
        return late && *late > std::chrono::minutes(10) ? "an event has waited for more than 10 minutes" : "ok";
    } catch (const store::Failure& failure) {
        return failure.what();
    }
}

// As at the start: the database may have been put back to an older copy since.
std::string schema_state(Assembly& parts) {
    try {
        const auto known = embedded::base_steps();
        const auto current = store::check_current(*parts.store, "base", known, known);
        return current ? "ok" : current.error().message().english();
    } catch (const store::Failure& failure) {
        return failure.what();
    }
}

// A database without writes is reported by its own check.
std::string disk_state(Assembly& parts, bool database_writes) {
    const auto free = free_percent(folder_of_database(parts.options));
    if (!free)
        return "the free space cannot be read";
    if (*free < least_free_percent)
        return "less than 5 % free";
    return database_writes ? room_at_database(*parts.store) : "ok";
}

constexpr auto no_rights = std::filesystem::perms::none;

// Nothing when there is no such file.
std::optional<std::filesystem::perms> rights_of(const std::string& path) {
    std::error_code failed;
    const auto facts = std::filesystem::status(path, failed);
    if (failed || !std::filesystem::exists(facts))
        return std::nullopt;
    return facts.permissions();
}

Finding key_file_finding(const BaseOptions& options) {
    const auto rights = rights_of(options.key_file);
    if (!rights)
        return {Finding::Level::bad, "key file", options.key_file + " is not there"};
    if ((*rights & (std::filesystem::perms::group_all | std::filesystem::perms::others_all)) != no_rights)
        return {Finding::Level::bad, "key file", options.key_file + " can be read by others; chmod 0400"};
    try {
        static_cast<void>(crypto::Keyring::open(options.key_file));
    } catch (const std::exception& error) {
        return {Finding::Level::bad, "key file", error.what()};
    }
    return {Finding::Level::good, "key file", options.key_file + " is private"};
}

Finding disk_finding(const BaseOptions& options) {
    const std::string folder = folder_of_database(options);
    const auto free = free_percent(folder);
    if (!free)
        return {Finding::Level::bad, "disk", "the free space of " + folder + " cannot be read"};
    const std::string help = std::to_string(std::lround(*free)) + " % free at " + folder;
    return {*free >= least_free_percent ? Finding::Level::good : Finding::Level::bad, "disk", help};
}

Finding folder_finding(const BaseOptions& options) {
    const auto rights = rights_of(options.data_dir);
    if (!rights)
        return {Finding::Level::bad, "data directory", options.data_dir + " is not there"};
    if ((*rights & (std::filesystem::perms::group_write | std::filesystem::perms::others_write)) != no_rights)
        return {Finding::Level::warning, "data directory", options.data_dir + " can be written by others"};
    return {Finding::Level::good, "data directory", options.data_dir};
}

Finding schema_finding(const char* what, store::Store& store, std::string_view edition,
                       std::span<const store::Step> required, std::span<const store::Step> known) {
    if (const auto current = store::check_current(store, edition, required, known); !current)
        return {Finding::Level::bad, what, current.error().message().english()};
    const auto newer = store::newer_steps(store, edition, known);
    if (newer.empty())
        return {Finding::Level::good, what, "of this release"};
    return {Finding::Level::warning, what,
            "a newer release has been here: " + newer.back() + "; upgrade this node too"};
}

// A plugin's own steps are needed always, a module's while it is on; those of modules that are off may be there too.
Finding plugin_schema_finding(store::Store& store, const std::vector<plugins::PluginStep>& steps) {
    std::set<std::string> enabled{""};
    store.read([&](store::Session& session) {
        modules::repository::each(session, [&](const modules::repository::Stored& module) {
            if (module.enabled)
                enabled.insert(module.slug);
        });
    });
    std::map<std::string, std::pair<std::vector<store::Step>, std::vector<store::Step>>> by_plugin;
    for (const auto& step : steps) {
        auto& [required, known] = by_plugin[step.plugin];
        known.push_back({step.name, step.sql});
        if (enabled.contains(step.module))
            required.push_back(known.back());
    }
    for (const auto& [plugin, lists] : by_plugin)
        if (auto found = schema_finding("schema of Pro", store, plugin, lists.first, lists.second);
            found.level != Finding::Level::good)
            return found;
    return {Finding::Level::good, "schema of Pro", "of this release"};
}

// It contains password hashes and customers' data, and so do the files next to it.
Finding database_file_finding(const BaseOptions& options) {
    const std::string path = options.database.substr(sqlite_prefix.size());
    for (const char* beside : {"", "-wal", "-shm"})
        if (const auto rights = rights_of(path + beside);
            rights && (*rights & (std::filesystem::perms::group_all | std::filesystem::perms::others_all)) != no_rights)
            return {Finding::Level::bad, "database file", path + beside + " can be read by others; chmod 0600"};
    return {Finding::Level::good, "database file", path + " is private"};
}

Finding given_up_finding(const BaseOptions& options) {
    const auto count = commands::given_up(options).size();
    return count == 0 ? Finding{Finding::Level::good, "queues", "nothing was given up"}
                      : Finding{Finding::Level::warning, "queues",
                                std::to_string(count) + " given up; svc failed lists them, svc retry tries them again"};
}

// Webhooks, tokens and days depend on the clock; a single machine can only compare it with its time service.
Finding clock_alone_finding() {
    struct timex clock_state {};
    errno = 0;
    const int state = ::adjtimex(&clock_state);
    const bool is_refused = state < 0 && errno == EPERM;  // by a seccomp filter, even for a query
    if (SystemClock().now() < Instant::parse("2026-01-01T00:00:00Z").value())
        return {Finding::Level::bad, "clock", SystemClock().now().text() + " is in the past"};
    if (is_refused)
        return {
            Finding::Level::warning, "clock",
            "whether it is synchronised cannot be read here: a filter of system calls, as the unit has, forbids it"};
    if (state < 0 || state == TIME_ERROR || (clock_state.status & STA_UNSYNC) != 0)
        return {Finding::Level::warning, "clock", "not synchronised; run chrony or systemd-timesyncd"};
    return {Finding::Level::good, "clock", "synchronised"};
}

// Leases and tokens compare this machine's clock with the database's.
Finding clock_finding(store::Store& store) {
    if (store.dialect() == store::Dialect::sqlite)
        return clock_alone_finding();
    const SystemClock clock;
    const std::int64_t theirs = store.reading<std::int64_t>([](store::Session& session) {
        return session.number("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS BIGINT)", {});
    });
    const std::int64_t apart = std::abs(clock.now().seconds() - theirs);
    const std::string help = std::to_string(apart) + " s from the database's";
    return {apart <= 2    ? Finding::Level::good
            : apart <= 30 ? Finding::Level::warning
                          : Finding::Level::bad,
            "clock", help};
}

}  // namespace

Readiness readiness_of(Assembly& parts, const store::DatabaseFile& file) {
    Readiness readiness;
    readiness.checks.emplace_back("serving", parts.draining ? "draining" : "ok");
    const std::string database = write_probe(parts, file);
    readiness.checks.emplace_back("database", database);
    readiness.checks.emplace_back("schema", schema_state(parts));
    readiness.checks.emplace_back("disk", disk_state(parts, database == "ok"));
    readiness.ready = true;
    for (const auto& [name, state] : readiness.checks)
        readiness.ready = readiness.ready && state == "ok";
    // An alarm, and no reason to send requests elsewhere: every node has the same mail server and the same events.
    readiness.checks.emplace_back("mail", mail_state(parts));
    readiness.checks.emplace_back("events", event_state(parts));
    return readiness;
}

std::vector<Finding> pair_findings(const plugins::Plugins& plugins, const modules::SiteModules& modules) {
    std::vector<Finding> findings;
    for (const auto& [plugin, ability] : plugins.missing())
        findings.push_back({Finding::Level::warning, "editions",
                            plugin + " works without " + ability + ", which this base lacks; upgrade svc-base"});
    constexpr std::string_view attached = "attached ";
    if (!plugins.state().starts_with(attached))
        return findings;
    std::string absent;
    for (const plugin::ProModule& row : plugin::pro_modules)
        if (const auto* module = modules.find(row.slug); !module || module->is_absent)
            absent += (absent.empty() ? "" : ", ") + std::string(row.slug);
    if (!absent.empty())
        findings.push_back({Finding::Level::warning, "editions",
                            plugins.state().substr(attached.size()) + " has no " + absent + "; upgrade svc-pro"});
    return findings;
}

std::vector<Finding> findings_of(const BaseOptions& options, const std::vector<plugins::PluginStep>& steps) {
    std::vector<Finding> findings{key_file_finding(options), folder_finding(options), disk_finding(options)};
    if (options.database.starts_with(sqlite_prefix))
        findings.push_back(database_file_finding(options));
    store::StoreOptions how = store_options(options);
    how.require_durable = false;  // checked below, so that every error is reported
    how.sessions = 1;
    try {
        const auto store = store::open(how);
        for (const auto& setting : store::durability(*store))
            findings.push_back(
                {setting.ok ? Finding::Level::good : Finding::Level::bad, "database " + setting.name, setting.value});
        const auto known = embedded::base_steps();
        findings.push_back(schema_finding("schema", *store, "base", known, known));
        const bool current = findings.back().level != Finding::Level::bad;
        if (current) {
            const std::string fault = key_fault(options, *store);
            findings.push_back({fault.empty() ? Finding::Level::good : Finding::Level::bad, "key",
                                fault.empty() ? "opens what is stored" : fault});
        }
        if (current && !steps.empty())
            findings.push_back(plugin_schema_finding(*store, steps));
        if (current)
            findings.push_back(given_up_finding(options));
        findings.push_back(clock_finding(*store));
        if (const std::string room = room_at_database(*store); room != "ok")
            findings.push_back({Finding::Level::bad, "database disk", room});
    } catch (const std::exception& failure) {
        findings.push_back({Finding::Level::bad, "database", failure.what()});
    }
    if (options.shell_findings)
        for (Finding& finding : options.shell_findings())
            findings.push_back(std::move(finding));
    return findings;
}

}  // namespace svc::app
