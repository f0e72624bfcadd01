// Every list of staff as a file, whole: one route for each, beside the list, with its filters, its permission and its
// reader. The files of what a table can hold have the fields that an import of it takes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/data/import_export/csv_kinds.hpp"
#include "base/platform/sheets/sheets.hpp"

namespace svc::import_export {

// Built at start; afterwards any thread.
class ListFiles {
  public:
    ListFiles(const Site& site, const CsvKinds& kinds) : site_(site), kinds_(kinds) {}

    // Adds `…/export` to each list that is there, of plugins too, that only staff may read and that has no files of its
    // own. Called once, when all lists are there.
    void add_routes();

  private:
    struct Column {
        std::string name;
        api::Type type;
        std::string member = {}, below = {};  // of the list's row, and of its object; empty: a field of the import
    };
    // A list and its file.
    struct File {
        api::RouteSpec pages;  // the list's own, read in larger pages
        const CsvKind* kind = nullptr;
        std::vector<Column> columns;
    };
    [[nodiscard]] File file_of(const api::RouteSpec& list) const;
    [[nodiscard]] api::Reply saved(const File& file, const api::Request& request) const;
    [[nodiscard]] sheets::Cell cell_of(const Column& column, const json::Value& value, bool exact) const;

    const Site& site_;
    const CsvKinds& kinds_;
};

}  // namespace svc::import_export
