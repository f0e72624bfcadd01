// How pages ask for their pictures: those in view at once and the first of them before all others, in the copy that
// fits.
#include <regex>

#include "base/platform/images/images.hpp"
#include "tests/base/website/page_site.hpp"
#include "tests/support/form.hpp"

namespace svc::tests {
namespace {

using json::Value;

std::int64_t given_picture(PageSite& site, int width, std::uint8_t shade) {
    auto drawn = images::Picture::blank(width, width * 2 / 3);
    std::fill(drawn.rgb.begin(), drawn.rgb.end(), shade);
    const auto made = upload(site.base, Form{}.file("valley.jpg", images::to_jpeg(drawn)), site.base.user("owner"));
    REQUIRE(made.status == 201);
    return made.data()["id"].integer();
}

void show_picture(PageSite& site, std::int64_t trip, std::int64_t picture, Value gallery = Value::array()) {
    const auto done =
        site.base.call("PUT", "/trips/" + std::to_string(trip),
                       Value::object({{"featured_image", picture}, {"gallery_images", std::move(gallery)}}).dump(),
                       site.base.user("owner"));
    CAPTURE(done.text);
    REQUIRE(done.status == 200);
}

struct Img {
    std::string tag;
    [[nodiscard]] bool is_lazy() const { return has(tag, "loading=\"lazy\""); }
    [[nodiscard]] bool is_first() const { return has(tag, "fetchpriority=\"high\""); }
};

// The <img> of a page's own part.
std::vector<Img> pictures_of(PageSite& site, const std::string& target) {
    site.pages().written();
    const auto page = site.page(target);
    REQUIRE(page.status == 200);
    CHECK(!has(page.text, "rel=\"preload\" as=\"image\""));
    const std::string main = page.text.substr(page.text.find("<main"));
    std::vector<Img> all;
    static const std::regex img("<img [^>]*>");
    for (auto each = std::sregex_iterator(main.begin(), main.end(), img); each != std::sregex_iterator(); ++each)
        all.push_back({each->str()});
    for (const Img& each : all) {
        CAPTURE(each.tag);
        CHECK(has(each.tag, " width=\""));
        CHECK(has(each.tag, " height=\""));
        CHECK(!has(each.tag, "srcset=\"\""));
        CHECK(!(each.is_first() && each.is_lazy()));
    }
    return all;
}

// "E" at once and first, "e" at once, "l" when it comes into view.
std::string how_loaded(const std::vector<Img>& all) {
    std::string how;
    for (const Img& each : all)
        how += each.is_first() ? 'E' : each.is_lazy() ? 'l' : 'e';
    return how;
}

}  // namespace

TEST_CASE("the pictures in view are loaded at once, the largest before them, the others when they come into view") {
    each_page_site([](PageSite& site) {
        std::vector<std::int64_t> trips;
        for (const char* name : {"A", "B", "C", "D", "E"}) {
            trips.push_back(site.base.given_trip(name));
            show_picture(site, trips.back(), given_picture(site, 30, static_cast<std::uint8_t>(20 * trips.size())));
        }
        site.base.given_trip("F");  // the newest, so the first card: without a picture
        CHECK(how_loaded(pictures_of(site, "/trip")) == "Eelll");
        CHECK(how_loaded(pictures_of(site, "/trip")) == "Eelll");             // from remembered cards
        CHECK(how_loaded(pictures_of(site, "/trip?sort=title")) == "Eeell");  // the same cards in other places
        CHECK(how_loaded(pictures_of(site, "/trip")) == "Eelll");
        CHECK(how_loaded(pictures_of(site, "/trip?search=zzzz")) == "Ee");  // three similar trips, one without
        CHECK(how_loaded(pictures_of(site, "/trip/f")).empty());
        // The home page's large picture is first; behind it the first cards.
        CHECK(how_loaded(pictures_of(site, "/")) == "Eeelll");
        Value gallery = Value::array();
        for (int i = 1; i < 7; ++i)
            gallery.push(Value::object({{"id", given_picture(site, 30, static_cast<std::uint8_t>(i))}}));
        show_picture(site, trips[0], given_picture(site, 30, 200), gallery);
        CHECK(how_loaded(pictures_of(site, "/trip/a")) == "Eeeeell");
    });
}

TEST_CASE("pictures are shown in the copy that fits their place, under every name of the host") {
    each_page_site([](PageSite& site) {
        const auto trip = site.base.given_trip("Nile cruise");
        const auto picture = given_picture(site, 700, 90);
        const auto kind = site.base.post("/destinations", Value::object({{"name", "Egypt"}, {"status", "publish"}}),
                                         site.base.user("administrator"));
        REQUIRE(kind.status == 201);
        REQUIRE(site.base
                    .call("PUT", "/trips/" + std::to_string(trip),
                          Value::object({{"destinations", Value::array({kind.data()["id"]})}}).dump(),
                          site.base.user("owner"))
                    .status == 200);
        show_picture(site, trip, picture);
        CHECK(!has(pictures_of(site, "/trip")[0].tag, "srcset"));
        CHECK(site.base.assembly->media.service.make_sizes() == 1);
        const std::string at = "/svc/v1/media/" + std::to_string(picture) + "/sizes/",
                          set = " srcset=\"" + at + "320.webp 320w, " + at + "640.webp 640w\" sizes=\"";
        for (const char* path : {"/", "/trip", "/trip/nile-cruise", "/destination", "/destination/egypt",
                                 "/trip?search=zzzz", "/embed/nile-cruise"})
            for (const Img& each : pictures_of(site, path)) {
                CAPTURE(path);
                CAPTURE(each.tag);
                CHECK(has(each.tag, set));
                CHECK(has(each.tag, "src=\"/svc/v1/media/" + std::to_string(picture) + "/file\""));
            }
        // Beside a booking it is small.
        site.base.given_departure(trip);
        const auto summary = pictures_of(site, "/book/nile-cruise");
        REQUIRE(summary.size() == 1);
        CHECK(has(summary[0].tag, "src=\"/svc/v1/media/" + std::to_string(picture) + "/thumbnail\""));
        const auto sizes_of = [&](const char* layout) {
            return pictures_of(site, std::string("/trip?card_layout=") + layout)[0].tag;
        };
        CHECK(has(sizes_of("standard"), "sizes=\"(max-width: 40rem) 100vw, (max-width: 60rem) 50vw, 19rem\""));
        CHECK(has(sizes_of("compact_mobile"), "sizes=\"(max-width: 40rem) 16rem, (max-width: 60rem) 50vw, 19rem\""));
        CHECK(has(sizes_of("compact"), "sizes=\"16rem\""));
    });
}

}  // namespace svc::tests
