// Reads configuration from its sources, and prints it.
#include "shell/config.hpp"

#include <algorithm>
#include <cctype>
#include <sys/stat.h>
#include <unistd.h>

#include <toml++/toml.h>

namespace svc::shell {
namespace {

std::string_view section_of(std::string_view key) { return key.substr(0, key.find('.')); }
std::string_view name_of(std::string_view key) { return key.substr(key.find('.') + 1); }

const Setting* find_setting(std::string_view key) {
    const auto& table = all_settings();
    const auto found = std::find_if(table.begin(), table.end(), [&](const Setting& s) { return s.key == key; });
    return found == table.end() ? nullptr : &*found;
}

std::string in_quotes(std::string_view text) {
    std::string answer = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            answer += '\\';
        answer += c;
    }
    return answer + '"';
}

// The text of a setting's value in TOML's grammar.
std::string in_toml(const Setting& setting, const std::string& value) {
    if (setting.kind == Kind::text)
        return in_quotes(value);
    if (setting.kind != Kind::list)
        return value;
    std::string items;
    for (std::size_t start = 0; start < value.size();) {
        const std::size_t comma = std::min(value.find(',', start), value.size());
        items += (items.empty() ? "" : ", ") + in_quotes(std::string_view(value).substr(start, comma - start));
        start = comma + 1;
    }
    return "[" + items + "]";
}

std::string text_of(const Setting& setting, const toml::node& node) {
    if (const auto* text = node.as_string(); text && setting.kind == Kind::text)
        return text->get();
    if (const auto* number = node.as_integer(); number && setting.kind == Kind::whole)
        return std::to_string(number->get());
    if (const auto* truth = node.as_boolean(); truth && setting.kind == Kind::flag)
        return truth->get() ? "true" : "false";
    if (const auto* items = node.as_array(); items && setting.kind == Kind::list) {
        std::string joined;
        for (const toml::node& item : *items) {
            const auto* text = item.as_string();
            if (!text || text->get().empty() || text->get().find(',') != std::string::npos)
                throw ConfigError("must be an array of texts without commas");
            joined += (joined.empty() ? "" : ",") + text->get();
        }
        return joined;
    }
    constexpr std::string_view wanted[] = {"a text", "a whole number", "true or false", "an array of texts"};
    throw ConfigError("must be " + std::string(wanted[static_cast<std::size_t>(setting.kind)]));
}

// Replaces a password in password=… or user:password@; the rest helps readers of the listing.
std::string without_password(std::string value) {
    constexpr std::string_view word = "password=";  // sslpassword= too
    for (std::size_t at = value.find(word); at != std::string::npos; at = value.find(word, at + word.size())) {
        const std::size_t start = at + word.size();
        const bool quotes = start < value.size() && value[start] == '\'';
        std::size_t end = quotes ? value.find('\'', start + 1) : value.find_first_of(" &", start);
        end = end == std::string::npos ? value.size() : end + (quotes ? 1 : 0);
        value.replace(start, end - start, "****");
    }
    const std::size_t scheme = value.find("://");
    const std::size_t at = value.rfind('@');
    if (scheme != std::string::npos && at != std::string::npos && at > scheme) {
        const std::size_t colon = value.find(':', scheme + 3);
        if (colon != std::string::npos && colon < at)
            value.replace(colon + 1, at - colon - 1, "****");
    }
    return value;
}

std::string kind_text(const Setting& setting) {
    switch (setting.kind) {
        case Kind::whole:
            return std::to_string(setting.least) + " to " + std::to_string(setting.most);
        case Kind::flag:
            return "true or false";
        case Kind::list:
            return "list";
        case Kind::text:
            break;
    }
    return "text";
}

std::string derived(std::string_view prefix, std::string_view key, bool upper, char joint) {
    std::string name(prefix);
    for (const char c : key) {
        if (c == '.' || c == '_')
            name += joint;
        else
            name += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    }
    return name;
}

}  // namespace

std::string Setting::environment() const { return derived("SVC_", key, true, '_'); }
std::string Setting::flag() const { return derived("--", key, false, '-'); }
std::string Setting::initial() const { return get(Config{}); }
std::string Setting::shown(const Config& config) const {
    return in_toml(*this, hides_password ? without_password(get(config)) : get(config));
}

// The named library runs as this server: only root or the service may own the file that names it.
void check_owner(const std::string& path) {
    struct stat facts {};
    if (::stat(path.c_str(), &facts) != 0 || (facts.st_uid != 0 && facts.st_uid != ::geteuid()) ||
        (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        throw ConfigError(path +
                          ": pro.library and plugins.folder are taken from a file alone that root or the service owns"
                          " and nobody else may write");
}

Values values_of_file(const std::string& path) {
    struct stat facts {};
    if (::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && (facts.st_mode & S_IWOTH) != 0)
        throw ConfigError(path + " can be written by everybody on this machine. Run: chmod 0640 " + path);
    toml::table document;
    try {
        document = toml::parse_file(path);
    } catch (const toml::parse_error& error) {
        const auto line = error.source().begin.line;
        throw ConfigError(path + (line ? ":" + std::to_string(line) : "") + ": " + std::string(error.description()));
    }
    Values values;
    for (const auto& [section, node] : document) {
        const toml::table* members = node.as_table();
        if (!members)
            throw ConfigError(path + ": " + std::string(section.str()) + " must stand under a [section]");
        for (const auto& [name, member] : *members) {
            const std::string key = std::string(section.str()) + "." + std::string(name.str());
            const std::string where = path + ":" + std::to_string(member.source().begin.line) + ": " + key;
            const Setting* setting = find_setting(key);
            if (!setting)
                throw ConfigError(where + " is not a setting");
            if (key == "pro.library" || key == "plugins.folder")
                check_owner(path);
            try {
                values[key] = text_of(*setting, member);
            } catch (const ConfigError& error) {
                throw ConfigError(where + " " + error.what());
            }
        }
    }
    return values;
}

Values values_of_environment(const std::function<const char*(const char*)>& variable) {
    Values values;
    for (const Setting& setting : all_settings())
        if (const char* value = variable(setting.environment().c_str()))
            values[std::string(setting.key)] = value;
    return values;
}

void refuse_unknown(const std::vector<std::string>& variables) {
    // The file's name; Kubernetes' own, for a service of the name svc; the project's tests'.
    constexpr std::string_view others[] = {"SVC_CONFIG", "SVC_SERVICE_", "SVC_PORT", "SVC_TEST_"};
    const auto& table = all_settings();
    for (const std::string& name : variables) {
        const auto is_its = [&](const Setting& setting) { return setting.environment() == name; };
        const auto begins = [&](std::string_view other) { return name.starts_with(other); };
        if (name.starts_with("SVC_") && std::none_of(std::begin(others), std::end(others), begins) &&
            std::none_of(table.begin(), table.end(), is_its))
            throw ConfigError("The environment variable " + name +
                              " is not a setting; docs/configuration.md and svc --help name them");
    }
}

Effective combine(const Values& file, const Values& environment, const Values& flags) {
    Effective effective;
    for (const Setting& setting : all_settings()) {
        const std::string key(setting.key);
        effective.origins[key] = "default";
        for (const auto& [source, origin, name] : {std::tuple{&file, "file", key},
                                                   {&environment, "environment", setting.environment()},
                                                   {&flags, "flag", setting.flag()}}) {
            const auto found = source->find(key);
            if (found == source->end())
                continue;
            try {
                setting.set(effective.config, found->second);
            } catch (const ConfigError& error) {
                throw ConfigError(name + " " + error.what());
            }
            effective.origins[key] = origin;
        }
    }
    if (auto& origin = effective.origins["site.cookie_secure"];
        origin == "default" && effective.config.base.site_url.starts_with("https://")) {
        effective.config.base.cookie_secure = true;
        origin = "site.url";
    }
    return effective;
}

std::string listing(const Effective& effective) {
    std::string text;
    std::string_view section;
    for (const Setting& setting : all_settings()) {
        if (section_of(setting.key) != section) {
            text += section.empty() ? "" : "\n";
            section = section_of(setting.key);
            text += "[" + std::string(section) + "]\n";
        }
        text += std::string(name_of(setting.key)) + " = " + setting.shown(effective.config) + "  # " +
                effective.origins.find(setting.key)->second + "\n";
    }
    return text;
}

std::string markdown() {
    std::string text =
        "# Configuration\n\n"
        "Made by `svc config --markdown` from the table in `shell/config_table.cpp`; a test compares the two.\n\n"
        "Settings are read from the file named by `--config` or `SVC_CONFIG`, then from the environment, then from\n"
        "the flags; later sources take precedence. Flags and environment variables separate list items by commas. `svc "
        "config` prints\n"
        "the settings in force and their sources.\n";
    std::string_view section;
    for (const Setting& setting : all_settings()) {
        if (section_of(setting.key) != section) {
            section = section_of(setting.key);
            text += "\n## [" + std::string(section) + "]\n\n";
            text += "| key | value | default | environment, flag | what it does |\n|---|---|---|---|---|\n";
        }
        text += "| `" + std::string(name_of(setting.key)) + "` | " + kind_text(setting) + " | `" +
                in_toml(setting, setting.initial()) + "` | `" + setting.environment() + "`, `" + setting.flag() +
                "` | " + std::string(setting.help) + " |\n";
    }
    return text;
}

std::string example(const Effective& effective) {
    std::string text = "# Configuration of svc. Commented settings show the default.\n";
    std::string_view section;
    for (const Setting& setting : all_settings()) {
        if (section_of(setting.key) != section) {
            section = section_of(setting.key);
            text += "\n[" + std::string(section) + "]\n";
        }
        const bool is_default = effective.origins.find(setting.key)->second == "default";
        text += "# " + std::string(setting.help) + "\n";
        text += (is_default ? "#" : "") + std::string(name_of(setting.key)) + " = " +
                in_toml(setting, setting.get(effective.config)) + "\n";
    }
    return text;
}

}  // namespace svc::shell
