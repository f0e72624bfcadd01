// The theme: templates, style and words of the pages, bundled and overridden file by file.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform/templates/later.hpp"
#include "shared/json/value.hpp"

namespace svc::pages {

// A problem with a file of the theme's folder, for the operator.
struct ThemeFault {
    std::string file, help;
};

// The bundled theme, under files of a folder that have the same names: `svc/{name}.html` and `svc/style.css`. A broken
// file is reported and the bundled one takes its place. The folder is looked at once a second. Any thread.
//
// Templates are those of base/platform/templates. `{{> name}}` includes another one, `{{> svc/page-content}}` in the
// layout is the page. Their texts are of the domain `site`.
class Theme {
  public:
    // `folder` may be absent.
    explicit Theme(std::string folder);
    ~Theme();
    Theme(const Theme&) = delete;
    Theme& operator=(const Theme&) = delete;

    // The template within the layout; with `alone` only the template, for fragments and frames. `around` frames
    // the page and holds {{> svc/page-content}}; empty: nothing does.
    [[nodiscard]] std::string render(std::string_view name, const json::Value& model, std::string_view locale,
                                     bool alone = false, const std::string& around = {},
                                     std::span<const templates::Later> later = {}) const;
    // A bundled template of a partner's; one of that name in the folder replaces it. [start-up]
    void add(const std::string& name, std::string text);
    // The fault of a text as the template of that name, or as the frame of pages; empty: none.
    [[nodiscard]] Sentence fault_of_template(std::string_view name, const std::string& text) const;
    [[nodiscard]] Sentence fault_of_block(std::string_view name, std::string_view around) const;
    [[nodiscard]] bool has(std::string_view name) const;
    [[nodiscard]] std::shared_ptr<const std::string> style() const;
    [[nodiscard]] std::uint64_t edition() const;  // another number once a file has changed
    [[nodiscard]] std::vector<ThemeFault> faults() const;
    // Tags of the folder's files that no page has, each with its line: what they show would always be empty.
    [[nodiscard]] std::vector<ThemeFault> unknown_tags() const;

    // Bundled files by name with their text, for `svc theme`.
    static std::vector<std::pair<std::string, std::string_view>> bundled();

  private:
    struct Files;
    [[nodiscard]] std::shared_ptr<const Files> files() const;

    const std::string folder_;
    std::map<std::string, std::string, std::less<>> added_;
    mutable std::mutex mutex_;
    mutable std::shared_ptr<const Files> current_;
    mutable std::int64_t looked_at_ = 0;
};

}  // namespace svc::pages
