// Rendered documents in memory, so that a document that did not change is rendered once.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "base/platform/pdf/pdf.hpp"

namespace svc::documents {

// Identifies a document: a digest of everything that is rendered, including the versions of booking and settings.
std::string digest_of(const pdf::Document& document);

// Any thread. The least recently used go first when the bytes are more than may be.
class PrintedPages {
  public:
    explicit PrintedPages(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    using Pages = std::shared_ptr<const pdf::Rendered>;
    Pages find(const std::string& digest);  // null: not there
    void add(const std::string& digest, const Pages& pages);
    [[nodiscard]] std::size_t bytes() const;

  private:
    struct Entry {
        std::string digest;
        Pages pages;
    };
    const std::size_t most_bytes_;
    mutable std::mutex mutex_;
    std::list<Entry> by_use_;  // the latest first
    std::unordered_map<std::string, std::list<Entry>::iterator> by_digest_;
    std::size_t bytes_ = 0;
};

}  // namespace svc::documents
