-- Methods that customers let us charge later, as plugins see them: without the provider's ids. exp_month and exp_year
-- are 0 where the provider did not say.
CREATE VIEW svc_saved_method_v1 AS
SELECT id, user_id, gateway, brand, last4, exp_month, exp_year, status
FROM svc_saved_payment_methods;
