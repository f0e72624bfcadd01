// Files as staff upload them and visitors fetch them.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include "base/catalog/media/multipart.hpp"
#include "base/platform/images/images.hpp"
#include "tests/support/form.hpp"

using namespace svc;
using namespace svc::tests;
namespace fs = std::filesystem;

namespace {

std::string picture(int width, int height, std::uint8_t shade = 120) {
    auto drawn = images::Picture::blank(width, height);
    for (std::size_t at = 0; at < drawn.rgb.size(); ++at)
        drawn.rgb[at] = static_cast<std::uint8_t>(shade + at % 7);
    return images::to_jpeg(drawn);
}

const std::string pdf_file = "%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n";
std::string decoded(std::string_view base64) { return crypto::from_base64(base64).value(); }
// A red pixel that is half transparent; the same telling of 100,000 x 100,000 pixels.
const std::string png =
    decoded("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DQAAAEgQGALFXOsAAAAABJRU5ErkJggg==");
const std::string bomb =
    decoded("iVBORw0KGgoAAAANSUhEUgABhqAAAYagCAYAAACoUgvIAAAADUlEQVR4nGP4z8DQAAAEgQGALFXOsAAAAABJRU5ErkJggg==");

void each_base(const std::function<void(TestBase&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        body(base);
    });
}

std::size_t files_of(const TestBase& base) {
    std::size_t count = 0;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(base.assembly->options.data_dir + "/media", none))
        count += static_cast<std::size_t>(entry.is_regular_file());
    return count;
}

}  // namespace

TEST_CASE("an uploaded picture is known, fetched by everyone with a long life, and has a small copy") {
    each_base([](TestBase& base) {
        const std::string bytes = picture(1200, 600);
        const auto made = upload(
            base,
            Form{}.field("alt_text", "The  valley").field("caption", "At dawn").file("C:\\My %22valley%22.png", bytes),
            base.user("marketing"));
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        const auto& media = made.data();
        CHECK(media["mime_type"].text() == "image/jpeg");  // by the content
        CHECK(media["width"].integer() == 1200);
        CHECK(media["height"].integer() == 600);
        CHECK(media["byte_size"].integer() == static_cast<std::int64_t>(bytes.size()));
        CHECK(media["alt_text"].text() == "The  valley");
        CHECK_FALSE(media["is_private"].boolean());
        const std::string at = "/media/" + std::to_string(media["id"].integer());
        CHECK(made.header("Location") == "/svc/v1" + at);
        const auto again = upload(base, Form{}.file("again.png", bytes), base.user("marketing"));
        CHECK(again.status == 200);
        CHECK(again.header("Location") == "/svc/v1" + at);
        CHECK(media["url"].text().ends_with(at + "/file"));
        CHECK(base.get(at, base.user("auditor")).data() == media);

        const auto file = base.get(at + "/file");
        CHECK(file.status == 200);
        CHECK(file.text == bytes);
        CHECK(file.header("Content-Type") == "image/jpeg");
        CHECK(file.header("Cache-Control") == "public, max-age=31536000, immutable");
        CHECK(file.header("Content-Security-Policy").find("sandbox") != std::string::npos);
        CHECK(base.get(at + "/file", Visitor{}.with("If-None-Match", file.header("ETag"))).status == 304);
        const auto small = base.get(at + "/thumbnail");
        const auto seen = images::look_at("image/jpeg", small.text);
        REQUIRE(seen);
        CHECK(seen->width == 480);
        CHECK(seen->height == 240);
    });
}

TEST_CASE("who asks for a part of a file gets it, and what is no part of it is 416") {
    each_base([](TestBase& base) {
        const auto made = upload(base, Form{}.file("a.pdf", pdf_file), base.user("owner"));
        const std::string at = "/media/" + std::to_string(made.data()["id"].integer()) + "/file";
        const std::size_t size = pdf_file.size();
        const std::string total = "/" + std::to_string(size);
        const auto whole = base.get(at);
        CHECK(whole.header("Accept-Ranges") == "bytes");
        const auto part = [&](const std::string& range, const std::string& if_range = {}) {
            Visitor visitor = Visitor{}.with("Range", range);
            return base.get(at, if_range.empty() ? visitor : visitor.with("If-Range", if_range));
        };
        struct Case {
            std::string range;
            std::size_t first, last;
        };
        for (const Case& each : {Case{"bytes=0-0", 0, 0},
                                 {"bytes=5-9", 5, 9},
                                 {"bytes=9-", 9, size - 1},
                                 {"bytes=-3", size - 3, size - 1},
                                 {"bytes=-100000", 0, size - 1},
                                 {"bytes=2-99999999999999999999999", 2, size - 1},
                                 {"Bytes= 1-1 ", 1, 1}}) {
            CAPTURE(each.range);
            const auto answer = part(each.range);
            CHECK(answer.status == 206);
            CHECK(answer.text == pdf_file.substr(each.first, each.last - each.first + 1));
            CHECK(answer.header("Content-Range") ==
                  "bytes " + std::to_string(each.first) + "-" + std::to_string(each.last) + total);
            CHECK(answer.header("ETag") == whole.header("ETag"));
            CHECK(answer.header("Content-Type") == "application/pdf");
        }
        for (const std::string& range : {"bytes=" + std::to_string(size) + "-", std::string("bytes=-0"),
                                         std::string("bytes=99999999999999999999999-")}) {
            CAPTURE(range);
            const auto answer = part(range);
            CHECK(answer.status == 416);
            CHECK(answer.header("Content-Range") == "bytes *" + total);
            CHECK(answer.text.empty());
        }
        // Not understood, or several at once: the whole file.
        for (const char* range : {"lines=1-2", "bytes=9-5", "bytes=", "bytes=-", "bytes=1-2,4-5", "bytes=a-b",
                                  "bytes=+1-2", "bytes=1-2-3", "5-9", "bytes"}) {
            CAPTURE(range);
            CHECK(part(range).status == 200);
            CHECK(part(range).text == pdf_file);
        }
        CHECK(part("bytes=5-9", whole.header("ETag")).status == 206);
        for (const std::string& other :
             {std::string("\"x\""), "W/" + whole.header("ETag"), std::string("Sun, 22 Nov 2026 05:00:00 GMT")}) {
            CAPTURE(other);
            CHECK(part("bytes=5-9", other).text == pdf_file);
            CHECK(part("bytes=" + std::to_string(size) + "-", other).status == 200);
        }
        // A client that has the file needs no part of it; HEAD has no parts, and no other answer has.
        CHECK(base.get(at, Visitor{}.with("Range", "bytes=1-2").with("If-None-Match", whole.header("ETag"))).status ==
              304);
        CHECK(base.call("HEAD", at, {}, Visitor{}.with("Range", "bytes=1-2")).status == 200);
        CHECK(base.get("/trips/public", Visitor{}.with("Range", "bytes=1-2")).status == 200);
    });
}

TEST_CASE("a picture that a classification uses is listed in used_by and not deleted") {
    each_base([](TestBase& base) {
        const auto& staff = base.user("administrator");
        const auto one = upload(base, Form{}.file("a.jpg", picture(20, 20)), staff).data()["id"].integer();
        const auto two = upload(base, Form{}.file("b.jpg", picture(20, 30)), staff).data()["id"].integer();
        const auto body = [&](const std::string& name) {
            return json::Value::object(
                {{"name", name}, {"featured_image", one}, {"gallery", json::Value::array({two, one})}});
        };
        for (const char* kind : {"/destinations", "/trip-categories", "/difficulty-levels", "/traveler-categories",
                                 "/attributes", "/item-types"}) {
            CAPTURE(kind);
            const auto made = base.post(kind, body("Nile"), staff);
            CAPTURE(made.text);
            REQUIRE(made.status == 201);
            const std::string path = kind + ("/" + made.data()["id"].dump());
            const auto read = base.get(path, staff).data();
            CHECK(read["featured_image"].integer() == one);
            CHECK(read["featured_image_url"].text().ends_with("/media/" + std::to_string(one) + "/file"));
            CHECK(read["gallery"] == json::Value::array({two, one}));
            CHECK(base.get(kind, staff).data()[0].find("featured_image_url") != nullptr);
            CHECK(base.call("PUT", path, R"({"name":"Other"})", staff).data()["gallery"].size() == 2);
            CHECK(base.call("PUT", path, R"({"featured_image":999})", staff).field() == "featured_image");
            CHECK(base.call("PUT", path, R"({"gallery":[1,999]})", staff).field() == "gallery.1");
            const auto kept = base.call("DELETE", "/media/" + std::to_string(one), {}, staff);
            CHECK(kept.code() == "svc_in_use");
            CHECK(kept.text.find("Other") != std::string::npos);
            CHECK(base.call("PUT", path, R"({"image_id":null,"gallery":null})", staff).data()["gallery"].size() == 0);
        }
        CHECK(base.call("DELETE", "/media/" + std::to_string(one), {}, staff).status == 200);
        CHECK(base.call("DELETE", "/media/" + std::to_string(two), {}, staff).status == 200);
    });
}

TEST_CASE("the same bytes are one file, public and private apart") {
    each_base([](TestBase& base) {
        const auto& staff = base.user("owner");
        const auto first = upload(base, Form{}.file("a.pdf", pdf_file), staff);
        REQUIRE(first.status == 201);
        const auto again = upload(base, Form{}.file("b.pdf", pdf_file), staff);
        CHECK(again.status == 200);
        CHECK(again.data() == first.data());
        CHECK(upload(base, Form{}.field("is_private", "1").file("c.pdf", pdf_file), staff).status == 201);
        CHECK(files_of(base) == 1);
    });
}

TEST_CASE("a private file is fetched by its signed link alone, until it ends") {
    each_base([](TestBase& base) {
        const auto made =
            upload(base, Form{}.field("is_private", "yes").file("visa.pdf", pdf_file), base.user("manager"));
        REQUIRE(made.status == 201);
        const std::string at = "/media/" + std::to_string(made.data()["id"].integer()) + "/file";
        CHECK(base.get(at).status == 404);
        const std::string url = made.data()["url"].text();
        const std::string query = url.substr(url.find('?'));
        const auto file = base.get(at + query);
        CHECK(file.text == pdf_file);
        CHECK(file.header("Cache-Control") == "private, no-store");
        CHECK(base.get(at + "?exp=1" + query.substr(query.find('&'))).code() == "svc_link_expired");
        std::string altered = query;
        altered.back() = altered.back() == '0' ? '1' : '0';
        CHECK(base.get(at + altered).code() == "svc_link_expired");
        const auto other =
            upload(base, Form{}.field("is_private", "yes").file("b.pdf", pdf_file + " "), base.user("manager"));
        CHECK(base.get("/media/" + std::to_string(other.data()["id"].integer()) + "/file" + query).status == 403);
        CHECK(made.data()["thumbnail_url"].is_null());
    });
}

TEST_CASE("a file's type is recognized by its bytes; scripts, pages, programs and broken pictures are rejected") {
    each_base([](TestBase& base) {
        const auto& staff = base.user("owner");
        const auto sent = [&](const std::string& name, const std::string& bytes) {
            return upload(base, Form{}.file(name, bytes), staff);
        };
        for (const auto& [name, bytes] : std::vector<std::pair<std::string, std::string>>{
                 {"a.jpg", "<!DOCTYPE html><html><script>alert(1)</script></html>"},
                 {"a.png", "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>"},
                 {"a.pdf", std::string("\x7f"
                                       "ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\x3e\0",
                                       20)},
                 {"a.pdf", "#!/bin/sh\necho\n"},
                 {"a.gif", "GIF89a\1\0\1\0\0\0\0;"}}) {
            const auto refused = sent(name, bytes);
            CAPTURE(refused.text);
            CHECK(refused.status == 415);
        }
        CHECK(sent("a.jpg", "").field() == "file");
        const std::string whole = picture(40, 40);
        CHECK(sent("cut.jpg", whole.substr(0, 20)).status / 100 == 4);
        CHECK(sent("bomb.png", bomb).field() == "file");
        CHECK(sent("dot.png", png).status == 201);
        CHECK(base.number("SELECT COUNT(*) FROM svc_media") == 1);
        CHECK(files_of(base) == 2);
    });
}

TEST_CASE("a track is taken by its root element and its name together") {
    each_base([](TestBase& base) {
        const auto& staff = base.user("owner");
        const auto sent = [&](const std::string& name, const std::string& bytes) {
            return upload(base, Form{}.file(name, bytes), staff);
        };
        const std::string head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- by hand -->\n";
        const std::string gpx =
            head + "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><wpt lat=\"1\" lon=\"2\"/></gpx>";
        const std::string kml =
            "\xEF\xBB\xBF" + head + "<kml:kml xmlns:kml=\"http://www.opengis.net/kml/2.2\"><kml:Document/></kml:kml>";
        const auto track = sent("Ridge.GPX", gpx);
        CAPTURE(track.text);
        REQUIRE(track.status == 201);
        CHECK(track.data()["mime_type"].text() == "application/gpx+xml");
        const auto file = base.get("/media/" + track.data()["id"].dump() + "/file");
        CHECK(file.text == gpx);
        CHECK(file.header("Content-Type") == "application/gpx+xml");
        CHECK(file.header("Content-Disposition").starts_with("attachment"));
        CHECK(sent("ridge.kml", kml).data()["mime_type"].text() == "application/vnd.google-earth.kml+xml");
        CHECK(sent("ridge.gpx", "<gpx/>").data()["mime_type"].text() == "application/gpx+xml");
        for (const auto& [name, bytes] : std::vector<std::pair<std::string, std::string>>{
                 {"ridge.xml", gpx},
                 {"ridge.kml", gpx},
                 {"ridge.gpx", head + "<html xmlns=\"http://www.w3.org/1999/xhtml\"><script>1</script></html>"},
                 {"ridge.gpx", head + "<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx>&a;</gpx>"},
                 {"ridge.gpx", head + "text <gpx/>"},
                 {"ridge.gpx", "<?xml version=\"1.0\"?><!-- <gpx>"}}) {
            CAPTURE(name);
            CAPTURE(bytes);
            CHECK(sent(name, bytes).status == 415);
        }
    });
}

TEST_CASE("a form that two readers could read differently is refused") {
    const auto code = [](const std::string& type, const std::string& body) {
        const auto read = catalog::media::read_form(type, body);
        return read ? std::to_string(read->size()) : std::string(read.error().code().name);
    };
    const std::string type = "multipart/form-data; boundary=e",
                      head = "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n";
    CHECK(code(type, "--e" + head + "x\r\n--e--\r\n") == "1");
    CHECK(code("Multipart/Form-Data;boundary=\"e\"", "--e" + head + "x\r\n--e" + head + "\r\n--e--") == "2");
    CHECK(code("application/json", "{}") == "svc_unsupported_media_type");
    CHECK(code("multipart/mixed; boundary=e", "--e--") == "svc_unsupported_media_type");
    for (const std::string& wrong : std::vector<std::string>{
             "", "--e", "--f--", "preamble\r\n--e" + head + "x\r\n--e--", "--e" + head + "x\r\n--e--\r\nepilogue",
             "--e" + head + "x", "--e\nContent-Disposition: form-data; name=\"a\"\n\nx\n--e--", "--e\r\n\r\nx\r\n--e--",
             "--e\r\nContent-Disposition: form-data\r\n\r\nx\r\n--e--",
             "--e\r\nContent-Disposition: form-data; name=\"a\"; name=\"b\"\r\n\r\nx\r\n--e--",
             "--e\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nx\r\n--e--",
             "--e\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Transfer-Encoding: base64\r\n\r\nx\r\n--e--",
             "--e\r\nContent-Disposition: form-data; name=\"a\r\n\r\nx\r\n--e--",
             "--e\r\n" + std::string(5000, 'x') + "\r\n\r\nx\r\n--e--"}) {
        CAPTURE(wrong);
        CHECK(code(type, wrong) == "invalid_request");
    }
    CHECK(code("multipart/form-data", "--e--") == "invalid_request");
    std::string many = "--e";
    for (int at = 0; at < 11; ++at)
        many += head + "x\r\n--e";
    CHECK(code(type, many + "--") == "invalid_request");
}

TEST_CASE("a quoted pair in a file's name is unescaped") {
    const auto name_of = [](const std::string& quoted) {
        const auto read = catalog::media::read_form(
            "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=" + quoted + "\r\n\r\nx\r\n--b--\r\n");
        return read ? read->front().file_name.value_or("") : "refused";
    };
    CHECK(name_of("\"a\\\"b.pdf\"") == "a\"b.pdf");
    CHECK(name_of("\"a\\\\b.pdf\"") == "a\\b.pdf");
    CHECK(name_of("\"C:\\maps\\map.pdf\"") == "C:\\maps\\map.pdf");
    CHECK(name_of("\"a\\\"") == "refused");
    CHECK(name_of("\"a\"b.pdf\"") == "refused");
}

TEST_CASE("a file that is in use is not deleted and its users are named; one that is not goes, the bytes after a day") {
    each_base([](TestBase& base) {
        const auto& staff = base.user("owner");
        const auto made = upload(base, Form{}.file("a.pdf", pdf_file), staff);
        const std::int64_t id = made.data()["id"].integer();
        const std::string at = "/media/" + std::to_string(id);
        const auto trip = base.given_trip();
        base.run(("UPDATE svc_trips SET featured_image_id = " + std::to_string(id)).c_str());
        const auto refused = base.call("DELETE", at, {}, staff);
        const auto told = base.get(at + "/users", staff);
        CHECK(told.status == 200);
        CHECK(told.data().dump() == refused.body["data"]["used_by"].dump());
        CHECK(refused.status == 409);
        CHECK(refused.code() == "svc_in_use");
        const auto& users = refused.body["data"]["used_by"];
        CHECK(users["total"].integer() == 1);
        CHECK(users["items"].dump() ==
              R"([{"type":"trip","id":)" + std::to_string(trip) + R"(,"title":"Nile cruise"}])");
        base.run("UPDATE svc_trips SET featured_image_id = NULL");
        CHECK(base.call("DELETE", at, {}, staff).status == 200);
        CHECK(base.call("DELETE", at, {}, staff).status == 404);
        CHECK(base.get(at + "/file").status == 404);
        CHECK(base.get(at + "/users", staff).status == 404);

        CHECK(base.assembly->media.service.sweep() == 0);  // young: its row may be on its way
        CHECK(files_of(base) == 1);
        const auto kept = upload(base, Form{}.file("b.pdf", pdf_file + "b"), staff);
        const std::string folder = base.assembly->options.data_dir + "/media";
        std::ofstream(folder + "/part-dead") << "half";
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file())
                fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - std::chrono::hours(25));
        CHECK(base.assembly->media.service.sweep() == 1);
        CHECK(files_of(base) == 1);
        CHECK(base.get("/media/" + std::to_string(kept.data()["id"].integer()) + "/file").text == pdf_file + "b");
    });
}

TEST_CASE("a file's description may change, its bytes may not") {
    each_base([](TestBase& base) {
        const auto& staff = base.user("owner");
        const auto made = upload(base, Form{}.file("t.jpg", picture(8, 8)), staff);
        const std::string at = "/media/" + std::to_string(made.data()["id"].integer());
        const auto changed = base.call("PUT", at, R"({"alt_text":"A hill","byte_size":1})", staff);
        CHECK(changed.data()["alt_text"].text() == "A hill");
        CHECK(changed.data()["caption"].text() == "");
        CHECK(changed.data()["byte_size"] == made.data()["byte_size"]);
        REQUIRE(base.call("PUT", at, R"({"caption":"At dawn"})", staff).data()["caption"].text() == "At dawn");
        const auto cleared = base.call("PUT", at, R"({"caption":null})", staff);
        CHECK(cleared.status == 200);
        CHECK(cleared.data()["caption"].text() == "");
        CHECK(cleared.data()["alt_text"].text() == "A hill");
        CHECK(base.get("/media?search=HILL", staff).data().size() == 1);
        CHECK(base.get("/media?search=hill", staff).data().size() == 1);
        CHECK(base.get("/media?search=%25", staff).data().size() == 0);
        const auto etag = base.get(at, staff).header("ETag");
        CHECK(base.get(at, Visitor(staff).with("If-None-Match", etag)).status == 304);
        CHECK(base.call("PUT", at, R"({"caption":"Noon","row_version":1})", staff).status == 409);
        CHECK(base.call("PUT", at, R"({"caption":"Noon"})", Visitor(staff).with("If-Match", etag)).status == 200);
        CHECK(base.call("DELETE", at, {}, Visitor(staff).with("If-Match", etag)).status == 409);
    });
}

TEST_CASE("a name never carries a folder, a control character or a second header") {
    using catalog::media::clean_name;
    using catalog::media::disposition;
    CHECK(clean_name("../../etc/passwd") == "passwd");
    CHECK(clean_name("C:\\x\\map.pdf") == "map.pdf");
    CHECK(clean_name("..") == "file");
    CHECK(clean_name("a\r\nSet-Cookie: x.pdf").find('\n') == std::string::npos);
    CHECK(clean_name(std::string(500, 'x')).size() == 200);
    CHECK(clean_name(std::string(500, 'x') + ".pdf") == std::string(196, 'x') + ".pdf");
    CHECK(clean_name("x." + std::string(500, 'y')).size() == 200);
    CHECK(disposition(false, "map.pdf") == "attachment; filename=\"map.pdf\"");
    CHECK(disposition(true, "Zür\"ich.pdf") == "inline; filename=\"Z_r_ich.pdf\"; filename*=UTF-8''Z%C3%BCr%22ich.pdf");
}

TEST_CASE("a job makes a picture's copies, and its record and the trips that show it list them") {
    each_base([](TestBase& base) {
        const auto made = upload(base, Form{}.file("valley.jpg", picture(1200, 600)), base.user("owner"));
        REQUIRE(made.status == 201);
        CHECK(made.data()["sizes"].size() == 0);
        CHECK(made.data()["srcset"].is_null());
        const auto id = made.data()["id"].integer();
        const std::string at = "/media/" + std::to_string(id);
        const auto trip = base.given_trip();
        const std::string trip_at = "/trips/" + std::to_string(trip);
        auto shown = json::Value::array({json::Value::object({{"id", id}})});
        CHECK(base.call("PUT", trip_at, json::Value::object({{"gallery_images", shown}, {"featured_image", id}}).dump(),
                        base.user("owner"))
                  .status == 200);

        CHECK(base.assembly->media.service.make_sizes() == 1);
        CHECK(base.assembly->media.service.make_sizes() == 0);
        const auto record = base.get(at, base.user("owner")).data();
        REQUIRE(record["sizes"].size() == 3);
        CHECK(record["sizes"][1]["width"].integer() == 640);
        CHECK(record["sizes"][1]["height"].integer() == 320);
        CHECK(record["sizes"][1]["webp_url"].text().ends_with(at + "/sizes/640.webp"));
        CHECK(record["srcset"]["jpeg"].text().find(at + "/sizes/960.jpg 960w") != std::string::npos);
        for (const auto& [name, type] : {std::pair("640.webp", "image/webp"), std::pair("640.jpg", "image/jpeg")}) {
            const auto copy = base.get(at + "/sizes/" + name);
            CHECK(copy.status == 200);
            CHECK(copy.header("Content-Type") == type);
            CHECK(images::look_at(type, copy.text)->width == 640);
            CHECK(base.get(at + "/sizes/" + name, Visitor{}.with("If-None-Match", copy.header("ETag"))).status == 304);
        }
        for (const char* none : {"1280.jpg", "640.png", "0640.jpg", "640", "x.webp"})
            CHECK(base.get(at + "/sizes/" + none).status == 404);
        const auto whole = base.get(trip_at, base.user("owner")).data();
        CHECK(whole["gallery_images"][0]["srcset"] == record["srcset"]);
        CHECK(whole["featured_image_srcset"] == record["srcset"]);
        CHECK(base.get("/trips/public").data()[0]["featured_image_srcset"] == record["srcset"]);
    });
}

TEST_CASE("everyone gets a picture without its EXIF, who holds its link the file that was uploaded") {
    each_base([](TestBase& base) {
        const std::string exif(
            "\xFF\xE1\0\x3A"
            "Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0GPS 52.5200 N 13.4050 E......",
            60);
        const std::string bytes = picture(300, 200).insert(2, exif);
        const auto open = upload(base, Form{}.file("a.jpg", bytes), base.user("owner"));
        REQUIRE(open.status == 201);
        CHECK(open.data()["width"].integer() == 200);
        CHECK(open.data()["height"].integer() == 300);
        const std::string at = "/media/" + std::to_string(open.data()["id"].integer());
        const auto file = base.get(at + "/file");
        CHECK(file.text.find("GPS") == std::string::npos);
        CHECK(images::look_at("image/jpeg", file.text)->width == 200);
        CHECK(images::look_at("image/jpeg", base.get(at + "/thumbnail").text)->width == 200);
        CHECK(upload(base, Form{}.file("b.jpg", bytes), base.user("owner")).status == 200);

        const auto closed = upload(base, Form{}.field("is_private", "true").file("a.jpg", bytes), base.user("owner"));
        const std::string url = closed.data()["url"].text();
        CHECK(base.get(url.substr(url.find("/media/"))).text == bytes);
    });
}

TEST_CASE("pictures of an earlier version are brought upright by the job, once they can be read") {
    each_base([](TestBase& base) {
        const auto made = upload(base, Form{}.file("a.jpg", picture(900, 300)), base.user("owner"));
        base.run("UPDATE svc_media SET upright = 0, width = 1, height = 1");
        CHECK(base.assembly->media.service.make_sizes() == 1);
        const auto record =
            base.get("/media/" + std::to_string(made.data()["id"].integer()), base.user("owner")).data();
        CHECK(record["width"].integer() == 900);
        CHECK(record["sizes"].size() == 2);
    });
}

TEST_CASE("the error for a rejected picture lists the accepted types") {
    each_base([](TestBase& base) {
        const std::string heic(
            "\0\0\0\x18"
            "ftypheic\0\0\0\0heicmif1",
            24);
        const auto refused = upload(base, Form{}.file("a.heic", heic + std::string(64, '\0')), base.user("owner"));
        CHECK(refused.status == 415);
        CHECK(refused.text.find("JPEG, PNG or WebP") != std::string::npos);
        const auto cut = upload(base, Form{}.file("a.jpg", picture(900, 300).substr(0, 2000)), base.user("owner"));
        CHECK(cut.status == 400);
        CHECK(cut.field() == "file");
        CHECK(cut.text.find("incomplete") != std::string::npos);
    });
}

TEST_CASE("a file name of more than 200 letters keeps its ending") {
    using catalog::media::clean_name;
    CHECK(clean_name(std::string(300, 'x') + ".pdf") == std::string(196, 'x') + ".pdf");
    CHECK(clean_name(std::string(300, 'x')) == std::string(200, 'x'));
    CHECK(clean_name("a." + std::string(300, 'x')).size() == 200);
    CHECK(clean_name("invoice\u202Efdp.exe") == "invoicefdp.exe");
}

TEST_CASE("files are searched without accents and by the days of their upload") {
    each_base([](TestBase& base) {
        upload(base, Form{}.field("caption", "Bei Díaz in Łódź").file("a.pdf", pdf_file), base.user("owner"));
        const auto found = [&](const std::string& query) {
            return base.get("/media?" + query, base.user("owner")).body["meta"]["total"].integer();
        };
        CHECK(found("search=diaz") == 1);
        CHECK(found("search=LODZ") == 1);
        CHECK(found("search=paris") == 0);
        CHECK(found("from=2020-01-01&to=2999-01-01") == 1);
        CHECK(found("to=2020-01-01") == 0);
        CHECK(found("from=2999-01-01") == 0);
    });
}
