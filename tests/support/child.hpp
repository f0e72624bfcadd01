// A child process whose standard output is read line by line.
#pragma once

#include <cstdio>
#include <optional>
#include <signal.h>
#include <string>
#include <sys/types.h>
#include <vector>

namespace svc::tests {

// Killed and waited for on destruction.
class Child {
  public:
    // The program by its path, then its arguments; the environment is ours. Throws std::runtime_error.
    explicit Child(std::vector<std::string> command);
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // The next line without its end, nothing once the output has ended. A line without an end is none.
    std::optional<std::string> line();
    std::vector<std::string> lines();  // all that is left
    void kill(int signal = SIGKILL);
    // Waits: the exit code, or the signal that ended it as a negative number.
    int wait();

  private:
    pid_t pid_ = -1;
    std::FILE* output_ = nullptr;
};

}  // namespace svc::tests
