// The request's own query with another page in it.
#include "base/app/page_links.hpp"

#include <algorithm>
#include <charconv>

#include "shared/core/uri.hpp"

namespace svc::app {
namespace {

constexpr std::size_t longest_query = 1000;

// Characters allowed unencoded between < and >.
bool is_plain(char c) { return c > 0x20 && c < 0x7F && c != '<' && c != '>' && c != '"' && c != '\\'; }

void add_plain(std::string& out, std::string_view text) {
    if (std::all_of(text.begin(), text.end(), is_plain))
        out += text;
    else
        text::append_encoded(out, text, is_plain);
}

// `path?…&page=`, the query without its page.
std::string address_before_page(std::string_view path, std::string_view query) {
    std::string address;
    address.reserve(path.size() + query.size() + 16);
    address = '<';
    add_plain(address, path);
    char between = '?';
    while (!query.empty()) {
        const auto end = query.find('&');
        const auto piece = query.substr(0, end);
        query = end == std::string_view::npos ? std::string_view{} : query.substr(end + 1);
        if (piece.empty() || piece.substr(0, piece.find('=')) == "page")
            continue;
        address += between;
        between = '&';
        add_plain(address, piece);
    }
    return (address += between) += "page=";
}

}  // namespace

std::string page_links(std::string_view path, std::string_view query, const api::PageMeta& page) {
    if (query.size() > longest_query)
        return {};
    const std::string before = address_before_page(path, query);
    const std::int64_t last = std::max<std::int64_t>(page.pages(), 1);
    std::string links;
    links.reserve(4 * (before.size() + 36));
    const auto add = [&](std::int64_t number, std::string_view relation) {
        if (!links.empty())
            links += ", ";
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
        (links += before).append(digits, end) += relation;
    };
    add(1, ">; rel=\"first\"");
    if (page.page > 1)
        add(std::min(page.page - 1, last), ">; rel=\"prev\"");
    if (page.page < last)
        add(page.page + 1, ">; rel=\"next\"");
    add(last, ">; rel=\"last\"");
    return links;
}

}  // namespace svc::app
