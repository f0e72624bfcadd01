// The templates of a part of the program: bundled files, each of which a file in a theme folder replaces.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform/templates/template.hpp"
#include "shared/core/embedded.hpp"

namespace svc::templates {

// Why an override is not used.
struct Fault {
    std::string file;      // its path
    std::string sentence;  // the fault and its line
};

// Templates by name: "pages/trip.html"; of names that end in .txt nothing is escaped. {{> card}} is
// "partials/card.html", and {{> card.txt}} or {{> a/b.html}} the file of that name. Any thread.
class Library {
  public:
    struct Options {
        std::string_view domain;                          // of their texts
        std::span<const Embedded> bundled;                // by their names
        std::vector<std::filesystem::path> folders = {};  // with files that replace the bundled ones; the first wins
        const texts::Texts* texts = nullptr;              // outlives the library; null: the bundled ones
        // A further check of an override with its partials; its sentence is reported.
        std::function<Result<void>(std::string_view name, std::string_view text)> accepts = {};
    };
    explicit Library(Options options);

    // One more that is there without a file: as a bundled one. [start-up]
    void add(std::string name, std::string text);

    // Reads each template at its first use. An override that cannot be read, names a partial that does not exist, is
    // longer than 256 KiB or takes too long is logged and listed in faults(), and the bundled template is used instead.
    // std::logic_error without a bundled one, or when that is broken.
    [[nodiscard]] std::string render(std::string_view name, const json::Value& data, std::string_view locale) const;
    // The template as render() uses it.
    [[nodiscard]] Template find(std::string_view name) const;

    // The text of the template that render() uses, an override's with its partials in it or the bundled one's.
    [[nodiscard]] std::string source(std::string_view name) const;
    [[nodiscard]] bool has(std::string_view name) const;
    [[nodiscard]] std::vector<std::string> names() const;                                // the bundled ones
    [[nodiscard]] std::optional<std::string_view> bundled(std::string_view name) const;  // its text, to copy it out
    // Of all templates read so far.
    [[nodiscard]] std::vector<Fault> faults() const;
    // Reads every bundled template and its override now; for `svc theme check` and tests.
    std::vector<Fault> check() const;

    // Forgets what was read, so that changed files are seen. `folders`: those from now on.
    void reload(std::vector<std::filesystem::path> folders);
    // The same when a file of the folders is another than before; looks at most once a second.
    void follow_files() const;

  private:
    struct Read {
        Template used;
        std::string text;
        bool is_override = false;
    };
    [[nodiscard]] Read find_read(std::string_view name) const;
    [[nodiscard]] Read read(std::string_view name) const;
    [[nodiscard]] Result<Template> compile(std::string_view name, std::string_view text, bool with_overrides) const;
    [[nodiscard]] std::optional<std::string> text_of(std::string_view name, bool with_overrides) const;
    [[nodiscard]] std::optional<std::string> partial_of(std::string_view name, bool with_overrides) const;
    [[nodiscard]] std::string with_partials(std::string_view text) const;
    void report(const std::string& file, const std::string& sentence) const;

    const Options options_;
    mutable std::recursive_mutex mutex_;
    mutable std::vector<std::filesystem::path> folders_;
    mutable std::map<std::string, Read, std::less<>> read_;
    mutable std::vector<Fault> faults_;
    std::map<std::string, std::string, std::less<>> added_;
    mutable std::string seen_;  // names, sizes and times of the folders' files
    mutable std::int64_t looked_at_ = -1;
};

}  // namespace svc::templates
