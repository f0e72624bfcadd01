// Starts the two listeners over one base and takes them down in the order that loses no answer.
#include "shell/serve.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

#include "shell/application.hpp"
#include "shell/http/memory.hpp"
#include "shell/resident.hpp"
#include "shell/signals.hpp"

namespace svc::shell {
namespace {

constexpr std::chrono::milliseconds settled{250};  // after the start, so that the first answers do not wait for it

void say(const std::string& line) { std::fprintf(stderr, "svc %s\n", line.c_str()); }
void say_address(const char* what, const std::string& where) {
    std::fprintf(stderr, "svc %s %s %s\n", version(), what, where.c_str());
}

std::string url(const std::string& address, std::uint16_t port) {
    const bool six = address.find(':') != std::string::npos;
    return "http://" + (six ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

// One I/O thread and one worker suffice for probes and scrapes.
http::Options admin_options(const Config& config) {
    http::Options options;
    options.address = config.admin_address;
    options.port = config.admin_port;
    options.io_threads = 1;
    options.workers = 1;
    options.limits.connections = 64;
    options.limits.drain = std::chrono::seconds{1};
    return options;
}

// Stops in its own thread, so that a second signal can end the wait.
void stop_server(http::Server& server, Signals& signals) {
    const int done = eventfd(0, EFD_CLOEXEC);
    std::thread stopping([&] {
        server.stop();
        eventfd_write(done, 1);
    });
    if (signals.wait(Signals::forever, done)) {
        say("stops at once");
        server.stop_now();
        signals.release();  // a third signal ends the process
    }
    stopping.join();
    close(done);
}

// The socket that systemd's socket activation passes (sd_listen_fds): the first descriptor after standard error, if the
// variables name this process. -1: none. The variables are taken away, so that no child believes them.
int inherited_socket() {
    constexpr int first = 3;
    // NOLINTBEGIN(concurrency-mt-unsafe): before any thread starts
    const char* process = std::getenv("LISTEN_PID");
    const char* count = std::getenv("LISTEN_FDS");
    const bool is_ours = process && count && std::to_string(::getpid()) == process && std::atoi(count) >= 1;
    for (const char* name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"})
        unsetenv(name);
    // NOLINTEND(concurrency-mt-unsafe)
    return is_ours ? first : -1;
}

}  // namespace

const char* version() { return SVC_VERSION; }

std::string versions(const Config& config) {
    std::string lines = std::string("svc ") + version();
    const Pro pro = open_pro(config);
    if (!pro.refusal.empty())
        return lines + "\nsvc-pro refused: " + pro.refusal;
    if (const svc_plugin* plugin = pro.entry ? pro.entry() : nullptr)
        lines.append("\n")
            .append(plugin->name.data, plugin->name.size)
            .append(" ")
            .append(plugin->version.data, plugin->version.size);
    return lines;
}

int serve(const Config& config, const Pro& pro) {
    std::set_new_handler(&http::wait_for_memory);
    Signals signals;
    raise_descriptor_limit();
    const int inherited = inherited_socket();
    if (!pro.refusal.empty())
        say("goes on without Pro. " + pro.refusal);
    for (const std::string& refusal : config.refused_plugins)
        say("goes on without a plugin. " + refusal);

    const std::unique_ptr<Base> base = Base::open(config.base, pro.entry, pro.path);
    BaseApplication application(*base, config.base.base_path);
    http::Options options = config.http;
    options.inherited_socket = inherited;
    http::Server server(options, application);
    AdminApplication admin(*base, [&] { return server.counters(); });
    std::unique_ptr<http::Server> admin_server;
    if (!config.admin_address.empty()) {
        admin_server = std::make_unique<http::Server>(admin_options(config), admin);
        say_address("health and metrics on", url(config.admin_address, admin_server->port()));
    }
    say_address("admin on", url(config.http.address, server.port()) + "/admin");
    say_address("listening on", url(config.http.address, server.port()) + config.base.base_path);
    notify_manager("READY=1");

    if (!signals.wait(settled)) {
        give_back_code();
        signals.wait(Signals::forever);
    }
    base->draining();
    say("drains: a second signal stops at once");
    notify_manager("STOPPING=1");
    if (signals.wait(config.drain_delay))
        server.stop_now();
    stop_server(server, signals);
    if (admin_server)
        admin_server->stop();
    base->stop();
    say("stopped");
    return 0;
}

}  // namespace svc::shell
