// The bytes a connection still owes its client, in order, bodies shared and never copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shared/core/open_file.hpp"
#include "shell/http/budget.hpp"

namespace svc::http {

// Not locked: the connection's mutex guards it.
class Output {
  public:
    enum class Sent : std::uint8_t { all, some, failed };

    // `budget` counts bytes that the socket did not accept at once.
    Output(ByteBudget& budget, std::shared_ptr<ByteBudget::Account> account)
        : budget_(budget), account_(std::move(account)), text_share_(budget, account_) {}

    // The text to append a head to; follow with body() or nothing.
    std::string& text() { return text_; }
    // A short body joins the text, a longer one is sent from where it is.
    void body(std::shared_ptr<const std::string> body);
    // That part of the file, read a piece at a time, as the socket takes them.
    void body(std::shared_ptr<const OpenFile> file, std::size_t from, std::size_t size);

    [[nodiscard]] bool empty() const { return text_.empty() && pieces_.empty(); }
    // Unsent bytes in memory; not those in files.
    [[nodiscard]] std::size_t bytes() const { return text_.size() - text_sent_ + body_bytes_; }
    // Writes what the socket accepts now; never waits, never raises SIGPIPE. `progress` becomes true when any byte was
    // written.
    Sent send(int socket, bool& progress);
    void clear();

  private:
    struct Piece {
        std::size_t text_end;  // the text up to here precedes the body
        std::shared_ptr<const std::string> body;
        std::shared_ptr<const OpenFile> file = nullptr;  // instead of a body, with the part of it that is sent
        std::size_t file_from = 0, file_size = 0;
        ByteBudget::BodyHold hold = {};  // once it had to wait
        [[nodiscard]] std::size_t size() const { return file ? file_size : body->size(); }
    };

    [[nodiscard]] long send_some(int socket) const;
    void sent(std::size_t bytes);
    void count_what_waits();

    ByteBudget& budget_;
    const std::shared_ptr<ByteBudget::Account> account_;
    ByteBudget::Share text_share_;
    std::string text_;
    std::vector<Piece> pieces_;
    // Bytes of the first one that are sent.
    std::size_t text_sent_ = 0, pieces_sent_ = 0, body_sent_ = 0;
    std::size_t body_bytes_ = 0;  // of bodies, not sent yet
};

}  // namespace svc::http
