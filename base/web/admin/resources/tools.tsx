// Lists that other screens show.
import { type Resources } from './presentation';

export const tools: Resources = {
  '/tools/jobs': { inside: true },
  '/tools/logs': { inside: true },
  '/cache/view': { inside: true },
  '/notices': { inside: true },
};
