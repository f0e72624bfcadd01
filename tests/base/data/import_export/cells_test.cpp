// Cells, headings and encodings of tables, as people of many countries write them.
#include "base/platform/csv/cells.hpp"

#include <fstream>

#include <doctest/doctest.h>

#include "base/platform/csv/csv.hpp"
#include "tests/support/importing.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

std::string read_as(const std::string& bytes, const csv::Origin& origin = {}) {
    const TempDir folder;
    std::ofstream(folder.file("t.csv"), std::ios::binary) << bytes;
    std::string all;
    REQUIRE(csv::read(
        folder.file("t.csv"),
        [&](std::size_t, const csv::Row& row) -> Result<void> {
            for (const std::string& cell : row)
                all += cell + "|";
            return {};
        },
        {}, origin));
    return all;
}

Answered previewed(TestBase& base, const std::string& bytes, const std::string& kind,
                   const std::vector<std::pair<std::string, std::string>>& more = {}) {
    Form form;
    form.file("table.csv", bytes).field("data_types", kind);
    for (const auto& [name, value] : more)
        form.field(name, value);
    return posted_form(base, "/tools/import/preview", form, base.user("administrator"));
}

}  // namespace

TEST_CASE("an amount is read as its country writes it, and by the site's separators where two countries differ") {
    const csv::Amounts english{.signs = {"USD", "US$", "$"}},
        german{.decimal = ',', .thousands = '.', .signs = {"EUR", "\u20AC"}},
        french{.decimal = ',', .thousands = ' ', .signs = {"EUR", "\u20AC"}};
    const std::pair<const char*, const char*> clear[] = {{"1,299.50", "1299.50"},
                                                         {"1.299,50", "1299.50"},
                                                         {"1 299,50", "1299.50"},
                                                         {"1\u00A0299,50", "1299.50"},
                                                         {"1\u202F299.50", "1299.50"},
                                                         {"1'299.50", "1299.50"},
                                                         {"1299.5", "1299.5"},
                                                         {"1299,5", "1299.5"},
                                                         {"1,299,000", "1299000"},
                                                         {"1.299.000,00", "1299000.00"},
                                                         {"-12,50", "-12.50"},
                                                         {"0", "0"},
                                                         {" 12 ", "12"}};
    for (const csv::Amounts& form : {english, german, french})
        for (const auto& [text, meant] : clear) {
            CAPTURE(text);
            CHECK(csv::amount(text, form) == meant);
        }
    CHECK(csv::amount("1,299", english) == "1299");
    CHECK(csv::amount("1.299", english) == "1.299");
    CHECK(csv::amount("1.299", german) == "1299");
    CHECK(csv::amount("1,299", german) == "1.299");
    CHECK(csv::amount("$1,299.50", english) == "1299.50");
    CHECK(csv::amount("1299.50 USD", english) == "1299.50");
    CHECK(csv::amount("1.299,50 \u20AC", german) == "1299.50");
    CHECK(csv::amount("47.123", {.decimal = ',', .thousands = '.', .has_three_decimals = true}) == "47.123");
    // Another currency's sign, half an amount and words stay for the field's check to reject.
    for (const char* none : {"\u20AC 12", "1.2,50", "12,34,56", "free", "1,2.3,4", "", "1..2", "12-50"})
        CHECK(csv::amount(none, english) == none);
}

TEST_CASE("a day is read in the form that was chosen, else in the only one that it has") {
    using enum csv::DayForm;
    for (const csv::DayForm form : {any, day_month_year, month_day_year, year_month_day})
        for (const char* text : {"2027-12-31", "2027/12/31", "31.12.2027", "2027-12-31 00:00:00", "2027-12-31T08:00",
                                 "46752", "46752.5", "2027.12.31", "31/12/2027", "12/31/2027"}) {
            const bool contradicts = (form == day_month_year && std::string(text) == "12/31/2027") ||
                                     (form == month_day_year && std::string(text) == "31/12/2027");
            CAPTURE(text);
            CHECK(csv::day(text, form) == (contradicts ? text : "2027-12-31"));
        }
    CHECK(csv::day("3/4/2027", any) == "3/4/2027");  // April or March
    CHECK(csv::day("3/4/2027", day_month_year) == "2027-04-03");
    CHECK(csv::day("3/4/2027", month_day_year) == "2027-03-04");
    CHECK(csv::day("4/4/2027", any) == "2027-04-04");
    CHECK(csv::day("3/4/27", day_month_year) == "2027-04-03");
    for (const char* none : {"31.2.2027", "soon", "2027-13-01", "1/2", "3.14.26", ""})
        CHECK(csv::day(none, any) == none);
    CHECK(csv::day_form_of("d/m/Y") == day_month_year);
    CHECK(csv::day_form_of("F j, Y") == month_day_year);
    CHECK(csv::day_form_of("Y-m-d") == year_month_day);
    CHECK(csv::day_form_of("") == any);
    CHECK(csv::clock_time("9:00") == "09:00");
    CHECK(csv::clock_time("09:00:00") == "09:00");
    CHECK(csv::clock_time("noon") == "noon");
}

TEST_CASE("what kept a text from being a formula is taken off, once, and a shortened number is known") {
    for (const char* text : {"=1+1", "+44 20 7946 0000", "-5", "@home", "'=1", "''+1"}) {
        const std::string cell = csv::cell(text);
        CHECK(csv::plain(cell.substr(1, cell.size() - 2)) == text);
    }
    for (const char* text : {"'tis", "O'Neill", "'", "plain"}) {
        CHECK(csv::cell(text) == "\"" + std::string(text) + "\"");
        CHECK(csv::plain(text) == text);
    }
    for (const char* text : {"4.41E+11", "4,41E+11", "4E+11", "4.41e11"})
        CHECK(csv::is_shortened(text));
    for (const char* text : {"+44 20 7946", "E+11", "SE1 2AB", "12E", "1E+X", ""})
        CHECK_FALSE(csv::is_shortened(text));
}

TEST_CASE("a file without a mark is read in the encoding in which its names are words") {
    // Windows-1250: Dvořák, Jiří Novotný, Šťastná, Łukasz Wójcik, Michał, Kovač.
    CHECK(read_as("Jm\xE9no;P\xF8\xEDjmen\xED\nAnton\xEDn;Dvo\xF8\xE1k\nJi\xF8\xED;Novotn\xFD\n") ==
          "Jm\u00E9no|P\u0159\u00EDjmen\u00ED|Anton\u00EDn|Dvo\u0159\u00E1k|Ji\u0159\u00ED|Novotn\u00FD|");
    CHECK(read_as("name\nDvo\xF8\xE1k\n") == "name|Dvo\u0159\u00E1k|");
    CHECK(read_as("name\nMicha\xB3 W\xF3jcik\n") == "name|Micha\u0142 W\u00F3jcik|");
    CHECK(read_as("name\nAna Kova\xE8\n") == "name|Ana Kova\u010D|");
    // Windows-1252: Sørensen, François, Michèle, Müller, Núñez, Zoë, Cœur, Loïc, Großmann.
    for (const auto& [bytes, text] : {std::pair{"S\xF8rensen", "S\u00F8rensen"},
                                      {"Fran\xE7ois", "Fran\u00E7ois"},
                                      {"Mich\xE8le", "Mich\u00E8le"},
                                      {"M\xFCller", "M\u00FCller"},
                                      {"N\xFA\xF1"
                                       "ez",
                                       "N\u00FA\u00F1ez"},
                                      {"Zo\xEB", "Zo\u00EB"},
                                      {"C\x9Cur", "C\u0153ur"},
                                      {"Lo\xEF"
                                       "c",
                                       "Lo\u00EF"
                                       "c"},
                                      {"Gro\xDFmann", "Gro\u00DFmann"}}) {
        CAPTURE(text);
        CHECK(read_as(std::string("name\n") + bytes + "\n") == std::string("name|") + text + "|");
    }
    // Both readings are words: the country says which. A person may say it, too.
    CHECK(read_as("name\nErd\xF5s\n", {.country = "HU"}) == "name|Erd\u0151s|");
    CHECK(read_as("name\nY\xFDld\xFDz\n", {.country = "TR"}) == "name|Y\u0131ld\u0131z|");
    CHECK(read_as("name\nDvo\xF8\xE1k\n", {.encoding = "windows-1252"}) == "name|Dvo\u00F8\u00E1k|");
    // A mark is no guess, nor is UTF-8.
    CHECK(read_as("\xEF\xBB\xBFname\nDvo\u0159\u00E1k\n", {.encoding = "windows-1250"}) == "name|Dvo\u0159\u00E1k|");
    for (const std::string& name : csv::encoding_names()) {
        CAPTURE(name);
        CHECK_FALSE(read_as("name\nAda\n\n", {.encoding = name}).empty());
    }
}

TEST_CASE("a first line that names the separator is no row") {
    for (const char* first : {"sep=;\r\n", "sep=;\n", "\"sep=;\"\r\n", "SEP=;\n"})
        CHECK(read_as(std::string(first) + "a,b;c\r\n1;2\r\n") == "a,b|c|1|2|");
    CHECK(read_as("sep=;x\n1\n") == "sep=|x|1|");
}

TEST_CASE("a preview shows the encoding, the columns of four languages and the first rows as they would be stored") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto people = previewed(base,
                                      "E-mail;Vorname;Surname;PLZ;Tel\xE9"
                                      "fono;Bemerkung\nada@example.org;Ada;"
                                      "Dvo\xF8\xE1k;01067;'+49 351 1;x\n",
                                      "customers");
        CAPTURE(people.text);
        REQUIRE(people.status == 200);
        const Value& is = people.data();
        CHECK(is["encoding"].text() == "windows-1250");
        CHECK(is["encoding_guessed"].boolean());
        CHECK(is["mapping"].dump() == R"({"E-mail":"email","Vorname":"first_name","Surname":"last_name",)"
                                      R"("PLZ":"postal_code","Teléfono":"phone","Bemerkung":"notes"})");
        const Value& row = is["rows"][std::size_t{0}];
        CHECK(row["line"].integer() == 2);
        CHECK(row["fields"]["last_name"].text() == "Dvo\u0159\u00E1k");
        CHECK(row["fields"]["phone"].text() == "+49 351 1");
        CHECK(row["problem"].is_null());
        const std::string dates = "trip;date;seats;Precio\nnile;3/4/2027;12;$1,299.50\n";
        const auto unclear = previewed(base, dates, "departures").data()["rows"][std::size_t{0}];
        CHECK(unclear["problem"].text().find("date (start_date): ") == 0);
        for (const auto& [form, day] : {std::pair{"dmy", "2027-04-03"}, {"mdy", "2027-03-04"}}) {
            const auto read =
                previewed(base, dates, "departures", {{"date_form", form}}).data()["rows"][std::size_t{0}];
            CHECK(read["fields"]["start_date"].text() == day);
            CHECK(read["fields"]["price"].number_text() == "1299.50");
        }
        CHECK(previewed(base, dates, "departures", {{"date_form", "ymx"}}).field() == "date_form");
        CHECK(previewed(base, dates, "departures", {{"encoding", "EBCDIC"}}).field() == "encoding");
        CHECK(previewed(base, dates, "bookings of last year").field() == "data_types");
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers") == 0);
        CHECK(base.number("SELECT COUNT(*) FROM svc_tasks") == 0);
    });
}

TEST_CASE("a refused row names the column of the file, beside the job's counts too, and a dry run stores nothing") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const std::string table =
            "Correo;Nombre;M\u00F3vil\nada@example.org;Ada;'+34 600\nbob;Bob;1\n"
            "eve@example.org;Eve;4,41E+11\n";
        const Value tried = job_of(base, {.bytes = table, .kind = "customers", .dry = true});
        CAPTURE(tried.dump());
        CHECK(count_of(tried, "imported") == 1);
        CHECK(tried["failures"].size() == 2);
        CHECK(tried["failures"][std::size_t{0}]["line"].integer() == 3);
        CHECK(tried["failures"][std::size_t{0}]["problem"].text().find("Correo (email): ") == 0);
        CHECK(tried["failures"][std::size_t{1}]["problem"].text().find("M\u00F3vil (phone): ") == 0);
        CHECK(tried["failures"][std::size_t{1}]["problem"].text().find("4,41E+11") != std::string::npos);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers") == 0);
        const Value done = job_of(base, {.bytes = table, .kind = "customers"});
        CHECK(count_of(done, "created") == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers WHERE phone = '+34 600'") == 1);
        CHECK(done["file"]["encoding"].text() == "UTF-8");
        CHECK_FALSE(done["file"]["encoding_guessed"].boolean());
    });
}

TEST_CASE("a country in a table of customers is taken by name or code; another word is refused with its column") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const std::string table =
            "Email;First name;Land\nada@example.org;Ada;Vereinigtes K\u00F6nigreich\nbob@example.org;Bob;es\n"
            "eve@example.org;Eve;Atlantis\nzoe@example.org;Zoe;\n";
        for (const bool dry : {true, false}) {
            const Value done = job_of(base, {.bytes = table, .kind = "customers", .dry = dry});
            CAPTURE(done.dump());
            REQUIRE(done["failures"].size() == 1);
            CHECK(done["failures"][std::size_t{0}]["line"].integer() == 4);
            CHECK(done["failures"][std::size_t{0}]["problem"].text().starts_with("Land (country): "));
        }
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers") == 3);
        CHECK(base.number(
                  "SELECT COUNT(*) FROM svc_customers WHERE email_lower = 'ada@example.org' AND country = 'GB'") == 1);
        CHECK(base.number(
                  "SELECT COUNT(*) FROM svc_customers WHERE email_lower = 'bob@example.org' AND country = 'ES'") == 1);
    });
}

TEST_CASE("an upload takes the parts that the document describes and no others, whole and with a file") {
    const auto database = Database::sqlite();
    TestBase base(*database);
    const auto& admin = base.user("administrator");
    const auto document = base.get("/openapi.json").body;
    struct Upload {
        const char *path, *good;
    };
    for (const Upload& upload : {Upload{"/media", ""},
                                 {"/tools/import", "email,first_name\nada@example.org,Ada\n"},
                                 {"/tools/import/preview", "email,first_name\nada@example.org,Ada\n"},
                                 {"/migration/upload", "<rss></rss>"}}) {
        CAPTURE(upload.path);
        const Value& schema =
            document["paths"][upload.path]["post"]["requestBody"]["content"]["multipart/form-data"]["schema"];
        const Value* properties = schema.find("properties");
        if (!properties)  // defined once among the components
            properties = document["components"]["schemas"][schema.text_or("$ref").substr(21)].find("properties");
        REQUIRE(properties);
        CHECK((*properties)["file"]["format"].text() == "binary");
        const auto rows = base.row_counts();
        const std::string bytes = upload.good[0] != '\0' ? upload.good : red_dot;
        const auto unknown =
            posted_form(base, upload.path,
                        Form{}.file("a.csv", bytes).field("options", R"({"mode":"update","dry_run":true})"), admin);
        CHECK(unknown.status == 400);
        CHECK(unknown.field() == "options");
        CHECK(unknown.text.find("file") != std::string::npos);
        const auto empty = posted_form(base, upload.path, Form{}.file("a.csv", ""), admin);
        CHECK(empty.status == 400);
        CHECK(empty.field() == "file");
        const auto none = posted_form(base, upload.path, Form{}, admin);
        CHECK(none.status == 400);
        CHECK(none.field() == "file");
        const auto twice = posted_form(base, upload.path, Form{}.file("a.csv", bytes).file("b.csv", bytes), admin);
        CHECK(twice.status == 400);
        CHECK(twice.field() == "file");
        const auto text = posted_form(base, upload.path, Form{}.field("file", bytes), admin);
        CHECK(text.status == 400);
        const std::string whole = Form{}.file("a.csv", bytes).whole();
        const auto form = admin.with("Content-Type", "multipart/form-data; boundary=edge");
        for (const std::size_t size : {whole.size() - 8, whole.size() / 2, std::size_t{10}})
            CHECK(base.call("POST", upload.path, whole.substr(0, size), form).status == 400);
        CHECK(base.call("POST", upload.path, whole, admin.with("Content-Type", "text/csv")).status == 415);
        CHECK(base.call("POST", upload.path, whole, admin.with("Content-Type", "multipart/form-data")).status == 400);
        CHECK(base.row_counts() == rows);
    }
    // What a member of the options is not named as.
    const std::string table = "email,first_name\nada@example.org,Ada\n";
    for (const auto& [name, value] : {std::pair{"mode", "replace"},
                                      {"dry_run", "perhaps"},
                                      {"mapping", "no JSON"},
                                      {"encoding", "utf"},
                                      {"date_form", "dym"},
                                      {"data_types", "people"}}) {
        const auto refused =
            posted_form(base, "/tools/import",
                        std::string(name) == "data_types"
                            ? Form{}.file("a.csv", table).field(name, value)
                            : Form{}.file("a.csv", table).field("data_types", "customers").field(name, value),
                        admin);
        CHECK(refused.status == 400);
        CHECK(refused.field() == name);
    }
    CHECK(base.number("SELECT COUNT(*) FROM svc_tasks") == 0);
}

TEST_CASE("a workbook, an old one, a LibreOffice table and a PDF are refused with the way out") {
    const auto database = Database::sqlite();
    TestBase base(*database);
    const std::string zip = "PK\x03\x04";
    for (const std::string& bytes :
         {zip + std::string(26, '\0') + "[Content_Types].xml" + std::string(400, 'x') + "xl/workbook.xml",
          std::string("\xD0\xCF\x11\xE0") + std::string(600, '\0'),
          zip + std::string(26, '\0') + "mimetypeapplication/vnd.oasis.opendocument.spreadsheet"})
        for (const char* path : {"/tools/import", "/tools/import/preview"}) {
            const auto refused = posted_form(base, path, Form{}.file("a.xlsx", bytes).field("data_types", "customers"),
                                             base.user("administrator"));
            CAPTURE(refused.text);
            CHECK(refused.status == 400);
            CHECK(refused.field() == "file");
            CHECK(refused.text.find("Save it there as CSV") != std::string::npos);
        }
    const auto pdf =
        posted_form(base, "/tools/import", Form{}.file("a.pdf", "%PDF-1.7\n").field("data_types", "customers"),
                    base.user("administrator"));
    CHECK(pdf.field() == "file");
}
