// svc.documents/1: a plugin's blocks as PDF, by the base's documents.
#include "base/plugins/outside.hpp"
#include "shared/core/ascii.hpp"

namespace svc::plugins {
namespace {

constexpr std::size_t most_document = std::size_t{4} << 20;

svc_status set_document(void* self, svc_text text, svc_answer* answer) noexcept {
    return outside(self, answer, "A document is not set", [&](Registration& r) {
        if (text.size > most_document)
            throw plugin::Malformed("A document has at most 4 MiB.");
        const auto rendered = r.services.print(plugin::read_json(text));
        if (!rendered)
            return plugin::answer_error(answer, rendered.error());
        return plugin::answer_value(
            answer, json::Value::object({{"pdf_hex", ascii::hex(rendered->bytes)}, {"pages", rendered->pages}}));
    });
}

}  // namespace

svc_documents_1 documents_table_of(Registration& r) { return {sizeof(svc_documents_1), &r, &set_document}; }

}  // namespace svc::plugins
