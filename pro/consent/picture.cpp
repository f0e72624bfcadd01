// Walks the chunks of a PNG file.
#include "pro/consent/picture.hpp"

#include <array>
#include <cstdint>

#include "pro/crypto/hmac.hpp"

namespace svc::pro::consent {
namespace {

constexpr std::string_view head = "data:image/png;base64,", magic = "\x89PNG\r\n\x1a\n";
constexpr SentenceId no_png = "This must be a PNG picture."_sentence;
constexpr std::uint32_t most_pixels_aside = 4096, most_pixels = 4'000'000;

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i)
        number = number << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return number;
}

std::uint32_t check_sum(std::string_view bytes) {
    constexpr std::uint32_t polynomial = 0xEDB88320;
    std::uint32_t sum = 0xFFFFFFFF;
    for (const char c : bytes) {
        sum ^= static_cast<std::uint8_t>(c);
        for (int bit = 0; bit < 8; ++bit)
            sum = (sum >> 1) ^ ((sum & 1) != 0 ? polynomial : 0);
    }
    return ~sum;
}

// Chunks are: 4 bytes of length, 4 letters, the data, 4 bytes of check sum.
bool has_whole_chunks(std::string_view png) {
    constexpr std::size_t around = 12;
    bool has_data = false;
    std::size_t at = magic.size();
    while (at + around <= png.size()) {
        const std::size_t length = number_at(png, at);
        if (length > png.size() - at - around)
            return false;
        const auto name = png.substr(at + 4, 4);
        if (check_sum(png.substr(at + 4, 4 + length)) != number_at(png, at + 8 + length))
            return false;
        has_data = has_data || name == "IDAT";
        at += around + length;
        if (name == "IEND")
            return has_data && at == png.size();
    }
    return false;
}

}  // namespace

Sentence fault_of_picture(std::string_view data_url, std::size_t largest) {
    if (!data_url.starts_with(head))
        return no_png;
    const auto text = base64_of(data_url);
    if (text.size() / 4 * 3 > largest + 2)
        return "This picture is too large: at most {most} KiB."_sentence.with("most", largest / 1024);
    const auto png = crypto::from_base64(text);
    constexpr std::size_t of_header = 33;  // magic and IHDR
    if (!png || png->size() < of_header || !png->starts_with(magic) || png->substr(12, 4) != "IHDR" ||
        number_at(*png, 8) != 13 || !has_whole_chunks(*png))
        return no_png;
    if (png->size() > largest)
        return "This picture is too large: at most {most} KiB."_sentence.with("most", largest / 1024);
    const std::uint32_t width = number_at(*png, 16), height = number_at(*png, 20);
    if (width < 2 || height < 2 || width > most_pixels_aside || height > most_pixels_aside ||
        std::uint64_t{width} * height > most_pixels)
        return "This picture must have 2 to 4,096 pixels on each side, and 4 million at most."_sentence;
    return {};
}

std::string_view base64_of(std::string_view data_url) {
    return data_url.starts_with(head) ? data_url.substr(head.size()) : std::string_view();
}

}  // namespace svc::pro::consent
