// Writes a file under another name in its folder, flushes it to the disk, and renames it.
#include "base/platform/files/files.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace svc::files {
namespace {

namespace fs = std::filesystem;

class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0)
            ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] int release() { return std::exchange(number_, -1); }

  private:
    int number_;
};

Error failed(std::string_view doing) {
    return Error{errc::unavailable, "The file could not be stored. Try again."_sentence}.after(5).because(
        std::string(doing) + ": " + std::generic_category().message(errno));
}

bool write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR)
            return false;
        bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return true;
}

bool sync_folder(const std::string& path) {
    const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return folder.number() >= 0 && ::fsync(folder.number()) == 0;
}

// With its parent folders, so that a file in it survives a crash.
bool make_folder(const std::string& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored))
        return true;
    const std::string above = fs::path(path).parent_path();
    if (!above.empty() && !make_folder(above))
        return false;
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
        return false;
    return sync_folder(above.empty() ? "." : above);
}

}  // namespace

std::string Files::path_of(std::string_view name) const {
    const auto digits = std::min(name.find('-'), name.size());
    const auto hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    const auto tail = [](char c) { return c == '-' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    if (digits < 8 || name.size() > 100 || !std::all_of(name.begin(), name.begin() + digits, hex) ||
        !std::all_of(name.begin() + digits, name.end(), tail))
        throw std::logic_error("a file's name is not made of its content");
    return folder_ + "/" + std::string(name.substr(0, 2)) + "/" + std::string(name);
}

Result<void> Files::put(std::string_view name, std::string_view bytes) const {
    const std::string path = path_of(name);
    const std::string folder = fs::path(path).parent_path();
    // Updates the time, so that the sweep leaves it; the first writer may have died before its folder was on disk.
    if (has(name) && ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0) == 0)
        return sync_folder(folder) ? Result<void>{} : failed("fsync of the folder");
    if (!make_folder(folder))
        return failed("mkdir");
    std::string part = folder + "/part-XXXXXX";
    const Descriptor file(::mkostemp(part.data(), O_CLOEXEC));
    if (file.number() < 0)
        return failed("open");
    if (!write_all(file.number(), bytes) || ::fsync(file.number()) != 0 || ::rename(part.c_str(), path.c_str()) != 0) {
        const Error error = failed("write");
        ::unlink(part.c_str());
        return error;
    }
    return sync_folder(folder) ? Result<void>{} : failed("fsync of the folder");
}

bool Files::has(std::string_view name) const {
    struct stat facts {};
    return ::lstat(path_of(name).c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

std::shared_ptr<const OpenFile> Files::open(std::string_view name) const {
    Descriptor file(::open(path_of(name).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    struct stat facts {};
    if (file.number() < 0 || ::fstat(file.number(), &facts) != 0 || !S_ISREG(facts.st_mode))
        return nullptr;
    return std::make_shared<const OpenFile>(file.release(), static_cast<std::size_t>(facts.st_size));
}

void Files::remove(std::string_view name) const { ::unlink(path_of(name).c_str()); }

void Files::each_older(std::chrono::system_clock::time_point than,
                       const std::function<bool(const std::string& name)>& take) const {
    std::error_code failure;
    const auto before = std::chrono::file_clock::from_sys(than);
    for (fs::recursive_directory_iterator at(folder_, failure), end; !failure && at != end; at.increment(failure)) {
        std::error_code removed;
        if (!at->is_regular_file(removed) || at->last_write_time(removed) >= before || removed)
            continue;
        const std::string name = at->path().filename();
        if (name.starts_with("part-"))
            fs::remove(at->path(), removed);
        else if (!take(name))
            return;
    }
}

std::int64_t Files::copy_to(const std::string& folder, Progress& progress) const {
    const Files target(folder);
    std::int64_t copied = 0;
    std::error_code failure;
    if (!fs::exists(folder_, failure))
        return 0;
    for (fs::recursive_directory_iterator at(folder_, failure), end; !failure && at != end; at.increment(failure)) {
        const std::string name = at->path().filename();
        if (progress.is_stopped())
            throw std::runtime_error(std::to_string(copied) + " files were copied to " + folder + ", others were not.");
        if (at->is_directory() || name.starts_with("part-") || target.has(name))
            continue;
        const auto file = open(name);
        std::string bytes(file ? file->size() : 0, '\0');
        if (file && file->read(0, bytes.data(), bytes.size()) != bytes.size())
            throw std::runtime_error("The file " + name + " of the data folder cannot be read.");
        // A missing one was deleted meanwhile.
        if (file && !target.put(name, bytes))
            throw std::runtime_error("The files could not be copied to " + folder + ".");
        copied += file ? 1 : 0;
        progress.at("files", copied, 0);
    }
    if (failure)
        throw std::runtime_error("The data folder cannot be read.");
    return copied;
}

}  // namespace svc::files
