// Decides which file Pro is; the opening itself is library.cpp's.
#include "shell/pro.hpp"

#include <dlfcn.h>
#include <filesystem>
#include <system_error>

#include "shell/library.hpp"

namespace svc::shell {

std::string folder_of_the_base() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&Base::open), &info) == 0 || !info.dli_fname)
        return {};
    std::error_code error;
    const auto base = std::filesystem::canonical(info.dli_fname, error);
    return error ? std::string{} : base.parent_path().string();
}

Pro open_pro(const Config& config) {
    if (config.pro_library == "none")
        return {};
    const bool automatic = config.pro_library == "auto";
    Pro pro;
    pro.path = automatic ? folder_of_the_base() + "/libsvc-pro.so" : config.pro_library;
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
