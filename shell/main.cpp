// The program svc: reads the command line and runs one command.
#include <cstdlib>
#include <functional>
#include <iostream>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "shell/commands.hpp"
#include "shell/config.hpp"
#include "shell/moving.hpp"
#include "shell/plugins.hpp"
#include "shell/pro.hpp"
#include "shell/serve.hpp"
#include "shell/signals.hpp"

// Read by jemalloc when the process starts. With its default of four arenas per core each keeps memory freed after a
// burst: usage varied by a fifth, which looks like a leak. On a machine that hides cores jemalloc warns and continues.
extern "C" {
[[gnu::visibility("default")]] extern const char* malloc_conf;
}
const char* malloc_conf = "percpu_arena:percpu";

namespace {

using namespace svc::shell;

// The work once the configuration is known.
using Work = std::function<int(const Effective&)>;

// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread yet
const char* variable(const char* name) { return std::getenv(name); }

std::vector<std::string> names_of_environment() {
    std::vector<std::string> names;
    for (char** one = environ; one && *one; ++one)  // NOLINT: the system's own list
        names.emplace_back(std::string_view(*one).substr(0, std::string_view(*one).find('=')));
    return names;
}

// The commands come before the settings, of which there are many.
class CommandsFirst : public CLI::Formatter {
  public:
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
        return make_description(app) + make_usage(app, std::move(name)) + make_positionals(app) +
               make_subcommands(app, mode) + make_groups(app, mode) + make_footer(app);
    }
};

class CommandLine {
  public:
    CommandLine() {
        app_.formatter(std::make_shared<CommandsFirst>());
        app_.require_subcommand(1);
        app_.fallthrough();
        app_.set_version_flag("--version", [] { return versions(Config{}); });
        app_.add_option("--config", file_, "Configuration file (TOML) with the settings below.")
            ->envname("SVC_CONFIG")
            ->type_name("FILE");
        for (const Setting& setting : all_settings())
            app_.add_option_function<std::string>(
                    setting.flag(),
                    [this, &setting](const std::string& text) { flags_[std::string(setting.key)] = text; },
                    std::string(setting.help))
                ->type_name("")
                ->default_str(setting.initial())
                ->group("[" + std::string(setting.key.substr(0, setting.key.find('.'))) + "]");
        add_running();
        add_users();
        add_care();
    }

    int run(int argc, char** argv) {
        try {
            if (const std::string_view only = argc == 2 ? argv[1] : ""; only == "help" || only == "version")
                app_.parse("--" + std::string(only));
            else
                app_.parse(argc, argv);
        } catch (const CLI::RequiredError& error) {
            // Reports an unknown command before the options that follow it.
            const auto left = app_.remaining(true);
            if (left.empty())
                return app_.exit(error) == 0 ? 0 : 2;
            std::cerr << "svc: there is no " << left.front() << " here; svc --help names the commands and settings\n";
            return 2;
        } catch (const CLI::ParseError& error) {
            return app_.exit(error) == 0 ? 0 : 2;
        }
        try {
            const Values file = file_.empty() ? Values{} : values_of_file(file_);
            refuse_unknown(names_of_environment());
            Effective effective = combine(file, values_of_environment(variable), flags_);
            effective.file = file_;
            FurtherPlugins further = open_further_plugins(effective.config);
            effective.config.base.plugins = std::move(further.entries);
            effective.config.refused_plugins = std::move(further.refusals);
            return work_(effective);
        } catch (const ConfigError& error) {
            std::cerr << "svc: " << error.what() << "\n";
            return 2;
        } catch (const std::exception& error) {
            std::cerr << "svc: " << error.what() << "\n";
            return 1;
        }
    }

  private:
    CLI::App* command(CLI::App& parent, const char* name, const char* help, Work work) {
        CLI::App* added = parent.add_subcommand(name, help);
        added->callback([this, work = std::move(work)] { work_ = work; });
        return added;
    }

    void add_running() {
        command(app_, "serve", "Run the server until SIGTERM or Ctrl-C.", [](const Effective& e) {
            const Pro pro = open_pro(e.config);
            return serve(commands::checked(e, pro), pro);
        });
        command(app_, "migrate", "Update the database schema to this release.",
                [](const Effective& e) { return commands::migrate(e.config, open_pro(e.config)); });
        CLI::App* init = command(
            app_, "init", "Prepare a new installation; on existing ones the same as migrate.",
            [this](const Effective& e) { return commands::init(e.config, open_pro(e.config), admin_, samples_); });
        init->add_option("--login", admin_.login, "The administrator's login.")->capture_default_str();
        init->add_option("--email", admin_.email, "The administrator's address.")->capture_default_str();
        init->add_flag("--samples", samples_, "Load the sample trips and bookings too, to look around.");
        command(app_, "routes", "List the routes: method, path, permission, module.",
                [](const Effective& e) { return commands::routes(e.config, open_pro(e.config)); });
    }

    void add_users() {
        CLI::App* user = app_.add_subcommand("user", "Users.")->require_subcommand(1);
        CLI::App* add = command(*user, "add", "Add a user; the password is read from standard input.",
                                [this](const Effective& e) { return commands::add_user(e.config, user_); });
        add->add_option("login", user_.login, "Login name.")->required();
        add->add_option("--email", user_.email, "The user's address.")->required();
        add->add_option("--role", user_.role, "The user's role.")->required();
        add->add_flag("--generate", user_.generate, "Generate a password and print it.");
        const auto named = [this](CLI::App* one) {
            one->add_option("login", user_.login, "Login name or e-mail address.")->required();
            return one;
        };
        command(*user, "list", "List users: login, role, address, state, last sign-in.", [this](const Effective& e) {
            return commands::list_users(e.config, customers_);
        })->add_flag("--customers", customers_, "With the accounts of customers.");
        named(command(*user, "role", "Give a user another role.",
                      [this](const Effective& e) { return commands::set_role(e.config, user_); }))
            ->add_option("role", user_.role, "The role.")
            ->required();
        named(command(*user, "password", "Set a user's password, read from standard input; ends all their sessions.",
                      [this](const Effective& e) { return commands::set_password(e.config, user_); }))
            ->add_flag("--generate", user_.generate, "Generate a password and print it.");
        named(command(*user, "disable", "Keep a user out; ends sessions and application passwords.",
                      [this](const Effective& e) { return commands::disable_user(e.config, user_.login); }));
        named(command(*user, "enable", "Let a disabled user sign in again.",
                      [this](const Effective& e) { return commands::enable_user(e.config, user_.login); }));
        CLI::App* password = app_.add_subcommand("password", "Application passwords.")->require_subcommand(1);
        CLI::App* issue =
            command(*password, "add", "Create an application password and print it once.",
                    [this](const Effective& e) { return commands::add_password(e.config, user_.login, name_); });
        issue->add_option("login", user_.login, "Login of the owner.")->required();
        issue->add_option("--name", name_, "Name of the application password.")->capture_default_str();
    }

    void add_care() {
        command(app_, "backup", "Back up the database and files of a running installation.",
                [this](const Effective& e) { return commands::backup(e.config, path_); })
            ->add_option("path", path_, "Path of the backup.")
            ->required();
        add_moving();
        command(app_, "doctor", "Check durability, disk, clock and permissions.",
                [](const Effective& e) { return commands::doctor(e, open_pro(e.config)); });
        CLI::App* key = app_.add_subcommand("key", "Manage the encryption and signing keys.")->require_subcommand(1);
        command(*key, "add", "Add a key to the key file; it decrypts but does not encrypt yet.",
                [](const Effective& e) { return commands::add_key(e.config); });
        command(*key, "use", "Encrypt and sign with the newest key from now on.",
                [](const Effective& e) { return commands::use_key(e.config); });
        command(*key, "renew", "Re-encrypt values that were encrypted with other keys.",
                [](const Effective& e) { return commands::renew_sealed(e.config, open_pro(e.config)); });
        command(*key, "drop", "Renew, then remove all keys except the one in use; invalidates what other keys signed.",
                [](const Effective& e) { return commands::drop_keys(e.config, open_pro(e.config)); });
        command(*key, "accept", "Take the key file's key as the database's, when the key before is lost.",
                [](const Effective& e) { return commands::accept_key(e.config); })
            ->add_flag("--yes", sure_, "Confirm it: what the lost key encrypted stays closed.")
            ->required();
        command(app_, "failed", "List failed events and e-mails: kind, id, name, since, reason.",
                [](const Effective& e) { return commands::failed(e.config); });
        CLI::App* retry = command(app_, "retry", "Retry failed events or e-mails.",
                                  [this](const Effective& e) { return commands::retry(e.config, kind_, id_); });
        retry->add_option("kind", kind_, "event or mail.")->required();
        retry->add_option("id", id_, "Id of the event or e-mail; default all.")->check(CLI::PositiveNumber);
        CLI::App* person =
            app_.add_subcommand("person", "Export or erase the data of a person.")->require_subcommand(1);
        command(*person, "export", "Print all data stored about the owner of an address, as JSON.",
                [this](const Effective& e) { return commands::export_person(e.config, open_pro(e.config), address_); })
            ->add_option("address", address_, "The person's e-mail address.")
            ->required();
        CLI::App* erase = command(
            *person, "erase", "Erase it permanently; issued invoices and amounts of payments remain.",
            [this](const Effective& e) { return commands::erase_person(e.config, open_pro(e.config), address_); });
        erase->add_option("address", address_, "The person's e-mail address.")->required();
        erase->add_flag("--yes", sure_, "Confirm the erasure; it cannot be undone.")->required();
        CLI::App* license = app_.add_subcommand("license", "The licence of Pro.")->require_subcommand(1);
        command(*license, "evaluate", "Try all modules of Pro for 30 days, once on each database.",
                [](const Effective& e) { return commands::evaluate(e.config, open_pro(e.config)); });
        CLI::App* theme = app_.add_subcommand("theme", "The site's own templates and style.")->require_subcommand(1);
        command(*theme, "check", "Read the site's own files of the theme and report what is wrong with them.",
                [](const Effective& e) { return commands::theme_check(e.config); });
        command(*theme, "eject", "Copy a bundled file of the theme to the data directory, to be changed.",
                [this](const Effective& e) { return commands::theme_eject(e.config, theme_file_); })
            ->add_option("name", theme_file_, "A template such as single-trip, or style.css; without it, list them.");
        command(app_, "samples", "Load the sample catalogue.",
                [](const Effective& e) { return commands::load_samples(e.config); });
        command(app_, "catalogue",
                "Print what this build declares: a page of docs/ as Markdown, or the OpenAPI document.",
                [this](const Effective& e) { return commands::catalogue(open_pro(e.config), kind_); })
            ->add_option("kind", kind_, "hooks, errors, settings, routes, jobs, mails, tags, transitions or openapi.")
            ->required();
        CLI::App* config = command(app_, "config", "Print the configuration in force, passwords hidden.",
                                   [this](const Effective& e) { return print_config(e); });
        config->add_flag("--markdown", markdown_, "Print the documentation of all settings instead.");
        config->add_flag("--example", example_, "Print an example configuration file instead.");
    }

    void add_moving() {
        command(app_, "restore", "Put a backup of svc backup in the place of the database; no server may run.",
                [this](const Effective& e) { return commands::restore(e.config, path_, restore_); })
            ->add_option("path", path_, "Path of the backup.")
            ->required();
        app_.get_subcommand("restore")->add_flag("--replace", restore_.replaces,
                                                 "Replace a database that is not empty.");
        app_.get_subcommand("restore")->add_flag("--any-key", restore_.any_key,
                                                 "Restore although the key file does not open the backup's secrets.");
        CLI::App* out = command(
            app_, "export", "Export records, or everything, into a zip archive of JSON lines.",
            [this](const Effective& e) { return commands::export_to(e.config, open_pro(e.config), path_, export_); });
        out->add_option("path", path_, "Path of the archive.")->required();
        auto* kinds = out->add_option("--kind", export_.kinds, "A kind of record, such as trips; repeat it for more.")
                          ->type_name("KIND");
        out->add_flag("--everything", export_.everything,
                      "All tables, users, password hashes and encrypted secrets included, and the uploaded files.")
            ->excludes(kinds);
        CLI::App* in = command(
            app_, "import", "Import an archive of svc export, JSON, or a CSV file.",
            [this](const Effective& e) { return commands::import_from(e.config, open_pro(e.config), path_, import_); });
        in->add_option("path", path_, "Path of the file.")->required();
        in->add_option("--kind", import_.kinds, "Only this kind of record; what the rows of a CSV file are.")
            ->type_name("KIND");
        in->add_option("--mode", import_.mode, "For records that exist already: skip, update or create.")
            ->check(CLI::IsMember({"skip", "update", "create"}))
            ->capture_default_str();
        in->add_flag("--dry-run", import_.dry_run, "Store nothing; report what would be rejected.");
    }

    int print_config(const Effective& effective) const {
        std::cout << (markdown_ ? markdown() : example_ ? example(effective) : listing(effective));
        return 0;
    }

    CLI::App app_{"svc: a travel booking server.", "svc"};
    Work work_;
    Values flags_;
    std::string file_;
    commands::NewUser admin_{"admin", "admin@example.org", "administrator"};
    commands::NewUser user_;
    std::string name_ = "api", path_, kind_, address_;
    std::string theme_file_;
    svc::commands::ExportWish export_;
    svc::commands::ImportWish import_;
    svc::commands::RestoreChoice restore_;
    std::int64_t id_ = 0;
    bool markdown_ = false, example_ = false, sure_ = false, samples_ = false, customers_ = false;
};

}  // namespace

int main(int argc, char** argv) {
    leave_no_core();
    CommandLine line;
    return line.run(argc, argv);
}
