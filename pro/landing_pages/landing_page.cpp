// Declares the record of landing pages and the rules of their blocks.
#include "pro/landing_pages/landing_page.hpp"

#include <algorithm>
#include <array>

#include "shared/api/named.hpp"

namespace svc::pro::landing_pages {
namespace {

using json::Value;

constexpr std::size_t most_blocks = 40, most_items = 30, most_trips = 12;

api::Type item_type() {
    return api::object("LandingPageItem", {{.name = "title", .type = api::text(300)},
                                           {.name = "text", .type = api::html(5'000), .help = "HTML."}});
}

bool is_empty(const Value& block, const char* member) {
    const Value& value = block[member];
    return value.is_null() || (value.is_string() && value.text().empty()) || (value.is_array() && value.size() == 0);
}

// Addresses that a browser opens without a script.
bool is_link(const std::string& url) {
    constexpr std::array starts{"https://", "http://", "mailto:", "tel:", "#"};
    return (url.starts_with('/') && !url.starts_with("//")) ||
           std::any_of(starts.begin(), starts.end(), [&](const char* start) { return url.starts_with(start); });
}

struct Need {
    const char *type, *member;
    SentenceId sentence;
};
constexpr std::array needs{Need{"hero", "heading", "Enter the heading of the opening."_sentence},
                           Need{"text", "text", "Enter the text, or remove the block."_sentence},
                           Need{"picture", "image_id", "Choose a picture, or remove the block."_sentence},
                           Need{"questions", "items", "Add a question, or remove the block."_sentence},
                           Need{"facts", "items", "Add a fact, or remove the block."_sentence},
                           Need{"quote", "text", "Enter the quoted words, or remove the block."_sentence},
                           Need{"button", "label", "Enter the words on the button."_sentence},
                           Need{"button", "url", "Enter the address that the button opens."_sentence}};

void check_trips(const Value& block, const std::string& at, Faults& faults) {
    const std::string source = block.text_or("source", "all");
    if ((source == "destination" || source == "activity" || source == "trip_category") &&
        is_empty(block, "source_slug"))
        faults.at(at + "source_slug", "Choose which one the trips are of."_sentence);
    if (source == "chosen" && is_empty(block, "trip_ids"))
        faults.at(at + "trip_ids", "Choose at least one trip."_sentence);
}

void check_block(const Value& block, const std::string& at, Faults& faults) {
    const std::string type = block.text_or("type");
    for (const Need& need : needs)
        if (type == need.type && is_empty(block, need.member))
            faults.at(at + need.member, need.sentence);
    if (type == "trips")
        check_trips(block, at, faults);
    if (const std::string url = block.text_or("url"); !url.empty() && !is_link(url))
        faults.at(at + "url", "Enter an address of this site (/trips) or one that begins with https://."_sentence);
    if (type == "hero" && is_empty(block, "label") != is_empty(block, "url"))
        faults.at(at + (is_empty(block, "label") ? "label" : "url"),
                  "A button needs its words and its address."_sentence);
    if (!block["items"].is_array())
        return;
    std::size_t number = 0;
    for (const Value& item : block["items"].items()) {
        const std::string row = at + "items." + std::to_string(++number);
        for (const char* member : {".title", ".text"})
            if (is_empty(item, member + 1))
                faults.at(row + member, "Enter both, or remove the row."_sentence);
    }
}

}  // namespace

api::Type block_type() {
    using namespace api;
    return api::object(
        "LandingPageBlock",
        {{.name = "type",
          .type = choice({"hero", "text", "picture", "trips", "facts", "questions", "quote", "button"}),
          .required = true},
         {.name = "heading", .type = api::text(200)},
         {.name = "text", .type = raw_text(20'000), .help = "HTML of a text, words of a quote or an opening."},
         {.name = "image_id", .type = id().or_null(), .help = "Of the media library."},
         {.name = "image_alt", .type = api::text(300), .help = "What it shows; empty: as the media library says."},
         {.name = "label", .type = api::text(80), .help = "Words on the button; of a quote, who said it."},
         {.name = "url", .type = api::text(500), .help = "Address that the button opens."},
         {.name = "source",
          .type = choice({"all", "featured", "destination", "activity", "trip_category", "chosen"}),
          .help = "Which trips are listed."},
         {.name = "source_slug", .type = api::text(200), .help = "Slug of the destination, activity or category."},
         {.name = "trip_ids", .type = list(id(), most_trips), .help = "Of chosen trips, in this order."},
         {.name = "count", .type = integer(1, most_trips), .help = "Trips at most; 6 without it."},
         {.name = "items", .type = list(item_type(), most_items), .help = "Questions with answers, or facts."}});
}

Value whole_blocks(const Value& blocks) {
    constexpr std::int64_t usual_count = 6;
    const auto whole = [](const Value& given, Value full) {
        for (const auto& [name, value] : given.members())
            full.set(name, value);
        return full;
    };
    return json::array_of(blocks.items(), [&](const Value& block) {
        Value full = whole(block, Value::object({{"type", ""},
                                                 {"heading", ""},
                                                 {"text", ""},
                                                 {"image_id", Value()},
                                                 {"image_alt", ""},
                                                 {"label", ""},
                                                 {"url", ""},
                                                 {"source", "all"},
                                                 {"source_slug", ""},
                                                 {"trip_ids", Value::array()},
                                                 {"count", usual_count},
                                                 {"items", Value::array()}}));
        return full.set("items", json::array_of(full["items"].items(), [&](const Value& item) {
                            return whole(item, Value::object({{"title", ""}, {"text", ""}}));
                        }));
    });
}

void check_blocks(const Value& blocks, Faults& faults) {
    std::size_t number = 0, openings = 0, pictures = 0, lists = 0;
    for (const Value& block : blocks.items()) {
        const std::string at = "blocks." + std::to_string(++number) + ".";
        check_block(block, at, faults);
        if (block.text_or("type") == "hero" && (++openings > 1 || number > 1))
            faults.at(at + "type", "A page has one opening, and it comes first."_sentence);
        if (!is_empty(block, "image_id") && ++pictures > most_pictures)
            faults.at(at + "image_id", "A page has at most 12 pictures."_sentence);
        if (block.text_or("type") == "trips" && ++lists > most_trip_lists)
            faults.at(at + "source", "A page has at most 8 lists of trips."_sentence);
    }
}

const record::Record<LandingPage>& landing_page_record() {
    using namespace record;
    using P = LandingPage;
    static const Record<P> declared{
        {.table = "svc_landing_pages",
         .component = "LandingPage",
         .search_column = "search",
         .sorts = {{"id", {"r.id"}}, {"created_at", {"r.created_at"}}, {"updated_at", {"r.updated_at"}}},
         .default_sort = "updated_at",
         .conditions = {{"owner_type", "r.owner_type = :owner_type"}}},
        {id(&P::id), column("title", &P::title, api::text(200, 1), by_client | required | searched | sortable),
         column("slug", &P::slug, api::text(100), by_client | searched | sortable,
                "The end of its address; made of the title where it is empty."),
         column("status", &P::status, api::choice({"draft", "publish", "trash"}),
                by_client | default_value("draft") | sortable),
         column("owner_type", &P::owner_type, api::choice({"none", "destination", "activity", "trip_category"}),
                by_client | default_value("none"), "Links to that record lead here while the page is published."),
         column("owner_id", &P::owner_id, api::id().or_null(), by_client, "The destination, activity or category."),
         column("blocks", &P::blocks, api::list(block_type(), most_blocks), by_client | default_value(Value::array()),
                "In the order of the page; the list replaces all."),
         column("seo_title", &P::seo_title, api::text(200), by_client, "For search engines; empty: the title."),
         column("seo_description", &P::seo_description, api::text(300), by_client, "For search engines."),
         column("is_indexed", &P::is_indexed, api::boolean(), by_client | default_value(true),
                "Search engines may list it."),
         computed<P>(
             "path", api::text(200), [](const P& page) { return Value(std::string(page_path) + "/" + page.slug); }, {},
             {}, "Address of the page on this site."),
         row_version<P>(), timestamps<P>(), authors<P>(Names::left_out, hidden), trashed_at<P>(),
         status_before_trash<P>()}};
    return declared;
}

}  // namespace svc::pro::landing_pages
