// Lists the folder of plugins and reads their digests; the opening itself is library.cpp's.
#include "shell/plugins.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "shell/library.hpp"
#include "shell/pro.hpp"

namespace svc::shell {
namespace {

namespace files = std::filesystem;

// The first word of a small file; nothing if it cannot be read.
std::optional<std::string> digest_in(const files::path& path) {
    std::error_code error;
    if (!files::is_regular_file(path, error))
        return std::nullopt;  // a named pipe would be waited for at every start
    std::ifstream in(path);
    std::string word;
    if (!(in >> word))
        return std::nullopt;
    return word;
}

std::vector<files::path> libraries_in(const std::string& folder, std::error_code& error) {
    std::vector<files::path> found;
    for (files::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->path().extension() == ".so")
            found.push_back(at->path());
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

FurtherPlugins open_further_plugins(const Config& config) {
    FurtherPlugins plugins;
    if (config.plugins_folder == "none")
        return plugins;
    const bool automatic = config.plugins_folder == "auto";
    const std::string folder = automatic ? folder_of_the_base() + "/plugins" : config.plugins_folder;
    std::error_code error;
    const auto libraries = libraries_in(folder, error);
    if (error && !(automatic && error == std::errc::no_such_file_or_directory))
        plugins.refusals.push_back("The folder of plugins " + folder + " cannot be read: " + error.message() + ".");
    for (const files::path& path : libraries) {
        const auto digest = digest_in(path.string() + ".sha256");
        if (!digest) {
            plugins.refusals.push_back("The library " + path.string() +
                                       " was refused. Its digest is not recorded. Run: " + "sha256sum " +
                                       path.string() + " > " + path.string() + ".sha256");
            continue;
        }
        LibraryRules rules;
        rules.sha256 = *digest;
        const Library library = open_library(path.string(), rules);
        if (library.entry)
            plugins.entries.push_back(library.entry);
        else
            plugins.refusals.push_back(library.missing ? "The library " + path.string() + " does not exist."
                                                       : library.refusal);
    }
    return plugins;
}

}  // namespace svc::shell
