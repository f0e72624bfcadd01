// The protocol between a session and PostgreSQL: single statements, or several with one wait for all.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <libpq-fe.h>

namespace svc::store {

// Used by one thread at a time. Errors of server or connection are thrown as soci::postgresql_soci_error.
class PostgresWire {
  public:
    explicit PostgresWire(PGconn* connection) : connection_(connection) {}

    struct Clear {
        void operator()(PGresult* result) const { PQclear(result); }
    };
    using Answer = std::unique_ptr<PGresult, Clear>;
    using Values = std::vector<const char*>;  // in text format

    // A statement that is prepared once, in the same trip as its first use.
    struct Named {
        std::string name;
        std::string text;  // until the server has it
    };
    Named named(std::string text);
    void forget(const Named& statement) noexcept;

    // Sends postponed statements first, in the same trip.
    Answer ask(Named& statement, const Values& values);
    Answer say(const char* text);  // without preparing it
    // Both wait for the next ask() or say(); the values are copied.
    void postpone(Named& statement, const Values& values);
    void postpone(std::string text);
    // The next statement, and postponed ones that wait for it, get a generic plan; later ones of an open transaction
    // are planned as those before it.
    void use_generic_plan();

    [[nodiscard]] bool waits() const { return !off_.empty(); }
    void settle();  // sends postponed statements
    void drop() {   // it was never sent
        off_.clear();
        restores_ = false;
    }

    void close() { connection_ = nullptr; }  // prepared statements end with the connection

    // Whether the server has not closed the connection, as far as is known without asking it.
    [[nodiscard]] bool is_open();

  private:
    struct Put {
        std::string name, text;  // one of them
        std::vector<std::string> values;
    };
    void prepare(Named& statement);
    bool send(const Put& put);
    bool send(const std::string& name, const Values& values);
    Answer all(Named* statement, const char* text, const Values& values);
    Answer checked(PGresult* result);
    [[noreturn]] void refuse(const PGresult* result);

    PGconn* connection_;
    std::vector<Put> off_;
    std::uint64_t named_ = 0;
    Named one_plan_, own_plan_;  // unnamed before their first use
    bool restores_ = false;      // the plans' settings, after the next statement
};

}  // namespace svc::store
