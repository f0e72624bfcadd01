// The table of wire vectors.
#include "tests/shell/http/vectors.hpp"

#include <string_view>

namespace svc::http::test {
namespace {

using namespace std::string_literals;

const std::string second = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

std::string get(const std::string& fields, const std::string& line = "GET / HTTP/1.1") {
    return line + "\r\nHost: a\r\n" + fields + "\r\n";
}

std::string post(const std::string& fields, const std::string& body) { return get(fields, "POST / HTTP/1.1") + body; }

std::string chunked(const std::string& body) { return post("Transfer-Encoding: chunked\r\n", body); }

std::vector<Vector> framing() {
    return {
        {"two different Content-Length", post("Content-Length: 5\r\nContent-Length: 44\r\n", "hello" + second), {400}},
        {"two equal Content-Length", post("Content-Length: 5\r\nContent-Length: 5\r\n", "hello" + second), {400}},
        {"Content-Length list", post("Content-Length: 5, 5\r\n", "hello" + second), {400}},
        {"Content-Length: abc", post("Content-Length: abc\r\n", second), {400}},
        {"Content-Length: 5abc", post("Content-Length: 5abc\r\n", "hello" + second), {400}},
        {"Content-Length: +5", post("Content-Length: +5\r\n", "hello" + second), {400}},
        {"Content-Length: 0x5", post("Content-Length: 0x5\r\n", "hello" + second), {400}},
        {"Content-Length: 5 5", post("Content-Length: 5 5\r\n", "hello" + second), {400}},
        {"Content-Length empty", post("Content-Length:\r\n", second), {400}},
        {"Content-Length: -1", post("Content-Length: -1\r\n", second), {400}},
        {"Content-Length: 2^70", post("Content-Length: 1180591620717411303424\r\n", second), {400}},
        {"Content-Length: 4294967295", post("Content-Length: 4294967295\r\n", second), {413}},
        {"Content-Length above the limit", post("Content-Length: 1001\r\n", second), {413}},
        {"blank before the colon", post("Content-Length : 44\r\n", second), {400}},
        {"tab before the colon", post("Content-Length\t: 44\r\n", second), {400}},
        {"Content-Length and Transfer-Encoding",
         post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n" + second),
         {400}},
        {"Transfer-Encoding and Content-Length",
         post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n" + second),
         {400}},
        {"Transfer-Encoding: ch", post("Transfer-Encoding: ch\r\n", second), {501}},
        {"Transfer-Encoding: chunkedx", post("Transfer-Encoding: chunkedx\r\n", "0\r\n\r\n" + second), {501}},
        {"Transfer-Encoding: identity", post("Transfer-Encoding: identity\r\n", second), {501}},
        {"Transfer-Encoding: gzip, chunked", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n" + second), {501}},
        {"Transfer-Encoding: chunked, gzip", post("Transfer-Encoding: chunked, gzip\r\n", "0\r\n\r\n" + second), {501}},
        {"Transfer-Encoding in quotes", post("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n" + second), {501}},
        {"Transfer-Encoding with a vertical tab",
         post("Transfer-Encoding: \vchunked\r\n", "0\r\n\r\n" + second),
         {400}},
        {"two Transfer-Encoding",
         post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n" + second),
         {400}},
        {"Transfer-Encoding in HTTP/1.0",
         get("Transfer-Encoding: chunked\r\n", "POST / HTTP/1.0") + "0\r\n\r\n" + second,
         {400}},
        {"chunk data not ended by CRLF", chunked("5\r\nhelloXX0\r\n\r\n" + second), {400}},
        {"chunk data longer than said", chunked("5\r\nhello world\r\n0\r\n\r\n" + second), {400}},
        {"chunk data ended by LF", chunked("5\r\nhello\n0\r\n\r\n" + second), {400}},
        {"chunk size ended by LF", chunked("5\nhello\r\n0\r\n\r\n" + second), {400}},
        {"chunk size of nothing", chunked("\r\nhello\r\n0\r\n\r\n" + second), {400}},
        {"chunk size no number", chunked("z\r\nhello\r\n0\r\n\r\n" + second), {400}},
        {"chunk size 0x5", chunked("0x5\r\nhello\r\n0\r\n\r\n" + second), {400}},
        {"chunk size -1", chunked("-1\r\nhello\r\n0\r\n\r\n" + second), {400}},
        {"chunk size above 64 bits", chunked("10000000000000005\r\nhello\r\n0\r\n\r\n" + second), {400}},
        {"chunk size 2^64-1", chunked("ffffffffffffffff\r\nhello\r\n0\r\n\r\n" + second), {413}},
        {"chunk size above the limit", chunked("3e9\r\nhello"), {413}},
        {"LF in a chunk extension", chunked("5;a=\"\n\"\r\nhello\r\n0\r\n\r\n" + second), {400}},
        {"trailer without colon", chunked("0\r\ntrailer\r\n\r\n" + second), {400}},
        {"Content-Length as a trailer", chunked("0\r\nContent-Length: 5\r\n\r\n" + second), {400}},
    };
}

std::vector<Vector> head() {
    return {
        {"folded line", get("X-A: 1\r\n 2\r\n") + second, {400}},
        {"folded by a tab", get("X-A: 1\r\n\tb: 2\r\n") + second, {400}},
        {"folded first line", "GET / HTTP/1.1\r\n Host: a\r\nHost: a\r\n\r\n", {400}},
        {"NUL in a value", get("X-A: 1\0002\r\n"s) + second, {400}},
        {"NUL in a name", get("X-\0A: 1\r\n"s) + second, {400}},
        {"CR in a value", get("X-A: 1\r2\r\n") + second, {400}},
        {"DEL in a value", get("X-A: \x7f\r\n") + second, {400}},
        {"no Host", "GET / HTTP/1.1\r\nX-A: 1\r\n\r\n" + second, {400}},
        {"two Host", get("Host: b\r\n") + second, {400}},
        {"two equal Host", get("Host: a\r\n") + second, {400}},
        {"empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n" + second, {400}},
        {"Host with a port too large", "GET / HTTP/1.1\r\nHost: a:99999999\r\n\r\n" + second, {400}},
        {"Host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n" + second, {400}},
        {"Host with a user", "GET / HTTP/1.1\r\nHost: b@a\r\n\r\n" + second, {400}},
        {"empty version", get("", "GET / ") + second, {400}},
        {"version H", get("", "GET / H") + second, {400}},
        {"no version", get("", "GET /") + second, {400}},
        {"line of one letter", "H\r\n\r\n" + second, {400}},
        {"version in lower case", get("", "GET / http/1.1") + second, {400}},
        {"version 1.10", get("", "GET / HTTP/1.10") + second, {400}},
        {"version 2.0", get("", "GET / HTTP/2.0") + second, {505}},
        {"version 0.9", get("", "GET / HTTP/0.9") + second, {505}},
        {"HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {505}},
        {"TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s, {400}},
        {"header without colon", get("nonsense\r\n") + second, {400}},
        {"empty header name", get(": 1\r\n") + second, {400}},
        {"blank in a name", get("X A: 1\r\n") + second, {400}},
        {"bare LF lines", "GET / HTTP/1.1\nHost: a\n\n", {400}},
        {"one bare LF", "GET / HTTP/1.1\r\nHost: a\n\r\n" + second, {400}},
        {"empty line of a bare LF", "GET / HTTP/1.1\r\nHost: a\r\n\n" + second, {400}},
        {"CR in the target", get("", "GET /a\rb HTTP/1.1") + second, {400}},
        {"LF in the target", get("", "GET /a\nb HTTP/1.1") + second, {400}},
        {"NUL in the target", get("", "GET /a\0b HTTP/1.1"s) + second, {400}},
        {"blank in the target", get("", "GET /a b HTTP/1.1") + second, {400}},
        {"tab before the version", get("", "GET /\tHTTP/1.1") + second, {400}},
        {"two blanks before the target", get("", "GET  / HTTP/1.1") + second, {400}},
        {"two blanks before the version", get("", "GET /  HTTP/1.1") + second, {400}},
        {"blank after the version", get("", "GET / HTTP/1.1 ") + second, {400}},
        {"target without slash", get("", "GET a HTTP/1.1") + second, {400}},
        {"target of another scheme", get("", "GET ftp://a/ HTTP/1.1") + second, {400}},
        {"method no token", get("", "G(T / HTTP/1.1") + second, {400}},
        {"method unknown", get("", "BREW / HTTP/1.1") + second, {501}},
        {"method TRACE", get("", "TRACE / HTTP/1.1") + second, {501}},
        {"method CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n" + second, {501}},
        {"method in lower case", get("", "get / HTTP/1.1") + second, {501}},
        {"two empty lines first", "\r\n\r\n" + get("") + second, {400}},
        {"Connection no list", get("Connection: @\r\n") + second, {400}},
        {"another expectation", post("Expect: tea\r\nContent-Length: 5\r\n", "hello" + second), {417}},
        {"too many fields",
         get([] {
             std::string fields;
             for (int i = 0; i < 100; ++i)
                 fields += "a:\r\n";
             return fields;
         }()) +
             second,
         {431}},
        {"head too large", get("X-A: " + std::string(16 * 1024, 'a') + "\r\n"), {431}},
        {"target too long", get("", "GET /" + std::string(8 * 1024, 'a') + " HTTP/1.1"), {414}},
        {"target without end", "GET /" + std::string(20 * 1024, 'a'), {414}},
    };
}

std::vector<Vector> good() {
    const auto another = get("", "GET /b HTTP/1.1");
    return {
        {"plain", get(""), {200}, false},
        {"with a body", post("Content-Length: 5\r\n", "hello"), {200}, false},
        {"body of nothing", post("Content-Length: 0\r\n", ""), {200}, false},
        {"two in one segment", get("") + another, {200, 200}, false},
        {"body, then another", post("Content-Length: 5\r\n", "hello") + another, {200, 200}, false},
        {"chunked, then another", chunked("5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n") + another, {200, 200}, false},
        {"chunked in capitals", post("transfer-encoding: CHUNKED\r\n", "A\r\n0123456789\r\n0\r\n\r\n"), {200}, false},
        {"chunk extension", chunked("5;a=b;c=\"d\"\r\nhello\r\n0\r\n\r\n") + another, {200, 200}, false},
        {"trailer", chunked("5\r\nhello\r\n0\r\nX-A: 1\r\nHost: b\r\n\r\n") + another, {200, 200}, false},
        {"chunk of nothing", chunked("0\r\n\r\n") + another, {200, 200}, false},
        {"three, the last closing", get("") + another + get("Connection: close\r\n") + second, {200, 200, 200}},
        {"good, then bad", get("") + "nonsense\r\n\r\n" + second, {200, 400}},
        {"Cookie: a", get("Cookie: a\r\n"), {200}, false},
        {"odd Date", get("Date: nonsense\r\n"), {200}, false},
        {"Host with a port", "GET / HTTP/1.1\r\nHost: a:8080\r\n\r\n", {200}, false},
        {"Host of IPv6", "GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", {200}, false},
        {"empty value", get("X-A:\r\n"), {200}, false},
        {"value with blanks and bytes", get("X-A: \t a\tb \xc3\xbc \r\n"), {200}, false},
        {"one empty line first", "\r\n" + get("") + "\r\n" + another, {200, 200}, false},
        {"absolute target", get("", "GET http://a/b?c HTTP/1.1"), {200}, false},
        {"asterisk", get("", "OPTIONS * HTTP/1.1"), {200}, false},
        {"HTTP/1.0", get("", "GET / HTTP/1.0"), {200}},
        {"HTTP/1.0 without Host", "GET / HTTP/1.0\r\n\r\n", {200}},
        {"HTTP/1.0 kept", get("Connection: keep-alive\r\n", "GET / HTTP/1.0"), {200}, false},
        {"Connection: close", get("Connection: close\r\n"), {200}},
        {"Connection: Close in a list", get("Connection: x, Close\r\n"), {200}},
    };
}

}  // namespace

const std::vector<Vector>& vectors() {
    static const std::vector<Vector> all = [] {
        auto table = framing();
        for (auto part : {head(), good()})
            table.insert(table.end(), part.begin(), part.end());
        return table;
    }();
    return all;
}

}  // namespace svc::http::test
