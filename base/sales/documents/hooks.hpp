// The filters that documents pass through.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::documents {

inline const hooks::Filter token_ttl{"svc_invoice_token_ttl_seconds",
                                     "Validity of an invoice_token in seconds; default 365 days.",
                                     json::Kind::number,
                                     {}};
inline const hooks::Filter payment_instructions{
    "svc_invoice_payment_instructions",
    "Payment instructions on an invoice: those of the booking's offline gateway, else none. The"
    " payment is null where the invoice is of the booking itself.",
    json::Kind::array,
    {"booking", "payment"},
    R"([""])"};
inline const hooks::Filter remote_enabled{
    "svc_pdf_remote_enabled",
    "Whether documents may load pictures from other servers; false allows only this installation's.",
    json::Kind::boolean,
    {}};
inline const hooks::Filter logo_url{"svc_pdf_branding_logo_url",
                                    "Address of the logo on documents; default: the setting company_logo.",
                                    json::Kind::string,
                                    {"document"}};
inline const hooks::Filter header_color{
    "svc_pdf_header_color", "Colour of lines and headings on documents, as #rrggbb.", json::Kind::string, {"document"}};
inline const hooks::Filter default_font{
    "svc_pdf_default_font",
    "The font families of documents in order of preference, comma-separated; what they lack comes from other installed"
    " fonts.",
    json::Kind::string,
    {"document"}};

inline const hooks::Filter document_mark{"svc_document_mark",
                                         "A word at the foot of every page of a document; empty: none.",
                                         json::Kind::string,
                                         {"document", "now"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const hooks::Filter& filter :
         {token_ttl, payment_instructions, remote_enabled, logo_url, header_color, default_font, document_mark})
        hooks.declare(filter);
}

}  // namespace svc::documents
