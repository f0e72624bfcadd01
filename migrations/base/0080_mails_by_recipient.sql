-- How many e-mails somebody has had lately, however the address is written.
CREATE INDEX svc_email_outbox_recipient ON svc_email_outbox (lower(to_email), created_at);
