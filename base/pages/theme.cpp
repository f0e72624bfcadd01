// Reads, checks, puts together and renders templates, by kainjow's mustache.
#include "base/pages/theme.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <kainjow/mustache.hpp>
#include <sstream>
#include <unordered_map>

#include "base/platform/crypto/crypto.hpp"
#include "shared/core/ascii.hpp"
#include "shared/core/embedded.hpp"
#include "shared/core/log.hpp"

namespace svc::embedded {
std::span<const Embedded> theme_files();
}

namespace svc::pages {
namespace {

namespace mustache = kainjow::mustache;
namespace fs = std::filesystem;

constexpr std::size_t longest_file = 256 * 1024;
constexpr std::string_view page_mark = "svc/page-content";

mustache::data data_of(const json::Value& value) {
    switch (value.kind()) {
        case json::Kind::null:
            return mustache::data{false};
        case json::Kind::boolean:
            return mustache::data{value.boolean()};
        case json::Kind::number:
            return mustache::data{value.number_text()};
        case json::Kind::string:  // an empty text is no text, so that sections of it are left out
            return value.text().empty() ? mustache::data{false} : mustache::data{value.text()};
        case json::Kind::array: {
            mustache::data list{mustache::data::type::list};
            for (const json::Value& item : value.items())
                list.push_back(data_of(item));
            return list;
        }
        case json::Kind::object: {
            mustache::data object{mustache::data::type::object};
            for (const auto& [name, member] : value.members())
                object.set(name, data_of(member));
            return object;
        }
    }
    return mustache::data{false};
}

std::string escaped_text(const std::string& text) {
    std::string out;
    out.reserve(text.size() + text.size() / 8);
    for (const char c : text)
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            case '`': out += "&#96;"; break;
            default: out += c;
        }
    return out;
}

// Calls `found` with each tag's inside and its place; false from it ends the walk.
void each_tag(std::string_view source, const std::function<bool(std::string_view inside, std::size_t from,
                                                                std::size_t to)>& found) {
    for (std::size_t at = source.find("{{"); at != std::string_view::npos;) {
        const bool is_triple = source.substr(at).starts_with("{{{");
        const auto close = source.find(is_triple ? "}}}" : "}}", at);
        if (close == std::string_view::npos)
            return;
        const std::size_t end = close + (is_triple ? 3 : 2);
        const auto inside = source.substr(at + 2, close + (is_triple ? 1 : 0) - at - 2);
        if (!found(ascii::trimmed(inside, " \t\r\n"), at, end))
            return;
        at = source.find("{{", end);
    }
}

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text(longest_file + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

}  // namespace

std::string template_fault(std::string_view source, const std::function<bool(std::string_view)>& exists) {
    if (source.size() > longest_file)
        return "The file is larger than 256 KiB.";
    std::string fault;
    each_tag(source, [&](std::string_view inside, std::size_t, std::size_t) {
        if (inside.empty())
            fault = "A tag is empty.";
        else if (inside.front() == '{' || inside.front() == '&') {
            std::string_view name = ascii::trimmed(inside.substr(1), " \t\r\n}");
            if (!name.ends_with("_html") && name != ".")
                fault = "The value " + std::string(name) + " is not escaped; write {{" + std::string(name) + "}}.";
        } else if (inside.front() == '>') {
            const auto name = ascii::trimmed(inside.substr(1), " \t\r\n");
            if (name != page_mark && !exists(name))
                fault = "There is no template " + std::string(name) + " to include.";
        } else if (inside.front() == '=')
            fault = "Other delimiters than {{ and }} are not supported.";
        return fault.empty();
    });
    if (!fault.empty())
        return fault;
    mustache::mustache parsed{std::string(source)};
    return parsed.is_valid() ? std::string() : "The template cannot be read: " + parsed.error_message() + ".";
}

// The chain as it is now; immutable but for the parsed templates, which each thread has of its own.
struct Theme::Files {
    std::uint64_t edition = 0;
    std::string seen;  // the folder's names, sizes and times
    std::map<std::string, std::string, std::less<>> sources;
    std::shared_ptr<const std::string> style;
    std::string style_hash;
    std::vector<ThemeFault> faults;

    [[nodiscard]] std::string with_includes(std::string_view source, const std::string& page, int depth) const {
        std::string out;
        std::size_t from = 0;
        each_tag(source, [&](std::string_view inside, std::size_t at, std::size_t to) {
            if (inside.empty() || inside.front() != '>')
                return true;
            out.append(source.substr(from, at - from));
            from = to;
            const auto name = ascii::trimmed(inside.substr(1), " \t\r\n");
            if (name == page_mark)
                out += page;
            else if (const auto found = sources.find(name); found != sources.end() && depth < 12)
                out += with_includes(found->second, page, depth + 1);
            return true;
        });
        return out.append(source.substr(from));
    }
};

namespace {

// Replaces {{#t}}text{{/t}} by what the locale says.
std::string in_locale(std::string_view source, const Theme::Translate& translate, std::string_view locale) {
    constexpr std::string_view open = "{{#t}}", close = "{{/t}}";
    std::string out;
    for (auto at = source.find(open); at != std::string_view::npos; at = source.find(open)) {
        const auto end = source.find(close, at);
        if (end == std::string_view::npos)
            break;
        const auto english = source.substr(at + open.size(), end - at - open.size());
        out.append(source.substr(0, at));
        out.append(translate ? translate(locale, english) : std::string(english));
        source.remove_prefix(end + close.size());
    }
    return out.append(source);
}

struct Kept {
    std::uint64_t edition = 0;
    std::unordered_map<std::string, std::unique_ptr<mustache::mustache>> templates;
};

std::int64_t seconds_now() {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

Theme::Theme(std::string folder, Translate translate) : folder_(std::move(folder)), translate_(std::move(translate)) {}
Theme::~Theme() = default;

std::vector<std::pair<std::string, std::string_view>> Theme::bundled() {
    std::vector<std::pair<std::string, std::string_view>> all;
    for (const Embedded& each : embedded::theme_files())
        all.emplace_back(std::string(each.name), each.text);
    return all;
}

std::shared_ptr<const Theme::Files> Theme::files() const {
    const std::lock_guard lock(mutex_);
    const std::int64_t now = seconds_now();
    if (current_ && now == looked_at_)
        return current_;
    looked_at_ = now;
    // What the folder holds: a change of a name, a size or a time is a change.
    std::vector<fs::path> own;
    std::string seen;
    std::error_code none;
    for (fs::directory_iterator each(fs::path(folder_) / "svc", none), end; !none && each != end; each.increment(none)) {
        const auto size = each->is_regular_file(none) ? each->file_size(none) : 0;
        const auto time = each->last_write_time(none).time_since_epoch().count();
        own.push_back(each->path());
        seen += each->path().filename().string() + " " + std::to_string(size) + " " + std::to_string(time) + "\n";
    }
    if (current_ && current_->seen == seen)
        return current_;
    auto next = std::make_shared<Files>();
    next->edition = current_ ? current_->edition + 1 : 1;
    next->seen = seen;
    std::string style;
    for (const auto& [name, text] : bundled()) {
        if (name.ends_with(".html"))
            next->sources[name.substr(0, name.size() - 5)] = text;
        else if (name == "style.css")
            style = text;
    }
    const auto exists = [&](std::string_view name) {
        return next->sources.find(name) != next->sources.end() ||
               std::any_of(own.begin(), own.end(),
                           [&](const fs::path& each) { return each.filename() == std::string(name) + ".html"; });
    };
    std::sort(own.begin(), own.end());
    for (const fs::path& path : own) {
        const std::string file = path.filename().string();
        if (file == "style.css") {
            if (std::string text = read_file(path); text.size() <= longest_file)
                style = std::move(text);
            else
                next->faults.push_back({file, "The file is larger than 256 KiB."});
            continue;
        }
        if (!file.ends_with(".html"))
            continue;
        std::string text = read_file(path);
        if (std::string fault = template_fault(text, exists); !fault.empty()) {
            log::warning("theme_file_refused", {{"file", file}, {"cause", fault}});
            next->faults.push_back({file, std::move(fault)});
            continue;
        }
        next->sources[file.substr(0, file.size() - 5)] = std::move(text);
    }
    next->style_hash = crypto::sha256_hex(style).substr(0, 10);
    next->style = std::make_shared<const std::string>(std::move(style));
    current_ = std::move(next);
    return current_;
}

std::string Theme::render(std::string_view name, const json::Value& model, std::string_view locale, bool alone) const {
    const auto chain = files();
    thread_local std::unordered_map<const Theme*, Kept> of_thread;
    Kept& kept = of_thread[this];
    if (kept.edition != chain->edition) {
        kept.templates.clear();
        kept.edition = chain->edition;
    }
    const std::string key = std::string(locale) + (alone ? "!" : "/") + std::string(name);
    auto& parsed = kept.templates[key];
    if (!parsed) {
        const auto page = chain->sources.find(name), layout = chain->sources.find("layout");
        std::string source = page == chain->sources.end() ? std::string() : chain->with_includes(page->second, {}, 0);
        if (!alone && layout != chain->sources.end())
            source = chain->with_includes(layout->second, source, 0);
        parsed = std::make_unique<mustache::mustache>(in_locale(source, translate_, locale));
        parsed->set_custom_escape(escaped_text);
        if (!parsed->is_valid())
            log::error("template_broken", {{"template", std::string(name)}, {"cause", parsed->error_message()}});
    }
    return parsed->render(data_of(model));
}

std::shared_ptr<const std::string> Theme::style() const { return files()->style; }
std::string Theme::style_hash() const { return files()->style_hash; }
std::uint64_t Theme::edition() const { return files()->edition; }
std::vector<ThemeFault> Theme::faults() const { return files()->faults; }

}  // namespace svc::pages
