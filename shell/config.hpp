// How the operator runs an installation: every setting declared once, read from file, environment and flags.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/app/base.hpp"
#include "shell/http/server.hpp"

namespace svc::shell {

// The effective configuration; the defaults of the declaration are the defaults of the product.
struct Config {
    BaseOptions base;
    http::Options http;
    std::string admin_address = "127.0.0.1";
    std::uint16_t admin_port = 8081;
    std::string pro_library = "auto";
    std::string pro_sha256;
    std::string plugins_folder = "auto";
    std::vector<std::string> refused_plugins = {};  // one sentence each; filled when the libraries are opened
    std::chrono::milliseconds drain_delay{0};
};

// A sentence for the operator: the setting, its source, the error.
struct ConfigError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

enum class Kind : std::uint8_t { text, whole, flag, list };

// One row of the table. Its key names it in the file ("listen.port" is `port` under [listen]); the environment name
// and the flag are derived from the key.
struct Setting {
    std::string_view key;
    Kind kind;
    std::string_view help;
    std::int64_t least, most;                              // of a whole number
    bool hides_password;                                   // a password inside the value is shown as ****
    std::function<std::string(const Config&)> get;         // as text
    std::function<void(Config&, const std::string&)> set;  // throws ConfigError without naming the setting

    [[nodiscard]] std::string environment() const;  // SVC_LISTEN_PORT
    [[nodiscard]] std::string flag() const;         // --listen-port
    [[nodiscard]] std::string initial() const;      // the default, as text
    [[nodiscard]] std::string shown(const Config& config) const;
};

// Every setting, in the order of the documentation: sections stay together.
const std::vector<Setting>& all_settings();

// Values as text by key, from one source.
using Values = std::map<std::string, std::string, std::less<>>;

// Throws ConfigError with file and line for an unreadable file, an unknown key or a value of another type.
Values values_of_file(const std::string& path);
// The SVC_* variables that name a setting; `variable` answers null for an unset one.
Values values_of_environment(const std::function<const char*(const char*)>& variable);

// Throws ConfigError for a variable that looks like a setting's and is none: a mistyped one would do nothing.
void refuse_unknown(const std::vector<std::string>& variables);

// A configuration with the source of each value: "default", "file", "environment" or "flag".
struct Effective {
    Config config;
    std::map<std::string, std::string, std::less<>> origins;
    std::string file;  // that was read; empty: none
};
// In rising precedence; `site.cookie_secure` defaults by `site.url`. Throws ConfigError.
Effective combine(const Values& file, const Values& environment, const Values& flags);

// key = value, a line each with its origin, passwords hidden.
std::string listing(const Effective& effective);
// docs/configuration.md, whole.
std::string markdown();
// A configuration file with every setting and its sentence; those at their default are commented out.
std::string example(const Effective& effective);

}  // namespace svc::shell
