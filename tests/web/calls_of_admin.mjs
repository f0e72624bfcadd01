// The calls that the admin's own code names, as "METHOD /path". What the generic screens make of the interface's
// description is not among them.
import fs from 'node:fs';
import path from 'node:path';

const files = (folder) => fs.readdirSync(folder, { withFileTypes: true, recursive: true }).filter((one) => one.isFile() && /\.tsx?$/.test(one.name)).map((one) => path.join(one.parentPath ?? one.path, one.name));
const verbs = { get: 'GET', list: 'GET', post: 'POST', put: 'PUT', remove: 'DELETE' };

export function calls_of_admin(sources) {
  const found = new Set();
  for (const file of ['admin', 'kit'].flatMap((one) => files(path.join(sources, one)))) {
    const text = fs.readFileSync(file, 'utf8');
    for (const [, verb, route] of text.matchAll(/\bapi\.(get|list|post|put|remove)\(\s*'(\/[^']+)'/g)) found.add(`${verbs[verb]} ${route}`);
    for (const [, method, route] of text.matchAll(/\bjson(?:<[^()]*?>)?\(\s*'(get|post|put|delete)',\s*'(\/[^']+)'/g)) found.add(`${method.toUpperCase()} ${route}`);
    for (const [, route] of text.matchAll(/\bfile\(\s*'(\/[^']+)'/g)) found.add(`GET ${route}`);
  }
  return [...found].sort();
}
