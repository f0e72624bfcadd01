-- What was written about an enquiry after it came: out by staff, in by who asked.
CREATE TABLE svc_enquiry_messages (
    id {{id}},
    enquiry_id BIGINT NOT NULL REFERENCES svc_enquiries(id) ON DELETE CASCADE,
    direction TEXT NOT NULL CHECK (direction IN ('in', 'out')),
    body TEXT NOT NULL,
    author_id BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX svc_enquiry_messages_of ON svc_enquiry_messages (enquiry_id, id);
INSERT INTO svc_enquiry_messages (enquiry_id, direction, body, author_id, created_at) SELECT id, 'out', response_notes, responded_by, responded_at FROM svc_enquiries WHERE response_notes IS NOT NULL AND response_notes <> '' AND responded_at IS NOT NULL ORDER BY responded_at;
