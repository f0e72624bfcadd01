// A page of the operator's own: blocks from a fixed list at an address of their own. Module custom_landing_pages.
#pragma once

#include "shared/record/record.hpp"

namespace svc::pro::landing_pages {

inline constexpr std::string_view module_slug = "custom_landing_pages", capability = "manage_svc",
                                  page_path = "/discover";

// Of a page; each costs a call of the interface when the page is made.
inline constexpr std::size_t most_pictures = 12, most_trip_lists = 8;

struct LandingPage : record::Audit, record::Trash {
    std::int64_t id = 0;
    std::string title, slug;
    std::string status{"draft"};  // draft, publish, trash
    // Whose page it replaces: links to that destination, activity or category lead here while it is published.
    std::string owner_type{"none"};
    std::optional<std::int64_t> owner_id;
    json::Value blocks = json::Value::array();  // each as block_type() says
    std::string seo_title, seo_description;     // empty: the title and the first text
    bool is_indexed = true;
};
const record::Record<LandingPage>& landing_page_record();

// One block on the wire and in the table: "type" decides which of the other members count.
api::Type block_type();

// The blocks with every member; those that were not sent are empty.
json::Value whole_blocks(const json::Value& blocks);

// Reports what a block lacks or has too much of, at "blocks.N.member", counted from 1.
void check_blocks(const json::Value& blocks, Faults& faults);

}  // namespace svc::pro::landing_pages
