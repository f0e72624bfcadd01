// Gathering writes from text and shared bodies.
#include "shell/http/output.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <sys/uio.h>
#include <utility>

namespace svc::http {
namespace {

// Up to this size a copy is cheaper than another piece of a gathered write.
constexpr std::size_t small_body = 1024;
// The size of reads from a file.
constexpr std::size_t file_part = 64 * 1024;
// The most that an idle connection keeps.
constexpr std::size_t kept_text = 16 * 1024;

}  // namespace

void Output::body(std::shared_ptr<const std::string> body) {
    if (!body || body->empty())
        return;
    if (body->size() <= small_body) {
        text_.append(*body);
        return;
    }
    body_bytes_ += body->size();
    pieces_.push_back({text_.size(), std::move(body)});
}

void Output::body(std::shared_ptr<const OpenFile> file, std::size_t from, std::size_t size) {
    if (file && size > 0)
        pieces_.push_back({text_.size(), nullptr, std::move(file), from, size});
}

// As send(2) answers; a file that cannot be read is an error like a lost socket.
long Output::send_some(int socket) const {
    if (pieces_sent_ < pieces_.size() && pieces_[pieces_sent_].file && text_sent_ == pieces_[pieces_sent_].text_end) {
        const Piece& piece = pieces_[pieces_sent_];
        std::array<char, file_part> part;
        const auto most = std::min(part.size(), piece.size() - body_sent_);
        if (piece.file->read(piece.file_from + body_sent_, part.data(), most) == most)
            return ::send(socket, part.data(), most, MSG_NOSIGNAL | MSG_DONTWAIT);
        errno = EIO;
        return -1;
    }
    std::array<iovec, 32> parts;
    std::size_t count = 0;
    const auto add = [&](const char* data, std::size_t size) {
        if (size > 0)
            parts[count++] = {const_cast<char*>(data), size};  // sendmsg only reads
    };
    auto text_at = text_sent_;
    auto skip = body_sent_;
    auto piece = pieces_sent_;
    bool at_file = false;
    for (; piece < pieces_.size() && count + 2 < parts.size() && !at_file; ++piece) {
        const auto& next = pieces_[piece];
        add(text_.data() + text_at, next.text_end - text_at);
        at_file = next.file != nullptr;
        if (!at_file)
            add(next.body->data() + skip, next.body->size() - skip);
        text_at = next.text_end;
        skip = 0;
    }
    if (piece == pieces_.size() && !at_file)
        add(text_.data() + text_at, text_.size() - text_at);
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = count;
    return count == 1 ? ::send(socket, parts[0].iov_base, parts[0].iov_len, MSG_NOSIGNAL | MSG_DONTWAIT)
                      : ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

Output::Sent Output::send(int socket, bool& progress) {
    while (!empty()) {
        const auto written = send_some(socket);
        if (written < 0) {
            if (errno == EINTR)
                continue;
            if (errno != EAGAIN && errno != EWOULDBLOCK)
                return Sent::failed;
            count_what_waits();
            return Sent::some;
        }
        progress = progress || written > 0;
        sent(static_cast<std::size_t>(written));
    }
    return Sent::all;
}

void Output::sent(std::size_t bytes) {
    while (pieces_sent_ < pieces_.size()) {
        auto& piece = pieces_[pieces_sent_];
        const auto text = std::min(bytes, piece.text_end - text_sent_);
        text_sent_ += text;
        bytes -= text;
        const auto body = std::min(bytes, piece.size() - body_sent_);
        body_sent_ += body;
        bytes -= body;
        if (piece.body)
            body_bytes_ -= body;
        if (text_sent_ < piece.text_end || body_sent_ < piece.size())
            return;
        piece.body.reset();
        piece.file.reset();
        piece.hold = {};
        body_sent_ = 0;
        ++pieces_sent_;
    }
    text_sent_ += bytes;
    if (text_sent_ == text_.size())
        clear();
}

void Output::count_what_waits() {
    text_share_.set(text_.capacity());
    for (auto piece = pieces_sent_; piece < pieces_.size(); ++piece)
        if (auto& each = pieces_[piece]; each.body && !each.hold.holds())
            each.hold = ByteBudget::BodyHold(budget_, each.body, account_);
}

void Output::clear() {
    text_share_.set(0);
    body_bytes_ = 0;
    text_.clear();
    if (text_.capacity() > kept_text)
        text_.shrink_to_fit();
    pieces_.clear();
    text_sent_ = pieces_sent_ = body_sent_ = 0;
}

}  // namespace svc::http
