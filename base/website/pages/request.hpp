// A visitor's request on its way through a page, and the calls of the interface that the page makes as the visitor.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/website/pages/consent.hpp"
#include "base/website/pages/format.hpp"
#include "base/website/pages/page.hpp"
#include "shared/api/inner_call.hpp"
#include "shared/api/permission.hpp"
#include "shared/core/result.hpp"

namespace svc::pages {

// The answer of a route.
struct Answered {
    int status = 0;
    json::Value body;
    std::vector<HttpHeader> headers = {};
    std::shared_ptr<const api::Held> held = {};  // of get_held(): in place of the body's data; null: that is there

    [[nodiscard]] bool is_good() const { return status >= 200 && status < 300; }
    [[nodiscard]] const json::Value& data() const { return body["data"]; }
    [[nodiscard]] std::string code() const { return body.text_or("code"); }
    [[nodiscard]] std::string message() const { return body.text_or("message"); }
    // By field, the first sentence each.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> faults() const;
};

// A file of a form; refers to the request's body.
struct SentFile {
    std::string field, name;
    std::string_view bytes;
};

// A document of at most 8 MiB as a route answered it, or why there is none.
struct RawAnswer {
    int status = 0;
    std::string body = {}, type = {}, disposition = {}, message = {};
};

// The display options of a trip's price, as listeners set them.
struct PriceDisplay {
    bool original = true;  // the price before a discount
    bool savings = true;   // how much is saved
    bool urgency = true;   // how few seats are left
};

using Interface = std::function<api::InnerReply(const api::InnerRequest&)>;

// One request; lives during the call of its page.
class PageRequest {
  public:
    PageRequest(const HttpRequest& http, const Interface& interface, std::string base_path, bool secure_cookies)
        : http(http), interface_(interface), base_path_(std::move(base_path)), secure_(secure_cookies) {}

    const HttpRequest& http;
    std::string_view path;  // without query, as sent or as listeners made it
    std::string led_to;     // by listeners
    std::string_view raw_query;
    std::map<std::string, std::string, std::less<>> names;  // of the path: "slug"
    json::Value query = json::Value::object();
    json::Value form = json::Value::object();  // POST
    // Files of a multipart form, by the names of its fields; those that were left empty are not among them.
    std::vector<SentFile> files = {};
    std::optional<api::Caller> signed_in;  // by the session's cookie
    std::string nonce;                     // for forms of signed-in visitors
    std::uint64_t writes = 0;              // of this process, before the page was made
    Format words;                          // how days and amounts are written for this visitor
    TagsOn tags;                           // empty: nothing counts visits on this site
    Consent consent;                       // about those
    std::map<std::string, PriceDisplay, std::less<>> price_displays = {};  // of the trips on this page, by their ids

    // Whether staff may preview unpublished content: the page is not cached then.
    [[nodiscard]] bool is_preview() const { return parameter("preview") == "1"; }
    // A text of the query or of the form; empty when absent.
    [[nodiscard]] std::string parameter(std::string_view name) const;
    [[nodiscard]] std::string typed(std::string_view name) const;
    [[nodiscard]] std::string cookie(std::string_view name) const;
    void set_cookie(std::string_view name, std::string_view value, std::optional<int> seconds = {},
                    bool readable = false);
    void pass_cookies(const Answered& answered);  // those that a route set
    // Deletes a cookie that a script set, for the host and each domain above it that it could have been set for.
    void drop_cookie(std::string_view name);
    [[nodiscard]] const std::vector<std::string>& cookies() const { return cookies_; }

    // Calls a route as this visitor; `path` is below the namespace. Throws Unavailable for 429, 500 and 503, which are
    // the page's own answer then.
    Answered get(std::string_view path);
    // The same for lists of records of which a page needs few members: only those are read where memory holds the list.
    Answered get_partly(std::string_view path, api::Members members);
    // The same without reading what memory holds.
    Answered get_held(std::string_view path);
    Answered call(std::string_view method, std::string_view path, const json::Value& body,
                  const std::string& idempotency_key = {});

    // Sends a file to a route that takes uploads, with one more text of its form.
    Answered send_file(std::string_view path, const SentFile& file, std::string_view name, std::string_view value);

    RawAnswer raw(std::string_view path);  // GET of a route without JSON

    // The checkout's session and a guest's bookings, by cookies that scripts cannot read. The session stays when it has
    // become a booking, so that its forms, sent again, lead to that. Where a booking's token is in use, it proves
    // alone.
    [[nodiscard]] std::string checkout() const { return checkout_ ? *checkout_ : cookie("svc_checkout"); }
    void keep_checkout(std::string secret) {
        set_cookie("svc_checkout", secret, 24 * 3600);
        checkout_ = std::move(secret);
    }
    // For this request only: the browser keeps it.
    void leave_checkout_aside() { checkout_ = ""; }
    // Names this visitor's checkout of that trip in forms, without its secret; empty: there is none.
    [[nodiscard]] std::string checkout_mark(std::string_view slug) const;
    // What this browser has of a booking, by kind: a booking_token, the booking's link, a pay link. Each may be empty.
    struct BookingProofs {
        std::string token, link, pay;
    };
    [[nodiscard]] BookingProofs booking_proofs(std::int64_t booking_id) const;
    [[nodiscard]] std::vector<std::int64_t> kept_booking_ids() const;  // as the cookie says, without proof
    // The reference of the booking that this browser made in the checkout of that mark; empty: it made none.
    [[nodiscard]] std::string booked_in(std::string_view mark) const;
    // `secret`: a proof of any kind; those of other kinds stay. `marks`: of the checkouts that it was made in.
    void keep_booking(std::int64_t booking_id, std::string_view secret, std::string_view reference,
                      std::initializer_list<std::string_view> marks = {});
    void use_booking_token(std::string token) { booking_token_ = std::move(token); }

  private:
    [[nodiscard]] std::string cookie_name(std::string_view name) const;
    // What a call is made of besides its method and address.
    struct Content {
        const json::Value& body;
        std::string_view bytes;
        const std::vector<HttpHeader>& headers;
    };
    [[nodiscard]] api::InnerReply asked(std::string_view method, std::string_view target, const Content& content,
                                        bool takes_held = false) const;
    Answered ask(std::string_view method, std::string_view target, const Content& content, bool takes_held = false);
    [[nodiscard]] std::vector<HttpHeader> headers_for(bool writes, const std::string& key) const;

    const Interface& interface_;
    std::string base_path_;
    bool secure_;
    std::string booking_token_;
    std::optional<std::string> checkout_;  // of this request, before the browser has it
    std::vector<std::string> cookies_;
};

// Ends a page: the error page with that status is shown.
struct Stopped {
    int status;
    std::string message;
    std::string retry_after = {};
};

}  // namespace svc::pages
