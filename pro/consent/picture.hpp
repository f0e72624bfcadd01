// Pictures that a browser drew, as data URLs. Pure functions, any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "shared/core/sentence.hpp"

namespace svc::pro::consent {

inline constexpr std::size_t largest_signature = 512 * 1024, largest_initials = 128 * 1024;  // bytes of the PNG file

inline bool is_data_url(std::string_view text) { return text.starts_with("data:"); }

// The sentence of what is wrong with a data URL of a PNG picture; empty: nothing is. Its chunks, their check sums and
// its size are looked at; the pixels are left to those who show it.
Sentence fault_of_picture(std::string_view data_url, std::size_t largest);

// The base64 text of such a URL.
std::string_view base64_of(std::string_view data_url);

}  // namespace svc::pro::consent
