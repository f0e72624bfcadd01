// Lists of trips: suggestions while one types, and filters that change the list in place.
import { suggest } from './parts/suggest';
import { filter_in_place } from './parts/filters';

for (const field of document.querySelectorAll<HTMLInputElement>('.svc-search input[name=search]')) suggest(field);
const results = document.querySelector<HTMLElement>('#results');
if (results) filter_in_place(results);
