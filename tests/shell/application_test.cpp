// The two listeners' applications over a fake base.
#include "shell/application.hpp"

#include <doctest/doctest.h>

#include "tests/shell/fake_base.hpp"

using namespace svc;

namespace {

http::Request request(std::string method, std::string target, std::string body = {}) {
    http::Request made;
    made.method = std::move(method);
    made.target = std::move(target);
    made.body = std::move(body);
    made.peer = "127.0.0.1";
    return made;
}

std::string field(const http::Response& response, std::string_view name) {
    for (const auto& [key, value] : response.headers)
        if (key == name)
            return value;
    return {};
}

std::string body_of(const http::Response& response) { return response.body ? *response.body : ""; }

struct Admin {
    testing::FakeBase base;
    http::Counters counters{};
    shell::AdminApplication application{base, [this] { return counters; }};
    http::Response get(const char* target, const char* method = "GET") {
        return application.answer(request(method, target));
    }
};

}  // namespace

TEST_CASE("a visitor who knows only host and port is led into the namespace") {
    testing::FakeBase base;
    shell::BaseApplication application(base, "/svc/v1");
    for (const auto& [from, to] :
         {std::pair{"/docs", "/svc/v1/docs"}, std::pair{"/openapi.json", "/svc/v1/openapi.json"},
          std::pair{"/docs?a=b", "/svc/v1/docs"}}) {
        CAPTURE(from);
        const http::Plan plan = application.plan(request("GET", from));
        auto asked = request("GET", from);
        const http::Response response = application.answer_at_once(asked).value();
        CHECK_FALSE(plan.waits);
        CHECK(response.status == 302);
        CHECK(field(response, "Location") == to);
    }
    CHECK(base.targets().empty());
    CHECK(application.answer(request("GET", "/")).status == 200);  // the site's first page
}

TEST_CASE("only reads are led on: a write goes to the base, which refuses it") {
    testing::FakeBase base;
    shell::BaseApplication application(base, "/svc/v1");
    CHECK(application.answer(request("POST", "/")).status == 200);
    CHECK(base.targets() == std::vector<std::string>{"/"});
}

TEST_CASE("a namespace mounted at the root is not led to itself") {
    testing::FakeBase base;
    shell::BaseApplication application(base, "");
    CHECK(application.answer(request("GET", "/docs")).status == 200);
    CHECK(application.answer(request("GET", "/openapi.json")).status == 200);
    auto asked = request("GET", "/");
    CHECK(field(application.answer_at_once(asked).value(), "Location") == "/docs");
}

TEST_CASE("what the base cannot answer at once keeps its request for a worker") {
    testing::FakeBase base;
    shell::BaseApplication application(base, "/svc/v1");
    auto asked = request("GET", "/svc/v1/memory");
    CHECK(body_of(application.answer_at_once(asked).value()) == "GET /svc/v1/memory ");
    auto waits = request("POST", "/svc/v1/x", "body");
    CHECK_FALSE(application.answer_at_once(waits));
    CHECK(body_of(application.answer(std::move(waits))) == "POST /svc/v1/x body");
}

TEST_CASE("the base plans and answers everything else") {
    testing::FakeBase base;
    shell::BaseApplication application(base, "/svc/v1");
    CHECK(application.plan(request("POST", "/svc/v1/large")).body_limit == std::size_t{20} << 20);
    CHECK(application.plan(request("GET", "/svc/v1/x")).waits);
    CHECK_FALSE(application.plan(request("GET", "/svc/v1/memory")).waits);
    CHECK(application.plan(request("POST", "/svc/v1/hook")).lane == http::Lane::webhook);
    const http::Response response = application.answer(request("PUT", "/svc/v1/x?y", "body"));
    CHECK(body_of(response) == "PUT /svc/v1/x?y body");
    CHECK(field(response, "Content-Type") == "text/plain");
    CHECK(body_of(application.failure(413, {})) == "refused");
}

TEST_CASE("liveness touches nothing and does not wait") {
    Admin admin;
    CHECK_FALSE(admin.application.plan(request("GET", "/healthz")).waits);
    CHECK(admin.get("/healthz").status == 200);
    admin.base.draining();
    CHECK(admin.get("/healthz").status == 200);
}

TEST_CASE("readiness names each check and is 503 while draining") {
    Admin admin;
    CHECK(admin.get("/readyz").status == 200);
    CHECK(body_of(admin.get("/readyz")) == "{\"ready\":true,\"checks\":{\"database\":\"ok\",\"draining\":\"ok\"}}\n");
    admin.base.draining();
    CHECK(admin.get("/readyz").status == 503);
    CHECK(body_of(admin.get("/readyz")) ==
          "{\"ready\":false,\"checks\":{\"database\":\"ok\",\"draining\":\"the server is stopping\"}}\n");
}

TEST_CASE("metrics are the base's and the transport's in one text") {
    Admin admin;
    admin.counters.requests = 12;
    admin.counters.refused_413 = 3;
    const http::Response response = admin.get("/metrics");
    CHECK(field(response, "Content-Type") == "text/plain; version=0.0.4; charset=utf-8");
    CHECK(body_of(response).starts_with("svc_fake 1\n"));
    CHECK(body_of(response).find("\nsvc_http_requests_total 12\n") != std::string::npos);
    CHECK(body_of(response).find("\nsvc_http_refused_total{status=\"413\"} 3\n") != std::string::npos);
}

TEST_CASE("the operator's listener has three paths, for reading") {
    Admin admin;
    CHECK(admin.get("/svc/v1/trips/public").status == 404);
    CHECK(admin.get("/").status == 404);
    CHECK(admin.get("/healthz", "POST").status == 405);
    CHECK(field(admin.get("/metrics", "DELETE"), "Allow") == "GET, HEAD");
}
