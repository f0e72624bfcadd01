// Every field of a trip: comes back as it was written, is refused by its name, is cleared by null.
#include <doctest/doctest.h>

#include "tests/support/shop.hpp"

using namespace svc;
using tests::each_shop;
using tests::Shop;

namespace {

json::Value body(const std::string& text) { return json::parse(text).value(); }

// An id of what a new installation has.
std::int64_t category(Shop& shop, const char* slug) {
    return shop.store->reading<std::int64_t>([&](store::Session& session) {
        return session.number("SELECT id FROM svc_classifications WHERE slug = :slug AND type = 'traveler_type'",
                              {{"slug", slug}});
    });
}

std::int64_t given_difficulty(Shop& shop) {
    return shop.store
        ->transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
            return tx.insert(
                "INSERT INTO svc_classifications (type, name, name_folded, slug, description, search_text, level, icon,"
                " color, sort_order, is_featured, status, seo_title, seo_description, seo_keywords, details, "
                "field_type,"
                " show_on_frontend, show_in_filters, row_version, created_at, updated_at) VALUES ('difficulty', "
                "'Steep',"
                " 'steep', 'steep', '', 'steep', 0, '', '', 0, 0, 'publish', '', '', '', '{}', '', 0, 0, 1, 1, 1)"
                " RETURNING id",
                {});
        })
        .value();
}

std::int64_t given_picture(Shop& shop) {
    return shop.store
        ->transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
            return tx.insert(
                "INSERT INTO svc_media (sha256, is_private, original_name, mime_type, byte_size, alt_text, caption,"
                " created_at, updated_at) VALUES (:sha256, 0, 'a.png', 'image/png', 1, '', '', 1, 1) RETURNING id",
                {{"sha256", std::string(64, 'a')}});
        })
        .value();
}

// 1 to 3, of another trip: those that all_fields names.
void given_reviews(Shop& shop) {
    const auto trip = shop.given_trip({.title = "Reviewed"});
    for (int made = 0; made < 3; ++made)
        REQUIRE(shop.store->transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
            return tx.insert(
                "INSERT INTO svc_reviews (trip_id, author_name, rating, content, status, search, created_at,"
                " updated_at) VALUES (:trip, 'Ada', 5, 'Good.', 'approved', '', 1, 1) RETURNING id",
                {{"trip", trip.id}});
        }));
}

const char* const all_fields = R"({
    "title":"Nile","slug":"the-nile","summary":"Short","description":"<p>Long</p>","trip_details":"<b>d</b>",
    "what_makes_special":"w","trip_story":"s","payment_terms":"p\nq","cancellation_policy":"c",
    "starting_location":"Luxor","ending_location":"Aswan","seasonal_availability":"a","best_season":"b",
    "peak_season":"p","off_season":"o","physical_requirements":"fit","visa_requirements":"v",
    "vaccination_requirements":"none","accommodation_type":"boat","accommodation_details":"d",
    "transportation_details":"t","pickup_location":"u","dropoff_location":"r","video_url":"https://example.org/v",
    "virtual_tour_url":"http://example.org/t","meta_title":"m","meta_description":"md","meta_keywords":"mk",
    "trip_type":"multi_day","duration":5,"duration_nights":3,"pricing_type":"regular","regular_price":120.50,
    "discounted_price":100.00,"sale_price":110.00,"deposit_amount":20.00,"deposit_percentage":12.5,
    "min_travelers":2,"max_travelers":12,"age_min":6,"age_max":80,"available_from":"2026-01-01",
    "available_to":"2026-12-31","booking_window_days":60,"booking_deadline_hours":48,"departure_time":"07:30",
    "has_default_time_slots":true,
    "default_time_slots":[{"departure_time":"08:00","arrival_time":"12:00","arrives_next_day":false,"seats":9,"price":90.00},
                          {"departure_time":"14:00","arrival_time":null,"arrives_next_day":false,"seats":null,"price":null}],
    "seasonal_auto_enable":true,"seasonal_enable_date":"2026-03-01","seasonal_disable_date":"2026-10-31",
    "scheduled_publish_at":"2027-01-01T00:00:00Z","scheduled_unpublish_at":"2027-06-01T00:00:00Z",
    "waitlist_enabled":false,"waitlist_capacity":4,"starting_latitude":25.6872,"starting_longitude":32.6396,
    "ending_latitude":-0.0000001,"ending_longitude":180,"featured_priority":"bestseller","is_featured":true,
    "meal_plan":"half_board","transportation_included":true,"landmarks":["Karnak"],
    "included_items":[{"title":"Tea","description":"hot"}],"excluded_items":[{"title":"Flights","description":null}],
    "frontend_tabs":[{"id":"faq","label":"Questions","enabled":true,"order":2,"content_type":"custom",
                      "custom_content":"<p>x</p>"}],
    "custom_fields":{"code":"N1","stars":5,"boat":true,"none":null},"testimonial_review_ids":[3,1]})";

}  // namespace

TEST_CASE("every field of a trip comes back as it was written, at once and read anew") {
    each_shop([](Shop& shop) {
        auto sent = body(all_fields);
        given_reviews(shop);
        sent.set("difficulty_level", given_difficulty(shop));
        sent.set("featured_image", given_picture(shop));
        const auto made = shop.send("POST", "/trips", sent);
        REQUIRE(made.status == 201);
        const auto read = shop.get("/trips/" + made.data()["id"].dump()).data();
        CHECK(read.dump() == made.data().dump());
        for (const auto& [name, value] : sent.members()) {
            CAPTURE(name);
            CHECK(read[name].dump() == value.dump());
        }
        CHECK(read["created_by_name"].is_string());
        CHECK(read["short_description"].text() == "Short");
        CHECK(read["original_price"].number_text() == "120.50");
        CHECK(read["duration_days"].integer() == 5);
        CHECK(read["duration_label"].text() == "5 days / 3 nights");
        CHECK(read["permalink"].text() == "https://site/trip/the-nile");
    });
}

TEST_CASE("older names of fields are taken, and the field's own wins") {
    each_shop([](Shop& shop) {
        const auto made = shop.send("POST", "/trips", body(R"({"title":"T","short_description":"s","original_price":7,
            "duration_days":3,"booking_deadline":6,"trip_type":"flexible"})"))
                              .data();
        CHECK(made["summary"].text() == "s");
        CHECK(made["regular_price"].number_text() == "7.00");
        CHECK(made["duration"].integer() == 3);
        CHECK(made["booking_deadline_hours"].integer() == 6);
        CHECK(made["trip_type"].text() == "multi_day");
    });
}

TEST_CASE("null clears what may be empty and brings the others back to their start") {
    each_shop([](Shop& shop) {
        given_reviews(shop);
        const auto id = shop.send("POST", "/trips", body(all_fields)).data()["id"].dump();
        auto cleared = json::Value::object();
        const std::vector<std::string> never{"title",    "slug",          "trip_type", "pricing_type",
                                             "duration", "regular_price", "status",    "featured_priority"};
        const auto all = body(all_fields);
        for (const auto& [name, value] : all.members())
            if (std::find(never.begin(), never.end(), name) == never.end())
                cleared.set(name, json::Value());
        const auto answered = shop.send("PUT", "/trips/" + id, cleared);
        REQUIRE(answered.status == 200);
        const auto& trip = answered.data();
        for (const char* name :
             {"discounted_price", "sale_price", "deposit_amount", "deposit_percentage", "max_travelers", "age_min",
              "available_from", "departure_time", "scheduled_publish_at", "waitlist_enabled", "starting_latitude",
              "meal_plan", "difficulty_level", "featured_image"}) {
            CAPTURE(name);
            CHECK(trip[name].is_null());
        }
        CHECK(trip["summary"].text().empty());
        CHECK(trip["min_travelers"].integer() == 1);
        CHECK(trip["booking_window_days"].integer() == 30);
        CHECK(trip["booking_deadline_hours"].integer() == 24);
        CHECK(trip["duration_nights"].integer() == 4);
        CHECK(trip["is_featured"].boolean() == false);
        CHECK(trip["landmarks"].dump() == "[]");
        CHECK(trip["custom_fields"].dump() == "{}");
        CHECK(trip["default_time_slots"].dump() == "[]");
    });
}

TEST_CASE("a field that cannot be is refused by its name, and all of them at once") {
    each_shop([](Shop& shop) {
        for (const auto& [sent, field] : {
                 std::pair(R"({"discounted_price":200,"regular_price":200})", "discounted_price"),
                 std::pair(R"({"sale_price":300})", "sale_price"),
                 std::pair(R"({"deposit_percentage":100.5})", "deposit_percentage"),
                 std::pair(R"({"deposit_amount":-1})", "deposit_amount"),
                 std::pair(R"({"age_min":40,"age_max":20})", "age_max"),
                 std::pair(R"({"age_max":121})", "age_max"),
                 std::pair(R"({"booking_window_days":1096})", "booking_window_days"),
                 std::pair(R"({"starting_latitude":90.1,"starting_longitude":0})", "starting_latitude"),
                 std::pair(R"({"starting_latitude":50})", "starting_longitude"),
                 std::pair(R"({"ending_longitude":50})", "ending_latitude"),
                 std::pair(R"({"video_url":"ftp://example.org"})", "video_url"),
                 std::pair(R"({"difficulty_level":999})", "difficulty_level"),
                 std::pair(R"({"featured_image":999})", "featured_image"),
                 std::pair(R"({"meal_plan":"lunch"})", "meal_plan"),
                 std::pair(R"({"featured_priority":"top"})", "featured_priority"),
                 std::pair(R"({"custom_fields":{"a":{"b":1}}})", "custom_fields.a"),
                 std::pair(R"({"included_items":[{"description":"x"}]})", "included_items.0.title"),
                 std::pair(R"({"frontend_tabs":[{"id":"a","label":"b","content_type":"c"}]})",
                           "frontend_tabs.0.content_type"),
                 std::pair(R"({"default_time_slots":[{"departure_time":"08:00"},{"departure_time":"08:00"}]})",
                           "default_time_slots.1.departure_time"),
                 std::pair(R"({"scheduled_publish_at":"2027-01-01T00:00:00Z",)"
                           R"("scheduled_unpublish_at":"2027-01-01T00:00:00Z"})",
                           "scheduled_unpublish_at"),
             }) {
            CAPTURE(sent);
            auto wrong = body(sent);
            wrong.set("title", "T");
            const auto refused = shop.send("POST", "/trips", wrong);
            CHECK(refused.status == 400);
            CHECK(refused.code() == "svc_validation_error");
            CHECK(refused.field() == field);
        }
        const auto many = shop.send(
            "POST", "/trips",
            body(R"({"title":"T","sale_price":3,"age_min":9,"age_max":8,"featured_image":999,"difficulty_level":99})"));
        CHECK(many.body["data"]["errors"].size() == 4);
    });
}

TEST_CASE("prices by category: one default, each category once, the category's own rules beside them") {
    each_shop([](Shop& shop) {
        const std::string adult = std::to_string(category(shop, "adult")),
                          child = std::to_string(category(shop, "child"));
        const auto made = shop.send("POST", "/trips",
                                    body(R"({"title":"T","pricing_type":"traveler_based","duration":3,
            "status":"publish","price_types":[{"category_id":)" +
                                         adult + R"(,"regular_price":100,"sale_price":80},
            {"category_id":)" + child + R"(,"original_price":50,"min_quantity":0,"max_quantity":3,
             "valid_from":"2026-01-01","valid_to":"2026-12-31"}]})"));
        REQUIRE(made.status == 201);
        const auto& types = made.data()["price_types"];
        REQUIRE(types.size() == 2);
        CHECK(types[std::size_t{0}]["is_default"].boolean());
        CHECK(types[std::size_t{0}]["effective_price"].number_text() == "80.00");
        CHECK(types[std::size_t{0}]["category_label"].text() == "Adult");
        CHECK(types[std::size_t{0}]["pricing_mode"].text() == "per_person");
        CHECK_FALSE(types[1]["is_default"].boolean());
        CHECK(types[1]["age_max"].integer() == 17);
        CHECK(types[1]["valid_to"].text() == "2026-12-31");
        CHECK(made.data()["display_price"].number_text() == "80.00");
        CHECK(made.data()["price_prefix"].text() == "From");
        CHECK(made.data()["traveler_min_price"].number_text() == "50.00");
        CHECK(made.data()["traveler_max_price"].number_text() == "80.00");

        const std::string path = "/trips/" + made.data()["id"].dump();
        const auto first = types[1]["id"].integer();
        const auto changed =
            shop.send("PUT", path, body(R"({"price_types":[{"category_id":)" + child + R"(,"regular_price":55}]})"))
                .data();
        CHECK(changed["price_types"].size() == 1);
        CHECK(changed["price_types"][std::size_t{0}]["id"].integer() == first);
        CHECK(changed["price_types"][std::size_t{0}]["is_default"].boolean());
        CHECK(shop.get(path).data()["price_types"].dump() == changed["price_types"].dump());

        const auto refused = [&](const std::string& types_sent, const char* field) {
            const auto answered = shop.send("PUT", path, body(R"({"price_types":)" + types_sent + "}"));
            CAPTURE(types_sent);
            CHECK(answered.status == 400);
            CHECK(answered.field() == field);
        };
        refused(R"([{"category_id":)" + child + R"(,"regular_price":1},{"category_id":)" + child +
                    R"(,"regular_price":2}])",
                "price_types.1.category_id");
        refused(R"([{"category_id":999999,"regular_price":1}])", "price_types.0.category_id");
        refused(R"([{"category_id":)" + child + R"(,"regular_price":1,"sale_price":1}])", "price_types.0.sale_price");
        refused(R"([{"category_id":)" + child + R"(,"regular_price":1,"min_quantity":3,"max_quantity":2}])",
                "price_types.0.max_quantity");
        refused(R"([{"category_id":)" + child + R"(,"regular_price":1,"is_default":true},{"category_id":)" + adult +
                    R"(,"regular_price":1,"is_default":true}])",
                "price_types.1.is_default");
        refused("[]", "price_types");  // published
        refused(R"([{"category_id":)" + child + R"(,"regular_price":0}])", "price_types");
    });
}
