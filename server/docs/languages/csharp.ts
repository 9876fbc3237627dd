import { apiPrefix } from '@/server/rest/handler';
import { asJson, hasValues, indent, type Language, replaceParts } from './language';

const needs = '// Needs .NET 8 or later. It is a whole Program.cs.';

function path(value: string): string {
  const parts = replaceParts(
    value,
    (part) => part,
    ({ name, isEscaped }) => (isEscaped ? `{Uri.EscapeDataString(${name})}` : `{${name}}`),
  );
  return `${hasValues(value) ? '$' : ''}"${parts.join('')}"`;
}

/** A raw text with the body's JSON, in which values stand in two braces. */
function json(body: object): string {
  const written = asJson(body);
  const parts = replaceParts(
    written,
    (part) => part,
    ({ name }) => `{{${name}}}`,
  );
  return `${hasValues(written) ? '$$' : ''}"""\n    ${indent(parts.join(''), 4)}\n    """`;
}

export const csharp: Language = {
  setUp: ({ origin, apiKey }) => `${needs}
using System.Text;
using System.Text.RegularExpressions;

var origin = "${origin}";
var key = "${apiKey}";
var phone = $"+6591{Random.Shared.Next(100000, 1000000)}";
var id = $"T1-{DateTimeOffset.UtcNow.ToUnixTimeSeconds()}-{Random.Shared.Next(32768)}";
var billId = $"B-{Random.Shared.Next(1000000)}";
var occurredAt = DateTimeOffset.UtcNow.AddHours(-1).ToString("O");
using var http = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };

async Task<string> Call(string method, string path, string? body = null)
{
    using var request = new HttpRequestMessage(new HttpMethod(method), $"{origin}${apiPrefix}{path}");
    request.Headers.Add("x-api-key", key);
    if (body != null) request.Content = new StringContent(body, Encoding.UTF8, "application/json");
    using var response = await http.SendAsync(request);
    var answer = await response.Content.ReadAsStringAsync();
    Console.WriteLine($"{(int)response.StatusCode} {answer}");
    return answer;
}

string Value(string answer, string name) => Regex.Match(answer, $"\\"{name}\\":\\"([^\\"]*)").Groups[1].Value;

var store = Value(await Call("GET", "/ping"), "storeCode");`,

  step({ method, path: address, body }, kept) {
    const sent = `await Call("${method}", ${path(address)}${body ? `, ${json(body)}` : ''})`;
    return kept ? `var ${kept} = Value(${sent}, "${kept}");` : `${sent};`;
  },

  whole: ({ method, path: address, body }, { origin, apiKey }) => `${needs}
using System.Text;

using var http = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };
using var request = new HttpRequestMessage(new HttpMethod("${method}"), "${origin}${apiPrefix}${address}");
request.Headers.Add("x-api-key", "${apiKey}");
${body ? `request.Content = new StringContent(${json(body)}, Encoding.UTF8, "application/json");\n` : ''}using var response = await http.SendAsync(request);
Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");`,
};
