// libcurl as this folder uses it: one handle a thread, guarded against private addresses, without environment.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include <curl/curl.h>

#include "shared/core/result.hpp"

namespace svc::outbound {

struct FreeUrl {
    void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
struct FreeMime {
    void operator()(curl_mime* mime) const { curl_mime_free(mime); }
};
using Url = std::unique_ptr<CURLU, FreeUrl>;
using List = std::unique_ptr<curl_slist, FreeList>;
using Mime = std::unique_ptr<curl_mime, FreeMime>;

// Takes part in one transfer on this thread's handle, which keeps connections open between transfers.
class Transfer {
  public:
    // `any_address`: the operator allowed this target, whatever its address.
    explicit Transfer(bool any_address, std::chrono::milliseconds timeout);
    ~Transfer();
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    template <class Value>
    void set(CURLoption option, Value value) {
        if (curl_easy_setopt(handle_, option, value) != CURLE_OK)
            throw std::logic_error("libcurl lacks an option");
    }
    CURL* handle() { return handle_; }
    // svc_upstream_error, the cause for the log.
    Result<void> perform();
    [[nodiscard]] long status() const;
    // By ourselves, as the address is not public.
    [[nodiscard]] bool refused() const { return refused_; }

  private:
    static curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* address);
    static int before_request(void* self, char* peer, char* local, int peer_port, int local_port);

    CURL* handle_;
    bool any_address_;
    bool refused_ = false;
};

Url new_url();
std::string part(CURLU* url, CURLUPart which);  // empty when absent
void append(List& list, const std::string& line);
Error upstream(std::string cause);

}  // namespace svc::outbound
