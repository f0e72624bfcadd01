// A file is the same when device and number are.
#include "base/platform/store/database_file.hpp"

#include <sys/stat.h>

namespace svc::store {
namespace {

constexpr std::string_view embedded_scheme = "sqlite:";

}  // namespace

DatabaseFile::DatabaseFile(std::string_view url)
    : path_(url.starts_with(embedded_scheme) ? url.substr(embedded_scheme.size()) : std::string_view()),
      opened_(identity()) {}

std::optional<DatabaseFile::Identity> DatabaseFile::identity() const {
    struct stat facts {};
    if (path_.empty() || ::stat(path_.c_str(), &facts) != 0)
        return std::nullopt;
    return Identity{.device = facts.st_dev, .number = facts.st_ino};
}

bool DatabaseFile::is_in_its_place() const { return identity() == opened_; }

}  // namespace svc::store
