-- Files that answer a booking form, sealed; an answer is the code. A file of a checkout session becomes its booking's.
CREATE TABLE svc_booking_form_files (
    id {{id}},
    code TEXT NOT NULL UNIQUE,
    session_id BIGINT,
    booking_id BIGINT REFERENCES svc_bookings(id) ON DELETE CASCADE,
    field TEXT NOT NULL,
    name TEXT NOT NULL,
    mime_type TEXT NOT NULL,
    byte_size BIGINT NOT NULL CHECK (byte_size > 0),
    content TEXT NOT NULL,
    is_answer BIGINT NOT NULL CHECK (is_answer IN (0, 1)),
    created_at BIGINT NOT NULL
);
CREATE INDEX svc_booking_form_files_session ON svc_booking_form_files (session_id);
CREATE INDEX svc_booking_form_files_booking ON svc_booking_form_files (booking_id);
CREATE INDEX svc_booking_form_files_unused ON svc_booking_form_files (created_at) WHERE is_answer = 0;
