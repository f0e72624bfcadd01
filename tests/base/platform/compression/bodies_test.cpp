// Codings: who gets which, each made once and as often as memory allows.
#include "base/platform/compression/bodies.hpp"

#include <array>
#include <brotli/decode.h>
#include <zlib.h>

#include <doctest/doctest.h>

using namespace svc;
using compression::best_coding;
using compression::Bodies;
using compression::Coding;

namespace {

std::string text_of(std::size_t size, int seed) {
    std::string text;
    while (text.size() < size)
        text += "{\"number\":" + std::to_string(seed * 7919 + static_cast<int>(text.size())) + "},";
    return text;
}

std::string unpacked(Coding coding, const std::string& body) {
    std::string out(1 << 20, '\0');
    if (coding == Coding::brotli) {
        std::size_t size = out.size();
        REQUIRE(BrotliDecoderDecompress(body.size(), reinterpret_cast<const std::uint8_t*>(body.data()), &size,
                                        reinterpret_cast<std::uint8_t*>(out.data())) == BROTLI_DECODER_RESULT_SUCCESS);
        out.resize(size);
        return out;
    }
    z_stream stream{};
    REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
    stream.avail_in = static_cast<uInt>(body.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    return out;
}

api::Reply ask(Bodies& all, const std::string& text, const std::string& tag, std::string_view accepts,
               std::string_view has = {}) {
    api::Request request;
    request.header = [&](std::string_view name) {
        return name == "accept-encoding" ? accepts : name == "if-none-match" ? has : std::string_view{};
    };
    return all.answer(request, std::make_shared<const std::string>(text), tag);
}

std::string header(const api::Reply& reply, std::string_view name) {
    for (const auto& [key, value] : reply.headers)
        if (key == name)
            return value;
    return {};
}

}  // namespace

TEST_CASE("the coding is what the client weighs highest, the smallest of equals, plain when it takes nothing else") {
    const std::array<std::pair<const char*, Coding>, 22> table{{
        {"", Coding::plain},
        {"gzip, deflate, br", Coding::brotli},
        {"gzip, deflate", Coding::gzip},
        {"GZIP", Coding::gzip},
        {"x-gzip", Coding::gzip},
        {"br;q=0.5, gzip", Coding::gzip},
        {"br;q=0, gzip;q=0", Coding::plain},
        {"br;q=0, *", Coding::gzip},
        {"*", Coding::brotli},
        {"*;q=0", Coding::plain},
        {"*;q=0, gzip;q=0.1", Coding::gzip},
        {"identity", Coding::plain},
        {"identity;q=1, gzip;q=0.5", Coding::plain},
        {"identity;q=0.5, gzip;q=1.0", Coding::gzip},
        {"gzip;q=0.001", Coding::gzip},
        {"deflate, zstd", Coding::plain},
        {"gzip;q=2", Coding::plain},
        {"gzip;q=0.1234", Coding::plain},
        {"gzip;x=1", Coding::plain},
        {"gzipped, brotli", Coding::plain},
        {" , ;q=1, gzip ; q=0.9 ,", Coding::gzip},
        {"br\xFF", Coding::plain},
    }};
    for (const auto& [given, coding] : table) {
        CAPTURE(given);
        CHECK(best_coding(given) == coding);
    }
}

TEST_CASE("a body in a coding is the body, with a tag of its own and what caches must know") {
    Bodies all;
    const std::string text = text_of(20'000, 1);
    for (const auto coding : {Coding::gzip, Coding::brotli}) {
        const std::string name(compression::name_of(coding));
        const auto reply = ask(all, text, "\"abc\"", name);
        CHECK(unpacked(coding, *reply.raw) == text);
        CHECK(reply.raw->size() < text.size() / 2);
        CHECK(header(reply, "Content-Encoding") == name);
        CHECK(header(reply, "Vary") == "Accept-Encoding");
        CHECK(header(reply, "ETag") == "\"abc-" + name + "\"");
        CHECK(ask(all, text, "\"abc\"", name).raw == reply.raw);
        const auto again = ask(all, text, "\"abc\"", name, "\"abc-" + name + "\"");
        CHECK(again.status == 304);
        CHECK(header(again, "Vary") == "Accept-Encoding");
        CHECK(header(again, "Content-Encoding").empty());
        CHECK(ask(all, text, "\"abc\"", name, "\"abc\"").status == 200);
    }
    const auto plain = ask(all, text, "\"abc\"", "identity");
    CHECK(*plain.raw == text);
    CHECK(header(plain, "ETag") == "\"abc\"");
    CHECK(header(plain, "Vary") == "Accept-Encoding");
    CHECK(header(plain, "Content-Encoding").empty());
}

TEST_CASE("a small body goes out plain") {
    Bodies all;
    const auto reply = ask(all, "{\"success\":true}", "\"abc\"", "br, gzip");
    CHECK(*reply.raw == "{\"success\":true}");
    CHECK(header(reply, "Content-Encoding").empty());
    CHECK(all.bytes() == 0);
}

TEST_CASE("prepared bodies are bounded in bytes, and one that is asked for stays") {
    Bodies all(100'000);
    const std::string kept = text_of(5'000, 0);
    const auto first = ask(all, kept, "\"kept\"", "gzip").raw;
    for (int i = 1; i < 500; ++i) {
        (void)ask(all, text_of(5'000, i), "\"" + std::to_string(i) + "\"", "gzip");
        CHECK(all.bytes() <= 100'000);
        REQUIRE(ask(all, kept, "\"kept\"", "gzip").raw == first);
    }
    const auto huge = text_of(900'000, 3);
    CHECK(unpacked(Coding::gzip, *ask(all, huge, "\"huge\"", "gzip").raw) == huge);
    CHECK(all.bytes() <= 100'000);
}
