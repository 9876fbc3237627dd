import { apiPrefix } from '@/server/rest/handler';
import { hasValues, indent, type Language, onlyValue, replaceParts } from './language';

const needs = '# Needs Python 3.8 or later, and requests: pip install requests';

function text(value: string): string {
  const quoted = (part: string) => JSON.stringify(part).slice(1, -1);
  if (!hasValues(value)) return `"${quoted(value)}"`;
  const whole = onlyValue(value);
  if (whole) return whole;
  const parts = replaceParts(
    value,
    (part) => quoted(part).replace(/[{}]/g, '$&$&'),
    ({ name, isEscaped }) => (isEscaped ? `{quote(${name})}` : `{${name}}`),
  );
  return `f"${parts.join('')}"`;
}

function literal(value: unknown): string {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return 'None';
  if (typeof value !== 'object') return String(value);
  const items = Array.isArray(value)
    ? value.map(literal)
    : Object.entries(value).map(([name, one]) => `"${name}": ${literal(one)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return items.length === 0 ? `${open}${close}` : `${open}\n    ${indent(items.join(',\n'), 4)},\n${close}`;
}

export const python: Language = {
  setUp: ({ origin, apiKey }) => `${needs}
import random, re, time
from datetime import datetime, timedelta, timezone
from urllib.parse import quote

import requests

origin = "${origin}"
key = "${apiKey}"
phone = f"+6591{random.randint(100000, 999999)}"
id = f"T1-{int(time.time())}-{random.randint(0, 32767)}"
billId = f"B-{random.randint(0, 999999)}"
occurredAt = (datetime.now(timezone.utc) - timedelta(hours=1)).isoformat()

def call(method, path, body=None):
    url = f"{origin}${apiPrefix}{path}"
    response = requests.request(method, url, headers={"x-api-key": key}, json=body, timeout=10)
    print(response.status_code, response.text)
    return response.text

def value(answer, name):
    return re.search(f'"{name}":"([^"]*)', answer)[1]

store = value(call("GET", "/ping"), "storeCode")`,

  step({ method, path, body }, kept) {
    const sent = `call("${method}", ${text(path)}${body ? `, ${literal(body)}` : ''})`;
    return kept ? `${kept} = value(${sent}, "${kept}")` : sent;
  },

  whole: ({ method, path, body }, { origin, apiKey }) => `${needs}
import requests

response = requests.${method.toLowerCase()}(
    "${origin}${apiPrefix}${path}",
    headers={"x-api-key": "${apiKey}"},${body ? `\n    json=${indent(literal(body), 4)},` : ''}
    timeout=10,
)
print(response.status_code, response.text)`,
};
