// Prepares libcurl's handles.
#include "base/platform/outbound/curl.hpp"

#include <new>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

#include "base/platform/outbound/address.hpp"
#include "shared/core/no_wait.hpp"

namespace svc::outbound {
namespace {

struct FreeHandle {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};

CURL* thread_handle() {
    static const CURLcode global = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (global != CURLE_OK)
        throw std::runtime_error("libcurl could not be initialised");
    thread_local const std::unique_ptr<CURL, FreeHandle> handle(curl_easy_init());
    if (!handle)
        throw std::bad_alloc();
    return handle.get();
}

constexpr long connect_timeout_ms = 3000;

}  // namespace

Transfer::Transfer(bool any_address, std::chrono::milliseconds timeout)
    : handle_(thread_handle()), any_address_(any_address) {
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
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// Asked for a connection that is used again too, which opened no socket now.
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
