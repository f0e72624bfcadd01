// The chain of the theme's files: reads, checks, puts together and renders.
#include "base/website/pages/theme.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/platform/templates/tag_lines.hpp"
#include "base/platform/templates/template.hpp"
#include "base/website/pages/compact_css.hpp"
#include "shared/core/embedded.hpp"
#include "shared/core/log.hpp"

namespace svc::embedded {
std::span<const Embedded> theme_files();
}

namespace svc::pages {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_file = 256 * 1024;
constexpr std::string_view page_mark = "svc/page-content";

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text(longest_file + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

}  // namespace

// The present chain. Templates are read at their first use.
struct Theme::Files {
    std::uint64_t edition = 0;
    std::string seen;  // the folder's names, sizes and times
    std::map<std::string, std::string, std::less<>> sources;
    std::shared_ptr<const std::string> style;
    std::vector<ThemeFault> faults;
    std::map<std::string, std::string, std::less<>> own;  // of the folder, those that can be read
    mutable std::mutex reading;
    mutable std::map<std::string, templates::Template, std::less<>> read;

    [[nodiscard]] Result<templates::Template> compiled(std::string_view name, std::string_view text,
                                                       const std::string& page) const {
        return templates::Template::read(
            name, text, {.domain = "site", .partial = [&](std::string_view wanted) -> std::optional<std::string> {
                             if (wanted == page_mark)
                                 return page;
                             const auto found = sources.find(wanted);
                             return found == sources.end() ? std::nullopt : std::optional(found->second);
                         }});
    }
};

namespace {

std::int64_t seconds_now() {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

Theme::Theme(std::string folder) : folder_(std::move(folder)) {}
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
    // The folder's fingerprint: names, sizes and times.
    std::vector<fs::path> own;
    std::string seen;
    std::error_code none;
    for (fs::directory_iterator each(fs::path(folder_) / "svc", none), end; !none && each != end;
         each.increment(none)) {
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
    for (const auto& [name, text] : added_)
        next->sources[name] = text;
    std::map<std::string, std::string, std::less<>> overrides;
    std::sort(own.begin(), own.end());
    for (const fs::path& path : own) {
        const std::string file = path.filename().string();
        if ((file == "style.css" || file.ends_with(".html")) && !fs::is_regular_file(path, none)) {
            next->faults.push_back({file, "This is no file."});
            continue;
        }
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
        overrides[file.substr(0, file.size() - 5)] = std::move(text);
    }
    // Each by itself beside the bundled ones, so that a broken one takes nothing else along.
    const auto bundled_sources = next->sources;
    for (auto& [name, text] : overrides)
        next->sources[name] = text;
    for (const auto& [name, text] : overrides) {
        const auto read = text.size() > longest_file
                              ? Result<templates::Template>(
                                    Error{errc::validation_error, "The file is larger than 256 KiB."_sentence})
                              : next->compiled(name, text, {});
        if (read) {
            next->own[name] = text;
            continue;
        }
        log::warning("theme_file_refused", {{"file", name + ".html"}, {"cause", read.error().message().english()}});
        next->faults.push_back({name + ".html", read.error().message().english()});
        if (const auto own_one = bundled_sources.find(name); own_one != bundled_sources.end())
            next->sources[name] = own_one->second;
        else
            next->sources.erase(name);
    }
    next->style = std::make_shared<const std::string>(compact_css(style));
    current_ = std::move(next);
    return current_;
}

namespace {

// The page within its template.
std::string within(std::string around, const std::string& page) {
    constexpr std::string_view mark = "{{> svc/page-content}}";
    const auto at = around.find(mark);
    return at == std::string::npos ? page : around.replace(at, mark.size(), page);
}

constexpr std::size_t most_kept = 500;  // each with what stands around it, which staff may change often

}  // namespace

std::string Theme::render(std::string_view name, const json::Value& model, std::string_view locale, bool alone,
                          const std::string& around, std::span<const templates::Later> later) const {
    const auto chain = files();
    const std::string key = (alone ? "!" : "/") + std::string(name) + "\n" + around;
    std::optional<templates::Template> used;
    {
        const std::lock_guard lock(chain->reading);
        if (const auto found = chain->read.find(key); found != chain->read.end())
            used = found->second;
        else {
            const auto page = chain->sources.find(name), layout = chain->sources.find("layout");
            const std::string own = page == chain->sources.end() ? std::string() : page->second,
                              text = around.empty() ? own : within(around, own);
            auto read = alone || layout == chain->sources.end() ? chain->compiled(name, text, {})
                                                                : chain->compiled("layout", layout->second, text);
            if (!read && !around.empty()) {  // a theme's file has changed meanwhile: the page alone
                log::warning("site_template_ignored",
                             {{"page", std::string(name)}, {"cause", read.error().message().english()}});
                read = alone || layout == chain->sources.end() ? chain->compiled(name, own, {})
                                                               : chain->compiled("layout", layout->second, own);
            }
            if (!read)
                throw std::runtime_error("template " + std::string(name) + ": " + read.error().message().english());
            if (chain->read.size() >= most_kept)
                chain->read.clear();
            used = chain->read.emplace(key, std::move(*read)).first->second;
        }
    }
    auto page = used->render(model, locale, later);
    if (!page)
        throw std::runtime_error("template " + std::string(name) + ": " + page.error().message().english());
    return std::move(*page);
}

void Theme::add(const std::string& name, std::string text) {
    const std::lock_guard lock(mutex_);
    added_[name] = std::move(text);
    current_ = nullptr;
}

Sentence Theme::fault_of_template(std::string_view name, const std::string& text) const {
    const auto read = files()->compiled(name, text, {});
    return read ? Sentence() : read.error().message();
}

Sentence Theme::fault_of_block(std::string_view name, std::string_view around) const {
    // As it will be read, with nothing for the page: a section that begins before it must not end in it.
    const auto read = files()->compiled(name, within(std::string(around), {}), {});
    if (!read)
        return read.error().message();
    const auto at = around.find("{{> svc/page-content}}");
    for (const std::string_view half :
         {around.substr(0, at), at == std::string_view::npos ? around : around.substr(at)})
        if (const auto own = files()->compiled(name, within(std::string(half), {}), {}); !own)
            return own.error().message();
    return {};
}

bool Theme::has(std::string_view name) const { return files()->sources.contains(name); }

std::shared_ptr<const std::string> Theme::style() const { return files()->style; }
std::uint64_t Theme::edition() const { return files()->edition; }
std::vector<ThemeFault> Theme::faults() const { return files()->faults; }

namespace {

// What pages have besides what the bundled theme shows of them. Below `meta` stands whatever listeners put there.
constexpr std::string_view free_member = "meta";
constexpr std::string_view more_members[] = {free_member, "min", "notice", "password_error"};

// The file's own tags: an included file is looked at by itself.
std::set<std::string, std::less<>> tags_in(std::string_view name, std::string_view text) {
    const auto read = templates::Template::read(
        name, text, {.domain = "site", .partial = [](std::string_view) { return std::optional(std::string()); }});
    return read ? read->tags() : std::set<std::string, std::less<>>{};
}

std::vector<std::string> members_of(std::string_view tag) {
    std::vector<std::string> members;
    for (std::size_t at = 0; at <= tag.size();) {
        const auto end = std::min(tag.find('.', at), tag.size());
        members.emplace_back(tag.substr(at, end - at));
        at = end + 1;
    }
    return members;
}

}  // namespace

std::vector<ThemeFault> Theme::unknown_tags() const {
    const auto chain = files();
    std::set<std::string, std::less<>> known(std::begin(more_members), std::end(more_members));
    const auto learn = [&known](std::string_view name, std::string_view text) {
        for (const std::string& tag : tags_in(name, text))
            for (std::string& member : members_of(tag))
                known.insert(std::move(member));
    };
    std::set<std::string, std::less<>> ours{"layout"};
    for (const auto& [file, text] : bundled())
        if (file.ends_with(".html")) {
            learn(file, text);
            ours.insert(file.substr(0, file.size() - 5));
        }
    for (const auto& [name, text] : added_)
        learn(name, text);
    std::vector<ThemeFault> found;
    for (const auto& [name, text] : chain->own) {
        // A page of a plugin, whose tags are its own.
        if (!ours.contains(name) && !added_.contains(name) && !name.starts_with("part-"))
            continue;
        for (const std::string& tag : tags_in(name, text)) {
            const auto members = members_of(tag);
            if (tag == "." || members.front() == free_member ||
                std::all_of(members.begin(), members.end(),
                            [&](const std::string& each) { return known.contains(each); }))
                continue;
            found.push_back({name + ".html", "line " + std::to_string(templates::line_of_tag(text, tag)) +
                                                 ": no page has {{" + tag + "}}, so nothing stands there."});
        }
    }
    return found;
}

}  // namespace svc::pages
