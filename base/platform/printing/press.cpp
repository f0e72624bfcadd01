// The entry of libsvc-press.so.
#include "base/platform/printing/press.hpp"

#include "base/platform/files/content_type.hpp"

extern "C" __attribute__((visibility("default"))) const svc::printing::Crafts* svc_press() {
    using namespace svc;
    static constexpr printing::Crafts crafts{.version = SVC_VERSION,
                                             .rendered = &pdf::rendered,
                                             .csv = &sheets::csv,
                                             .xlsx = &sheets::xlsx,
                                             .save = &sheets::save,
                                             .calendar = &ical::text_of,
                                             .look_at = &images::look_at,
                                             .shown_of = &images::shown_of,
                                             .copies_of = &images::copies_of,
                                             .to_jpeg = &images::to_jpeg,
                                             .content_type = &files::content_type};
    return &crafts;
}
