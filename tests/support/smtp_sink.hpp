// The SMTP server of tests/support/smtp_sink.py as a child process.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "shared/json/value.hpp"
#include "tests/support/child.hpp"
#include "tests/support/databases.hpp"

namespace svc::tests {

class SmtpSink {
  public:
    explicit SmtpSink(const std::vector<std::string>& options = {}) : child_(command(options)) {
        const auto line = child_.line();
        if (!line || !line->starts_with("port "))
            throw std::runtime_error("the SMTP sink does not run");
        port_ = std::stoi(line->substr(5));
    }
    [[nodiscard]] int port() const { return port_; }
    [[nodiscard]] std::string target() const { return "127.0.0.1:" + std::to_string(port_); }

    // The mails received so far, in order.
    [[nodiscard]] std::vector<json::Value> mails() const {
        std::vector<json::Value> all;
        std::ifstream in(log());
        // A line without its end is still being written.
        for (std::string line; std::getline(in, line) && !in.eof();)
            all.push_back(json::parse(line).value());
        return all;
    }

  private:
    [[nodiscard]] std::string log() const { return folder_.file("mails"); }
    std::vector<std::string> command(const std::vector<std::string>& options) const {
        std::vector<std::string> all{SVC_PYTHON, SVC_SMTP_SINK, log()};
        all.insert(all.end(), options.begin(), options.end());
        return all;
    }

    TempDir folder_;
    Child child_;
    int port_ = 0;
};

}  // namespace svc::tests
