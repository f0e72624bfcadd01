// How a resource's list and form look; everything that is not said here comes from OpenAPI.
import type { ComponentChildren, ComponentType } from 'preact';

import type { Column, Row } from '../../kit/list';
import type { Form, Values } from '../../kit/use-form';

export interface Presentation {
  label?: string;
  one?: string; // "trip"
  columns?: Column[];
  filters?: string[];
  empty?: string;
  search?: string;
  href?: (row: Row) => string;
  groups?: { title: string; fields: string[] }[]; // of the form; what none names comes last
  without?: string[]; // fields that the form leaves out
  tree?: boolean; // nested by parent_id
  view?: (row: Row) => string | null; // the record's public page
  arranged?: boolean; // in an order of its own, by POST {path}/orders
  own?: Record<string, ComponentType<{ form: Form }>>; // controls that no kind of field has
  beside?: ComponentType<{ form: Form; saved?: Values }>; // shown beside the form
  begun?: Values; // what a new one has before anybody types
  hides?: (values: Values) => string[]; // fields that mean nothing for these values
}

export type Resources = Record<string, Presentation>; // by path

export const title = (row: Row): ComponentChildren => row.title ?? row.name ?? row.label;
