// A child process with the arguments and environment that such a program needs.
#include "base/platform/store/postgres_tool.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <spawn.h>
#include <stdexcept>
#include <string_view>
#include <sys/wait.h>
#include <thread>

#include "base/platform/store/postgres_connection.hpp"

extern char** environ;

namespace svc::store {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> all;
    all.reserve(texts.size() + 1);
    for (auto& text : texts)
        all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

}  // namespace

void run_postgres_tool(const std::string& program, std::vector<std::string> arguments, const std::string& conninfo,
                       const std::function<bool()>& goes_on) {
    std::string password;
    arguments.insert(arguments.begin(), program);
    if (!conninfo.empty()) {
        arguments.push_back("--dbname=" + conninfo_with_settings(conninfo, &password));
        arguments.emplace_back("--no-password");
    }
    std::vector<std::string> settings;
    for (char** entry = environ; *entry; ++entry)
        if (!std::string_view(*entry).starts_with("PGPASSWORD="))
            settings.emplace_back(*entry);
    if (!password.empty())
        settings.push_back("PGPASSWORD=" + password);
    auto argv = pointers_to(arguments), envp = pointers_to(settings);
    pid_t child = 0;
    if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, argv.data(), envp.data()) != 0)
        throw std::runtime_error(program + " could not be started; it comes with the PostgreSQL client.");
    int status = 0;
    bool ended = false;
    for (pid_t found = 0; found != child;) {
        found = waitpid(child, &status, WNOHANG);
        if (found < 0 && errno != EINTR)
            throw std::runtime_error(program + " was lost.");
        if (found == child)
            break;
        if (!ended && !goes_on()) {
            ended = true;
            ::kill(child, SIGTERM);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    if (ended)
        return;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw std::runtime_error(program + " failed; it said why above.");
}

}  // namespace svc::store
