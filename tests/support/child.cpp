// Starts, reads and ends a child process.
#include "tests/support/child.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace svc::tests {

Child::Child(std::vector<std::string> command) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw std::runtime_error("no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::vector<char*> arguments;
    for (auto& argument : command)
        arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    const int failed = posix_spawn(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    output_ = fdopen(ends[0], "r");
    if (failed) {
        std::fclose(output_);
        throw std::runtime_error("the program could not be started: " + command[0]);
    }
}

Child::~Child() {
    kill();
    wait();
    std::fclose(output_);
}

std::optional<std::string> Child::line() {
    char* text = nullptr;
    std::size_t room = 0;
    const auto length = getline(&text, &room, output_);
    std::optional<std::string> found;
    if (length > 0 && text[length - 1] == '\n')
        found.emplace(text, static_cast<std::size_t>(length - 1));
    std::free(text);
    return found;
}

std::vector<std::string> Child::lines() {
    std::vector<std::string> all;
    while (auto next = line())
        all.push_back(std::move(*next));
    return all;
}

void Child::kill(int signal) {
    if (pid_ > 0)
        ::kill(pid_, signal);
}

int Child::wait() {
    if (pid_ <= 0)
        return 0;
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace svc::tests
