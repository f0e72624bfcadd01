-- An e-mail's texts, sealed: their links hold tokens. Those of e-mails from before are in body_html and body_text.
ALTER TABLE svc_email_outbox ADD COLUMN body_sealed TEXT;
