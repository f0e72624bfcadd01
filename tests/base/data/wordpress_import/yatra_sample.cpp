// Invented tours, places, customers, coupons and bookings.
#include "tests/base/data/wordpress_import/yatra_sample.hpp"

#include "tests/base/data/wordpress_import/wordpress.hpp"

namespace svc::tests::yatra {
namespace {

std::string text(const std::string& element, const std::string& value) {
    return "<" + element + "><![CDATA[" + value + "]]></" + element + ">";
}

struct Tour {
    int id;
    std::string title, content = {}, metas = {}, terms = {}, status = "publish", password = {};
};

std::string tour(const Tour& one) {
    return "<item><title>" + one.title + "</title>" + text("content:encoded", one.content) + "<wp:post_id>" +
           std::to_string(one.id) + "</wp:post_id><wp:post_name></wp:post_name><wp:status>" + one.status +
           "</wp:status><wp:post_type>tour</wp:post_type>" + text("wp:post_password", one.password) + one.terms +
           one.metas + "</item>";
}

std::string price(const char* amount, const char* sale = "") {
    return meta("yatra_tour_meta_regular_price", amount) + meta("yatra_tour_meta_sales_price", sale);
}
std::string days(const char* count) { return meta("yatra_tour_meta_tour_duration_days", count); }

std::string attachment(int id, const std::string& name) {
    return "<item><title>" + name + "</title><wp:post_id>" + std::to_string(id) +
           "</wp:post_id><wp:status>inherit</wp:status><wp:post_type>attachment</wp:post_type>"
           "<wp:attachment_url>http://127.0.0.1:1/" +  // refused at once
           name +
           "</wp:attachment_url></item>";
}

std::string place(const std::string& taxonomy, int id, const std::string& slug, const std::string& name,
                  const std::string& inside) {
    return "<wp:term><wp:term_id>" + std::to_string(id) + "</wp:term_id><wp:term_taxonomy>" + taxonomy +
           "</wp:term_taxonomy><wp:term_slug>" + slug + "</wp:term_slug>" + text("wp:term_name", name) + inside +
           "</wp:term>";
}
std::string term_meta(const std::string& key, const std::string& value) {
    return "<wp:termmeta>" + text("wp:meta_key", key) + text("wp:meta_value", value) + "</wp:termmeta>";
}
std::string in_place(const std::string& taxonomy, const std::string& slug) {
    return "<category domain=\"" + taxonomy + "\" nicename=\"" + slug + "\"><![CDATA[" + slug + "]]></category>";
}

struct Booked {
    int id;
    std::string code, status, day, tour;
    int people;
    Value params;
};

std::string booking(const Booked& one) {
    Value params = one.params;
    params.set("booking_code", "#" + one.code);
    params.set("yatra_currency", "USD");
    if (!params.find("yatra_tour_customer_info"))
        params.set("yatra_tour_customer_info", Value::object({{"fullname", "Ada Lovelace"},
                                                              {"email", "ada@example.org"},
                                                              {"phone_number", "+44 1"},
                                                              {"country", "GB"}}));
    return post(one.id, "yatra-booking", one.code, one.status,
                meta("yatra_booking_meta",
                     php(Value::object({{one.tour, Value::object({{"yatra_tour_id", one.tour},
                                                                  {"yatra_selected_date", one.day},
                                                                  {"number_of_person", one.people}})}}))) +
                    meta("yatra_booking_meta_params", php(params)));
}

const char* const story =
    "The first morning begins at the <strong>old gate</strong>.\nWe walk slowly.\n\nThe second part:\n\n"
    "[caption id=\"attachment_61\" align=\"alignright\" width=\"300\"]<a href=\"https://old.example.org/a.jpg\"><img "
    "src=\"https://old.example.org/a.jpg\" alt=\"Gate\" width=\"300\" height=\"200\" /></a> The gate at "
    "dawn[/caption]\n\n"
    "[gallery ids=\"62,63\"]\n\n[button_box url=\"/x\"]Ask us[/button_box] about [sic] prices [1].\n"
    "<ul>\n<li>Tea</li>\n<li>Bread</li>\n</ul>";

}  // namespace

std::string exported(const TestBase& base) {
    const std::string range_end = base.day(range_start + range_days - 1);
    std::string all =
        place("destination", 3, "hill-country", "Hill country", term_meta("destination_image_id", "64")) +
        place("destination", 4, "north-hills", "North hills", "<wp:term_parent>hill-country</wp:term_parent>") +
        place("activity", 5, "walking", "Walking", "") +
        place("attributes", 6, "altitude", "Altitude",
              term_meta("attribute_field_type", "number") +
                  term_meta("yatra_attribute_meta", php(Value::object({{"content", "900"}})))) +
        "<wp:tag><wp:term_id>7</wp:term_id><wp:tag_slug>sun</wp:tag_slug>" + text("wp:tag_name", "Sun") + "</wp:tag>";
    for (const auto& [id, name] : {std::pair(61, "a.jpg"), {62, "b.jpg"}, {63, "c.jpg"}, {64, "hills.jpg"}})
        all += attachment(id, name);
    all += tour(
        {.id = 11,
         .title = "Lantern valley",
         .content = story,
         .metas =
             price("15400") + days("2") + meta("yatra_tour_meta_price_per", "group") +
             meta("yatra_tour_meta_group_size", "5") + meta("yatra_tour_minimum_pax", "2") +
             meta("yatra_tour_maximum_number_of_traveller", "20") + meta("yatra_tour_meta_tour_fixed_departure", "1") +
             meta("yatra_tour_meta_availability_date_ranges",
                  R"([{"start":")" + base.day(range_start) + R"(","end":")" + range_end + R"("}])") +
             meta("yatra_tour_meta_tour_featured", "1") + meta("yatra_tour_meta_map_content", "<iframe></iframe>") +
             php_meta("yatra_tour_meta_tour_country", R"(["NP"])") +
             meta("overview_description", "A valley of lamps.\n\nFor small groups.") +
             meta("cost_info_price_includes_description", "<ul><li>Meals</li><li>Guide</li></ul>") +
             meta("cost_info_price_excludes_description", "Flights\nTips") + meta("_thumbnail_id", "61") +
             meta("yatra_tour_meta_gallery", "62,61") +
             php_meta("tour_meta_custom_attributes", R"({"6":{"content":"1400"}})") +
             php_meta("faq_repeator",
                      R"({"faq_heading":["{index}. What to bring?"],"faq_description":["Shoes.\n\nA hat."]})") +
             php_meta(
                 "itinerary_repeator",
                 R"({"itinerary_heading":["Day {index}","The lamps","Third stop","Way home"],"itinerary_title":["","","",""],"itinerary_details":["We meet.\n\nWe eat.","Many lamps.","Stones.","Bus."]})"),
         .terms = in_place("destination", "hill-country") + in_place("activity", "walking")});
    all += tour(
        {.id = 12,
         .title = "Salt river",
         .metas =
             days("3") +
             meta(
                 "yatra_multiple_pricing",
                 php(json::parse(
                         R"({"p1":{"pricing_label":"Adult","regular_price":"700","sales_price":"650","pricing_per":"person","minimum_pax":"1","maximum_pax":"8"},)"
                         R"("p2":{"pricing_label":"Family","regular_price":"1800","sales_price":"","pricing_per":"group","group_size":"4"}})")
                         .value()))});
    all += tour({.id = 13,
                 .title = "Plain lake",
                 .content = "One line.",
                 .metas = price("500", "450") + days("2") + meta("yatra_tour_maximum_number_of_traveller", "12")});
    all += tour({.id = 14,
                 .title = "Six at most",
                 .metas = price("90") + days("1") + meta("yatra_tour_maximum_number_of_traveller", "30") +
                          meta("yatra_tour_maximum_pax", "6") + meta("yatra_tour_meta_pricing_label", "Hiker")});
    all += tour({.id = 15,
                 .title = "Closed tour",
                 .metas = price("500") + days("2") + meta("yatra_tour_meta_disable_booking", "1")});
    all += tour({.id = 16,
                 .title = "Sold elsewhere",
                 .metas = price("500") + days("2") + meta("yatra_tour_meta_tour_type", "external") +
                          meta("yatra_tour_meta_tour_external_url", "https://partner.example.org/x")});
    all += tour({.id = 17, .title = "Secret garden", .metas = price("500") + days("2"), .password = "pumpkin"});
    all += post(31, "yatra-customers", "li@example.org", "publish",
                meta("fullname", "Li Na") + meta("email", "li@example.org") + meta("country", "CN") +
                    meta("phone_number", "+86 1"));
    // A coupon without a type is a percentage; uses are numbers of bookings.
    all += post(41, "yatra-coupons", "Tenth", "publish",
                meta("yatra_coupon_code", "TENTH") + meta("yatra_coupon_value", "10") +
                    meta("yatra_coupon_expiry_date", base.day(90) + " 23:00:00") +
                    meta("yatra_coupon_using_limit", "5") + php_meta("yatra_coupon_usages_bookings", "[22,901,902]"));
    all +=
        post(42, "yatra-coupons", "Once", "publish",
             meta("yatra_coupon_code", "ONCE") + meta("yatra_coupon_type", "fixed") + meta("yatra_coupon_value", "50") +
                 meta("yatra_coupon_using_limit", "1") + php_meta("yatra_coupon_usages_bookings", "[903]"));
    all += booking({.id = 21,
                    .code = "over2025",
                    .status = "yatra-completed",
                    .day = "2025-05-01",
                    .tour = "13",
                    .people = 6,
                    .params = Value::object({{"total_booking_net_price", "2997"}})});
    all +=
        booking({.id = 22,
                 .code = "coupon22",
                 .status = "yatra-completed",
                 .day = base.day(booked_day),
                 .tour = "12",
                 .people = 2,
                 .params = Value::object({{"total_booking_gross_price", "1400"},
                                          {"total_booking_net_price", "1260"},
                                          {"coupon", Value::object({{"code", "TENTH"}, {"calculated_value", 140}})}})});
    all += booking({.id = 23,
                    .code = "open23",
                    .status = "yatra-completed",
                    .day = base.day(booked_day + 1),
                    .tour = "13",
                    .people = 3,
                    .params = Value::object({{"total_booking_net_price", "2373"}})});
    all += booking({.id = 24,
                    .code = "gone24",
                    .status = "yatra-cancelled",
                    .day = base.day(booked_day + 1),
                    .tour = "13",
                    .people = 3,
                    .params = Value::object({{"total_booking_net_price", "100"}})});
    return wxr(all);
}

std::string dates_table(const TestBase& base) {
    const auto row = [&](const char* number, int tour_id, int ahead, const std::string& rest) {
        return std::string(number) + "," + std::to_string(tour_id) + "," + base.day(ahead) + " 00:00:00," +
               base.day(ahead) + " 23:59:59," + rest + "\n";
    };
    return "id,tour_id,start_date,end_date,max_travellers,active,availability,pricing_type,pricing,note_to_customer\n" +
           row("1", 13, booked_day + 2,
               R"(NULL,1,none,single,"{""regular_price"":""500"",""sales_price"":""450""}",)") +
           row("2", 13, booked_day + 3, R"(NULL,1,enquiry,single,,)") +
           row("3", 13, booked_day + 4, R"(4,0,none,single,,)") +
           row("4", 13, booked_day + 5,
               R"(4,1,booking,single,"{""regular_price"":""600"",""sales_price"":""""}",Early)") +
           row("5", 11, range_start + 1, R"(NULL,1,none,single,,)") +
           row("6", 11, range_start + 40, R"(NULL,1,booking,single,,)");
}

std::string payments_table() {
    return "id,booking_id,amount,date,gateway,transaction_id,currency,status\n"
           "51,23,1000.50,2026-02-01,paypal,PP-1,USD,publish\n"
           "52,23,1372.50,2026-03-01,paypal,,USD,publish\n"
           "53,22,260,2026-02-03,stripe,,USD,processing\n"
           "54,999,10,2026-02-03,stripe,,USD,publish\n"
           "55,21,2997,2025-04-01,bank,,EUR,publish\n";
}

Value migrated(TestBase& base) {
    const auto staged = stage(base, exported(base));
    CAPTURE(staged.text);
    REQUIRE(staged.status == 200);
    const auto dates = stage(base, dates_table(base), "tour_dates");
    CAPTURE(dates.text);
    REQUIRE(dates.status == 200);
    return migrate_all(base);
}

std::string list_of(TestBase& base, const Value& progress) {
    return base
        .get("/tools/jobs/" + progress["trips"]["job_id"].text() + "/download?file=errors", base.user("administrator"))
        .text;
}

}  // namespace svc::tests::yatra
