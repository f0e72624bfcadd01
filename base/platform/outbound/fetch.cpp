// HTTP by libcurl.
#include "base/platform/outbound/fetch.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

#include "base/platform/outbound/client_certificate.hpp"
#include "base/platform/outbound/curl.hpp"
#include "base/platform/outbound/partners.hpp"

namespace svc::outbound {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::size_t most_header_bytes = 64 * 1024;

struct Target {
    Url url;
    std::string scheme, host;
    int port = 0;
    bool allowed = false;
};

struct Sink {
    FetchAnswer answer;
    std::size_t most = 0, header_bytes = 0;
    bool too_large = false;
};

// `base` is the address of the redirect.
Result<Target> target_of(const std::string& text, CURLU* base, const Allowed& allowed) {
    Target target{Url(base ? curl_url_dup(base) : curl_url()), {}, {}};
    if (!target.url)
        throw std::bad_alloc();
    if (curl_url_set(target.url.get(), CURLUPART_URL, text.c_str(), CURLU_DISALLOW_USER) != CURLUE_OK)
        return upstream("the address cannot be used");
    target.scheme = part(target.url.get(), CURLUPART_SCHEME);
    target.host = part(target.url.get(), CURLUPART_HOST);
    if (target.scheme != "http" && target.scheme != "https")
        return upstream("the address is neither http nor https");
    const auto port = part(target.url.get(), CURLUPART_PORT);
    target.port = port.empty() ? (target.scheme == "https" ? 443 : 80) : std::stoi(port);
    target.allowed = allowed.has(target.host, target.port);
    if (!target.allowed && target.port != 80 && target.port != 443)
        return upstream("the port is neither 80 nor 443");
    return target;
}

bool is_token(std::string_view name) {
    constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    return !name.empty() && std::all_of(name.begin(), name.end(), [&](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || marks.find(c) != std::string_view::npos;
    });
}

bool is_value(std::string_view value) {
    return std::none_of(value.begin(), value.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\t') || byte >= 0x7f;
    });
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

// Headers that identify the caller are only sent to the original host.
Result<List> header_list(const FetchRequest& request, bool same_host) {
    List list;
    append(list, "Expect:");
    for (const auto& [name, value] : request.headers) {
        if (!is_token(name) || !is_value(value))
            return upstream("a header of the request is not valid");
        const auto known = lower(name);
        if (known == "host" || known == "content-length" || known == "transfer-encoding")
            return upstream("a header of the request is not ours to set");
        if (same_host || (known != "authorization" && known != "cookie"))
            append(list, value.empty() ? name + ";" : name + ": " + value);
    }
    return list;
}

std::size_t take_body(char* data, std::size_t size, std::size_t count, void* into) {
    auto& sink = *static_cast<Sink*>(into);
    const auto bytes = size * count;
    if (bytes > sink.most - sink.answer.body.size()) {
        sink.too_large = true;
        return 0;
    }
    sink.answer.body.append(data, bytes);
    return bytes;
}

std::size_t take_header(char* data, std::size_t size, std::size_t count, void* into) {
    auto& sink = *static_cast<Sink*>(into);
    const std::string_view line(data, size * count);
    sink.header_bytes += line.size();
    if (sink.header_bytes > most_header_bytes) {
        sink.too_large = true;
        return 0;
    }
    if (line.starts_with("HTTP/"))
        sink.answer.headers.clear();  // those before were of a 1xx
    const auto colon = line.find(':');
    if (colon == std::string_view::npos)
        return line.size();
    auto value = line.substr(colon + 1);
    while (!value.empty() && std::isspace(static_cast<unsigned char>(value.front())))
        value.remove_prefix(1);
    while (!value.empty() && std::isspace(static_cast<unsigned char>(value.back())))
        value.remove_suffix(1);
    sink.answer.headers.emplace_back(lower(line.substr(0, colon)), value);
    return line.size();
}

void set_method(Transfer& transfer, const FetchRequest& request) {
    if (request.method == "HEAD") {
        transfer.set(CURLOPT_NOBODY, 1L);
    } else if (request.method == "GET") {
        transfer.set(CURLOPT_HTTPGET, 1L);
    } else {
        transfer.set(CURLOPT_POST, 1L);
        transfer.set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
        transfer.set(CURLOPT_POSTFIELDS, request.body.c_str());
        transfer.set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
    }
}

// The blobs are copied by libcurl.
void set_certificate(Transfer& transfer, const ClientCertificate& certificate) {
    const auto blob = [](const std::string& text) {
        return curl_blob{const_cast<char*>(text.data()), text.size(), CURL_BLOB_COPY};
    };
    curl_blob chain = blob(certificate.chain), key = blob(certificate.key);
    transfer.set(CURLOPT_SSLCERTTYPE, "PEM");
    transfer.set(CURLOPT_SSLKEYTYPE, "PEM");
    // The thread's connections and sessions of TLS serve other requests, which do not prove this.
    transfer.set(CURLOPT_FRESH_CONNECT, 1L);
    transfer.set(CURLOPT_FORBID_REUSE, 1L);
    transfer.set(CURLOPT_SSL_SESSIONID_CACHE, 0L);
    transfer.set(CURLOPT_SSLCERT_BLOB, &chain);
    transfer.set(CURLOPT_SSLKEY_BLOB, &key);
}

Result<FetchAnswer> one_hop(const FetchRequest& request, const Target& target, bool same_host,
                            std::chrono::milliseconds timeout) {
    SVC_ASSIGN_OR_RETURN(auto headers, header_list(request, same_host));
    static Partners partners;
    Partners::Turn turn(partners, target.host + ":" + std::to_string(target.port));
    if (!turn.limit_inquiries())
        return upstream("it has not answered lately, and others are waiting for it");
    Sink sink;
    sink.most = request.most_bytes;
    Transfer transfer(target.allowed, timeout);
    transfer.set(CURLOPT_PROTOCOLS_STR, "http,https");
    transfer.set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    transfer.set(CURLOPT_CURLU, target.url.get());
    transfer.set(CURLOPT_HTTPHEADER, headers.get());
    transfer.set(CURLOPT_USERAGENT, "svc/3");
    transfer.set(CURLOPT_ACCEPT_ENCODING, "");
    transfer.set(CURLOPT_WRITEFUNCTION, &take_body);
    transfer.set(CURLOPT_WRITEDATA, &sink);
    transfer.set(CURLOPT_HEADERFUNCTION, &take_header);
    transfer.set(CURLOPT_HEADERDATA, &sink);
    if (!request.ca_file.empty())
        transfer.set(CURLOPT_CAINFO, request.ca_file.c_str());
    if (const auto* certificate = ClientCertificate::current(); certificate && same_host)
        set_certificate(transfer, *certificate);
    set_method(transfer, request);
    const auto done = transfer.perform();
    if (done || sink.too_large)
        turn.set_answered();
    else if (!transfer.refused())
        turn.unanswered();
    if (sink.too_large)
        return upstream("the answer is too large");
    if (!done)
        return done.error();
    sink.answer.status = static_cast<int>(transfer.status());
    return std::move(sink.answer);
}

bool redirects(const FetchAnswer& answer) {
    return (answer.status == 301 || answer.status == 302 || answer.status == 303 || answer.status == 307 ||
            answer.status == 308) &&
           !answer.header("location").empty();
}

}  // namespace

std::string_view FetchAnswer::header(std::string_view name) const {
    for (const auto& [each, value] : headers)
        if (each == name)
            return value;
    return {};
}

// Redirects are followed here and not by libcurl, so that every hop passes the same checks.
Result<FetchAnswer> fetch(const FetchRequest& request, const Allowed& allowed) {
    constexpr std::array methods{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"};
    if (std::find(methods.begin(), methods.end(), request.method) == methods.end())
        throw std::logic_error("a request has a method that is not offered");
    const bool reads = request.method == "GET" || request.method == "HEAD";
    const auto until = Steady::now() + request.timeout;

    auto target = target_of(request.url, nullptr, allowed);
    if (!target)
        return target.error();
    const auto scheme = target->scheme, host = target->host;
    const int port = target->port;
    for (int hop = 0;; ++hop) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Steady::now());
        if (left.count() <= 0)
            return upstream("the time for redirects is over");
        const bool same_host = target->scheme == scheme && target->host == host && target->port == port;
        auto answer = one_hop(request, *target, same_host, left);
        if (!answer || !reads || request.redirects == 0 || !redirects(*answer))
            return answer;
        if (hop >= request.redirects)
            return upstream("there are too many redirects");
        target = target_of(std::string(answer->header("location")), target->url.get(), allowed);
        if (!target)
            return target.error();
    }
}

}  // namespace svc::outbound
