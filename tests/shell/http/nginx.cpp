// Starting nginx, waiting until it listens, and stopping it by its process id.
#include "tests/shell/http/nginx.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <netinet/in.h>
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "tests/shell/http/client.hpp"

namespace svc::http::test {
namespace {

constexpr const char* program = "/usr/sbin/nginx";

// Free now; somebody else may take it before nginx does, which the caller answers with another try.
std::uint16_t free_port() {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const bool found = ::bind(socket, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                       ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    ::close(socket);
    if (!found)
        throw std::runtime_error("could not find a free port");
    return ntohs(address.sin_port);
}

}  // namespace

Nginx::Nginx(std::uint16_t upstream) {
    auto name = (std::filesystem::temp_directory_path() / "svc-nginx-XXXXXX").string();
    if (!::mkdtemp(name.data()))
        throw std::runtime_error("could not create a directory for nginx");
    directory_ = name;
    for (int tries = 0; tries < 5; ++tries) {
        port_ = free_port();
        write_configuration(upstream);
        start();
        const auto end = std::chrono::steady_clock::now() + Client::patience;
        while (::waitpid(child_, nullptr, WNOHANG) == 0 && std::chrono::steady_clock::now() < end) {
            if (answers())
                return;
            std::this_thread::sleep_for(std::chrono::milliseconds{10});
        }
    }
    std::filesystem::remove_all(directory_);
    throw std::runtime_error("could not start nginx");
}

Nginx::~Nginx() {
    ::kill(child_, SIGTERM);
    ::waitpid(child_, nullptr, 0);
    std::filesystem::remove_all(directory_);
}

// One process and no daemon, so that the child is all there is to stop; and no other user to change to.
void Nginx::write_configuration(std::uint16_t upstream) const {
    const auto pass = "proxy_pass http://svc; proxy_http_version 1.1; proxy_set_header Connection '';";
    std::ofstream(directory_ / "nginx.conf")
        << "daemon off; master_process off; worker_processes 1; pid nginx.pid; error_log error.log crit;\n"
        << "events { worker_connections 512; }\n"
        << "http {\n"
        << "  access_log off; client_max_body_size 50m; keepalive_requests 1000000;\n"
        << "  lingering_timeout 100ms; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;\n"
        << "  uwsgi_temp_path uwsgi; scgi_temp_path scgi;\n"
        << "  upstream svc { server 127.0.0.1:" << upstream << "; keepalive 4; keepalive_requests 1000000; }\n"
        << "  server {\n"
        << "    listen 127.0.0.1:" << port_ << ";\n"
        << "    location / { " << pass << " }\n"
        << "    location /streamed/ { " << pass << " proxy_request_buffering off; }\n"
        << "  }\n"
        << "}\n";
}

void Nginx::start() {
    const auto prefix = directory_.string() + '/';
    const auto configuration = prefix + "nginx.conf";
    const auto log = prefix + "error.log";
    const auto parent = ::getpid();
    child_ = ::fork();
    if (child_ == 0) {
        // A test that is killed takes its nginx along.
        if (::prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || ::getppid() != parent)
            ::_exit(126);
        ::execl(program, program, "-p", prefix.c_str(), "-e", log.c_str(), "-c", configuration.c_str(), nullptr);
        ::_exit(127);
    }
    if (child_ < 0)
        throw std::runtime_error("could not start a process");
}

bool Nginx::answers() const {
    // From an address of its own: from 127.0.0.1 the kernel may give the client the very port that nginx is about to
    // take. The client then connects to itself, nginx cannot listen, and the client reads its own request as an answer.
    constexpr const char* other_address = "127.0.0.2";
    try {
        return Client(port_, 0, other_address).get("/").has_value();
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace svc::http::test
