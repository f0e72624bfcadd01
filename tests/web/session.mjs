// Signing in by the interface, and the cookies of it. Without fetch: that of Debian's Node (18, with its own undici) joins
// several Set-Cookie fields into one.
import http from 'node:http';

// The session of a user: { status, data, cookies }, the cookies as [name, value].
export function session_of(api, username, password, headers = {}) {
  const body = JSON.stringify({ username, password });
  return new Promise((resolve, reject) => {
    const request = http.request(`${api}/auth/login`, { method: 'POST', headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...headers } }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        try {
          const { data } = JSON.parse(Buffer.concat(parts).toString());
          const cookies = (answer.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]);
          resolve({ status: answer.statusCode, data, cookies });
        } catch (failure) {
          reject(failure);
        }
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
