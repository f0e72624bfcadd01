// The head of an answer, written straight into the connection's buffer.
#include "shell/http/writer.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <ctime>

#include "shell/http/gate.hpp"

namespace svc::http {
namespace {

std::string_view reason(int status) {
    switch (status) {
        case 200:
            return "200 OK";
        case 201:
            return "201 Created";
        case 202:
            return "202 Accepted";
        case 204:
            return "204 No Content";
        case 206:
            return "206 Partial Content";
        case 301:
            return "301 Moved Permanently";
        case 302:
            return "302 Found";
        case 303:
            return "303 See Other";
        case 304:
            return "304 Not Modified";
        case 307:
            return "307 Temporary Redirect";
        case 308:
            return "308 Permanent Redirect";
        case 400:
            return "400 Bad Request";
        case 401:
            return "401 Unauthorized";
        case 402:
            return "402 Payment Required";
        case 403:
            return "403 Forbidden";
        case 404:
            return "404 Not Found";
        case 405:
            return "405 Method Not Allowed";
        case 406:
            return "406 Not Acceptable";
        case 408:
            return "408 Request Timeout";
        case 409:
            return "409 Conflict";
        case 410:
            return "410 Gone";
        case 412:
            return "412 Precondition Failed";
        case 413:
            return "413 Content Too Large";
        case 414:
            return "414 URI Too Long";
        case 415:
            return "415 Unsupported Media Type";
        case 416:
            return "416 Range Not Satisfiable";
        case 417:
            return "417 Expectation Failed";
        case 422:
            return "422 Unprocessable Content";
        case 423:
            return "423 Locked";
        case 428:
            return "428 Precondition Required";
        case 429:
            return "429 Too Many Requests";
        case 431:
            return "431 Request Header Fields Too Large";
        case 500:
            return "500 Internal Server Error";
        case 501:
            return "501 Not Implemented";
        case 502:
            return "502 Bad Gateway";
        case 503:
            return "503 Service Unavailable";
        case 504:
            return "504 Gateway Timeout";
        case 505:
            return "505 HTTP Version Not Supported";
        default:
            return {};
    }
}

// "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n", made once a second and thread.
std::string_view date_line() {
    thread_local std::time_t made_at = -1;
    thread_local std::array<char, 40> line;
    thread_local std::size_t size = 0;
    timespec now{};
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    if (now.tv_sec != made_at) {
        std::tm parts{};
        gmtime_r(&now.tv_sec, &parts);
        // The process never leaves the C locale for dates: names of days and months are English.
        size = std::strftime(line.data(), line.size(), "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts);
        made_at = now.tv_sec;
    }
    return {line.data(), size};
}

bool same_name(std::string_view name, std::string_view lower) {
    if (name.size() != lower.size())
        return false;
    for (std::size_t i = 0; i < name.size(); ++i)
        if ((static_cast<unsigned char>(name[i]) | 0x20U) != static_cast<unsigned char>(lower[i]))
            return false;
    return true;
}

bool transport_owns(std::string_view name) {
    switch (name.size()) {
        case 4:
            return same_name(name, "date");
        case 10:
            return same_name(name, "connection");
        case 14:
            return same_name(name, "content-length");
        case 17:
            return same_name(name, "transfer-encoding");
        default:
            return false;
    }
}

void append_number(std::string& out, std::size_t number) {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

}  // namespace

bool append_head(std::string& out, const Response& response, Persist persist) {
    const auto before = out.size();
    if (response.status < 200 || response.status > 599)
        return false;
    out.append("HTTP/1.1 ");
    if (const auto text = reason(response.status); !text.empty()) {
        out.append(text);
    } else {
        append_number(out, static_cast<std::size_t>(response.status));
        out.push_back(' ');
    }
    out.append("\r\n");
    out.append(date_line());
    for (const auto& [name, value] : response.headers) {
        if (!is_token(name) || breaks_line(value)) {
            out.resize(before);
            return false;
        }
        if (transport_owns(name))
            continue;
        out.append(name).append(": ").append(value).append("\r\n");
    }
    if (has_body(response.status)) {
        out.append("Content-Length: ");
        append_number(out, response.size());
        out.append("\r\n");
    }
    if (persist == Persist::close)
        out.append("Connection: close\r\n");
    else if (persist == Persist::explicit_)
        out.append("Connection: keep-alive\r\n");
    out.append("\r\n");
    return true;
}

}  // namespace svc::http
