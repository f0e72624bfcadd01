// Exports of WordPress as a test writes them, and their migration.
#pragma once

#include <doctest/doctest.h>

#include "tests/support/form.hpp"
#include "tests/support/test_base.hpp"

namespace svc::tests {

using json::Value;

inline std::string meta(const std::string& key, const std::string& value) {
    return "<wp:postmeta><wp:meta_key><![CDATA[" + key + "]]></wp:meta_key><wp:meta_value><![CDATA[" + value +
           "]]></wp:meta_value></wp:postmeta>";
}

inline std::string item(const std::string& type, const std::string& title, const std::string& slug,
                        const std::string& inside) {
    return "<item><title>" + title +
           "</title><content:encoded><![CDATA[<p>Down the river &amp; up.</p>]]></content:encoded>"
           "<excerpt:encoded><![CDATA[Seven days.]]></excerpt:encoded><wp:post_id>7</wp:post_id><wp:post_name>" +
           slug + "</wp:post_name><wp:status>publish</wp:status><wp:post_type>" + type + "</wp:post_type>" + inside +
           "</item>";
}

// As PHP's serialize() writes it.
inline std::string php(const Value& value) {
    if (value.is_string())
        return "s:" + std::to_string(value.text().size()) + ":\"" + value.text() + "\";";
    if (value.is_number())
        return "i:" + value.number_text() + ";";
    if (value.is_boolean())
        return value.boolean() ? "b:1;" : "b:0;";
    if (value.is_null())
        return "N;";
    std::string inside;
    std::int64_t index = 0;
    if (value.is_array())
        for (const Value& item : value.items())
            inside += "i:" + std::to_string(index++) + ";" + php(item);
    else
        for (const auto& [name, member] : value.members())
            inside += php(name.find_first_not_of("0123456789") == std::string::npos ? Value(json::Number{name})
                                                                                    : Value(name)) +
                      php(member);
    return "a:" + std::to_string(value.size()) + ":{" + inside + "}";
}
inline std::string php_meta(const std::string& key, const char* text) {
    return meta(key, php(json::parse(text).value()));
}

// A post with a number of its own.
inline std::string post(int id, const std::string& type, const std::string& title, const std::string& status,
                        const std::string& inside) {
    return "<item><title>" + title + "</title><wp:post_id>" + std::to_string(id) +
           "</wp:post_id><wp:post_name></wp:post_name><wp:status>" + status + "</wp:status><wp:post_type>" + type +
           "</wp:post_type><wp:post_date_gmt>2024-03-01 10:00:00</wp:post_date_gmt>" + inside + "</item>";
}

inline std::string comment(const std::string& author, const std::string& stars_key, const std::string& stars) {
    return "<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_author><![CDATA[" + author +
           "]]></wp:comment_author><wp:comment_author_email>guest@example.org</wp:comment_author_email>"
           "<wp:comment_date_gmt>2024-05-01 08:00:00</wp:comment_date_gmt><wp:comment_content><![CDATA[A fine "
           "journey.]]></wp:comment_content><wp:comment_approved>1</wp:comment_approved><wp:commentmeta><wp:meta_key>" +
           stars_key + "</wp:meta_key><wp:meta_value>" + stars + "</wp:meta_value></wp:commentmeta></wp:comment>";
}

inline std::string term(const std::string& taxonomy, const std::string& slug, const std::string& name) {
    return "<wp:term><wp:term_id>3</wp:term_id><wp:term_taxonomy>" + taxonomy + "</wp:term_taxonomy><wp:term_slug>" +
           slug + "</wp:term_slug><wp:term_name><![CDATA[" + name + "]]></wp:term_name></wp:term>";
}

inline std::string wxr(const std::string& inside) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\""
           " xmlns:content=\"http://purl.org/rss/1.0/modules/content/\""
           " xmlns:excerpt=\"http://wordpress.org/export/1.2/excerpt/\" xmlns:wp=\"http://wordpress.org/export/1.2/\">"
           "<channel><title>Old site</title>" +
           inside + "</channel></rss>";
}

inline Answered stage(TestBase& base, const std::string& bytes, const std::string& kind = "") {
    Form form;
    form.file("export.xml", bytes);
    if (!kind.empty())
        form.field("data_type", kind);
    return base.call("POST", "/migration/upload", form.whole(),
                     base.user("administrator").with("Content-Type", "multipart/form-data; boundary=edge"));
}

inline Value migrate_all(TestBase& base, const char* body = "{}") {
    const auto started = base.call("POST", "/migration/migrate-all", body, base.user("administrator"));
    CAPTURE(started.text);
    REQUIRE(started.status == 202);
    base.assembly->jobs.prepare();
    base.assembly->jobs.run_due();
    return base.get("/migration/progress", base.user("administrator")).data()["progress"];
}

}  // namespace svc::tests
