// A document behind the plugin interface.
#include "shared/plugin/host_documents.hpp"

#include "shared/plugin/codec.hpp"

namespace svc::plugin {

Result<std::string> Documents::pdf(const json::Value& document) const {
    const std::string text = document.dump();
    Answer answer;
    SVC_ASSIGN_OR_RETURN(const auto value, answer.value(table_->pdf(table_->self, borrow(text), answer.table())));
    return unhex(text_of(value, "pdf_hex"), "pdf_hex");
}

}  // namespace svc::plugin
