// What a page makes of replies in this process: values, data that memory holds, texts, files, and failures.
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

#include "base/website/pages/request.hpp"
#include "tests/base/website/page_site.hpp"

namespace svc::tests {
namespace {

using api::InnerReply;
using api::InnerRequest;
using json::Value;

// A visitor whose calls are answered by hand.
struct Asking {
    explicit Asking(pages::Interface replies)
        : interface(std::move(replies)), visit(http, interface, "/svc/v1", false) {}
    const std::vector<HttpHeader> headers{{"Cookie", "svc_session=x"}, {"X-Other", "y"}};
    const HttpRequest http{.method = "GET", .target = "/trip", .headers = headers, .body = {}, .peer = "192.0.2.7"};
    pages::Interface interface;
    pages::PageRequest visit;
};

// Rows of numbers.
class Rows final : public api::Held {
  public:
    [[nodiscard]] std::size_t size() const override { return 2; }
    [[nodiscard]] Value read(std::size_t index, api::Members members) const override {
        Value row = Value::object({{"id", static_cast<std::int64_t>(index)}});
        if (members.empty())
            row.set("more", true);
        return row;
    }
};

std::shared_ptr<const OpenFile> file_of(const std::string& content) {
    std::FILE* file = std::tmpfile();
    REQUIRE(file);
    std::fwrite(content.data(), 1, content.size(), file);
    std::fflush(file);
    const int descriptor = ::dup(::fileno(file));
    std::fclose(file);
    return std::make_shared<const OpenFile>(descriptor, content.size());
}

}  // namespace

TEST_CASE("a page asks with values: path, query and body apart, its visitor's headers, no text") {
    int calls = 0;
    std::string language;
    Asking one([&](const InnerRequest& request) {
        ++calls;
        CHECK(request.method == (calls == 1 ? "GET" : "POST"));
        CHECK(request.path == "/trips/public");
        CHECK(request.bytes.empty());
        CHECK(request.peer == "192.0.2.7");
        CHECK(request.takes_held == (calls == 1));
        CHECK(request.of_page);
        if (calls == 1) {
            CHECK(request.query == Value::object({{"a", "x y"}, {"b", Value::array({"1", "2"})}}));
            CHECK(request.body.is_null());
            CHECK(request.headers ==
                  std::vector<HttpHeader>{{"Cookie", "svc_session=x"}, {"Accept-Language", language}});
        } else {
            CHECK(request.query == Value::object());
            CHECK(request.body == Value::object({{"n", 1}}));
        }
        return InnerReply{.status = 200, .body = Value::object({{"data", 7}})};
    });
    one.visit.words.locale = language = "de";
    CHECK(one.visit.get("/trips/public?a=x+y&b=1&b=2").data() == Value(7));
    CHECK(one.visit.call("POST", "/trips/public", Value::object({{"n", 1}})).data() == Value(7));
    CHECK(calls == 2);
}

TEST_CASE("what memory holds is read as far as a page shows it, or left to the page") {
    Asking one([](const InnerRequest&) {
        return InnerReply{.status = 200,
                          .body = Value::object({{"success", true}, {"data", nullptr}, {"meta", 1}}),
                          .held = std::make_shared<const Rows>()};
    });
    CHECK(one.visit.get("/x").body.dump() ==
          R"({"success":true,"data":[{"id":0,"more":true},{"id":1,"more":true}],"meta":1})");
    constexpr std::string_view few[] = {"id"};
    CHECK(one.visit.get_partly("/x", few).data().dump() == R"([{"id":0},{"id":1}])");
    const auto held = one.visit.get_held("/x");
    CHECK(held.held->size() == 2);
    CHECK(held.data().is_null());
}

TEST_CASE("a handler's own JSON text is read; a broken one ends the page") {
    std::string text = R"({"data":[1]})";
    Asking one([&](const InnerRequest&) {
        return InnerReply{.status = 200,
                          .headers = {{"Content-Type", "application/json; charset=utf-8"}},
                          .bytes = std::make_shared<const std::string>(text)};
    });
    CHECK(one.visit.get("/x").data() == Value::array({1}));
    text = "{";
    CHECK_THROWS_AS(one.visit.get("/x"), std::runtime_error);
}

TEST_CASE("a document may be bytes or a file or a part of one; a refusal says why there is none") {
    InnerReply reply;
    Asking one([&](const InnerRequest&) { return reply; });
    reply = {.status = 200,
             .headers = {{"content-type", "text/calendar"}, {"Content-Disposition", "attachment"}},
             .bytes = std::make_shared<const std::string>("BEGIN")};
    auto raw = one.visit.raw("/x");
    CHECK(raw.body == "BEGIN");
    CHECK(raw.type == "text/calendar");
    CHECK(raw.disposition == "attachment");
    reply = {.status = 200, .file = file_of("0123456789")};
    CHECK(one.visit.raw("/x").body == "0123456789");
    reply.file_from = 3;
    reply.file_size = 4;
    CHECK(one.visit.raw("/x").body == "3456");
    reply = {.status = 404, .body = Value::object({{"message", "There is none."}})};
    raw = one.visit.raw("/x");
    CHECK(raw.status == 404);
    CHECK(raw.body.empty());
    CHECK(raw.message == "There is none.");
    reply = {.status = 200, .bytes = std::make_shared<const std::string>(std::size_t{9} << 20, 'x')};
    CHECK_THROWS_AS(one.visit.raw("/x"), pages::Stopped);
}

TEST_CASE("a call that throws, or finds the server busy, is an error page") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        const auto ask = [&](pages::Interface interface) {
            site.pages().written();
            site.pages().ask(std::move(interface));
            return site.page("/trip");
        };
        const auto thrown = ask([](const InnerRequest&) -> InnerReply { throw std::runtime_error("secret cause"); });
        CHECK(thrown.status == 500);
        CHECK(has(thrown.text, "Something went wrong on our side"));
        CHECK(!has(thrown.text, "secret cause"));
        const auto busy = ask([](const InnerRequest&) {
            return InnerReply{.status = 503, .headers = {{"Retry-After", "2"}}, .body = Value::object({{"code", "x"}})};
        });
        CHECK(busy.status == 503);
        CHECK(busy.header("Retry-After") == "2");
        const auto gone = ask([](const InnerRequest&) -> InnerReply { throw store::Unavailable("no session"); });
        CHECK(gone.status == 503);
        CHECK(ask([&](const InnerRequest& request) { return site.gate.ask(request); }).status == 200);
    });
}

}  // namespace svc::tests
