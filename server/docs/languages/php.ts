import { apiPrefix } from '@/server/rest/handler';
import { hasValues, indent, type Language, onlyValue, replaceParts } from './language';

const needs = '// Needs PHP 8 or later with its extension curl.';

function text(value: string): string {
  if (!hasValues(value)) return `'${value.replace(/[\\']/g, '\\$&')}'`;
  const whole = onlyValue(value);
  if (whole) return `$${whole}`;
  return replaceParts(
    value,
    (part) => `'${part.replace(/[\\']/g, '\\$&')}'`,
    ({ name, isEscaped }) => (isEscaped ? `rawurlencode($${name})` : `$${name}`),
  ).join(' . ');
}

function literal(value: unknown): string {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const items = Array.isArray(value)
    ? value.map(literal)
    : Object.entries(value).map(([name, one]) => `'${name}' => ${literal(one)}`);
  // PHP writes an empty array as a JSON list.
  if (items.length === 0) return Array.isArray(value) ? '[]' : 'new stdClass()';
  return `[\n    ${indent(items.join(',\n'), 4)},\n]`;
}

export const php: Language = {
  setUp: ({ origin, apiKey }) => `<?php
${needs}
$origin = '${origin}';
$key = '${apiKey}';
$phone = '+6591' . random_int(100000, 999999);
$id = 'T1-' . time() . '-' . random_int(0, 32767);
$billId = 'B-' . random_int(0, 999999);
$occurredAt = date(DATE_ATOM, time() - 3600);

function call($method, $path, $body = null) {
    global $origin, $key;
    $request = curl_init("$origin${apiPrefix}$path");
    curl_setopt($request, CURLOPT_CUSTOMREQUEST, $method);
    curl_setopt($request, CURLOPT_HTTPHEADER, ["x-api-key: $key", 'content-type: application/json']);
    curl_setopt($request, CURLOPT_RETURNTRANSFER, true);
    curl_setopt($request, CURLOPT_TIMEOUT, 10);
    if ($body !== null) curl_setopt($request, CURLOPT_POSTFIELDS, json_encode($body));
    $answer = curl_exec($request);
    echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, "\\n";
    return $answer;
}

function value($answer, $name) {
    preg_match('/"' . $name . '":"([^"]*)/', $answer, $found);
    return $found[1];
}

$store = value(call('GET', '/ping'), 'storeCode');`,

  step({ method, path, body }, kept) {
    const sent = `call('${method}', ${text(path)}${body ? `, ${literal(body)}` : ''})`;
    return kept ? `$${kept} = value(${sent}, '${kept}');` : `${sent};`;
  },

  whole: ({ method, path, body }, { origin, apiKey }) => `<?php
${needs}
$request = curl_init('${origin}${apiPrefix}${path}');
curl_setopt($request, CURLOPT_CUSTOMREQUEST, '${method}');
curl_setopt($request, CURLOPT_HTTPHEADER, ['x-api-key: ${apiKey}', 'content-type: application/json']);
curl_setopt($request, CURLOPT_RETURNTRANSFER, true);
curl_setopt($request, CURLOPT_TIMEOUT, 10);
${body ? `curl_setopt($request, CURLOPT_POSTFIELDS, json_encode(${literal(body)}));\n` : ''}$answer = curl_exec($request);
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, "\\n";`,
};
