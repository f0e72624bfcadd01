// Calls the base, watched by a printer of progress.
#include "shell/moving.hpp"

#include <sys/stat.h>

#include "shell/progress.hpp"

namespace svc::shell::commands {
namespace {

// The files of these commands contain customers' data and secrets: only their owner may read them.
template <class Work>
int privately(const Work& work) {
    return with_progress([&](Progress& progress) {
        const mode_t before = umask(0077);
        std::vector<std::string> lines = work(progress);
        umask(before);
        return lines;
    });
}

}  // namespace

int export_to(const Config& config, const Pro& pro, const std::string& path, const svc::commands::ExportWish& wish) {
    return privately([&](Progress& progress) {
        svc::commands::export_to(config.base, pro.entry, path, wish, progress);
        return std::vector<std::string>{path};
    });
}

int import_from(const Config& config, const Pro& pro, const std::string& path, const svc::commands::ImportWish& wish) {
    return privately(
        [&](Progress& progress) { return svc::commands::import_from(config.base, pro.entry, path, wish, progress); });
}

int restore(const Config& config, const std::string& path, const svc::commands::RestoreChoice& choice) {
    return privately([&](Progress& progress) { return svc::commands::restore(config.base, path, choice, progress); });
}

}  // namespace svc::shell::commands
