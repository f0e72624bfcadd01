// The operator's commands: each opens the services it needs, does one thing, and reports errors in a sentence.
#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/app/assembly.hpp"
#include "base/app/catalogue.hpp"
#include "base/app/health.hpp"
#include "base/app/key_mark.hpp"
#include "base/people/identity/staff.hpp"
#include "base/platform/files/files.hpp"
#include "base/platform/store/backup.hpp"
#include "base/platform/store/changes.hpp"
#include "base/platform/store/migrate.hpp"
#include "base/plugins/hooks.hpp"
#include "base/settings/values/repository.hpp"
#include "shared/store/sealed_columns.hpp"
#include "shared/store/typed.hpp"

namespace svc::commands {
namespace {

// The services that accounts need, without the rest of the base.
struct Office {
    explicit Office(const BaseOptions& options)
        : store(app::open_current(options)),
          keyring(app::keyring_of(options, *store)),
          accounts(*store, keyring, clock) {
        accounts.prepare();
    }
    SystemClock clock;
    std::unique_ptr<store::Store> store;
    std::shared_ptr<const crypto::Keyring> keyring;
    identity::Accounts accounts;
};

// A directory for the length of a command.
struct Scratch {
    Scratch() : path((std::filesystem::temp_directory_path() / "svc-XXXXXX").string()) {
        if (!mkdtemp(path.data()))
            throw std::runtime_error("no directory can be made in the temporary one");
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    std::string path;
};

// An empty installation, for listing declarations. Its log is discarded.
struct Rehearsal {
    Rehearsal() {
        BaseOptions options;
        options.database = "sqlite:" + scratch.path + "/svc.db";
        options.key_file = scratch.path + "/svc.key";
        options.data_dir = scratch.path;
        options.run_jobs = false;
        migrate(options, nullptr);
        parts = std::make_unique<app::Assembly>(options);
    }
    Scratch scratch;
    std::unique_ptr<app::Assembly> parts;  // destroyed before its folder
};

// Of an error about a field, what is said about the field.
std::string sentence_of(const Error& error) {
    return (error.fields().empty() ? error.message() : error.fields().front().sentence).english();
}

template <class T>
T value_or_throw(Result<T> result) {
    if (!result)
        throw std::runtime_error(sentence_of(result.error()));
    return std::move(*result);
}

}  // namespace

std::vector<std::string> migrate(const BaseOptions& options, svc_plugin_entry_fn* plugin, Progress& progress) {
    std::vector<std::string> applied;
    {
        const SystemClock clock;
        const auto store = store::open(app::store_options(options));
        static_cast<void>(app::keyring_of(options, *store));  // refuses another key before anything changes
        applied = store::migrate(*store, "base", embedded::base_steps(), clock.now(), progress);
        static_cast<void>(app::keyring_of(options, *store));  // marks a database of an older release
    }
    if (plugin) {
        // Attaching brings the plugin's own storage and that of its enabled modules up to date.
        BaseOptions quiet = options;
        quiet.serves = quiet.run_jobs = false;
        app::Assembly parts(quiet);
        parts.start(plugin);
        applied.push_back("plugin: " + parts.plugins.service.state());
    }
    return applied;
}

std::int64_t add_user(const BaseOptions& options, const std::string& login, const std::string& email,
                      const std::string& role, const std::string& password) {
    Office office(options);
    const std::int64_t id = value_or_throw(office.accounts.add_user(login, email, role, password));
    if (role != "administrator")
        return id;
    // The first administrator is notified of bookings until other recipients are set.
    value_or_throw(office.store->transact<bool>([&](store::Transaction& tx) -> Result<bool> {
        if (tx.number("SELECT COUNT(*) FROM svc_settings WHERE key = 'admin_email'", {}) > 0)
            return false;
        settings::repository::put(tx, "admin_email", json::Value(email).dump(), false, 0, office.clock.now());
        store::touch(tx, settings::changes_channel);
        return true;
    }));
    return id;
}

std::string add_application_password(const BaseOptions& options, const std::string& login, const std::string& name) {
    return value_or_throw(Office(options).accounts.add_application_password(login, name));
}

std::vector<ListedUser> list_users(const BaseOptions& options, bool with_customers) {
    std::vector<ListedUser> all;
    app::open_current(options)->read([&](store::Session& session) {
        for (auto& user : identity::staff::list(session, with_customers))
            all.push_back({.login = std::move(user.login),
                           .email = std::move(user.email),
                           .role = std::move(user.role),
                           .status = std::move(user.status),
                           .last_login = user.last_login_at ? user.last_login_at->text() : ""});
    });
    return all;
}

namespace {

using UserChange = std::function<Result<void>(store::Transaction& tx, Instant now)>;

void change_user(const BaseOptions& options, const UserChange& change) {
    Office office(options);
    value_or_throw(office.store->transact<bool>([&](store::Transaction& tx) -> Result<bool> {
        if (auto done = change(tx, office.clock.now()); !done)
            return done.error();
        return true;
    }));
}

}  // namespace

void set_user_role(const BaseOptions& options, const std::string& login, const std::string& role) {
    change_user(options,
                [&](store::Transaction& tx, Instant now) { return identity::staff::set_role(tx, login, role, now); });
}

void set_user_enabled(const BaseOptions& options, const std::string& login, bool is_enabled) {
    change_user(options, [&](store::Transaction& tx, Instant now) {
        return is_enabled ? identity::staff::enable(tx, login, now) : identity::staff::disable(tx, login, now);
    });
}

void set_user_password(const BaseOptions& options, const std::string& login, const std::string& password) {
    if (const auto fine = identity::Accounts::check_password(password); !fine)
        throw std::runtime_error(sentence_of(fine.error()));
    const std::string hash = crypto::hash_password(password);
    change_user(options, [&](store::Transaction& tx, Instant now) {
        return identity::staff::set_password(tx, login, hash, now);
    });
}

bool has_users(const BaseOptions& options) { return Office(options).accounts.has_users(); }

// The files after the database: none that it knows can come later, and they never change.
void backup(const BaseOptions& options, const std::string& path, Progress& progress) {
    store::backup(app::store_options(options), path, progress);
    files::Files(app::media_folder(options)).copy_to(path + ".media", progress);
}

int load_samples(const BaseOptions& options, Progress& progress) {
    BaseOptions quiet = options;
    quiet.serves = quiet.run_jobs = false;
    app::Assembly parts(quiet);
    parts.start(nullptr);
    return static_cast<int>(value_or_throw(parts.samples.samples.import_into_empty(progress)).trips);
}

std::string export_person(const BaseOptions& options, svc_plugin_entry_fn* plugin, const std::string& address) {
    BaseOptions quiet = options;
    quiet.serves = quiet.run_jobs = false;
    app::Assembly parts(quiet);
    parts.start(plugin);
    return value_or_throw(parts.privacy.exported(address)).dump();
}

std::vector<std::pair<std::string, std::int64_t>> erase_person(const BaseOptions& options, svc_plugin_entry_fn* plugin,
                                                               const std::string& address) {
    BaseOptions quiet = options;
    quiet.serves = quiet.run_jobs = false;
    app::Assembly parts(quiet);
    parts.start(plugin);
    std::vector<std::pair<std::string, std::int64_t>> changed;
    const json::Value tables = value_or_throw(parts.privacy.erase(address));
    for (const auto& [table, rows] : tables.members())
        changed.emplace_back(table, rows.integer());
    return changed;
}

Evaluation evaluate(const BaseOptions& options, svc_plugin_entry_fn* plugin) {
    if (!plugin)
        throw std::runtime_error("Pro is not installed, so there is nothing to evaluate");
    BaseOptions quiet = options;
    quiet.serves = quiet.run_jobs = false;
    app::Assembly parts(quiet);
    parts.start(plugin);
    // By Pro's own route, as the admin begins it: a Pro from before the evaluation lacks it.
    const auto found = parts.routes.match("POST", "/license/evaluate", [](std::string_view) { return true; });
    if (!found.route)
        throw std::runtime_error("the installed Pro has no evaluation (" + parts.plugins.service.state() + ")");
    api::Request request;
    request.route = found.route;
    request.now = parts.clock.now();
    const api::Reply reply = found.route->handle(request);
    if (reply.error)
        throw std::runtime_error(sentence_of(*reply.error));
    Evaluation evaluation{.ends_at = reply.data.text_or("expires"), .modules = {}};
    // Those that need another module come after it.
    for (bool has_changed = true; std::exchange(has_changed, false);)
        for (const std::string& slug : parts.modules.available())
            if (parts.modules.find(slug)->requires_pro && !parts.modules.is_on(slug) &&
                parts.modules.toggle(slug, true, 0)) {
                evaluation.modules.push_back(slug);
                has_changed = true;
            }
    return evaluation;
}

std::vector<Finding> doctor(const BaseOptions& options, svc_plugin_entry_fn* plugin) {
    if (!plugin && options.plugins.empty())
        return app::findings_of(options, {});
    // Attaching may change the schema, so the plugins' steps are determined on another database.
    std::vector<plugins::PluginStep> steps;
    std::string cause;
    std::vector<Finding> pair;
    std::vector<Finding> refused;  // beside Pro
    try {
        const Rehearsal rehearsal;
        auto& service = rehearsal.parts->plugins.service;
        if (plugin)
            if (const auto attached = service.attach(plugin); !attached)
                cause = attached.error().cause();
        for (svc_plugin_entry_fn* other : options.plugins)
            if (const auto attached = service.attach_beside_pro(other); !attached)
                refused.push_back(
                    {Finding::Level::warning, "plugin", "refused: " + std::string(attached.error().cause())});
        steps = service.steps();
        pair = app::pair_findings(rehearsal.parts->plugins.service, rehearsal.parts->modules);
    } catch (const std::exception& failure) {
        cause = failure.what();
    }
    auto findings = app::findings_of(options, steps);
    if (!cause.empty())
        findings.push_back({Finding::Level::warning, "schema of Pro", "cannot be read: " + cause});
    findings.insert(findings.end(), pair.begin(), pair.end());
    findings.insert(findings.end(), refused.begin(), refused.end());
    return findings;
}

std::string catalogue(svc_plugin_entry_fn* plugin, const std::string& kind) {
    Rehearsal rehearsal;
    const app::Names base = app::names_of(*rehearsal.parts);
    if (plugin)
        value_or_throw(rehearsal.parts->plugins.service.attach(plugin));
    return app::catalogue_of(*rehearsal.parts, base, kind);
}

void add_key(const BaseOptions& options) { crypto::Keyring::add(options.key_file); }

void use_last_key(const BaseOptions& options) { crypto::Keyring::use_last(options.key_file); }

std::int64_t renew_sealed(const BaseOptions& options, svc_plugin_entry_fn* plugin) {
    BaseOptions quiet = options;
    quiet.serves = quiet.run_jobs = false;
    app::Assembly parts(quiet);
    parts.start(plugin);
    app::mark(*parts.store, *parts.keyring);
    const std::int64_t own = value_or_throw(parts.features.renew_sealed());
    return parts.hooks.apply(plugins::sealed_renewal, own, {}).integer();
}

void accept_key(const BaseOptions& options) {
    const auto store = app::open_current(options);
    app::mark(*store, *crypto::Keyring::open(options.key_file));
}

// The names after CREATE TABLE in the steps of the base: all other tables are plugins'.
std::set<std::string> tables_of_base() {
    constexpr std::string_view made = "CREATE TABLE ", unless_made = "IF NOT EXISTS ";
    std::set<std::string> tables;
    for (const auto& step : embedded::base_steps())
        for (auto at = step.text.find(made); at != std::string_view::npos; at = step.text.find(made, at + 1)) {
            std::string_view rest = step.text.substr(at + made.size());
            if (rest.starts_with(unless_made))
                rest.remove_prefix(unless_made.size());
            tables.emplace(rest.substr(0, rest.find_first_of(" (\n")));
        }
    return tables;
}

// Values that this process cannot encrypt again, such as those of a missing plugin's gateways, would be lost.
void drop_other_keys(const BaseOptions& options) {
    const Office office(options);
    std::vector<std::string> others, beginnings;
    static_cast<void>(office.keyring->any([&](const crypto::Keyring& one) {
        if (one.prefix() != office.keyring->prefix()) {
            others.push_back('"' + one.prefix());
            beginnings.push_back(one.prefix());
        }
        return false;
    }));
    std::string left;
    office.store->read([&](store::Session& session) {
        left = store::column_beginning_with(session, beginnings, tables_of_base());
        for (const auto& [name, value] : store::tuples<std::string, std::string>(
                 session,
                 "SELECT 'settings ' || key, value FROM svc_settings UNION ALL SELECT 'gateway ' || slug, config"
                 " FROM svc_payment_gateways UNION ALL SELECT 'module ' || slug, settings FROM svc_modules",
                 {}))
            for (const std::string& other : others)
                if (value.find(other) != std::string::npos)
                    left = name;
    });
    if (!left.empty())
        throw std::runtime_error("another key than the one in use encrypts " + left +
                                 ", which this edition does not know; nothing was dropped");
    crypto::Keyring::drop_others(options.key_file);
}

}  // namespace svc::commands
