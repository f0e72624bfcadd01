// One request at a time read by Beast's grammar, without Beast in sight.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "shell/http/server.hpp"

namespace svc::http {

class Parser {
  public:
    struct Step {
        std::size_t used = 0;  // bytes that need not be shown again
        int refusal = 0;       // the status to refuse with, 0 for none
    };

    Parser();
    ~Parser();

    // Begins a request with its whole head, as measured by the gate. Returns the status to refuse with, 0 for none.
    // `head`'s method, target and headers are set, its peer is left.
    int begin(std::string_view bytes, RequestHead& head);

    // Continues with the body: appends decoded bytes. More than `limit` bytes, declared or sent, are 413.
    Step body(std::string_view bytes, std::string& body, std::size_t limit);

    [[nodiscard]] bool done() const;
    [[nodiscard]] bool keep_alive() const;
    [[nodiscard]] bool http10() const;
    [[nodiscard]] bool expects_continue() const;
    // Declared length; 0 for a chunked body.
    [[nodiscard]] std::size_t length() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace svc::http
