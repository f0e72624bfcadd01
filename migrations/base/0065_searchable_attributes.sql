-- Until now trips were found by all that they say about attributes, whatever `searchable` was; it stays so until staff
-- say otherwise.
UPDATE svc_classifications SET details = REPLACE(details, '"searchable":false', '"searchable":true')
    WHERE type = 'attribute';
