// Prepares libcurl's handles.
#include "base/platform/outbound/curl.hpp"

#include <new>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include "base/platform/outbound/address.hpp"
#include "shared/core/no_wait.hpp"

namespace svc::outbound {
namespace {

// A thread's handle, and the sockets of its open connections.
struct Handle {
    Handle() : easy(curl_easy_init()) {
        if (!easy)
            throw std::bad_alloc();
    }
    ~Handle() {
        // Saying goodbye to a mail server waits two minutes for its answer: shuts down instead.
        shut(SHUT_RD);
        curl_easy_cleanup(easy);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    void shut(int what) const {
        for (const curl_socket_t one : sockets)
            shutdown(one, what);
    }
    static int close_socket(void* self, curl_socket_t one) {
        std::erase(static_cast<Handle*>(self)->sockets, one);
        return close(one);
    }

    CURL* const easy;
    std::vector<curl_socket_t> sockets;
};

Handle& thread_handle() {
    static const CURLcode global = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (global != CURLE_OK)
        throw std::runtime_error("libcurl could not be initialised");
    thread_local Handle handle;
    return handle;
}

constexpr long connect_timeout_ms = 3000;

}  // namespace

Transfer::Transfer(bool any_address, std::chrono::milliseconds timeout)
    : handle_(thread_handle().easy), any_address_(any_address) {
    curl_easy_reset(handle_);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_PROXY, "");  // not even from the environment
    set(CURLOPT_CONNECTTIMEOUT_MS, connect_timeout_ms);
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(timeout.count()));
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_OPENSOCKETFUNCTION, &open_socket);
    set(CURLOPT_OPENSOCKETDATA, this);
    set(CURLOPT_CLOSESOCKETFUNCTION, &Handle::close_socket);
    set(CURLOPT_CLOSESOCKETDATA, &thread_handle());
    set(CURLOPT_PREREQFUNCTION, &before_request);
    set(CURLOPT_PREREQDATA, this);
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
}

Transfer::~Transfer() { curl_easy_reset(handle_); }  // nothing points at this any more

curl_socket_t Transfer::open_socket(void* self, curlsocktype purpose, curl_sockaddr* address) {
    auto& transfer = *static_cast<Transfer*>(self);
    if (purpose != CURLSOCKTYPE_IPCXN || !(transfer.any_address_ || is_global(&address->addr))) {
        transfer.refused_ = true;
        return CURL_SOCKET_BAD;
    }
    std::vector<curl_socket_t>& sockets = thread_handle().sockets;
    try {
        sockets.reserve(sockets.size() + 1);  // libcurl is no place to throw through
    } catch (const std::bad_alloc&) {
        return CURL_SOCKET_BAD;
    }
    const curl_socket_t opened = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (opened != CURL_SOCKET_BAD)
        sockets.push_back(opened);
    return opened;
}

// curl also asks for a reused connection, which opened no socket now.
int Transfer::before_request(void* self, char* peer, char*, int, int) {
    auto& transfer = *static_cast<Transfer*>(self);
    if (transfer.any_address_ || is_global(std::string(peer)))
        return CURL_PREREQFUNC_OK;
    transfer.refused_ = true;
    return CURL_PREREQFUNC_ABORT;
}

Result<void> Transfer::perform() {
    NoWait::refuse();
    const CURLcode code = curl_easy_perform(handle_);
    // libcurl would reuse the connection to a mail server that timed out, for the next e-mail to wait on.
    if (code == CURLE_OPERATION_TIMEDOUT)
        thread_handle().shut(SHUT_RDWR);
    if (refused_)
        return upstream("the address is not public");
    if (code != CURLE_OK)
        return upstream(curl_easy_strerror(code));
    return {};
}

long Transfer::status() const {
    long status = 0;
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

Url new_url() {
    Url url(curl_url());
    if (!url)
        throw std::bad_alloc();
    return url;
}

std::string part(CURLU* url, CURLUPart which) {
    char* text = nullptr;
    if (curl_url_get(url, which, &text, 0) != CURLUE_OK)
        return {};
    std::string copy(text);
    curl_free(text);
    return copy;
}

void append(List& list, const std::string& line) {
    curl_slist* longer = curl_slist_append(list.get(), line.c_str());
    if (!longer)
        throw std::bad_alloc();
    static_cast<void>(list.release());
    list.reset(longer);
}

Error upstream(std::string cause) { return Error{errc::upstream_error}.because(std::move(cause)); }

}  // namespace svc::outbound
