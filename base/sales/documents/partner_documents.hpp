// Documents of plugins: their blocks in the frame of the base's own, see svc.documents/1.
#pragma once

#include "base/sales/documents/frame.hpp"
#include "base/sales/documents/issuing.hpp"

namespace svc::documents {

// Any thread. Waits; refuses to wait inside a transaction.
class PartnerDocuments {
  public:
    struct Parts {
        store::Store& store;
        hooks::Hooks& hooks;
        const settings::Settings& settings;
        Logos& logos;
        const Clock& clock;
    };
    explicit PartnerDocuments(const Parts& parts)
        : settings_(parts.settings),
          clock_(parts.clock),
          seller_(parts.store, parts.settings, parts.clock),
          frames_(parts.hooks, parts.settings, parts.logos, parts.clock) {}

    // svc_validation_error with the field at fault ("blocks.3"); svc_unavailable when setting it takes too long.
    [[nodiscard]] Result<pdf::Rendered> pdf(const json::Value& document) const;

  private:
    const settings::Settings& settings_;
    const Clock& clock_;
    Issuing seller_;
    Frames frames_;
};

}  // namespace svc::documents
