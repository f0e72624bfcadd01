// Decides which file Pro is; the opening itself is library.cpp's.
#include "shell/pro.hpp"

#include <dlfcn.h>
#include <filesystem>
#include <system_error>

#include "shell/library.hpp"

namespace svc::shell {
namespace {

// Beside the base library, wherever that was loaded from: an installation may be moved, a build tree run from.
std::string beside_the_base() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&Base::open), &info) == 0 || !info.dli_fname)
        return {};
    std::error_code error;
    const auto base = std::filesystem::canonical(info.dli_fname, error);
    return error ? std::string{} : (base.parent_path() / "libsvc-pro.so").string();
}

}  // namespace

Pro open_pro(const Config& config) {
    if (config.pro_library == "none")
        return {};
    const bool automatic = config.pro_library == "auto";
    Pro pro;
    pro.path = automatic ? beside_the_base() : config.pro_library;
    if (std::error_code error; automatic && !std::filesystem::exists(pro.path, error))
        return {};
    LibraryRules rules;
    rules.sha256 = config.pro_sha256;
    const Library library = open_library(pro.path, rules);
    pro.entry = library.entry;
    pro.refusal = library.refusal;
    if (library.missing)
        pro.refusal = "The library " + pro.path + " does not exist.";
    return pro;
}

}  // namespace svc::shell
