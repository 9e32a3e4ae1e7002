// The page: asks the engine, and shows its answers. All text from outside is put in as text, never as markup.
'use strict';
(() => {
  const MOST_TYPED = 10000;
  const MOST_SHOWN = 2000;

  // Title, base, reference, and in one sentence why answers differ, or why they do not.
  const PUZZLES = [
    ['../ that eats a host', 'https://web.archive.org/web/2020/http://example.com/a/b', '../../../g',
      'Most rules see only one host, the first, so that the host inside the path is a segment like others and `..` removes it; by levels, no `..` crosses `//`.'],
    ['/ in an archive', 'https://web.archive.org/web/2020/http://example.com/a/b', '/g',
      'Only the clause of RFC 1630 about longer runs to the right finds the root of the inner site; all others leave for the root of the archive, unless the command is told `--nested`.'],
    ['A query alone', 'http://example.com/list/page?p=1', '?p=2',
      'By RFC 1808, RFC 3986 and browsers, a query alone keeps the page; by the others, its empty path replaces `page` as any path would.'],
    ['Empty reference', 'http://example.com/a#top', '',
      'An empty reference names the page itself; only RFC 1808 takes that as the entire base, with its fragment.'],
    ['Only ?', 'http://example.com/a?q', '?',
      'The query is there, and empty: RFC 1808 counts that as no query, RFC 3986 and browsers as a new one, and the others replace the last segment too.'],
    ['Trailing slash', 'http://example.com/docs/guide', 'intro',
      'All agree: the text after the last slash goes. Add a slash to the base, and nothing is lost: this is why a missing slash moves every link of a page up by a folder.'],
    ['//host', 'http://example.com/a/b', '//cdn.example/x',
      'All agree, for two reasons: by levels the base is cut before its first `//`, by component after its scheme, and here that is one place.'],
    ['// after ///', 'file:///home//ann/x', '//server/y',
      'By levels, `//` replaces from the first run of exactly two slashes on, which is inside this path; by component, it always names a host.'],
    ['Above the root', 'http://example.com/a/b', '../../../g',
      'One `..` finds a folder to leave. For the others there is none: RFC 3986 and browsers drop them, older documents leave them in the path.'],
    ['/x/../g', 'http://example.com/a/b', '/x/../g',
      'Some documents remove dots only from what they merged with the base, and a path with a leading slash is not merged.'],
    ['http:g', 'http://example.com/a/b', 'http:g',
      'It has a scheme, so it is absolute by all documents. Old browsers read it as `g`, and the URL Standard still does.'],
    ['Backslash', 'http://example.com/a/b', '..\\c\\d',
      'In a URI, `\\` is not even a legal character, so documents copy it; browsers read it as `/`, as people write it for files.'],
    [';', 'http://example.com/a/b;type=a', ';x',
      'In RFC 1808, parameters are a part of their own, which a reference can replace alone; for all others `;` is a character of a segment.'],
    ['Not ASCII', 'http://example.com/a/b', 'été 1?naïve=日本',
      'Documents only put texts together and leave each character as it is; browsers percent-encode what a URL may not have.'],
  ];
  // The rows of the table that RFC 1630 and its draft print, and what they print.
  const TABLE = [['g', 'magic://a/b/c//d/e/g'], ['/g', 'magic://a/g'], ['//g', 'magic://g'], ['../g', 'magic://a/b/c//d/g'], ['g:h', 'g:h']];
  const CONTEXT = 'magic://a/b/c//d/e/f';
  const ROWS = TABLE.map(([reference, printed]) => [reference, CONTEXT, reference, reference == '/g'
    ? `RFC 1630 prints \`${printed}\`, which is its draft’s answer. Its own rule has a clause about longer runs to the right, and its author later called the example an error.`
    : `RFC 1630 prints \`${printed}\`, as its rule says, and the others agree.`]);
  const KNOWN = [...PUZZLES, ...ROWS];

  const at = id => document.getElementById(id);
  const element = (name, attributes, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
    }
    made.append(...children);
    return made;
  };
  // A text in which what is between backticks is code, also a backtick.
  const ticks = text => text.split(/`(`|[^`]+)`/).map((part, index) => index % 2 ? element('code', {}, part) : part);
  const hidden = text => element('span', { class: 'hidden' }, text);
  // Cuts a long text short, between characters.
  const short = (text, most) => {
    if (text.length <= most) return text;
    const end = /[\ud800-\udbff]/.test(text[most - 1]) ? most - 1 : most;
    return text.slice(0, end);
  };
  const shown = text => {
    const start = short(text, MOST_SHOWN);
    return start.length < text.length ? `${start}… and ${(text.length - start.length).toLocaleString('en')} more characters` : start;
  };

  const label = name => ({ url7: 'URL7', whatwg: 'URL Standard', browser: 'this browser' })[name] || name.replace(/^rfc/, 'RFC ');
  const listed = names => names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
  const byLevel = name => name == 'rfc1630' || name == 'draft-www-uri-00';

  // ---- The engine ----

  let engine;
  const load = async () => {
    const bytes = Uint8Array.from(atob(at('engine').textContent.trim()), c => c.charCodeAt(0));
    const plain = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
    engine = (await WebAssembly.instantiate(await plain.arrayBuffer())).instance.exports;
  };
  const ask = (base, reference) => {
    const texts = [base, reference].map(text => new TextEncoder().encode(text));
    const input = engine.input(texts[0].length + texts[1].length);
    // Memory that grows is another array.
    const memory = new Uint8Array(engine.memory.buffer, input);
    memory.set(texts[0]);
    memory.set(texts[1], texts[0].length);
    const answer = engine.answer(texts[0].length);
    return JSON.parse(new TextDecoder().decode(new Uint8Array(engine.memory.buffer, answer, engine.answer_len())));
  };
  const askBrowser = (base, reference) => {
    const answer = { name: 'browser', title: 'new URL(reference, base).href', steps: [], differences: [], drawing: null };
    try {
      return { ...answer, uri: new URL(reference, base).href };
    } catch (error) {
      return { ...answer, error: error.message };
    }
  };

  // ---- Answers ----

  // Marks where a text is not the same as another.
  const compared = (text, other) => {
    const whole = shown(text);
    if (other === undefined || text === other) return [whole];
    let start = 0, end = 0;
    while (start < Math.min(whole.length, other.length) && whole[start] === other[start]) start++;
    const most = Math.min(whole.length, other.length) - start;
    while (end < most && whole[whole.length - 1 - end] === other[other.length - 1 - end]) end++;
    const middle = whole.slice(start, whole.length - end);
    return [whole.slice(0, start), ...(middle ? [element('mark', {}, middle)] : []), whole.slice(whole.length - end)];
  };

  const badge = letter => element('span', { class: 'badge', 'data-letter': letter }, hidden('answer '), letter);

  const row = (answer, letter, standard) => {
    const text = answer.error
      ? element('span', { class: 'error' }, 'no answer: ', ...ticks(shown(answer.error)))
      : element('code', { class: 'uri' }, ...compared(answer.uri, standard));
    const note = answer.read_as ? element('small', {}, 'reads the base as ', element('code', {}, shown(answer.read_as))) : '';
    return element('tr', { 'data-rules': answer.name },
      element('th', { scope: 'row' }, answer.name == 'browser' ? 'This browser' : label(answer.name), element('small', {}, answer.title)),
      element('td', {}, badge(letter)), element('td', {}, text, note));
  };

  // ---- Drawings ----

  const part = (kind, text, ...labels) => element('span', { class: kind }, text, ...labels);

  // The base, with the length of each slash run, or with its authority.
  const baseLine = (answer, drawing) => {
    const text = drawing.base.map(([, part]) => part).join('');
    const found = text.search(/[?#]/), end = found < 0 ? text.length : found;
    const labels = new Map();
    if (byLevel(answer.name)) {
      for (const run of text.slice(0, end).matchAll(/\/+/g)) {
        const chosen = drawing.run && drawing.run[0] == run.index;
        labels.set(run.index, [run[0].length, run[0].length, chosen ? 'level chosen' : 'level']);
      }
    } else {
      const authority = text.match(/^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i);
      if (authority) labels.set(authority[0].length - authority[1].length, [authority[1].length, 'authority', 'level component']);
    }
    const line = element('span', { class: 'line' });
    let index = 0;
    for (const [mark, text] of drawing.base) {
      const span = part(mark, '');
      let from = 0;
      while (from < text.length) {
        const found = labels.get(index + from);
        if (found) {
          const labeled = text.slice(from, from + found[0]);
          span.append(element('span', { class: found[2], 'data-label': found[1] }, labeled));
          from += labeled.length;
        } else {
          let to = from + 1;
          while (to < text.length && !labels.has(index + to)) to++;
          span.append(text.slice(from, to));
          from = to;
        }
      }
      line.append(span);
      index += text.length;
    }
    return line;
  };

  const described = drawing => {
    const texts = (parts, kind) => parts.filter(part => part[0] == kind).map(part => `“${part[1]}”`).join(' and ');
    const say = (words, text) => text && `${words} ${text}`;
    return [
      say('Kept of the base:', texts(drawing.base, 'kept')), say('Cut off:', texts(drawing.base, 'cut')),
      say('Removed by dots:', texts([...drawing.base, ...drawing.reference], 'removed')),
      say('Dots that took effect:', texts(drawing.reference, 'dots')),
      say('Taken from the reference:', texts(drawing.reference, 'kept')),
      say('Written by the rules:', texts(drawing.result, 'written')), `Result: ${drawing.result.map(part => part[1]).join('')}`,
    ].filter(Boolean).join('. ');
  };

  const draw = answer => {
    const { drawing } = answer;
    if (!drawing) return element('p', { class: 'faint' }, 'Not drawn: too long, or too much is written in another way.');
    const cut = drawing.base.findIndex(([mark]) => mark == 'cut');
    const before = drawing.base.slice(0, cut < 0 ? undefined : cut).map(([, text]) => text).join('');
    const reference = element('span', { class: 'line' }, element('span', { class: 'indent' }, before));
    for (const [mark, text] of drawing.reference) reference.append(part(mark == 'kept' ? 'from-reference' : mark, text));
    if (!drawing.reference.length) reference.append(element('i', { class: 'faint' }, '(empty)'));
    const result = element('span', { class: 'line' });
    const kinds = { base: 'kept', reference: 'from-reference', written: 'written' };
    for (const [origin, text] of drawing.result) result.append(part(kinds[origin], text));
    const line = (name, line) => [element('span', { class: 'name' }, name), line];
    return element('div', { class: 'drawing', role: 'img', 'aria-label': described(drawing) },
      element('div', { class: 'lines' }, ...line('base', baseLine(answer, drawing)), ...line('reference', reference), ...line('result', result)));
  };

  // ---- Cards: one for each different answer ----

  const isOpen = new Map();

  const step = ({ sentence, document, section, words, decision }) => {
    const source = decision
      ? [element('span', { class: 'decision' }, 'decision'), ' ', ...ticks(decision)]
      : [element('cite', {}, `${document}${section.startsWith('§') ? '' : ','} ${section}`), ' ', element('q', {}, words)];
    return element('li', {}, element('span', { class: 'sentence' }, ...ticks(sentence)), element('span', { class: 'source' }, ...source));
  };

  const details = (answer, opens) => {
    const count = answer.steps.length + (answer.more_steps || 0);
    const open = isOpen.has(answer.name) ? isOpen.get(answer.name) : opens;
    const steps = answer.steps.map(step);
    if (answer.more_steps) steps.push(element('li', {}, `and ${answer.more_steps.toLocaleString('en')} more steps`));
    const summary = element('summary', {}, element('b', {}, label(answer.name)), ` ${count} step${count == 1 ? '' : 's'}`);
    const made = element('details', { open, 'data-rules': answer.name }, summary, draw(answer),
      steps.length ? element('ol', { class: 'steps' }, ...steps) : element('p', { class: 'faint' }, 'No step: the reference is the answer.'));
    // Steps that the reader opened or closed stay so for the next question.
    summary.addEventListener('click', () => isOpen.set(answer.name, !made.open));
    return made;
  };

  const card = (letter, group, standard) => {
    const [first] = group;
    const by = group.map(answer => label(answer.name));
    const title = element('h3', {}, badge(letter), ' ', first.error ? 'no answer' : element('code', { class: 'uri' }, ...compared(first.uri, standard)));
    const names = element('p', { class: 'by' }, `by ${listed(by)}`);
    const reasons = new Map();
    for (const answer of group) for (const [here, there] of answer.differences || []) {
      const key = JSON.stringify([here, there]);
      if (!reasons.has(key)) reasons.set(key, [here, there, []]);
      reasons.get(key)[2].push(label(answer.name));
    }
    const items = [...reasons.values()].map(([here, there, names]) => element('li', {},
      element('b', {}, `${listed(names)}: `), ...ticks(here), ...(there ? [element('br'), element('b', {}, 'RFC 3986: '), ...ticks(there)] : [])));
    const parts = [title, names];
    if (items.length) parts.push(element('div', { class: 'reasons' }, element('h4', {}, 'Not as RFC 3986, because'), element('ul', {}, ...items)));
    const own = group.filter(answer => answer.name != 'browser');
    const failed = own.filter(answer => answer.error);
    if (failed.length) parts.push(element('p', {}, ...ticks(shown(failed[0].error))));
    if (!own.length) parts.push(element('p', {}, 'Browsers do not follow the URL Standard everywhere.'));
    const drawn = own.filter(answer => !answer.error);
    // The best known one comes first, and is open.
    drawn.sort((a, b) => (b.name == 'rfc3986') - (a.name == 'rfc3986'));
    parts.push(...drawn.map((answer, index) => details(answer, index == 0)));
    return element('article', { 'data-letter': letter }, ...parts);
  };

  const render = (base, reference) => {
    const answers = [...ask(base, reference), askBrowser(base, reference)];
    const groups = new Map();
    for (const answer of answers) {
      const key = answer.error ? 'no answer' : `= ${answer.uri}`;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(answer);
    }
    const letters = new Map([...groups.keys()].map((key, index) => [groups.get(key), String.fromCharCode(65 + index)]));
    const standard = answers.find(answer => answer.name == 'rfc3986').uri;
    const rows = [];
    for (const answer of answers) {
      const group = [...groups.values()].find(group => group.includes(answer));
      rows.push(row(answer, letters.get(group), standard));
    }
    at('rows').replaceChildren(...rows);
    at('cards').replaceChildren(...[...groups.values()].map(group => card(letters.get(group), group, standard)));
    const texts = [...groups.values()].map(group => `${letters.get(group)}${group[0].error ? ' (no answer)' : ''} by ${listed(group.map(answer => label(answer.name)))}`);
    const summary = groups.size == 1 ? (answers[0].error ? 'No answer, by no rules.' : 'One answer: all agree.') : `${groups.size} different answers: ${texts.join('; ')}.`;
    if (at('summary').textContent != summary) at('summary').textContent = summary;
    const quoted = text => /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
    const command = `relref compare ${quoted(base)} ${reference.startsWith('-') ? '-- ' : ''}${quoted(reference)}`;
    at('terminal').replaceChildren('The same in a terminal: ', element('code', { class: 'uri' }, shown(command)));
  };

  // ---- State: the inputs, and the fragment of the address, which carries them ----

  const inputs = [at('base'), at('reference')];
  const values = () => inputs.map(input => input.value);
  const link = () => `#${new URLSearchParams({ base: at('base').value, reference: at('reference').value })}`;
  const fromLink = () => {
    const fields = new URLSearchParams(location.hash.slice(1));
    return fields.has('base') ? [fields.get('base'), fields.get('reference') || ''] : null;
  };

  const show = () => {
    const cut = inputs.filter(input => input.value.length > MOST_TYPED);
    for (const input of cut) input.value = short(input.value, MOST_TYPED);
    const names = cut.map(input => input.id == 'base' ? 'base' : 'reference');
    at('too-long').textContent = cut.length ? `The ${listed(names)} was cut after ${MOST_TYPED.toLocaleString('en')} characters.` : '';
    const [base, reference] = values();
    const puzzle = KNOWN.find(puzzle => puzzle[1] == base && puzzle[2] == reference);
    at('hint').replaceChildren(...ticks(puzzle ? puzzle[3] : 'A question of your own. The address of this page has it, to share.'));
    for (const button of document.querySelectorAll('.puzzles button')) {
      button.setAttribute('aria-pressed', button.dataset.base == base && button.dataset.reference == reference);
    }
    render(base, reference);
  };
  const set = values => {
    inputs.forEach((input, index) => { input.value = values[index]; });
    show();
  };

  // Typing makes one entry of the history, at its start; its link follows the text.
  let isTyping = false, timer;
  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    if (location.hash != link()) history.replaceState(null, '', link());
  };
  const onInput = () => {
    if (!isTyping) history.pushState(null, '', link());
    isTyping = true;
    clearTimeout(timer);
    timer = setTimeout(save, 250);
    show();
  };
  const onChange = () => {
    if (timer) save();
    isTyping = false;
  };

  const start = async () => {
    try {
      await load();
    } catch (error) {
      at('summary').textContent = `The engine does not run in this browser: ${error.message}. It needs WebAssembly and DecompressionStream.`;
      return;
    }
    for (const [index, [title, base, reference]] of KNOWN.entries()) {
      const button = element('button', { type: 'button', 'data-base': base, 'data-reference': reference }, title);
      button.addEventListener('click', () => {
        onChange();
        set([base, reference]);
        if (location.hash != link()) history.pushState(null, '', link());
      });
      at(index < PUZZLES.length ? 'puzzles' : 'rows-of-table').append(button);
    }
    for (const input of inputs) {
      input.addEventListener('input', onInput);
      input.addEventListener('change', onChange);
    }
    at('form').addEventListener('submit', event => { event.preventDefault(); onChange(); });
    addEventListener('popstate', () => {
      isTyping = false;
      const values = fromLink();
      if (values) set(values);
    });
    set(fromLink() || [PUZZLES[0][1], PUZZLES[0][2]]);
    document.documentElement.dataset.ready = '';
  };
  start();
})();
