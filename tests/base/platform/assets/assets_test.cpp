// Embedded files as browsers get them.
#include "base/platform/assets/assets.hpp"

#include <doctest/doctest.h>

#include "base/admin/frame.hpp"

using namespace svc;

namespace {

std::string header_of(const api::Reply& reply, std::string_view name) {
    for (const auto& [key, value] : reply.headers)
        if (key == name)
            return value;
    return {};
}

auto sending(std::string_view name, std::string_view value) {
    return [name, value](std::string_view asked) { return asked == name ? value : std::string_view{}; };
}

const auto nothing = [](std::string_view) { return std::string_view{}; };

}  // namespace

TEST_CASE("an asset is kept for a year under the name of its content, and asked for under any other") {
    const assets::Assets& all = assets::built_in();
    const std::string path = all.path("admin/notice.css");
    REQUIRE(path.starts_with("/svc-assets/admin/notice."));
    const auto current = all.answer(path, nothing);
    REQUIRE(current);
    CHECK(header_of(*current, "Cache-Control") == "public, max-age=31536000, immutable");
    CHECK(current->content_type == "text/css; charset=utf-8");
    CHECK(*current->raw == all.text("admin/notice.css"));
    for (const std::string_view other : {"/svc-assets/admin/notice.css", "/svc-assets/admin/notice.0123456789.css"}) {
        const auto reply = all.answer(other, nothing);
        REQUIRE(reply);
        CHECK(header_of(*reply, "Cache-Control") == "public, no-cache");
        CHECK(*reply->raw == *current->raw);
    }
    CHECK_FALSE(all.answer("/svc-assets/admin/other.css", nothing));
    CHECK_FALSE(all.answer("/svc-assets/../admin/notice.css", nothing));
    CHECK(all.path("admin/other.css").empty());
}

TEST_CASE("an asset goes out in the coding that the client likes best, each with an entity tag of its own") {
    const assets::Assets& all = assets::built_in();
    const std::string path = all.path("docs/docs.css");
    const auto brotli = all.answer(path, sending("accept-encoding", "gzip, br"));
    const auto gzip = all.answer(path, sending("accept-encoding", "gzip"));
    const auto plain = all.answer(path, nothing);
    REQUIRE((brotli && gzip && plain));
    CHECK(header_of(*brotli, "Content-Encoding") == "br");
    CHECK(header_of(*gzip, "Content-Encoding") == "gzip");
    CHECK(header_of(*plain, "Content-Encoding").empty());
    CHECK(header_of(*plain, "Vary") == "Accept-Encoding");
    CHECK(brotli->raw->size() < plain->raw->size());
    CHECK(header_of(*brotli, "ETag") != header_of(*gzip, "ETag"));
    const std::string tag = header_of(*plain, "ETag");
    CHECK(all.answer(path, sending("if-none-match", tag))->status == 304);
}

TEST_CASE("the admin's page allows our script alone, and explains when the build has none") {
    const assets::Assets none{{}};
    const auto missing = admin::frame(none, {"/svc/v1", "http://shop.example/here", "de"}, "3.0.0", nothing);
    CHECK(missing.status == 503);
    for (const char* told : {"<h1>The admin is not part of this build</h1>", "<code>npm</code> was missing",
                             "<code>-DSVC_WEB=OFF</code> was set", "The interface and the site work without it.",
                             "<code>cmake --preset release -DSVC_WEB=ON</code> and <code>make run</code>"})
        CHECK_MESSAGE(missing.raw->find(told) != std::string::npos, told);
    CHECK(header_of(missing, "Content-Security-Policy").find("default-src 'none';") != std::string::npos);
    const auto frame =
        admin::frame(assets::built_in(), {"/svc/v1", "http://shop.example/here", "de"}, "3.0.0", nothing);
    CHECK(header_of(frame, "Content-Security-Policy").find("script-src 'self';") != std::string::npos);
    CHECK(header_of(frame, "Content-Security-Policy").find(" https: http://shop.example;") != std::string::npos);
    const auto injected = admin::frame(none, {"/svc/v1", "http://a.example; script-src *", "en"}, "3.0.0", nothing);
    CHECK(header_of(injected, "Content-Security-Policy").find("script-src *") == std::string::npos);
    CHECK(frame.raw->find("<script>") == std::string::npos);
    if (assets::built_in().has("admin/admin.js")) {
        CHECK(frame.raw->find("content=\"/svc/v1\"") != std::string::npos);
        CHECK(frame.raw->find("<html lang=\"de\">") != std::string::npos);
    }
    CHECK(admin::is_address("/admin"));
    CHECK(admin::is_address("/admin/bookings/1"));
    CHECK_FALSE(admin::is_address("/administrator"));
}
