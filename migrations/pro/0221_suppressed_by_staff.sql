-- Who put a mailbox on the list of those that get no marketing: its owner by the link of an e-mail, or staff.
ALTER TABLE svc_email_suppressions ADD COLUMN source TEXT NOT NULL DEFAULT 'link' CHECK (source IN ('link', 'staff'));
CREATE INDEX svc_email_suppressions_created ON svc_email_suppressions (created_at, id);
