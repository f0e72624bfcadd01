// The operator's commands: each one calls the base and prints for a human.
#include "shell/commands.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <sys/random.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "shell/progress.hpp"

namespace svc::shell::commands {
namespace {

// New folders may contain customers' data: readable by the service's user only.
void make_directory(const std::filesystem::path& path) {
    if (path.empty() || std::filesystem::exists(path))
        return;
    const mode_t before = umask(0027);
    std::filesystem::create_directories(path);
    umask(before);
}

using svc::commands::Finding;

// Passwords and cookies cross the network as they are, unless a proxy or nothing but this machine is before them.
Finding way_in_finding(const Config& config) {
    const std::string& address = config.http.address;
    const bool is_local = address == "::1" || address.starts_with("127.");
    if (config.base.site_url.starts_with("https://") && !config.base.cookie_secure)
        return {Finding::Level::bad, "way in", "site.url is https and site.cookie_secure is off"};
    if (!is_local && !config.base.cookie_secure)
        return {Finding::Level::warning, "way in",
                "listens on " + address + " and accepts passwords without TLS; set an https site.url or cookie_secure"};
    return {Finding::Level::good, "way in",
            config.base.cookie_secure ? "passwords and cookies only over TLS" : "listens only on this machine"};
}

// A worker without a session waits for one, and its request fails once database.lease_ms are over.
Finding sessions_finding(const Config& config) {
    const auto workers = static_cast<int>(config.http.workers);
    const std::string counts =
        std::to_string(config.base.database_sessions) + " sessions for " + std::to_string(workers) + " workers";
    if (config.base.database_sessions < workers)
        return {Finding::Level::warning, "database sessions", counts + "; raise database.sessions to listen.workers"};
    return {Finding::Level::good, "database sessions", counts};
}

// It may hold the database's password.
Finding file_finding(const std::string& path) {
    struct stat facts {};
    if (::stat(path.c_str(), &facts) != 0 || (facts.st_mode & (S_IROTH | S_IWGRP | S_IWOTH)) != 0)
        return {Finding::Level::warning, "configuration",
                "the configuration file can be read or written by others; chmod 0640"};
    return {Finding::Level::good, "configuration", "the configuration file is private"};
}

void make_directories(const BaseOptions& options) {
    make_directory(options.data_dir);
    make_directory(std::filesystem::path(options.key_file).parent_path());
    constexpr std::string_view sqlite = "sqlite:";
    if (options.database.starts_with(sqlite))
        make_directory(std::filesystem::path(options.database.substr(sqlite.size())).parent_path());
}

// Turns a terminal's echo off while a password is typed.
class Unseen {
  public:
    Unseen() : is_terminal_(tcgetattr(STDIN_FILENO, &before_) == 0) {
        if (!is_terminal_)
            return;
        termios quiet = before_;
        quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
    }
    ~Unseen() {
        if (is_terminal_)
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
    }
    Unseen(const Unseen&) = delete;
    Unseen& operator=(const Unseen&) = delete;
    [[nodiscard]] bool is_terminal() const { return is_terminal_; }

  private:
    termios before_{};
    bool is_terminal_;
};

std::string asked_password() {
    const Unseen unseen;
    std::string first;
    std::string second;
    if (unseen.is_terminal())
        std::cerr << "Password: ";
    std::getline(std::cin, first);
    if (unseen.is_terminal()) {
        std::cerr << "\nAgain: ";
        std::getline(std::cin, second);
        std::cerr << "\n";
        if (first != second)
            throw std::runtime_error("the two passwords differ");
    }
    if (first.empty())
        throw std::runtime_error("enter a password on standard input or use --generate");
    return first;
}

// "The library /usr/lib/svc/plugins/x.so was refused." names x.so alone: staff do not see paths of the machine.
std::string without_folders(std::string text) {
    for (auto at = text.find(" /"); at != std::string::npos; at = text.find(" /", at + 1)) {
        const auto end = std::min(text.find_first_of(" :,", at + 1), text.size());
        text.erase(at + 1, text.rfind('/', end - 1) - at);
    }
    return text;
}

}  // namespace

Config checked(const Effective& effective, const Pro& pro) {
    // Staff see it too.
    const auto without = [](std::string help, const std::string& path) {
        for (auto at = help.find(path); !path.empty() && at != std::string::npos; at = help.find(path))
            help.replace(at, path.size(), "of Pro");
        return help;
    };
    Config config = effective.config;
    config.base.shell_findings = [config, file = effective.file, refusal = without(pro.refusal, pro.path),
                                  has_pro = pro.entry != nullptr] {
        std::vector<Finding> findings{way_in_finding(config), sessions_finding(config)};
        if (!file.empty())
            findings.push_back(file_finding(file));
        if (!refusal.empty())
            findings.push_back({Finding::Level::warning, "pro", refusal});
        else if (has_pro)  // the base alone is whole: it misses nothing
            findings.push_back({Finding::Level::good, "pro", "installed"});
        for (const std::string& one : config.refused_plugins)
            findings.push_back({Finding::Level::warning, "plugin", without_folders(one)});
        return findings;
    };
    return config;
}

std::string random_password() {
    constexpr std::string_view alphabet = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    std::string password;
    while (password.size() < 24) {
        unsigned char byte = 0;
        if (getrandom(&byte, 1, 0) != 1)
            throw std::runtime_error("the system gives no randomness");
        byte &= 63;
        if (byte < alphabet.size())  // a remainder would favour the alphabet's first letters
            password += alphabet[byte];
    }
    return password;
}

int init(const Config& config, const Pro& pro, const NewUser& admin, bool with_samples) {
    int done = migrate(config, pro);
    if (done != 0 || svc::commands::has_users(config.base))
        return done;
    if (with_samples)
        done = load_samples(config);
    if (done != 0)
        return done;
    const std::string password = random_password();
    svc::commands::add_user(config.base, admin.login, admin.email, admin.role, password);
    const std::string key = svc::commands::add_application_password(config.base, admin.login, "first run");
    std::cout << "\nAn administrator, shown this once:\n"
              << "  login                 " << admin.login << "\n"
              << "  password              " << password << "\n"
              << "  application password  " << key << "\n\n"
              << "For the commands of README.md:\n"
              << "  export APP_PASSWORD='" << key << "'\n"
              << std::endl;
    return 0;
}

int migrate(const Config& config, const Pro& pro) {
    make_directories(config.base);
    return with_progress([&](Progress& progress) { return svc::commands::migrate(config.base, pro.entry, progress); });
}

int add_user(const Config& config, const NewUser& user) {
    const std::string password = user.generate ? random_password() : asked_password();
    const std::int64_t id = svc::commands::add_user(config.base, user.login, user.email, user.role, password);
    std::cout << "user " << id << " " << user.login << "\n";
    if (user.generate)
        std::cout << "password " << password << "\n";
    return 0;
}

int list_users(const Config& config, bool with_customers) {
    const auto users = svc::commands::list_users(config.base, with_customers);
    std::size_t login = 5, role = 4, email = 5;
    for (const auto& user : users) {
        login = std::max(login, user.login.size());
        role = std::max(role, user.role.size());
        email = std::max(email, user.email.size());
    }
    const auto line = [&](const svc::commands::ListedUser& user) {
        const auto padded = [](std::string text, std::size_t width) {
            return text + std::string(width + 2 - std::min(width, text.size()), ' ');
        };
        std::cout << padded(user.login, login) << padded(user.role, role) << padded(user.email, email)
                  << padded(user.status, 20) << (user.last_login.empty() ? "never" : user.last_login) << "\n";
    };
    line({"login", "email", "role", "status", "last sign-in"});
    for (const auto& user : users)
        line(user);
    return 0;
}

int set_role(const Config& config, const NewUser& user) {
    svc::commands::set_user_role(config.base, user.login, user.role);
    std::cout << user.login << " has the role " << user.role << "\n";
    return 0;
}

int disable_user(const Config& config, const std::string& login) {
    svc::commands::set_user_enabled(config.base, login, false);
    std::cout << login << " is disabled; sessions and application passwords have ended\n";
    return 0;
}

int enable_user(const Config& config, const std::string& login) {
    svc::commands::set_user_enabled(config.base, login, true);
    std::cout << login << " can sign in again\n";
    return 0;
}

int set_password(const Config& config, const NewUser& user) {
    const std::string password = user.generate ? random_password() : asked_password();
    svc::commands::set_user_password(config.base, user.login, password);
    std::cout << "the password of " << user.login << " was changed; sessions and application passwords have ended\n";
    if (user.generate)
        std::cout << "password " << password << "\n";
    return 0;
}

int add_password(const Config& config, const std::string& login, const std::string& name) {
    std::cout << svc::commands::add_application_password(config.base, login, name) << "\n";
    return 0;
}

int backup(const Config& config, const std::string& path) {
    return with_progress([&](Progress& progress) {
        const mode_t before = umask(0077);
        svc::commands::backup(config.base, path, progress);
        umask(before);
        return std::vector{path};
    });
}

int theme_check(const Config& config) {
    const auto faults = svc::commands::theme_check(config.base);
    for (const auto& [file, help] : faults)
        std::cout << file << ": " << help << "\n";
    std::cout << (faults.empty() ? "The theme is sound.\n" : "");
    return faults.empty() ? 0 : 1;
}

int theme_eject(const Config& config, const std::string& name) {
    std::cout << svc::commands::theme_eject(config.base, name) << "\n";
    return 0;
}

int load_samples(const Config& config) {
    return with_progress([&](Progress& progress) {
        return std::vector{std::to_string(svc::commands::load_samples(config.base, progress)) + " sample trips"};
    });
}

int doctor(const Effective& effective, const Pro& pro) {
    constexpr std::array<std::string_view, 3> words{"good   ", "warning", "bad    "};
    bool sound = true;
    for (const auto& finding : svc::commands::doctor(checked(effective, pro).base, pro.entry)) {
        std::cout << words[static_cast<std::size_t>(finding.level)] << "  " << finding.what << ": " << finding.help
                  << "\n";
        sound = sound && finding.level != svc::commands::Finding::Level::bad;
    }
    return sound ? 0 : 1;
}

int add_key(const Config& config) {
    svc::commands::add_key(config.base);
    std::cout << "a key was added to " << config.base.key_file
              << "; copy the file to every node, then run svc key use\n";
    return 0;
}

int use_key(const Config& config) {
    svc::commands::use_last_key(config.base);
    std::cout << "the newest key is in use; copy the file to every node, then run svc key renew\n";
    return 0;
}

int renew_sealed(const Config& config, const Pro& pro) {
    std::cout << svc::commands::renew_sealed(config.base, pro.entry) << " values re-encrypted\n";
    return 0;
}

int drop_keys(const Config& config, const Pro& pro) {
    static_cast<void>(renew_sealed(config, pro));
    svc::commands::drop_other_keys(config.base);
    std::cout << "one key is left; copy the file to every node\n";
    return 0;
}

int accept_key(const Config& config) {
    svc::commands::accept_key(config.base);
    std::cout << "the key of " << config.base.key_file
              << " is the database's from now on; copy the file to every node, enter gateway keys and mail passwords"
                 " again and issue application passwords anew\n";
    return 0;
}

int failed(const Config& config) {
    for (auto& one : svc::commands::given_up(config.base)) {
        // A mail server's words, and a line each.
        std::replace_if(
            one.why.begin(), one.why.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
        std::cout << one.kind << " " << one.id << " " << one.what << " " << one.since << " " << one.why << "\n";
    }
    return 0;
}

int retry(const Config& config, const std::string& kind, std::int64_t id) {
    std::cout << svc::commands::run_again(config.base, kind, id) << " queued to run again\n";
    return 0;
}

int export_person(const Config& config, const Pro& pro, const std::string& address) {
    std::cout << svc::commands::export_person(config.base, pro.entry, address) << "\n";
    return 0;
}

int erase_person(const Config& config, const Pro& pro, const std::string& address) {
    for (const auto& [table, rows] : svc::commands::erase_person(config.base, pro.entry, address))
        std::cout << table << " " << rows << "\n";
    return 0;
}

int evaluate(const Config& config, const Pro& pro) {
    if (!pro.refusal.empty())
        throw std::runtime_error(pro.refusal);
    const auto evaluation = svc::commands::evaluate(config.base, pro.entry);
    std::cout << "Pro is evaluated until " << evaluation.ends_at << "; then its modules go off and their data stays.\n";
    for (const auto& slug : evaluation.modules)
        std::cout << "on: " << slug << "\n";
    return 0;
}

int routes(const Config& config, const Pro& pro) {
    BaseOptions options = config.base;
    options.serves = options.run_jobs = false;
    const auto base = Base::open(options, pro.entry, pro.path);
    std::cout << base->route_list();
    base->stop();
    return 0;
}

int catalogue(const Pro& pro, const std::string& kind) {
    if (!pro.refusal.empty())
        throw std::runtime_error(pro.refusal);
    std::cout << svc::commands::catalogue(pro.entry, kind);
    return 0;
}

}  // namespace svc::shell::commands
