-- When a contact was last looked at because its state there no longer fits: those that Mailchimp refuses wait behind the
-- others.
ALTER TABLE svc_mailchimp_members ADD COLUMN tried_at BIGINT;
