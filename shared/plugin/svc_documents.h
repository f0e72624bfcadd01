/* The ability svc.documents/1: a part of svc_plugin.h, which includes it; its rules and types hold here. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* ---- svc.documents/1: documents of the plugin as PDF, in the site's look
 * --------------------------------------------- The base adds the logo, the seller's block, its colour and fonts, and
 * the number of each page. document: {"title", "language" (empty: the site's), "mark" (at the foot of each page),
 * "made_at" (microseconds; the file's own time: documents that are equal in it too are equal bytes; absent: now),
 * "head" {"kind", "number" (in large letters), "addressee_label", "addressee" [lines], "facts" [[label, value], …]},
 * "blocks" [block, …]}. A block is one of {"type": "heading", "text"}, {"type": "paragraph", "text", "style" (body,
 * strong or small), "listed" (behind a bullet)}, {"type": "facts", "rows" [[label, value], …]}, {"type": "table",
 * "head" [texts], "rows" [[texts], …], "widths" [per cent of the line]}, {"type": "picture", "png_base64", "width_mm"
 * (10 to 170)} and {"type": "page_break"}. Bounds: 4 MiB of text, 2000 blocks, 5000 rows of facts and tables, 8
 * columns, 40 pictures of at most 512 KiB and 4 megapixels each. Texts are plain, in any script. */
#define SVC_DOCUMENTS_1 "svc.documents/1"
typedef struct svc_documents_1 {
    uint32_t size;
    void* self;
    /* Answers {"pdf_hex" (the file, as lower-case hexadecimal), "pages"}. SVC_REFUSED with svc_validation_error and the
     * field at fault ("blocks.3"), or with svc_unavailable when it takes too long. Waits, some 10 ms a page; never in a
     * session's or transaction's callback: SVC_FAILURE_DETACHED. [any thread] */
    svc_status (*pdf)(void* self, svc_text document, svc_answer* answer);
} svc_documents_1;

#ifdef __cplusplus
}
#endif
