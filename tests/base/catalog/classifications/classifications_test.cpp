// Classifications as staff meet them on the wire; what holds for every kind is shown on each.
#include <doctest/doctest.h>

#include "base/catalog/classifications/kinds.hpp"
#include "tests/support/shop.hpp"

using namespace svc;
using tests::Answered;
using tests::each_shop;
using tests::Shop;

namespace {

namespace classes = catalog::classifications;

json::Value body(const std::string& text) { return json::parse(text).value(); }

// The least that a new record of the kind needs.
json::Value least_of(const classes::Kind& kind, const std::string& name) {
    auto least = json::Value::object({{"name", name}});
    if (kind.type == classes::Type::item)
        least.set("type_id", 4);  // Meal
    return least;
}

std::string path_of(const classes::Kind& kind, const Answered& made) {
    return kind.path + "/" + made.data()["id"].dump();
}

void each_kind(const std::function<void(Shop&, const classes::Kind&)>& test) {
    each_shop([&](Shop& shop) {
        for (const auto& kind : classes::kinds()) {
            CAPTURE(kind.path);
            test(shop, kind);
        }
    });
}

std::int64_t made(Shop& shop, const std::string& path, const std::string& text) {
    const auto answered = shop.send("POST", path, body(text));
    CAPTURE(answered.text);
    REQUIRE(answered.status == 201);
    return answered.data()["id"].integer();
}

void link(Shop& shop, std::int64_t trip_id, std::int64_t id, const char* type) {
    const auto done = shop.store->write([&](store::Transaction& tx) -> Result<void> {
        tx.run(
            "INSERT INTO svc_trip_classifications (trip_id, classification_id, type, relationship_type, sort_order,"
            " is_featured, is_active) VALUES (:trip, :id, :type, 'secondary', 0, 0, 1)",
            {{"trip", trip_id}, {"id", id}, {"type", type}});
        return {};
    });
    REQUIRE(done);
}

}  // namespace

TEST_CASE("a new installation has three traveler categories and five item types") {
    each_shop([](Shop& shop) {
        const auto travelers = shop.get("/traveler-categories?orderby=sorting&order=asc");
        CHECK(travelers.column("label") == "Adult Child Infant");
        CHECK(travelers.column("age_min") == "18 2 0");
        CHECK(travelers.column("age_max") == "null 17 1");
        CHECK(travelers.column("pricing_mode") == "per_person per_person per_person");
        CHECK(travelers.column("group_overflow") == "block block block");
        const auto types = shop.get("/item-types?order=asc");
        CHECK(types.column("name") == "Meal Activity Accommodation Transportation Rest");
        CHECK(types.column("color") == "orange green purple blue gray");
        CHECK(shop.get("/item-types?search=trans").column("slug") == "transportation");
    });
}

TEST_CASE("every kind is created, read, changed, listed, counted and deleted") {
    each_kind([](Shop& shop, const classes::Kind& kind) {
        const auto before = shop.get(kind.path + "/stats").data()["all"].integer();
        const auto made = shop.send("POST", kind.path, least_of(kind, "  Slow Travel "));
        REQUIRE(made.status == 201);
        CHECK(made.data()["name"].text() == "Slow Travel");
        CHECK(made.data()["slug"].text() == "slow-travel");
        CHECK(made.data()["status"].text() == (kind.type == classes::Type::attribute ? "publish" : "draft"));
        CHECK(made.data()[kind.uses_member].integer() == 0);
        CHECK(made.data()["created_by_name"].text() == "staff");
        CHECK(made.header("Location") == "/svc/v1" + path_of(kind, made));
        CHECK(shop.get(path_of(kind, made)).data() == made.data());

        const auto changed = shop.send("PUT", path_of(kind, made), body(R"({"name":"Slower","status":"publish"})"));
        CHECK(changed.status == 200);
        CHECK(changed.data()["slug"].text() == "slow-travel");
        CHECK(changed.data()["description"].text().empty());
        CHECK(changed.data()["row_version"].integer() == 2);
        CHECK(shop.get(kind.path + "?search=SLOWER").body["meta"]["total"].integer() == 1);
        CHECK(shop.get(kind.path + "?search=slow-travel&status=draft").body["meta"]["total"].integer() == 0);

        shop.send("PUT", path_of(kind, made), body(R"({"status":"trash"})"));
        CHECK(shop.get(kind.path + "?search=slower").body["meta"]["total"].integer() == 0);
        CHECK(shop.get(kind.path + "?search=slower&status=trash").body["meta"]["total"].integer() == 1);
        const auto stats = shop.get(kind.path + "/stats").data();
        CHECK(stats["trash"].integer() == 1);
        CHECK(stats["all"].integer() == before);

        const auto gone = shop.send("DELETE", path_of(kind, made));
        CHECK(gone.data() == json::Value::object({{"id", made.data()["id"]}, {"deleted", true}}));
        CHECK(shop.get(path_of(kind, made)).status == 404);
        CHECK(shop.send("PUT", path_of(kind, made), body(R"({"name":"Gone"})")).status == 404);
        CHECK(shop.send("DELETE", path_of(kind, made)).status == 404);
    });
}

TEST_CASE("a kind's ids are not another's") {
    each_kind([](Shop& shop, const classes::Kind& kind) {
        const std::string other = kind.type == classes::Type::item_type ? "/1" : "/4";  // Adult, Meal
        CHECK(shop.get(kind.path + other).status == 404);
        CHECK(shop.send("DELETE", kind.path + other).status == 404);
        CHECK(shop.send("PUT", kind.path + other, body(R"({"name":"Mine"})")).status == 404);
    });
}

TEST_CASE("a made slug gets the next suffix, a given one that is taken is 409 naming slug") {
    each_kind([](Shop& shop, const classes::Kind& kind) {
        std::string slugs;
        for (int i = 0; i < 3; ++i)
            slugs += shop.send("POST", kind.path, least_of(kind, "Über Land")).data()["slug"].text() + " ";
        CHECK(slugs == "über-land über-land-2 über-land-3 ");
        auto wished = least_of(kind, "Another");
        wished.set("slug", "Über Land");
        const auto taken = shop.send("POST", kind.path, wished);
        CHECK(taken.status == 409);
        CHECK(taken.code() == "svc_conflict");
        CHECK(taken.field() == "slug");
        wished.set("slug", "elsewhere");
        const auto made = shop.send("POST", kind.path, wished);
        CHECK(made.data()["slug"].text() == "elsewhere");
        CHECK(shop.send("PUT", path_of(kind, made), body(R"({"slug":"über-land-2"})")).status == 409);
        CHECK(shop.send("PUT", path_of(kind, made), body(R"({"slug":"elsewhere"})")).status == 200);
        CHECK(shop.send("PUT", path_of(kind, made), body(R"({"slug":"%%"})")).field() == "slug");
    });
}

TEST_CASE("preserve_slug keeps the slug, false makes it of a new name") {
    each_shop([](Shop& shop) {
        const auto path = "/activities/" + std::to_string(made(shop, "/activities", R"({"name":"Rafting"})"));
        const auto put = [&](const char* text) { return shop.send("PUT", path, body(text)).data()["slug"].text(); };
        CHECK(put(R"({"name":"White water"})") == "rafting");
        CHECK(put(R"({"name":"White water","slug":"other","preserve_slug":true})") == "rafting");
        CHECK(put(R"({"name":"White water","preserve_slug":false})") == "white-water");
        CHECK(put(R"({"slug":"rapids"})") == "rapids");
    });
}

TEST_CASE("what is wrong is named and nothing is stored") {
    each_shop([](Shop& shop) {
        const std::pair<const char*, std::pair<const char*, const char*>> wrong[] = {
            {"/destinations", {"name", R"({})"}},
            {"/destinations", {"name", R"({"name":"X"})"}},
            {"/destinations", {"color", R"({"name":"Nile","color":"blue"})"}},
            {"/destinations", {"country_code", R"({"name":"Nile","country_code":"E1"})"}},
            {"/destinations", {"time_zone", R"({"name":"Nile","time_zone":"Africa/Nowhere"})"}},
            {"/destinations", {"currency", R"({"name":"Nile","currency":"egp"})"}},
            {"/destinations", {"longitude", R"({"name":"Nile","latitude":25.7})"}},
            {"/destinations", {"latitude", R"({"name":"Nile","latitude":90.5,"longitude":3})"}},
            {"/destinations", {"icon.value", R"({"name":"N1","icon":{"type":"image","value":"javascript:x"}})"}},
            {"/destinations", {"icon.value", R"({"name":"N1","icon":{"type":"icon","value":"<svg>"}})"}},
            {"/destinations", {"icon.type", R"({"name":"N1","icon":{"type":"svg","value":"x"}})"}},
            {"/difficulty-levels", {"rank", R"({"name":"Hard","rank":11})"}},
            {"/traveler-categories", {"age_max", R"({"name":"Teen","age_min":17,"age_max":17})"}},
            {"/traveler-categories", {"max_pax", R"({"name":"Bus","min_pax":5,"max_pax":4})"}},
            {"/traveler-categories", {"max_pax", R"({"name":"Bus","group_overflow":"per_block"})"}},
            {"/item-types", {"color", R"({"name":"Show","color":"#ff0000"})"}},
            {"/items", {"type_id", R"({"name":"Tea"})"}},
            {"/items", {"type_id", R"({"name":"Tea","type_id":1})"}},
            {"/attributes", {"field_options", R"({"name":"Meals","field_type":"select"})"}},
            {"/attributes",
             {"field_options.1.value",
              R"({"name":"M","field_type":"radio","field_options":[{"label":"A","value":"a"},{"label":"B","value":"a"}]})"}},
            {"/attributes", {"filter_type", R"({"name":"M","filter_type":"range"})"}}};
        const auto rows = [&] {
            return shop.store->reading<std::int64_t>(
                [](store::Session& session) { return session.number("SELECT COUNT(*) FROM svc_classifications", {}); });
        };
        const auto before = rows();
        for (const auto& [path, what] : wrong) {
            CAPTURE(what.second);
            const auto refused = shop.send("POST", path, body(what.second));
            CHECK(refused.status == 400);
            CHECK(refused.field() == what.first);
        }
        CHECK(rows() == before);
    });
}

TEST_CASE("what only one kind has is kept, and null takes it away") {
    each_shop([](Shop& shop) {
        const auto path = "/destinations/" + std::to_string(made(shop, "/destinations", R"({
            "name":"Luxor","country_code":"eg","time_zone":"Africa/Cairo","latitude":25.6872,"longitude":32.6396,
            "attractions":["Karnak"],"color":"#C2B280","icon":{"type":"emoji","value":"*"},"is_featured":"yes",
            "metadata":{"seo_title":"Luxor tours"},
            "description":"<p onclick=\"x()\">Old <script>alert(1)</script><b>Thebes</b></p>"})"));
        const auto read = shop.get(path).data();
        CHECK(read["country_code"].text() == "EG");
        CHECK(read["latitude"].number_text() == "25.6872");
        CHECK(read["attractions"].dump() == R"(["Karnak"])");
        CHECK(read["is_featured"].boolean());
        CHECK(read["metadata"]["seo_title"].text() == "Luxor tours");
        CHECK(read["description"].text() == "<p>Old <b>Thebes</b></p>");
        const auto after = shop.send("PUT", path, body(R"({"latitude":null,"longitude":null,"icon":null,"color":""})"));
        REQUIRE(after.status == 200);
        for (const char* cleared : {"latitude", "longitude", "icon", "color"})
            CHECK(after.data()[cleared].is_null());
        CHECK(after.data()["country_code"].text() == "EG");
    });
}

TEST_CASE("categories lie in each other, five levels deep at most and never in a loop") {
    each_shop([](Shop& shop) {
        std::vector<std::int64_t> path;
        for (const char* name : {"Water", "Rivers", "Nile", "Felucca", "Night"})
            path.push_back(made(shop, "/trip-categories",
                                R"({"status":"publish","name":")" + std::string(name) + R"(","parent_id":)" +
                                    (path.empty() ? "0" : std::to_string(path.back())) + "}"));
        const auto of = [&](std::size_t i) { return "/trip-categories/" + std::to_string(path[i]); };
        const auto parent = [](std::int64_t id) { return json::Value::object({{"parent_id", id}}); };
        CHECK(shop.get(of(4)).data()["level"].integer() == 4);
        CHECK(shop.get(of(4)).data()["parent_name"].text() == "Felucca");
        auto deeper = parent(path[4]);
        deeper.set("name", "Too deep");
        CHECK(shop.send("POST", "/trip-categories", deeper).field() == "parent_id");
        CHECK(shop.send("PUT", of(0), parent(path[3])).field() == "parent_id");
        CHECK(shop.send("PUT", of(1), parent(path[1])).field() == "parent_id");
        // A whole branch that would end too deep stays where it is.
        const auto high = made(shop, "/trip-categories", R"({"name":"High"})");
        const auto refused = shop.send("PUT", of(0), parent(high));
        CHECK(refused.status == 400);
        CHECK(refused.field() == "parent_id");
        CHECK(shop.send("DELETE", "/trip-categories/" + std::to_string(high)).status == 200);
        CHECK(shop.send("PUT", of(1), parent(999)).field() == "parent_id");
        CHECK(shop.get(of(4)).data()["level"].integer() == 4);

        const auto land = made(shop, "/trip-categories", R"({"name":"Land","status":"publish"})");
        CHECK(shop.send("PUT", "/trip-categories/" + std::to_string(land), parent(path[0])).status == 200);
        CHECK(shop.send("PUT", of(2), parent(land)).status == 200);
        CHECK(shop.get(of(4)).data()["level"].integer() == 4);
        CHECK(shop.send("PUT", of(2), parent(0)).status == 200);
        CHECK(shop.get(of(4)).data()["level"].integer() == 2);
        CHECK(shop.get(of(0) + "/subcategories").column("name") == "Rivers Land");
        CHECK(shop.get("/trip-categories/999/subcategories").status == 404);
        CHECK(shop.get("/trip-categories?parent_id=0&orderby=name&order=asc").column("name") == "Nile Water");
    });
}

TEST_CASE("a hierarchical list pages the top, each with the branch below it") {
    each_shop([](Shop& shop) {
        const auto top = made(shop, "/trip-categories", R"({"name":"Water"})");
        const auto below = R"({"parent_id":)" + std::to_string(top);
        const auto rivers = made(shop, "/trip-categories", below + R"(,"name":"Rivers"})");
        made(shop, "/trip-categories", below + R"(,"name":"Lakes"})");
        made(shop, "/trip-categories", R"({"name":"Nile","parent_id":)" + std::to_string(rivers) + "}");
        made(shop, "/trip-categories", R"({"name":"Land"})");
        const auto listed = shop.get("/trip-categories?hierarchical=true&orderby=name&order=asc");
        CHECK(listed.body["meta"]["total"].integer() == 2);
        CHECK(listed.column("name") == "Land Water");
        const auto& branch = listed.data()[1]["subcategories"];
        REQUIRE(branch.size() == 2);
        CHECK(branch[0]["name"].text() == "Lakes");
        CHECK(branch[1]["subcategories"][0]["name"].text() == "Nile");
        CHECK(shop.get("/trip-categories").body["meta"]["total"].integer() == 5);
    });
}

TEST_CASE("what trips, children or items use is not deleted, and the answer names them") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip().id;
        shop.given_trip({.title = "Draft", .status = "draft"});
        for (const auto& [path, type] :
             {std::pair("/destinations", "destination"), std::pair("/activities", "activity"),
              std::pair("/trip-categories", "trip_category")}) {
            CAPTURE(path);
            const auto id = made(shop, path, R"({"name":"Used"})");
            const std::string one = path + ("/" + std::to_string(id));
            link(shop, trip, id, type);
            link(shop, trip + 1, id, type);
            CHECK(shop.get(one).data()["trip_count"].integer() == 1);
            const auto refused = shop.send("DELETE", one);
            CHECK(refused.status == 409);
            CHECK(refused.code() == "svc_in_use");
            const auto& users = refused.body["data"]["used_by"];
            CHECK(users["total"].integer() == 2);
            CHECK(users["items"][0] == json::Value::object({{"type", "trip"}, {"id", trip}, {"title", "Nile cruise"}}));
            CHECK(shop.get(one).status == 200);
        }
        const auto top = made(shop, "/trip-categories", R"({"name":"Top"})");
        made(shop, "/trip-categories", R"({"name":"Child","parent_id":)" + std::to_string(top) + "}");
        const auto parent = shop.send("DELETE", "/trip-categories/" + std::to_string(top));
        CHECK(parent.code() == "svc_in_use");
        CHECK(parent.body["data"]["used_by"]["items"][0]["type"].text() == "trip_category");
        made(shop, "/items", R"({"name":"Tea","type_id":4})");
        CHECK(shop.get("/item-types/4").data()["items_count"].integer() == 1);
        const auto type = shop.send("DELETE", "/item-types/4");
        CHECK(type.code() == "svc_in_use");
        CHECK(type.body["data"]["used_by"]["items"][0]["title"].text() == "Tea");
    });
}

TEST_CASE("at most twenty users are named, and all are counted") {
    each_shop([](Shop& shop) {
        const auto id = made(shop, "/destinations", R"({"name":"Used"})");
        for (int i = 0; i < 23; ++i)
            link(shop, shop.given_trip().id, id, "destination");
        const auto refused = shop.send("DELETE", "/destinations/" + std::to_string(id));
        CHECK(refused.body["data"]["used_by"]["total"].integer() == 23);
        CHECK(refused.body["data"]["used_by"]["items"].size() == 20);
    });
}

TEST_CASE("a bulk call handles each id by itself and reports failures") {
    each_shop([](Shop& shop) {
        const auto one = made(shop, "/destinations", R"({"name":"One"})");
        const auto two = made(shop, "/destinations", R"({"name":"Two"})");
        link(shop, shop.given_trip().id, two, "destination");
        const auto bulk = [&](const char* action) {
            return shop.send("POST", "/destinations/bulk",
                             json::Value::object({{"action", action}, {"ids", json::Value::array({one, 999, two})}}));
        };
        CHECK(shop.send("POST", "/destinations/bulk", body(R"({"action":"trash","ids":[1,1]})")).field() == "ids");
        CHECK(bulk("trash").data()["affected"].integer() == 2);
        CHECK(bulk("restore").data()["failed"].integer() == 1);
        CHECK(shop.get("/destinations?orderby=id&order=asc").column("status") == "publish publish");
        const auto deleted = bulk("delete").data();
        CHECK(deleted["affected"].integer() == 1);
        CHECK(deleted["results"].size() == 3);
        CHECK(deleted["results"][1]["code"].text() == "svc_not_found");
        CHECK(deleted["results"][2]["code"].text() == "svc_in_use");
        CHECK(shop.get("/destinations").column("name") == "Two");
        for (const char* wrong : {R"({"action":"x","ids":[1]})", R"({"action":"trash","ids":[]})", R"({"ids":[1]})"})
            CHECK(shop.send("POST", "/destinations/bulk", body(wrong)).status == 400);
    });
}

TEST_CASE("a write over another one is 409") {
    each_shop([](Shop& shop) {
        const auto path = "/destinations/" + std::to_string(made(shop, "/destinations", R"({"name":"Luxor"})"));
        CHECK(shop.send("PUT", path, body(R"({"name":"Thebes","row_version":1})")).status == 200);
        CHECK(shop.send("PUT", path, body(R"({"name":"Waset","row_version":1})")).code() == "svc_conflict");
    });
}

TEST_CASE("items return their type, and lists of items all types") {
    each_shop([](Shop& shop) {
        const auto tea = made(shop, "/items", R"({"name":"Tea","type_id":4,"default_cost":2.5})");
        made(shop, "/items", R"({"name":"Nap","type_id":8})");
        const auto read = shop.get("/items/" + std::to_string(tea)).data();
        CHECK(read["type_name"].text() == "Meal");
        CHECK(read["default_cost"].number_text() == "2.50");
        CHECK(read["currency"].text() == "USD");
        CHECK(shop.get("/items?type_id=8").column("name") == "Nap");
        CHECK(shop.get("/items?type_id=all").body["meta"]["total"].integer() == 2);
        CHECK(shop.get("/items?type_id=x").field() == "type_id");
        CHECK(shop.get("/items").body["meta"]["available_types"].size() == 5);
        CHECK(shop.send("PUT", "/items/" + std::to_string(tea), body(R"({"default_cost":null})"))
                  .data()["currency"]
                  .is_null());
    });
}

TEST_CASE("a picker gets published names in order, and only of taxonomies") {
    each_shop([](Shop& shop) {
        for (const char* text :
             {R"({"name":"zebra","status":"publish"})", R"({"name":"Ant","status":"publish"})", R"({"name":"Draft"})"})
            made(shop, "/destinations", text);
        shop.as({"edit_posts"});
        for (const char* name : {"destination", "destinations"}) {
            const auto read = shop.get(std::string("/block-editor/") + name);
            REQUIRE(read.status == 200);
            CHECK(read.data()["items"].size() == 2);
            CHECK(read.data()["items"][0]["name"].text() == "Ant");
        }
        for (const char* name : {"activity", "trip_category", "trip-categories", "difficulty", "difficulty-levels"})
            CHECK(shop.get(std::string("/block-editor/") + name).status == 200);
        const auto refused = shop.get("/block-editor/attribute");
        CHECK(refused.status == 400);
        CHECK(refused.code() == "invalid_taxonomy");
        CHECK(refused.field() == "taxonomy");
        shop.as({"svc_view_trips"});
        CHECK(shop.get("/block-editor/destination").status == 403);
    });
}

TEST_CASE("who may only look changes nothing") {
    each_kind([](Shop& shop, const classes::Kind& kind) {
        shop.as({"svc_view_trips"});
        CHECK(shop.get(kind.path).status == 200);
        CHECK(shop.send("POST", kind.path, least_of(kind, "Mine")).status == 403);
        shop.as({kind.writers.back()});
        CHECK(shop.send("POST", kind.path, least_of(kind, "Mine")).status == 201);
        shop.as({});
        CHECK(shop.get(kind.path).status == 401);
        shop.as({"manage_options"});
    });
}

TEST_CASE("a destination, an activity and a trip category say where their pages are, as listeners want it") {
    each_shop([](Shop& shop) {
        REQUIRE(shop.hooks.filter("svc_activity_permalink", {.name = "test"}, [](auto*, const auto& args) {
            return json::Value("https://elsewhere/" + args[1].dump() + "/" + args[2].text());
        }));
        const auto at = [&](const char* path) {
            const auto one = shop.get(path + std::string("/") + std::to_string(made(shop, path, R"({"name":"Ice"})")));
            return one.data().text_or("permalink");
        };
        CHECK(at("/destinations") == "https://site/destination/ice");
        CHECK(at("/trip-categories") == "https://site/trip-category/ice");
        const std::string activity = at("/activities");
        CHECK(activity.starts_with("https://elsewhere/"));
        CHECK(activity.ends_with("/ice"));
        CHECK(shop.get("/activities").column("permalink") == activity);
        CHECK(at("/difficulty-levels") == "");
    });
}

TEST_CASE("addresses begin as the settings and listeners say, and lead to the trips of a class") {
    each_shop([](Shop& shop) {
        const auto read = [&](const char* path) {
            return shop.get(path + std::string("/") + std::to_string(made(shop, path, R"({"name":"Łódź"})"))).data();
        };
        const auto place = read("/destinations");
        CHECK(place["permalink"].text() == "https://site/destination/łódź");
        CHECK(place["listing_url"].text() == "https://site/trip?destination=%C5%82%C3%B3d%C5%BA");
        REQUIRE(shop.settings.write(body(R"({"destination_base":"to","trip_base":"tours"})"), shop.staff_id));
        const std::string path = "/destinations/" + place["id"].dump();
        CHECK(shop.get(path).data()["permalink"].text() == "https://site/to/łódź");
        CHECK(shop.get(path).data()["listing_url"].text() == "https://site/tours?destination=%C5%82%C3%B3d%C5%BA");
        const auto listen = [&](const char* name, const hooks::FilterCall& call) {
            REQUIRE(shop.hooks.filter(name, {.name = "test"}, call));
        };
        listen("svc_permalink_bases", [](auto*, const auto& args) {
            json::Value bases = args[0];
            return bases.set("destination", bases["destination"].text() + "ward");
        });
        listen("svc_get_trip_listing_url",
               [](auto*, const auto& args) { return json::Value(args[0].text() + "?all=1"); });
        listen("svc_build_archive_listing_url", [](auto*, const auto& args) {
            return json::Value(args[0].text() + "#" + args[1].text() + args[2].dump() + args[3].text());
        });
        CHECK(shop.get(path).data()["permalink"].text() == "https://site/toward/łódź");
        CHECK(shop.get("/destinations").column("listing_url") ==
              "https://site/tours?all=1&destination=%C5%82%C3%B3d%C5%BA#destination" + place["id"].dump() + "łódź");
        CHECK(read("/difficulty-levels").find("listing_url") == nullptr);
        CHECK_FALSE(shop.settings.write(body(R"({"activity_base":"two words"})"), shop.staff_id));
    });
}

TEST_CASE("a refused class names every field at fault, by shape and by rule") {
    each_shop([](Shop& shop) {
        const auto refused =
            shop.send("POST", "/destinations",
                      body(R"({"color":"red","icon":{"type":"image","value":"javascript:x"},)"
                           R"("time_zone":"Nowhere","latitude":"north","longitude":12,"gallery":[4711]})"));
        CHECK(refused.status == 400);
        std::string names;
        for (const auto& [name, sentences] : refused.body["data"]["errors"].members())
            names += name + " ";
        CHECK(names == "name latitude color icon.value gallery.0 time_zone ");
        CHECK(shop.get("/destinations").body["meta"]["total"].integer() == 0);
    });
}

TEST_CASE("a destination's country is one of ISO 3166-1") {
    each_shop([](Shop& shop) {
        const auto made = [&](const char* code) {
            return shop.send("POST", "/destinations", json::Value::object({{"name", "Luxor"}, {"country_code", code}}));
        };
        for (const char* wrong : {"xx", "UK", "E1", "ZZ", "e"})
            CHECK(made(wrong).field() == "country_code");
        CHECK(made("eg").data()["country_code"].text() == "EG");
        CHECK(made("GB").status == 201);
    });
}
