// Packages of Node: reads a case a line from standard input, and prints its links.
//
//     node tools.mjs NAME TABLE
//
// cheerio has no function for links: the adapter is what its users write, with the URL parser of Node. linkinator fetches the page
// through a proxy on the loopback address, which answers every other request with 404.

import http from 'node:http';
import { createInterface } from 'node:readline';

const [name, json] = process.argv.slice(2);
const table = JSON.parse(json);

const join = (reference, base) => (URL.canParse(reference, base) ? new URL(reference, base).href : null);

async function cheerio() {
  const { loadBuffer } = await import('cheerio');
  // Links have names in lower case; in XML, no others are the same.
  const camels = ['linearGradient', 'radialGradient', 'textPath', 'feImage'];
  return ({ page, url, charset, type }) => {
    const options = type == 'text/html' ? { scriptingEnabled: false } : { xml: true };
    const $ = loadBuffer(page, { encoding: { transportLayerEncodingLabel: charset ?? undefined }, ...options });
    const base = join($('base[href]').first().attr('href') ?? '', url) ?? url;
    const links = [];
    $('*').each((_, element) => {
      if (type != 'text/html' && camels.some(camel => camel.toLowerCase() == element.name)) return;
      const name = camels.includes(element.name) ? element.name.toLowerCase() : element.name;
      for (const [local_name, value] of Object.entries(element.attribs)) {
        const prefix = element['x-attribsPrefix']?.[local_name];
        const attribute = prefix ? `${prefix}:${local_name}` : local_name;
        const sort = table[`${name} ${attribute}`] ?? '';
        if (!sort.startsWith('URL') || (!value && !sort.includes('also empty'))) continue;
        if (name == 'input' && attribute == 'src' && element.attribs.type?.toLowerCase() != 'image') continue;
        links.push([name, attribute, join(value, base)]);
      }
    });
    return { links: links.filter(link => link[2]) };
  };
}

async function linkinator() {
  let current = { url: '' };
  const server = http.createServer((request, response) => {
    const url = request.url.startsWith('/') ? `http://${request.headers.host}${request.url}` : request.url;
    const is_page = url == current.url;
    response.writeHead(is_page ? 200 : 404, { 'Content-Type': is_page ? current.type : 'text/plain' });
    response.end(is_page && request.method == 'GET' ? current.page : '');
  });
  server.on('connect', (request, socket) => {
    socket.on('error', () => {});
    if (request.url.endsWith(':443')) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    server.emit('connection', socket);
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  process.env.http_proxy = process.env.https_proxy = `http://127.0.0.1:${server.address().port}`;
  const { LinkChecker } = await import('linkinator');
  return async ({ page, url, charset, type }) => {
    if (!url.startsWith('http://') || url.includes('@')) return { not_run: 'https, a user or a file' };
    current = { url: new URL(url.split('#')[0]).href, page, type: type + (charset ? `; charset=${charset}` : '') };
    const result = await new LinkChecker().check({ path: current.url, checkCss: true, timeout: 5000, retryErrors: false });
    return { urls: result.links.filter(link => link.parent).map(link => link.url) };
  };
}

const links = await { cheerio, linkinator }[name]();
for await (const line of createInterface({ input: process.stdin })) {
  const { id, page, url, charset, type } = JSON.parse(line);
  let answer;
  try {
    answer = await links({ page: Buffer.from(page, 'base64'), url, charset, type });
  } catch (error) {
    answer = { error: String(error).slice(0, 300) };
  }
  console.log(JSON.stringify({ id, ...answer }));
}
process.exit();
