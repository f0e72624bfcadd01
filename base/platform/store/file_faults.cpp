// Looks at the file and its folder for what SQLite does not say.
#include "base/platform/store/file_faults.hpp"

#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <pwd.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <sqlite3.h>

namespace svc::store {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t little_room = 1 << 20;

std::string name_of_user(uid_t id) {
    std::array<char, 4096> room{};
    struct passwd facts {};
    struct passwd* found = nullptr;
    return getpwuid_r(id, &facts, room.data(), room.size(), &found) == 0 && found ? found->pw_name : std::to_string(id);
}

std::string folder_of(const std::string& path) {
    const auto folder = fs::path(path).parent_path();
    return folder.empty() ? "." : folder.string();
}

// "… belongs to root. Run: chown svc FILE"; who owns it already changes its mode.
std::string owner_and_remedy(const std::string& what, const char* mode) {
    struct stat facts {};
    if (::stat(what.c_str(), &facts) != 0)
        return {};
    const std::string user = user_of_process();
    if (facts.st_uid == ::geteuid())
        return " Run: chmod " + std::string(mode) + " " + what;
    return " It belongs to " + name_of_user(facts.st_uid) + ". Run: chown " + user + " " + what +
           ", and every svc command as the user " + user + ".";
}

// The file or one beside it that this process may not write.
std::optional<std::string> closed_file(const std::string& path) {
    for (const char* tail : {"", "-wal", "-shm"})
        if (const std::string file = path + tail;
            ::access(file.c_str(), F_OK) == 0 && ::access(file.c_str(), W_OK) != 0)
            return file;
    return std::nullopt;
}

std::string not_writable(const std::string& path) {
    const std::string file = closed_file(path).value_or(path);
    return "The database file " + file + " cannot be written by the user " + user_of_process() + "." +
           owner_and_remedy(file, "u+rw");
}

std::string full(const std::string& path) {
    return "The disk that holds the database file " + path + " is full. Make room on it.";
}

std::string not_opened(const std::string& path) {
    const std::string folder = folder_of(path);
    std::error_code unknown;
    if (!fs::exists(folder, unknown))
        return "The database file " + path + " could not be opened: the folder " + folder +
               " does not exist or cannot be looked into. Create it, or let database.url name another file.";
    if (fs::is_directory(path, unknown))
        return "The database file " + path + " could not be opened: it is a folder. Let database.url name a file.";
    if (closed_file(path))
        return not_writable(path);
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        return "The database file " + path + " could not be opened: the user " + user_of_process() +
               " may not write in its folder " + folder + "." + owner_and_remedy(folder, "u+rwx");
    if (const auto room = fs::space(folder, unknown); !unknown && room.available < little_room)
        return full(path);
    return "The database file " + path + " could not be opened. Check its path, owner and disk.";
}

}  // namespace

std::string user_of_process() { return name_of_user(::geteuid()); }

std::string file_fault(const std::string& path, int code) {
    std::error_code unknown;
    switch (code & 0xff) {
        case SQLITE_NOTADB:
            return "The file " + path +
                   " is no SQLite database, or its beginning is damaged. Let database.url name the right file, or move"
                   " it away and restore a backup: svc restore BACKUP";
        case SQLITE_CORRUPT:
            return "The database file " + path +
                   " is damaged. Stop the server, move the file away with its -wal and restore a backup: svc restore"
                   " BACKUP";
        case SQLITE_FULL:
            return full(path);
        case SQLITE_READONLY:
        case SQLITE_PERM:
            return not_writable(path);
        case SQLITE_CANTOPEN:
            return not_opened(path);
        case SQLITE_IOERR:
            if (const auto room = fs::space(folder_of(path), unknown); !unknown && room.available < little_room)
                return full(path);
            return "The disk failed while the database file " + path +
                   " was used. Check its free space and limits, and the system's log.";
        default:
            return "The database file " + path + " cannot be used: " + sqlite3_errstr(code) + ".";
    }
}

}  // namespace svc::store
