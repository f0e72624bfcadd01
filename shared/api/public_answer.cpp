// Comparing entity tags.
#include "shared/api/public_answer.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "shared/core/ascii.hpp"

namespace svc::api {

bool has_tag(std::string_view given, std::string_view etag) {
    while (!given.empty()) {
        const auto start = given.find_first_not_of(" \t,");
        if (start == std::string_view::npos)
            return false;
        given.remove_prefix(start);
        if (given.front() == '*')
            return true;
        if (given.substr(0, 2) == "W/")
            given.remove_prefix(2);
        const auto end = given.empty() || given.front() != '"' ? std::string_view::npos : given.find('"', 1);
        if (end == std::string_view::npos)
            return false;
        if (given.substr(0, end + 1) == etag)
            return true;
        given.remove_prefix(end + 1);
    }
    return false;
}

std::string entity_tag(std::string_view text) {
    // Eight lanes of multiply and rotate, so that the processor has eight going at a time.
    std::array<std::uint64_t, 8> lanes{0x9E3779B97F4A7C15ULL, 0xC2B2AE3D27D4EB4FULL, 0x165667B19E3779F9ULL,
                                       0x27D4EB2F165667C5ULL, 0xFF51AFD7ED558CCDULL, 0xC4CEB9FE1A85EC53ULL,
                                       0x2545F4914F6CDD1DULL, 0x9FB21C651E98DF25ULL};
    const auto mix = [](std::uint64_t& lane, std::uint64_t word) {
        lane = std::rotl((lane ^ word) * 0xD6E8FEB86659FD93ULL, 31);
    };
    const std::size_t length = text.size();
    const auto word_at = [&](std::size_t place) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + place, sizeof word);
        return word;
    };
    std::size_t at = 0;
    for (; length - at >= sizeof lanes; at += sizeof lanes) {
        mix(lanes[0], word_at(at));
        mix(lanes[1], word_at(at + 8));
        mix(lanes[2], word_at(at + 16));
        mix(lanes[3], word_at(at + 24));
        mix(lanes[4], word_at(at + 32));
        mix(lanes[5], word_at(at + 40));
        mix(lanes[6], word_at(at + 48));
        mix(lanes[7], word_at(at + 56));
    }
    for (; at < length; ++at)
        mix(lanes[0], static_cast<unsigned char>(text[at]));
    mix(lanes[1], length);
    std::string tag = "\"";
    for (std::size_t half = 0; half < 2; ++half) {
        // Twice over all lanes, so that each bit of the tag depends on every one.
        std::uint64_t sum = half;
        for (int round = 0; round < 2; ++round)
            for (const std::uint64_t lane : lanes)
                mix(sum, lane);
        for (int shift = 60; shift >= 0; shift -= 4)
            tag += ascii::hex_digits[(sum >> shift) & 15];
    }
    return tag + '"';
}

Reply public_answer(const Request& request, std::shared_ptr<const std::string> body, const std::string& etag) {
    static const auto nothing = std::make_shared<const std::string>();
    Reply reply = prebuilt(std::move(body));
    if (request.header && has_tag(request.header("if-none-match"), etag)) {
        reply.status = 304;
        reply.raw = nothing;
    }
    reply.headers.reserve(12);  // with those of everybody above
    reply.headers.emplace_back("ETag", etag);
    reply.headers.emplace_back("Cache-Control", "public, no-cache");
    return reply;
}

}  // namespace svc::api
