// Beast's basic_parser, and the refusals that need a field's meaning.
#include "shell/http/parser.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

// Beast 1.74 asserts that at least five bytes are there once it has seen a last chunk's size; "0 CR LF CR" arriving
// alone are four, and right. Without the assertion it waits for the fifth, as it should; with it a client could end
// the process.
#define BOOST_DISABLE_ASSERTS
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/basic_parser.hpp>

#include "shell/http/gate.hpp"

namespace svc::http {
namespace {

namespace beast = boost::beast;
namespace beast_http = boost::beast::http;
using beast::error_code;
using beast_http::field;
using beast_http::verb;
using View = beast::string_view;

// One line of a chunk's size or one trailer section may be as long as this before its end is seen.
constexpr std::size_t max_chunk_line = 4096;

std::string_view view(View text) { return {text.data(), text.size()}; }

error_code refused() { return make_error_code(beast_http::error::bad_value); }

// Why: basic_parser and not request_parser, since it hands out views, from which the request is filled with no
// container of Beast's in between.
class Grammar final : public beast_http::basic_parser<true> {
  public:
    explicit Grammar(RequestHead& head) : head_(&head) {
        header_limit(std::numeric_limits<std::uint32_t>::max());  // the gate has measured it
        // Known only after the head; and not boost::none, which Beast 1.74 takes for a limit below every length.
        body_limit(std::numeric_limits<std::uint64_t>::max());
    }

    // Where decoded bytes go; from here on fields are trailers.
    void take_body(std::string& body, std::size_t limit) {
        body_ = &body;
        limit_ = limit;
    }

    void check_head() {
        if (refusal_ != 0)
            return;
        if (lengths_ > 1 || (lengths_ > 0 && encodings_ > 0) || (http10_ && encodings_ > 0))
            refusal_ = 400;
        else if (encodings_ > 0 && (encodings_ > 1 || !chunked_))
            refusal_ = 501;
        else if (hosts_ > 1 || (hosts_ == 0 && !http10_))
            refusal_ = 400;
        else if (unknown_method_)
            refusal_ = 501;
        else if (!normalise_target())
            refusal_ = 400;
        else if (bad_expectation_ && !http10_)
            refusal_ = 417;
    }

    [[nodiscard]] int refusal() const { return refusal_; }
    void refuse(int status) { refusal_ = refusal_ == 0 ? status : refusal_; }
    [[nodiscard]] bool http10() const { return http10_; }
    [[nodiscard]] bool expects_continue() const { return expects_continue_ && !http10_; }

  private:
    // absolute-form becomes origin-form; its authority overrides Host (RFC 9112 3.2.2).
    bool normalise_target() {
        auto& target = head_->target;
        if (target[0] == '/' || (target == "*" && head_->method == "OPTIONS"))
            return true;
        const auto scheme = target.find("://");
        if (scheme == std::string::npos ||
            (!beast::iequals({target.data(), scheme}, "http") && !beast::iequals({target.data(), scheme}, "https")))
            return false;
        const auto begin = scheme + 3;
        const auto end = std::min(target.find_first_of("/?#", begin), target.size());
        const auto authority = target.substr(begin, end - begin);
        if (!valid_host(authority))
            return false;
        for (auto& [name, value] : head_->headers)
            if (beast::iequals(name, "Host"))
                value = authority;
        target.erase(0, end);
        if (target.empty() || target[0] != '/')
            target.insert(0, "/");
        return true;
    }

    void on_request_impl(verb method, View name, View target, int version, error_code&) override {
        head_->method.assign(name.data(), name.size());
        head_->target.assign(target.data(), target.size());
        http10_ = version == 10;
        switch (method) {
            case verb::get:
            case verb::head:
            case verb::post:
            case verb::put:
            case verb::patch:
            case verb::delete_:
            case verb::options:
                break;
            default:
                unknown_method_ = true;
        }
    }

    void on_field_impl(field id, View name, View value, error_code& error) override {
        if (body_)
            return;  // a trailer never becomes a header
        switch (id) {
            case field::content_length:
                ++lengths_;
                if (value.empty() ||
                    !std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; }))
                    return stop(400, error);
                break;
            case field::transfer_encoding:
                ++encodings_;
                chunked_ = beast::iequals(value, "chunked");
                break;
            case field::host:
                ++hosts_;
                if (!valid_host(view(value)))
                    return stop(400, error);
                break;
            case field::expect:
                if (beast::iequals(value, "100-continue"))
                    expects_continue_ = true;
                else
                    bad_expectation_ = true;
                break;
            default:
                break;
        }
        head_->headers.emplace_back(std::piecewise_construct, std::forward_as_tuple(name.data(), name.size()),
                                    std::forward_as_tuple(value.data(), value.size()));
    }

    std::size_t append(View bytes, error_code& error) {
        if (bytes.size() > limit_ - body_->size())
            stop(413, error);
        else
            body_->append(bytes.data(), bytes.size());
        return bytes.size();
    }

    std::size_t on_body_impl(View bytes, error_code& error) override { return append(bytes, error); }

    void on_chunk_header_impl(std::uint64_t size, View extensions, error_code& error) override {
        if (size > limit_ - body_->size())
            stop(413, error);
        // An extension may hold a lone LF, which another reader would take for the line's end.
        else if (breaks_line(view(extensions)))
            stop(400, error);
    }

    std::size_t on_chunk_body_impl(std::uint64_t, View bytes, error_code& error) override {
        return append(bytes, error);
    }

    void on_response_impl(int, View, int, error_code&) override {}
    void on_header_impl(error_code&) override {}
    void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
    void on_finish_impl(error_code&) override {}

    void stop(int status, error_code& error) {
        refuse(status);
        error = refused();
    }

    RequestHead* head_;
    std::string* body_ = nullptr;
    std::size_t limit_ = 0;
    int refusal_ = 0;
    int lengths_ = 0, encodings_ = 0, hosts_ = 0;
    bool chunked_ = false, http10_ = false, unknown_method_ = false;
    bool expects_continue_ = false, bad_expectation_ = false;
};

}  // namespace

struct Parser::Impl {
    std::optional<Grammar> grammar;
};

Parser::Parser() : impl_(std::make_unique<Impl>()) {}
Parser::~Parser() = default;

int Parser::begin(std::string_view bytes, RequestHead& head) {
    auto& grammar = impl_->grammar.emplace(head);
    error_code error;
    const auto used = grammar.put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
    if (error || used != bytes.size())
        grammar.refuse(400);
    grammar.check_head();
    return grammar.refusal();
}

Parser::Step Parser::body(std::string_view bytes, std::string& body, std::size_t limit) {
    auto& grammar = *impl_->grammar;
    grammar.take_body(body, limit);
    grammar.eager(true);
    error_code error;
    const auto used = grammar.put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
    if (error && error != beast_http::error::need_more)
        grammar.refuse(400);
    else if (!grammar.is_done() && bytes.size() - used > max_chunk_line)
        grammar.refuse(400);
    return {used, grammar.refusal()};
}

bool Parser::done() const { return impl_->grammar->is_done(); }
bool Parser::keep_alive() const { return impl_->grammar->keep_alive(); }
bool Parser::http10() const { return impl_->grammar->http10(); }
bool Parser::expects_continue() const { return impl_->grammar->expects_continue(); }

std::size_t Parser::length() const {
    const auto length = impl_->grammar->content_length();
    return length ? static_cast<std::size_t>(*length) : 0;
}

}  // namespace svc::http
