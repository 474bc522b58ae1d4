// Shows the document with Swagger UI, and makes changing a record a matter of two clicks: the eTag of the record that was read
// or written last stands on top of the page and is filled into If-Match, and its id into the path, wherever they fit.

const place = document.getElementById('docs');
const banner = document.getElementById('etag');

/** The operation of the document that a request was for. */
function operationOf(spec, { url, method }) {
  const { pathname } = new URL(url, location.href);
  for (const [path, item] of Object.entries(spec.paths)) {
    const pattern = new RegExp(`${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`);
    const operation = item[method.toLowerCase()];
    if (operation !== undefined && pattern.test(pathname)) return operation;
  }
  return undefined;
}

/** The path parameter that takes the id of what an operation answers: Shipment is shipmentID. */
function idParameter(operation) {
  const success = operation.responses['200'] ?? operation.responses['201'];
  const name = success?.content?.['application/json']?.schema?.$ref?.split('/').pop();
  return name === undefined ? undefined : `${name[0].toLowerCase()}${name.slice(1)}ID`;
}

/** Fills a value into a parameter of every operation whose path has one of these parameters. */
function fill(ui, spec, pathParameters, location, name, value) {
  for (const [path, item] of Object.entries(spec.paths)) {
    if (!pathParameters.some((parameter) => path.includes(`{${parameter}}`))) continue;
    for (const [method, operation] of Object.entries(item)) {
      const takesIt = operation.parameters
        ?.map((parameter) => resolve(spec, parameter))
        .some(
          (parameter) =>
            parameter.in === location && parameter.name === name && (parameter.required || location === 'path'),
        );
      if (takesIt) ui.specActions.changeParam([path, method], name, location, value, false);
    }
  }
}

function resolve(spec, part) {
  if (part.$ref === undefined) return part;
  return part.$ref
    .slice(2)
    .split('/')
    .reduce((found, name) => found[name], spec);
}

function element(name, text, onClick) {
  const made = document.createElement(name);
  made.textContent = text;
  if (onClick) made.addEventListener('click', onClick);
  return made;
}

function show(kind, title, eTag, note, action) {
  const copy = element('button', 'Copy', () => navigator.clipboard.writeText(eTag));
  banner.dataset.kind = kind;
  banner.replaceChildren(
    element('strong', title),
    element('code', eTag),
    copy,
    ...(action ? [action] : []),
    element('span', note),
  );
  banner.hidden = false;
}

/** What an answer tells about versions. */
function learn(ui, request, response) {
  const spec = ui.specSelectors.specJson().toJS();
  const operation = operationOf(spec, request);
  let body;
  try {
    body = JSON.parse(response.text);
  } catch {
    return;
  }
  if (operation === undefined || body === null || Array.isArray(body)) return;
  const id = idParameter(operation);
  if (response.ok && id !== undefined && typeof body.eTag === 'string') {
    // An address shares the version of its shipment, whose id stands in the same paths.
    const versioned = id === 'addressID' ? ['shipmentID'] : [id];
    fill(ui, spec, [id], 'path', id, body.id);
    for (const name of ['pickupAddress', 'destinationAddress']) {
      if (body[name]) fill(ui, spec, ['addressID'], 'path', 'addressID', body[name].id);
    }
    fill(ui, spec, versioned, 'header', 'If-Match', body.eTag);
    show(
      'read',
      `eTag of the ${id.slice(0, -2)} you read last`,
      body.eTag,
      'It is filled into If-Match where it fits.',
    );
  } else if (response.status === 412 && typeof body.currentETag === 'string') {
    const use = element('button', 'Use it', () => {
      fill(ui, spec, [id === 'addressID' ? 'shipmentID' : id], 'header', 'If-Match', body.currentETag);
      show('read', 'Current eTag', body.currentETag, 'It is filled into If-Match where it fits.');
    });
    show(
      'conflict',
      'Somebody was faster. Current eTag',
      body.currentETag,
      'Look at "changes" in the answer first.',
      use,
    );
  }
}

/** The operations that have all words somewhere: in the path, the method, the name or a text. */
function opsFilter(groups, phrase) {
  const words = phrase.toLowerCase().split(/\s+/);
  const has = (tag) => (entry) => {
    const texts = ['operationId', 'summary', 'description'].map((name) => entry.getIn(['operation', name]));
    const all = [tag, entry.get('method'), entry.get('path'), ...texts].join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  };
  return groups
    .map((group, tag) => group.update('operations', (operations) => operations.filter(has(tag))))
    .filter((group) => group.get('operations').size > 0);
}

/** What most readers look for comes first, what only monitoring calls comes last. */
const TAGS = ['Shipments', 'Moves', 'Agents', 'Services', 'Addresses', 'Imports', 'Events', 'Webhooks', 'History'];
/** Paths with a prefix repeat others, and come after them. */
const orderOf = (entry) => (entry.get('path').startsWith('/v1/') ? '' : '~') + entry.get('path');
const rankOf = (tag) => (TAGS.includes(tag) ? TAGS.indexOf(tag) : TAGS.length);

/**
 * The parts of Swagger UI, in a layout of our own: inside the landmarks of this page, and without a choice between servers, of which there
 * is one. The introduction is folded, so that the page begins with operations.
 */
function layout({ React }) {
  const make = React.createElement;
  const Head = ({ getComponent, specSelectors }) => {
    const [info, Markdown] = [specSelectors.info(), getComponent('Markdown', true)];
    return make(
      'header',
      { className: 'head' },
      make('h1', null, `${info.get('title')} API `, make('small', null, info.get('version'))),
      make('p', null, info.get('summary')),
      make(
        'details',
        { className: 'info' },
        make('summary', null, 'How versions, retries, lists and errors work'),
        make(Markdown, { source: info.get('description') }),
      ),
    );
  };
  const Search = ({ getComponent, layoutActions, layoutSelectors, specSelectors }) => {
    const phrase = layoutSelectors.currentFilter();
    const isFound = typeof phrase !== 'string' || specSelectors.taggedOperations().size > 0;
    return make(
      'div',
      { role: 'search' },
      make('h2', { className: 'unseen' }, 'Operations'),
      make('input', {
        type: 'search',
        'aria-label': 'Search operations',
        placeholder: 'Search operations: a path, a word, …',
        onChange: ({ target }) => layoutActions.updateFilter(target.value.trim() || false),
      }),
      make(getComponent('AuthorizeBtnContainer', true)),
      make('p', { role: 'status' }, isFound ? '' : 'No operation has all these words.'),
    );
  };
  const Reference = ({ getComponent, specSelectors, layoutSelectors }) => {
    const part = (name) => make('div', { className: `wrapper ${name}`, key: name }, make(getComponent(name, true)));
    if (specSelectors.loadingStatus() === 'loading') return make('p', { className: 'wrapper' }, 'Loading …');
    const isSearching = typeof layoutSelectors.currentFilter() === 'string';
    const parts = ['errors', 'Head', 'Search', 'operations', ...(isSearching ? [] : ['Models'])];
    return make('div', { className: 'swagger-ui' }, part('SvgAssets'), parts.map(part));
  };
  // The path of an operation stands inside the button that opens it, where no link may be. The address follows what is open all the same.
  const DeepLink = ({ text }) => make('span', null, text);
  return { components: { Head, Search, Reference }, wrapComponents: { DeepLink: () => DeepLink }, fn: { opsFilter } };
}

/** What Swagger UI leaves without a name for screen readers, or out of the keyboard's reach. */
const REPAIRS = {
  '.close-modal': (button) => button.setAttribute('aria-label', 'Close'),
  '.modal-btn[aria-label]': (button) => button.removeAttribute('aria-label'),
  '.body-param__text': (text) => text.setAttribute('aria-label', 'Request body'),
  'tr[data-param-name] select': (select) => select.setAttribute('aria-label', select.closest('tr').dataset.paramName),
  'pre.microlight': (example) => (example.tabIndex = 0),
};

new MutationObserver(() => {
  for (const [selector, repair] of Object.entries(REPAIRS)) place.querySelectorAll(selector).forEach(repair);
}).observe(place, { childList: true, subtree: true });

let lastRequest;
const ui = SwaggerUIBundle({
  url: place.dataset.document,
  domNode: place,
  plugins: [layout],
  layout: 'Reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  tagsSorter: (one, other) => rankOf(one) - rankOf(other),
  operationsSorter: (one, other) => orderOf(one).localeCompare(orderOf(other)),
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  syntaxHighlight: false,
  requestInterceptor: (request) => {
    lastRequest = request;
    return request;
  },
  responseInterceptor: (response) => {
    if (!response.url?.endsWith('/openapi.json'))
      learn(ui, { url: response.url, method: lastRequest.method ?? 'GET' }, response);
    return response;
  },
});
