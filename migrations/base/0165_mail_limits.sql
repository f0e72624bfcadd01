-- Limits of e-mails count mailboxes, not spellings of addresses, and those that strangers cause also by their network:
-- caused_by is empty for an unknown network and NULL for an e-mail that no stranger caused. for_digest: held back, its
-- subject waits for the digest to staff.
ALTER TABLE svc_email_outbox ADD COLUMN to_key TEXT NOT NULL DEFAULT '';
ALTER TABLE svc_email_outbox ADD COLUMN caused_by TEXT;
ALTER TABLE svc_email_outbox ADD COLUMN for_digest BIGINT NOT NULL DEFAULT 0;
CREATE INDEX svc_email_outbox_mailbox ON svc_email_outbox (to_key, created_at) WHERE caused_by IS NOT NULL;
CREATE INDEX svc_email_outbox_cause ON svc_email_outbox (caused_by, created_at) WHERE caused_by IS NOT NULL;
CREATE INDEX svc_email_outbox_digest ON svc_email_outbox (id) WHERE for_digest = 1;
CREATE INDEX svc_email_outbox_kind ON svc_email_outbox (template_key, created_at);
DROP INDEX svc_email_outbox_template;
-- Both domains name the same mailboxes.
UPDATE svc_customers SET email_key = REPLACE(email_key, '@googlemail.com', '@gmail.com')
 WHERE email_key LIKE '%@googlemail.com';
