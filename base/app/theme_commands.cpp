// The commands of the theme: `svc theme check` and `svc theme eject`.
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "base/app/base.hpp"
#include "base/messaging/templates/templates.hpp"
#include "base/platform/texts/texts.hpp"
#include "base/website/pages/theme.hpp"

namespace svc::commands {
namespace {

namespace fs = std::filesystem;

fs::path mail_folder_of(const BaseOptions& options) {
    return fs::path(options.data_dir) / "theme" / messaging::mail_folder;
}

// All bundled files by the names that they have below theme/svc: "trip.html", "mail/booking_confirmed.subject".
std::vector<std::pair<std::string, std::string>> bundled_files() {
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto& [file, text] : pages::Theme::bundled())
        all.emplace_back(file, text);
    const auto mails = messaging::make_mail_files({}, nullptr);
    for (const std::string& file : mails->names())
        all.emplace_back("mail/" + file, std::string(mails->bundled(file).value()));
    return all;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> theme_check(const BaseOptions& options) {
    const pages::Theme theme(options.data_dir + "/theme");
    std::vector<std::pair<std::string, std::string>> faults;
    for (const auto& [file, help] : theme.faults())
        faults.emplace_back(file, help);
    for (const auto& [file, help] : theme.unknown_tags())
        faults.emplace_back(file, help);
    for (const auto& [name, text] : pages::Theme::bundled()) {
        if (!name.ends_with(".html") || name == "layout.html")  // every other one is rendered within it
            continue;
        try {
            static_cast<void>(theme.render(name.substr(0, name.size() - 5), json::Value::object(), "en"));
        } catch (const std::exception& failure) {
            faults.emplace_back(name, failure.what());
        }
    }
    const auto mails = messaging::make_mail_files({mail_folder_of(options)}, nullptr);
    for (const auto& [file, sentence] : mails->check())
        faults.emplace_back("mail/" + fs::path(file).filename().string(), sentence);
    for (const auto& [file, sentence] : texts::add_catalogues(fs::path(options.data_dir) / "theme/svc/i18n"))
        faults.emplace_back("i18n/" + file, sentence);
    return faults;
}

std::string theme_eject(const BaseOptions& options, const std::string& name) {
    std::string list;
    for (const auto& [file, text] : bundled_files()) {
        list += (list.empty() ? "" : "\n") + file;
        if (name.empty() || (file != name && file != name + ".html"))
            continue;
        const fs::path path = fs::path(options.data_dir) / "theme" / "svc" / file;
        if (fs::exists(path))
            throw std::runtime_error(path.string() + " is there already. Move it away first.");
        fs::create_directories(path.parent_path());
        std::ofstream out(path, std::ios::binary);
        out << text;
        if (!out.flush())
            throw std::runtime_error("Cannot write " + path.string() + ".");
        return path.string();
    }
    if (!name.empty())
        throw std::runtime_error("The theme has no file " + name + ". It has:\n" + list);
    return list;
}

}  // namespace svc::commands
