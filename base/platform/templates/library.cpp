// Overrides by folder; keeps faults and falls back to the bundled template.
#include "base/platform/templates/library.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "shared/core/ascii.hpp"
#include "shared/core/log.hpp"

namespace svc::templates {
namespace {

constexpr std::size_t most_override_bytes = std::size_t{256} * 1024;
constexpr std::size_t most_files = 1000;  // that are looked at for changes

// A name that leads to no other folder than ours.
bool is_inside(std::string_view name) {
    if (name.empty() || name.front() == '/' || name.size() > 200)
        return false;
    const bool is_plain = std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '.' || c == '/';
    });
    return is_plain && name.find("..") == std::string_view::npos && name.find("//") == std::string_view::npos;
}

std::string partial_file(std::string_view name) {
    const bool has_ending = name.ends_with(".html") || name.ends_with(".txt");
    std::string file = has_ending ? std::string(name) : std::string(name) + ".html";
    return file.find('/') == std::string::npos ? "partials/" + file : file;
}

}  // namespace

Library::Library(Options options) : options_(std::move(options)), folders_(options_.folders) {}

std::optional<std::string_view> Library::bundled(std::string_view name) const {
    for (const Embedded& each : options_.bundled)
        if (each.name == name)
            return each.text;
    const auto found = added_.find(name);
    return found == added_.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

void Library::add(std::string name, std::string text) { added_.emplace(std::move(name), std::move(text)); }

bool Library::has(std::string_view name) const { return bundled(name).has_value(); }

std::vector<std::string> Library::names() const {
    std::vector<std::string> all;
    for (const Embedded& each : options_.bundled)
        all.emplace_back(each.name);
    for (const auto& [name, text] : added_)
        all.push_back(name);
    return all;
}

void Library::report(const std::string& file, const std::string& sentence) const {
    log::warning("template_rejected", {{"file", file}, {"cause", sentence}});
    faults_.push_back({file, sentence});
}

std::optional<std::string> Library::text_of(std::string_view name, bool with_overrides) const {
    for (const auto& folder : folders_) {
        const auto path = folder / name;
        std::error_code none;
        if (!with_overrides || !is_inside(name) || !std::filesystem::is_regular_file(path, none))
            continue;
        if (std::filesystem::file_size(path, none) > most_override_bytes) {
            report(path.string(), "The file is longer than 256 KiB.");
            continue;
        }
        std::ifstream file(path, std::ios::binary);
        std::ostringstream text;
        if (text << file.rdbuf())
            return text.str();
        report(path.string(), "The file cannot be read.");
    }
    const auto text = bundled(name);
    return text ? std::optional<std::string>(*text) : std::nullopt;
}

std::optional<std::string> Library::partial_of(std::string_view name, bool with_overrides) const {
    if (!is_inside(name))
        return std::nullopt;
    if (auto text = text_of(partial_file(name), with_overrides))
        return text;
    // "a/b" may also be below partials/.
    return text_of("partials/" + std::string(name) + (name.ends_with(".html") || name.ends_with(".txt") ? "" : ".html"),
                   with_overrides);
}

// Puts an override's partials into its text, as compile() reads it. Only after compile() has accepted the text, which
// bounds their size and depth.
std::string Library::with_partials(std::string_view text) const {
    std::string whole;
    for (auto open = text.find("{{"); open != std::string_view::npos; open = text.find("{{")) {
        const auto close = text.find("}}", open);
        if (close == std::string_view::npos)
            break;
        const std::string_view tag = ascii::trimmed(text.substr(open + 2, close - open - 2), " \t\r\n");
        std::string_view copied = text.substr(0, close + 2);
        std::string inside;
        if (tag.starts_with('>')) {
            copied = text.substr(0, open);
            inside = partial_of(ascii::trimmed(tag.substr(1), " \t\r\n"), true).value_or("");
            if (inside.ends_with('\n'))
                inside.pop_back();
        }
        whole.append(copied).append(with_partials(inside));
        text.remove_prefix(close + 2);
    }
    return whole.append(text);
}

Result<Template> Library::compile(std::string_view name, std::string_view text, bool with_overrides) const {
    return Template::read(
        name, text,
        {.domain = options_.domain,
         .kind = name.ends_with(".txt") ? Kind::plain : Kind::html,
         .partial = [this, with_overrides](std::string_view partial) { return partial_of(partial, with_overrides); },
         .texts = options_.texts});
}

Library::Read Library::read(std::string_view name) const {
    if (!folders_.empty()) {
        const auto text = text_of(name, true);
        auto used = text ? compile(name, *text, true) : Result<Template>(errc::not_found);
        std::string whole = used ? with_partials(*text) : std::string();
        if (used && options_.accepts && *text != bundled(name))
            if (auto accepted = options_.accepts(name, whole); !accepted)
                used = accepted.error();
        if (used)
            return {.used = std::move(*used), .text = std::move(whole), .is_override = true};
        if (text)
            report((folders_.front() / name).string(), used.error().message().english());
    }
    const auto text = bundled(name);
    if (!text)
        throw std::logic_error("there is no template " + std::string(name));
    auto used = compile(name, *text, false);
    if (!used)
        throw std::logic_error("a bundled template is broken: " + used.error().message().english());
    return {.used = std::move(*used), .text = std::string(*text)};
}

Library::Read Library::find_read(std::string_view name) const {
    const std::lock_guard lock(mutex_);
    if (const auto known = read_.find(name); known != read_.end())
        return known->second;
    return read_.emplace(std::string(name), read(name)).first->second;
}

Template Library::find(std::string_view name) const { return find_read(name).used; }

std::string Library::source(std::string_view name) const { return find_read(name).text; }

std::string Library::render(std::string_view name, const json::Value& data, std::string_view locale) const {
    const Read found = find_read(name);
    auto text = found.used.render(data, locale);
    if (!text && found.is_override) {
        const std::lock_guard lock(mutex_);
        report((folders_.empty() ? std::filesystem::path(name) : folders_.front() / name).string(),
               text.error().cause());
        const auto original = bundled(name);
        auto used = original ? compile(name, *original, false) : Result<Template>(errc::not_found);
        if (used) {
            text = used->render(data, locale);
            read_.insert_or_assign(std::string(name), Read{.used = std::move(*used), .text = std::string(*original)});
        }
    }
    if (!text)
        throw std::logic_error("a template cannot be filled in: " + text.error().cause());
    return std::move(*text);
}

std::vector<Fault> Library::faults() const {
    const std::lock_guard lock(mutex_);
    return faults_;
}

std::vector<Fault> Library::check() const {
    for (const std::string& name : names())
        (void)find_read(name);
    return faults();
}

void Library::reload(std::vector<std::filesystem::path> folders) {
    const std::lock_guard lock(mutex_);
    folders_ = std::move(folders);
    read_.clear();
    faults_.clear();
}

void Library::follow_files() const {
    const std::int64_t now =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
    const std::lock_guard lock(mutex_);
    if (folders_.empty() || now == looked_at_)
        return;
    looked_at_ = now;
    std::vector<std::string> files;
    std::error_code none;
    for (const auto& folder : folders_)
        for (std::filesystem::recursive_directory_iterator each(folder, none), end; !none && each != end;
             each.increment(none)) {
            const auto size = each->is_regular_file(none) ? each->file_size(none) : 0;
            const auto time = each->last_write_time(none).time_since_epoch().count();
            files.push_back(each->path().string() + " " + std::to_string(size) + " " + std::to_string(time));
            if (files.size() >= most_files)
                break;
        }
    std::sort(files.begin(), files.end());
    std::string seen;
    for (const std::string& file : files)
        seen += file + "\n";
    if (seen == seen_)
        return;
    seen_ = std::move(seen);
    read_.clear();
    faults_.clear();
}

}  // namespace svc::templates
