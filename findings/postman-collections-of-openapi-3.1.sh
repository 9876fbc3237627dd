#!/usr/bin/env bash
# openapi-to-postmanv2 6.3.3 makes requests with other money and other fixed words than a valid OpenAPI 3.1 document says.
#
# 3.1 takes JSON Schema's `examples` and `const`. With `parametersResolution: 'Example'`, which is to take the examples:
# - a price whose `examples` is [1250] is sent as a random number (the same schema in a query gets its example);
# - `const: 'cash'` becomes an empty text, or "string" where a type stands beside it;
# - `type: ['string', 'null']` gives null or "string" by chance, whatever its `examples` are.
# What 3.0 said with `example`, and with an `enum` of one, is taken from a document of 3.1 too.
# So who imports the document into Postman pays a random amount by no method, and learns that the API refuses its own document.
# Write the whole body's `example` beside the schema.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund openapi-to-postmanv2@6.3.3 >/dev/null 2>&1
cat > convert.cjs <<'JS'
const { convertV2 } = require('openapi-to-postmanv2');
const properties = {
  price: { type: 'integer', minimum: 0, examples: [1250] },
  method: { const: 'cash' },
  kind: { type: 'string', const: 'sale' },
  note: { type: ['string', 'null'], examples: ['no onions'] },
  oldPrice: { type: 'integer', example: 1250 },
  oldMethod: { type: 'string', enum: ['cash'] },
};
const data = {
  openapi: '3.1.0',
  info: { title: 'Till', version: '1' },
  paths: { '/sales': { post: {
    parameters: [{ name: 'price', in: 'query', schema: properties.price }],
    requestBody: { content: { 'application/json': { schema: { type: 'object', required: Object.keys(properties), properties } } } },
    responses: { 200: { description: 'Recorded' } },
  } } },
};
convertV2({ type: 'json', data }, { parametersResolution: 'Example' }, (_error, { output: [{ data: collection }] }) => {
  const { body, url } = collection.item[0].request ? collection.item[0].request : collection.item[0].item[0].request;
  const { price, note, ...others } = JSON.parse(body.raw);
  console.log(`price in the query ${url.query[0].value}, in the body ${price === 1250 ? 1250 : `another ${typeof price}`}; note is ${note === 'no onions' ? 'the example' : 'something else'}`);
  console.log(JSON.stringify(others));
});
JS
output=$(node convert.cjs)
printf '%s\n' "$output"
expected='price in the query 1250, in the body another number; note is something else
{"method":"","kind":"string","oldPrice":1250,"oldMethod":"cash"}'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
