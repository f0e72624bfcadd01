// Sealed ids as words of an address.
#include "pro/abandoned_bookings/links.hpp"

#include <charconv>

#include "pro/common/sealed_word.hpp"

namespace svc::pro::abandoned_bookings {
namespace {

constexpr std::string_view of_page = "page.", page_place = "svc_abandoned_bookings.page";

std::string_view place_of(LinkKind kind) {
    return kind == LinkKind::recover ? "svc_abandoned_bookings.recover" : "svc_abandoned_bookings.stop";
}

std::optional<std::int64_t> number_in(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failure == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string link_token(const plugin::Secrets& secrets, LinkKind kind, const AbandonedBooking& row) {
    return sealed_word(secrets, std::to_string(row.id) + "." + row.uid, place_of(kind));
}

std::optional<OpenedLink> open_link(const plugin::Secrets& secrets, LinkKind kind, std::string_view token) {
    const auto text = opened_word(secrets, token, place_of(kind));
    if (!text)
        return std::nullopt;
    const auto point = text->find('.');
    const auto id = number_in(std::string_view(*text).substr(0, point));
    if (!id || point == std::string::npos)
        return std::nullopt;
    return OpenedLink{.id = *id, .uid = text->substr(point + 1)};
}

std::string page_mark(const plugin::Secrets& secrets, std::int64_t checkout_id) {
    return std::string(of_page) + sealed_word(secrets, std::to_string(checkout_id), page_place);
}

std::optional<std::int64_t> checkout_of_mark(const plugin::Secrets& secrets, std::string_view mark) {
    if (!is_page_mark(mark))
        return std::nullopt;
    const auto text = opened_word(secrets, mark.substr(of_page.size()), page_place);
    return text ? number_in(*text) : std::nullopt;
}

bool is_page_mark(std::string_view token) { return token.starts_with(of_page); }

}  // namespace svc::pro::abandoned_bookings
