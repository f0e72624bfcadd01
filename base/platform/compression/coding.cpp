// Brotli and gzip at the settings where more work saves next to nothing.
#include "base/platform/compression/coding.hpp"

#include <algorithm>
#include <array>
#include <brotli/encode.h>
#include <new>
#include <optional>
#include <zlib.h>

#include "shared/core/ascii.hpp"

namespace svc::compression {
namespace {

constexpr std::array<Coding, 3> by_size{Coding::brotli, Coding::gzip, Coding::plain};

bool same(std::string_view given, std::string_view name) {
    return std::equal(given.begin(), given.end(), name.begin(), name.end(),
                      [](char a, char b) { return ascii::lower(a) == b; });
}

// "0", "1" or "0.5" with at most three decimals, in thousandths.
std::optional<int> weight_of(std::string_view text) {
    if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1') || (text.size() > 1 && text[1] != '.'))
        return std::nullopt;
    int weight = (text[0] - '0') * 1000, unit = 100;
    for (std::size_t i = 2; i < text.size(); ++i, unit /= 10) {
        if (text[i] < '0' || text[i] > '9')
            return std::nullopt;
        weight += (text[i] - '0') * unit;
    }
    return weight <= 1000 ? std::optional(weight) : std::nullopt;
}

struct Offer {
    std::string_view coding;
    int weight = 1000;
};

// Nothing for an element that breaks the grammar.
std::optional<Offer> offer_of(std::string_view element) {
    const auto semicolon = element.find(';');
    Offer offer{ascii::trimmed(element.substr(0, semicolon))};
    if (offer.coding.empty())
        return std::nullopt;
    if (semicolon == std::string_view::npos)
        return offer;
    const auto parameter = ascii::trimmed(element.substr(semicolon + 1));
    if (parameter.size() < 3 || ascii::lower(parameter[0]) != 'q' || parameter[1] != '=')
        return std::nullopt;
    const auto weight = weight_of(parameter.substr(2));
    if (!weight)
        return std::nullopt;
    offer.weight = *weight;
    return offer;
}

std::string gzipped(std::string_view text) {
    z_stream stream{};
    constexpr int window_with_gzip_header = 15 + 16;
    if (deflateInit2(&stream, 6, Z_DEFLATED, window_with_gzip_header, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    std::string out(deflateBound(&stream, text.size()), '\0');
    // zlib takes its input as non-const and does not write to it.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int done = deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    if (done != Z_STREAM_END)
        throw std::bad_alloc();
    return out;
}

std::string brotlied(std::string_view text) {
    std::size_t size = BrotliEncoderMaxCompressedSize(text.size());
    std::string out(size, '\0');
    if (BrotliEncoderCompress(5, 18, BROTLI_MODE_TEXT, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()),
                              &size, reinterpret_cast<std::uint8_t*>(out.data())) != BROTLI_TRUE)
        throw std::bad_alloc();
    out.resize(size);
    return out;
}

}  // namespace

std::string_view name_of(Coding coding) {
    switch (coding) {
        case Coding::gzip:
            return "gzip";
        case Coding::brotli:
            return "br";
        default:
            return {};
    }
}

Coding best_coding(std::string_view header) {
    std::array<std::optional<int>, 3> weights;  // by Coding
    std::optional<int> others;
    for (std::string_view rest = header; !rest.empty();) {
        const auto comma = rest.find(',');
        const auto offer = offer_of(rest.substr(0, comma));
        rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
        if (!offer)
            continue;
        const auto set = [&](Coding coding) { weights[static_cast<std::size_t>(coding)] = offer->weight; };
        if (same(offer->coding, "br"))
            set(Coding::brotli);
        else if (same(offer->coding, "gzip") || same(offer->coding, "x-gzip"))
            set(Coding::gzip);
        else if (same(offer->coding, "identity"))
            set(Coding::plain);
        else if (offer->coding == "*")
            others = offer->weight;
    }
    Coding best = Coding::plain;
    int highest = 0;
    for (const Coding coding : by_size) {
        // Codings that are not named are unacceptable, except identity, unless it is rejected.
        const int weight =
            weights[static_cast<std::size_t>(coding)].value_or(others.value_or(coding == Coding::plain ? 1 : 0));
        if (weight > highest) {
            highest = weight;
            best = coding;
        }
    }
    return best;
}

std::string compress(Coding coding, std::string_view text) {
    std::string out = coding == Coding::gzip ? gzipped(text) : brotlied(text);
    out.shrink_to_fit();
    return out;
}

}  // namespace svc::compression
