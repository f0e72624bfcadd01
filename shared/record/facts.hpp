// What is true of a table's rows, declared once in the folder of the feature that owns the table: whose they are and
// how an erasure blanks them, what they refer to, who uses them, what exports carry. What features do with the tables
// of others is derived from it: erasures, merges of customers, references that prevent a deletion, archives, counts of
// new rows.
//
//     {.name = "svc_enquiries",
//      .refers = {{.column = "customer_id", .table = "svc_customers", .merged_as = "enquiries"}},
//      .erased = {{.of = {{By::enquiry, "id"}}, .blanked = {{"name"}, {"email"}, {"traveler_counts", null}}}}}
//
// All texts are constants of the code, since statements are assembled of them. Where a column is asked for, an
// expression over the row's columns does too.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shared/json/value.hpp"
#include "shared/store/store.hpp"

namespace svc::facts {

// The value of a column by which a row is a person's: the id of a booking or an enquiry of theirs, of their customer
// record or account; their address in lower case; or a JSON text that holds their address as a whole value.
enum class By : std::uint8_t { booking, enquiry, customer, user, address, mention };

struct Whose {
    By by;
    std::string column;
    std::string condition = {};  // a further one: "kind = 'note'"
};

inline constexpr const char *empty = "''", *null = "NULL", *zero = "0", *no_members = "'{}'", *no_items = "'[]'";

struct Blank {
    std::string column;
    std::string value = empty;  // an expression
};

// The rows of a person, and what an erasure does to them.
struct Erased {
    std::vector<Whose> of;
    std::vector<Blank> blanked = {};  // empty: the rows are deleted
    bool is_record = false;           // the change is written to updated_at and row_version
};

// A text that may name a person as a whole value, in rows of anybody. Equal texts are treated alike.
struct Naming {
    enum class Kind : std::uint8_t { json, words };
    std::string column;
    Kind kind = Kind::json;
    std::string value = {};  // in its place; empty: the rows are deleted
};

// A column with the id of a row of another table, or of this one.
struct Reference {
    std::string column, table;
    // Of svc_customers: a merge gives these rows to the other customer, and shows their number under this name.
    std::string merged_as = {};
    // That row cannot be deleted while this one refers to it; listed records are its users, see Use.
    bool blocks = false;
    // Of svc_customers: the column with the account of the row, empty while it has none; a merge that an account
    // confirms sets it.
    std::string account = {};
};

// How a record of the table is listed where it refers to another one.
struct Listed {
    std::string type;        // an expression: "'trip'"
    std::string title;       // an expression: "title"
    std::string from = {};   // what follows FROM, if it is more than the table: its columns are those of `r`
    std::string key = "id";  // another column than the id identifies it: the list names its title alone
    bool is_first = false;   // before records of other tables
};

// Rows of the table that use a record elsewhere in the installation.
struct Use {
    std::string_view of;   // what is used, see below
    std::string by;        // the table whose records use it, as they are listed
    std::string rows;      // SELECT of the ids, or the keys, of those records; :id is that of what is used
    bool is_shown = true;  // its content is shown with them
};
// Otherwise the name of a table, for references that block. :id is that of a file; :number the same as text; :absolute
// and :relative are patterns, with the escape !, that find its address in a JSON text; :root and :path that the
// addresses begin with.
inline constexpr std::string_view of_media = "media";
// :type is the classification's.
inline constexpr std::string_view of_classification = "classification";
// Amounts in the trip's currency.
inline constexpr std::string_view of_trip_currency = "trip_currency";

// Whether a JSON text of the column names the address of a file.
#define SVC_SHOWS_MEDIA(column) "(" column " LIKE :absolute ESCAPE '!' OR " column " LIKE :relative ESCAPE '!')"

// What an archive of an export carries of the table: a file. References to columns that stay behind do not count.
struct Carried {
    std::string name;                        // of the file: "trips"
    std::vector<std::string> kinds;          // data_types that include it
    std::vector<std::string> key = {};       // natural key: identifies a record without its id
    std::string parent = {};                 // the reference whose record these rows belong to
    std::vector<std::string> left_out = {};  // columns that stay behind: users, files, secrets, sealed answers
    std::string condition = {};
};

// Counted for staff who did not look at the section since.
struct Noticed {
    std::string section, capability;
    std::string condition = {};  // a constant over the columns
};

// A person's rows as a member of the export of their data.
struct Exported {
    enum class Kind : std::uint8_t { text, instant };
    struct Member {
        std::string name, column;
        Kind kind = Kind::text;
    };
    std::string key;  // "emails"
    Whose of;
    std::vector<Member> members;
};

// Rows of somebody without an account become those of the account that proves their address.
struct Claimed {
    std::string account, address;  // columns; the address is in lower case
};

// The rows that make an address a person: their account, customer record, bookings or enquiries.
struct Known {
    By by;             // user, customer, booking or enquiry
    std::string rows;  // SELECT of the ids. :email is the address in lower case, :user the account's id or 0
};

struct Table {
    std::string name;
    std::vector<Reference> refers = {};
    std::vector<Erased> erased = {};
    std::vector<Naming> naming = {};
    std::vector<Listed> listed = {};  // at most one
    std::vector<Use> uses = {};
    std::vector<Carried> carried = {};
    std::vector<Noticed> noticed = {};
    std::vector<Exported> exported = {};
    std::vector<Claimed> claimed = {};
    std::vector<Known> known = {};
};

// Ids are 0, and lists empty, where there is none.
struct Person {
    std::string email = {};  // in lower case
    std::int64_t user_id = 0, customer_id = 0;
    std::vector<std::int64_t> booking_ids = {}, enquiry_ids = {};
};

struct User {
    std::string type, title;
    std::int64_t id = 0;  // 0: identified by its title
};
struct Users {
    std::vector<User> first;
    std::int64_t total = 0;
    // {"total", "items": [{"type", "id", "title"}]}
    [[nodiscard]] json::Value to_json() const;
};

// The facts of all tables, with their statements. Built once; any thread.
class Facts {
  public:
    // In the order of the features, lowest first. Throws std::logic_error for facts that contradict each other.
    explicit Facts(std::vector<Table> tables);

    [[nodiscard]] const std::vector<Table>& tables() const { return tables_; }

    // Whom the address belongs to, which is in lower case.
    [[nodiscard]] Person person(store::Session& session, std::string_view email) const;
    // Blanks and deletes a person's rows, those of higher features first. `changed` is called with the number of rows
    // of a table, also with 0.
    using Changed = std::function<void(std::string_view table, std::int64_t rows)>;
    void erase(store::Transaction& tx, const Person& person, Instant now, const Changed& changed) const;
    // Blanks texts of anybody that name the person, as `names` says of each that holds the address somewhere.
    using Names = std::function<bool(Naming::Kind kind, const std::string& text)>;
    void erase_names(store::Transaction& tx, const Person& person, const Names& names, const Changed& changed) const;
    // The rows of a person under that key of the export, at most 10,000.
    [[nodiscard]] json::Value exported(store::Session& session, std::string_view key, const Person& person) const;

    // How many rows refer to a customer, by the names that a merge shows.
    [[nodiscard]] json::Value customers_rows(store::Session& session, std::int64_t id) const;
    [[nodiscard]] std::vector<std::string> names_of_customers_rows() const;
    void move_customers_rows(store::Transaction& tx, std::int64_t from, std::int64_t to) const;
    // Rows of a customer that no account has.
    [[nodiscard]] std::int64_t rows_without_account(store::Session& session, std::int64_t customer_id) const;
    void give_to_account(store::Transaction& tx, std::int64_t customer_id, std::int64_t user_id, Instant now) const;
    // Rows that the account of that proven address can claim, and claiming them.
    [[nodiscard]] bool has_unclaimed(store::Session& session, std::string_view email) const;
    void claim(store::Transaction& tx, std::int64_t user_id, std::string_view email) const;
    // Whether rows refer to it that prevent its deletion.
    [[nodiscard]] bool is_blocked(store::Session& session, std::string_view table, std::int64_t id) const;

    // The records that use it: how many there are, and `most` of them. `params` has what `of` asks for.
    [[nodiscard]] Users users_of(store::Session& session, std::string_view of, const store::Params& params,
                                 int most) const;
    // Whether there is any; `shown`: one that shows it.
    [[nodiscard]] bool is_used(store::Session& session, std::string_view of, const store::Params& params,
                               bool shown = false) const;

    // Rows made since then.
    [[nodiscard]] static std::int64_t count_since(store::Session& session, const Table& table, const Noticed& noticed,
                                                  Instant since);

  private:
    struct Statement {
        std::string sqlite, postgresql;
    };
    struct Erasing {
        std::string_view table;
        By by;
        Statement statement;
    };
    struct Named {
        std::string_view table;
        Naming::Kind kind;
        std::string find, erase;
    };
    struct Exporting {
        const Exported* member;
        std::string columns;
        Statement statement;
    };
    struct OfCustomer {
        std::string name, count, move, count_without_account = {}, give = {};
    };
    struct Blocking {
        std::string_view table;
        std::string count;
    };
    struct Claiming {
        std::string count, claim;
    };
    // The users of one kind of record.
    struct Using {
        std::string_view of;
        std::string count, count_shown, first;
    };
    void add(const Table& table);
    void add_uses();

    std::vector<Table> tables_;
    std::vector<Erasing> erasing_;
    std::vector<Named> named_;
    std::vector<Exporting> exporting_;
    std::vector<OfCustomer> of_customer_;
    std::vector<Blocking> blocking_;
    std::vector<Claiming> claiming_;
    std::vector<Using> using_;
};

}  // namespace svc::facts
