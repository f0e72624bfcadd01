// The whole base with its pages in this process, without a socket; listeners are given before it starts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/support/before_start.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

namespace svc::tests {

struct PageSite {
    explicit PageSite(const Database& database) : base(database), gate(app::make_gate(*base.assembly)) {
        pages().ask([this](const api::InnerRequest& request) { return gate.ask(request); });
    }

    pages::Pages& pages() { return base.assembly->pages.pages; }

    Answered page(const std::string& target, const Visitor& visitor = {}) { return ask("GET", target, {}, visitor); }
    // A form as a browser sends it from a page of this site; fields are encoded already.
    Answered form(const std::string& target, const std::string& fields, const Visitor& visitor = {}) {
        Visitor with = visitor.with("Content-Type", "application/x-www-form-urlencoded");
        return ask("POST", target, fields, with.with("Origin", "https://example.org"));
    }
    Answered ask(const std::string& method, const std::string& target, const std::string& body,
                 const Visitor& visitor) {
        const HttpRequest request{
            .method = method, .target = target, .headers = visitor.headers, .body = body, .peer = "192.0.2.7"};
        if (auto at_once = pages().answer_at_once(request))
            return answered(*at_once);
        return answered(pages().answer(request));
    }
    void set(const json::Value& values) {
        const auto put = base.call("PUT", "/settings", values.dump(), base.user("administrator"));
        CAPTURE(put.text);
        REQUIRE(put.status == 200);
        REQUIRE(put.data()["rejected_keys"].size() == 0);
        pages().written();
    }

    TestBase base;
    app::Gate gate;

  private:
    static Answered answered(const HttpAnswer& answer) {
        return {answer.status, answer.headers, answer.body ? *answer.body : std::string(), {}};
    }
};

inline const auto each_page_site = each_on<PageSite>;

inline bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// A filter's listener of the tests, before the next base starts.
inline void listen(app::Assembly& base, const char* filter, hooks::FilterCall call) {
    REQUIRE(base.site.hooks.filter(filter, {.name = "test"}, std::move(call)));
}

}  // namespace svc::tests
