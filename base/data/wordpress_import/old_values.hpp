// How the former plugins write amounts, dates and texts; for the sources of this folder alone.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/data/wordpress_import/wxr.hpp"
#include "shared/json/value.hpp"

namespace svc::wordpress_import::old {

// "1,299.00", "€ 1299", "1.299,00" and the like as a decimal; empty: it is none.
std::string decimal_of(std::string_view text);
// The digits at the beginning of the text.
std::string whole_of(std::string_view text);
// The day of "2026-05-01", "2026-05-01 09:30:00", "20260501", "2026-05-01T09:30" or "1.5.2026"; empty: it is none.
std::string date_of(std::string_view text);
// The time of such a moment; empty: none, or midnight.
std::string time_of(std::string_view text);
// The text or number of a value, "1" for true; of a list or object, its first one. Empty: there is none.
std::string text_of(const json::Value& value);
// text_of() the first of these members that is not empty.
std::string text_at(const json::Value& object, std::initializer_list<std::string_view> names);
// The same with its lines: for texts that are shown.
std::string whole_text(const json::Value& value);
// The sum of all whole numbers in the value and in its members.
std::int64_t sum_of(const json::Value& value);
// Lines of a text with markup, without it; at most `most`.
std::vector<std::string> lines_of(std::string_view html, std::size_t most);
// text_of() the first of these metas that is not empty.
std::string first_meta(const Item& item, std::initializer_list<std::string_view> keys);
// The same with its lines.
std::string whole_meta(const Item& item, std::initializer_list<std::string_view> keys);
void set_if(json::Value& fields, const char* name, std::string text);
// {first_name, last_name} of a whole name.
void set_names(json::Value& fields, const std::string& whole);

}  // namespace svc::wordpress_import::old
