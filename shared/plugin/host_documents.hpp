// Documents of a plugin as PDF, in the site's look: svc.documents/1 as a plugin sees it.
#pragma once

#include "shared/plugin/host.hpp"

namespace svc::plugin {

class Documents {
  public:
    using Table = svc_documents_1;
    static constexpr const char* id = SVC_DOCUMENTS_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_documents_1, table, pdf); }
    explicit Documents(const Table* table) : table_(table) {}

    // The bytes of the file; `document` as svc_documents.h describes it. svc_validation_error names the block at fault
    // ("blocks.3"). Throws Failed inside a transaction or a session's callback.
    [[nodiscard]] Result<std::string> pdf(const json::Value& document) const;

  private:
    const Table* table_;
};

}  // namespace svc::plugin
