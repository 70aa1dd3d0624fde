// The front of the Worker. The site is handed out without starting the engine; what needs the engine
// is counted for each address first. Nothing is logged.
import { headers, documents } from './headers.mjs';
import worker from './worker.mjs';

const dynamic = /^\/(api|s|embed)\//;

export default {
  async fetch(request, env, ctx) {
    const path = new URL(request.url).pathname;
    if (!dynamic.test(path)) return site(request, env, path);
    if (env.REQUESTS && request.method !== 'OPTIONS') {
      const { success } = await env.REQUESTS.limit({ key: request.headers.get('CF-Connecting-IP') ?? 'nobody' });
      if (!success) return refuse(request, 429, 'too many requests from your address; wait ten seconds', { 'Retry-After': '10' });
    }
    try {
      return await worker.fetch(request, env, ctx);
    } catch {
      return refuse(request, 500, 'the engine broke off; nothing was kept');
    }
  },
};

async function site(request, env, path) {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(request, 405, 'only GET and HEAD', { Allow: 'GET, HEAD' });
  const found = await env.ASSETS.fetch(request);
  const response = new Response(found.body, found);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  response.headers.set('Content-Security-Policy', documents[path] ?? documents['']);
  if (env.LINKS) response.headers.set('Squall-Links', 'api/links'); // the page then offers short links
  return response;
}

async function refuse(request, status, error, more = {}) {
  // A body that nobody reads would keep the next request on this connection waiting, or break it.
  await request.body?.pipeTo(new WritableStream());
  return Response.json({ ok: false, error }, {
    status,
    headers: { ...headers, 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox", 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-store', ...more },
  });
}
