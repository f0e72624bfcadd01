// The table of settings: key, bounds, sentence, and the member of Config each one fills.
#include <arpa/inet.h>
#include <charconv>
#include <type_traits>

#include "shell/config.hpp"

namespace svc::shell {
namespace {

template <class T>
struct is_duration : std::false_type {};
template <class R, class P>
struct is_duration<std::chrono::duration<R, P>> : std::true_type {};

std::int64_t whole_of(const std::string& text, std::int64_t least, std::int64_t most) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        throw ConfigError("must be a whole number, not \"" + text + "\"");
    if (number < least || number > most)
        throw ConfigError("must be from " + std::to_string(least) + " to " + std::to_string(most) + ", not " + text);
    return number;
}

// `member` answers a reference to the value inside a Config.
template <class Member>
Setting whole(std::string_view key, Member member, std::int64_t least, std::int64_t most, std::string_view help) {
    using Value = std::remove_cvref_t<decltype(member(std::declval<Config&>()))>;
    return {key,
            Kind::whole,
            help,
            least,
            most,
            false,
            [member](const Config& config) {
                const auto& value = member(config);
                if constexpr (is_duration<Value>::value)
                    return std::to_string(value.count());
                else
                    return std::to_string(value);
            },
            [member, least, most](Config& config, const std::string& text) {
                const std::int64_t number = whole_of(text, least, most);
                if constexpr (is_duration<Value>::value)
                    member(config) = Value{number};
                else
                    member(config) = static_cast<Value>(number);
            }};
}

template <class Member>
Setting text(std::string_view key, Member member, std::string_view help, bool hides_password = false) {
    return {key,
            Kind::text,
            help,
            0,
            0,
            hides_password,
            [member](const Config& config) { return member(config); },
            [member](Config& config, const std::string& value) {
                if (value.find('\0') != std::string::npos)
                    throw ConfigError("must not hold a zero byte");
                member(config) = value;
            }};
}

template <class Member>
Setting flag(std::string_view key, Member member, std::string_view help) {
    return {key,
            Kind::flag,
            help,
            0,
            0,
            false,
            [member](const Config& config) -> std::string { return member(config) ? "true" : "false"; },
            [member](Config& config, const std::string& value) {
                if (value != "true" && value != "false")
                    throw ConfigError("must be true or false, not \"" + value + "\"");
                member(config) = value == "true";
            }};
}

template <class Member>
Setting list(std::string_view key, Member member, std::string_view help) {
    return {key,
            Kind::list,
            help,
            0,
            0,
            false,
            [member](const Config& config) {
                std::string joined;
                for (const std::string& item : member(config))
                    joined += (joined.empty() ? "" : ",") + item;
                return joined;
            },
            [member](Config& config, const std::string& value) {
                auto& items = member(config);
                items.clear();
                for (std::size_t start = 0; start < value.size();) {
                    const std::size_t comma = std::min(value.find(',', start), value.size());
                    if (comma == start)
                        throw ConfigError("must not hold an empty item");
                    items.push_back(value.substr(start, comma - start));
                    start = comma + 1;
                }
            }};
}

// "https://host:port" and nothing behind it.
bool is_origin(std::string_view text) {
    const std::size_t scheme = text.starts_with("https://") ? 8 : text.starts_with("http://") ? 7 : 0;
    return scheme > 0 && text.size() > scheme && text.find_first_of("/?# \t", scheme) == std::string_view::npos;
}
bool is_mount(std::string_view text) { return text.starts_with('/') && !text.ends_with('/'); }

// "mail.example.org:25", "10.0.0.7:25", "[::1]:25"
bool is_target(std::string_view text) {
    const auto colon = text.rfind(':');
    return colon != std::string_view::npos && colon > 0 && colon + 1 < text.size() &&
           text.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
}
bool is_numeric_address(std::string_view text) {
    in6_addr room{};
    const std::string address(text);
    return ::inet_pton(AF_INET, address.c_str(), &room) == 1 || ::inet_pton(AF_INET6, address.c_str(), &room) == 1;
}
bool is_log_level(std::string_view text) { return text == "info" || text == "warning" || text == "error"; }

// Each value must fit as well; of a list, each item.
Setting fitting(Setting setting, bool (*fits)(std::string_view), const char* expected) {
    setting.set = [set = std::move(setting.set), fits, expected](Config& config, const std::string& value) {
        for (std::size_t start = 0; start < value.size();) {
            const std::size_t comma = std::min(value.find(',', start), value.size());
            const std::string item = value.substr(start, comma - start);
            if (!item.empty() && !fits(item))
                throw ConfigError(std::string("must be ") + expected + ", not \"" + item + "\"");
            start = comma + 1;
        }
        set(config, value);
    };
    return setting;
}

// The member as a reference, const or not as the Config is.
#define SVC_MEMBER(path) \
    [](auto& config) -> auto& { return config.path; }

std::vector<Setting> make_table() {
    constexpr std::int64_t day_ms = 86'400'000;
    return {
        text("database.url", SVC_MEMBER(base.database),
             "sqlite:PATH, or postgresql:CONNINFO with libpq's keywords (host=… dbname=… user=…).", true),
        whole("database.sessions", SVC_MEMBER(base.database_sessions), 1, 256,
              "Open database sessions; svc doctor warns of fewer than listen.workers."),
        whole("database.lease_ms", SVC_MEMBER(base.lease_time), 1, 60'000,
              "How long a request waits for a free session before it fails with 503."),
        flag("database.require_durable", SVC_MEMBER(base.require_durable),
             "Refuse to start on a database that acknowledges a commit before it is on disk."),
        fitting(text("site.url", SVC_MEMBER(base.site_url), "Public address: scheme, host and port, no path."),
                is_origin, "an address like https://example.org"),
        fitting(text("site.base_path", SVC_MEMBER(base.base_path), "Path of the API root."), is_mount,
                "a path like /svc/v1"),
        list("site.trusted_proxies", SVC_MEMBER(base.trusted_proxies),
             "Addresses and CIDR blocks whose X-Forwarded-For and X-Request-Id are trusted."),
        fitting(list("site.cors_origins", SVC_MEMBER(base.cors_origins),
                     "Origins that browsers may call from; empty turns CORS off."),
                is_origin, "origins like https://example.org"),
        flag(
            "site.cookie_secure", SVC_MEMBER(base.cookie_secure),
            "Accept application passwords only over TLS, and mark the session cookie so that browsers send it only over"
            " TLS (Secure, __Host-). Unset: on when site.url is https."),
        text("files.data_dir", SVC_MEMBER(base.data_dir), "Directory of uploads and exports."),
        text("files.key_file", SVC_MEMBER(base.key_file),
             "32 bytes that encrypt stored secrets; created with mode 0400 when absent. Back it up separately from the "
             "database."),
        fitting(text("listen.address", SVC_MEMBER(http.address),
                     "Numeric address that the API listens on; keep it behind a proxy."),
                is_numeric_address, "a numeric address like 127.0.0.1 or ::1"),
        whole("listen.port", SVC_MEMBER(http.port), 0, 65535, "Port of the API; 0 takes any free one."),
        whole("listen.io_threads", SVC_MEMBER(http.io_threads), 1, 64, "Threads that read sockets."),
        whole("listen.workers", SVC_MEMBER(http.workers), 1, 256, "Threads for requests that may block."),
        whole("listen.wait_ms", SVC_MEMBER(http.longest_wait), 1, 600'000,
              "Longest wait for a worker; requests that would wait longer fail with 503 at once."),
        whole("listen.checkout_wait_ms", SVC_MEMBER(http.longest_checkout_wait), 1, 600'000,
              "The same for the steps of a booking, which have workers of their own: a crowd of buyers of one date is "
              "served."),
        whole("limits.target_bytes", SVC_MEMBER(http.limits.target), 256, 65'536, "Longest path with query."),
        whole("limits.head_bytes", SVC_MEMBER(http.limits.head), 1024, 262'144,
              "Longest request line and header fields together."),
        whole("limits.fields", SVC_MEMBER(http.limits.fields), 10, 1000, "Most header fields of a request."),
        whole("limits.head_ms", SVC_MEMBER(http.limits.head_time), 100, day_ms,
              "From the first byte of a request to its last header field."),
        whole("limits.body_ms", SVC_MEMBER(http.limits.body_time), 100, day_ms,
              "From the last header field to the last byte of the body."),
        whole("limits.idle_ms", SVC_MEMBER(http.limits.idle_time), 100, day_ms,
              "Between two requests on a persistent connection."),
        whole("limits.write_ms", SVC_MEMBER(http.limits.write_time), 100, day_ms,
              "Without progress while the client takes an answer."),
        whole("limits.connections", SVC_MEMBER(http.limits.connections), 0, 1'000'000,
              "Open connections; 0: 80 % of the descriptor limit."),
        whole("limits.per_address", SVC_MEMBER(http.limits.per_address), 0, 1'000'000,
              "Open connections per address; 0: no limit, recommended behind a proxy."),
        whole("limits.bytes", SVC_MEMBER(http.limits.bytes), 1 << 20, std::int64_t{1} << 40,
              "Memory for requests being read and answers not yet received by clients, over all connections; "
              "beyond it requests fail with 503."),
        whole("limits.upload_bytes", SVC_MEMBER(http.limits.upload_bytes), 1 << 20, std::int64_t{1} << 40,
              "Memory for bodies over 1 MiB, which only authenticated callers may send."),
        whole("limits.connection_bytes", SVC_MEMBER(http.limits.connection_bytes), 4096, std::int64_t{1} << 40,
              "Memory for answers that one client has not yet received; beyond it its next requests wait."),
        whole("limits.pipeline", SVC_MEMBER(http.limits.pipeline), 1, 1000, "Concurrent requests per connection."),
        fitting(
            text(
                "admin.address", SVC_MEMBER(admin_address),
                "Numeric address of /healthz, /readyz and /metrics; empty disables them. Do not use a public address."),
            is_numeric_address, "a numeric address like 127.0.0.1 or ::1"),
        whole("admin.port", SVC_MEMBER(admin_port), 0, 65535, "Port of that listener; 0 takes any free one."),
        text("pro.library", SVC_MEMBER(pro_library),
             "Absolute path of the Pro library; auto uses libsvc-pro.so next to the base library, none disables Pro."),
        text("pro.sha256", SVC_MEMBER(pro_sha256),
             "Required SHA-256 of the Pro library in hex; empty checks only path and ownership."),
        text(
            "plugins.folder", SVC_MEMBER(plugins_folder),
            "Absolute path of the folder of further plugins, each NAME.so with its digest in NAME.so.sha256; auto uses "
            "the folder plugins next to the base library, none disables them."),
        whole("drain.delay_ms", SVC_MEMBER(drain_delay), 0, 600'000,
              "On SIGTERM, how long /readyz fails before the listener closes, so that proxies notice."),
        whole("drain.seconds", SVC_MEMBER(http.limits.drain), 0, 600,
              "On SIGTERM, how long requests in progress may take to finish."),
        fitting(text("log.level", SVC_MEMBER(base.log_level),
                     "The least that the log has: info (each request is a line), warning or error."),
                is_log_level, "info, warning or error"),
        flag("jobs.run", SVC_MEMBER(base.run_jobs),
             "Run jobs and outgoing e-mail in this process; one process per installation is enough."),
        fitting(list("outbound.private_hosts", SVC_MEMBER(base.allowed_private_hosts),
                     "Private hosts that e-mail and webhooks may connect to, each as host:port."),
                is_target, "host:port, like mail.internal:25"),
        list("payment.api_bases", SVC_MEMBER(base.gateway_api_bases),
             "GATEWAY=URL: address used instead of a payment provider's API, for tests and proxies."),
    };
}

#undef SVC_MEMBER

}  // namespace

const std::vector<Setting>& all_settings() {
    static const std::vector<Setting> table = make_table();
    return table;
}

}  // namespace svc::shell
