-- Why an event was given up, for who decides whether it is run again.
ALTER TABLE svc_domain_events ADD COLUMN error TEXT;
