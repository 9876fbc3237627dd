import { apiPrefix } from '@/server/rest/handler';
import { asJson, hasValues, indent, type Language, replaceParts } from './language';

const imports = `import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;`;

const path = (value: string) =>
  replaceParts(
    value,
    (part) => `"${part}"`,
    ({ name, isEscaped }) => (isEscaped ? `URLEncoder.encode(${name}, StandardCharsets.UTF_8)` : name),
  ).join(' + ');

/** A text block with the body's JSON. */
function json(body: object): string {
  const written = asJson(body).replaceAll('\\', '\\\\');
  const block = (lines: string) => `"""\n    ${indent(lines, 4)}\n    """`;
  if (!hasValues(written)) return block(written);
  const names: string[] = [];
  const parts = replaceParts(
    written,
    (part) => part.replaceAll('%', '%%'),
    ({ name }) => {
      names.push(name);
      return '%s';
    },
  );
  return `${block(parts.join(''))}.formatted(${names.join(', ')})`;
}

export const java: Language = {
  setUp: ({ origin, apiKey }) => `// Needs Java 17 or later, and no library. Paste it into jshell.
${imports}
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

var random = ThreadLocalRandom.current();
var origin = "${origin}";
var key = "${apiKey}";
var phone = "+6591" + random.nextInt(100000, 1000000);
var id = "T1-" + Instant.now().getEpochSecond() + "-" + random.nextInt(32768);
var billId = "B-" + random.nextInt(1000000);
var occurredAt = Instant.now().minusSeconds(3600).toString();
var http = HttpClient.newHttpClient();

String call(String method, String path, String body) throws Exception {
  var sent = body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
  var request = HttpRequest.newBuilder(URI.create(origin + "${apiPrefix}" + path))
      .header("x-api-key", key)
      .header("content-type", "application/json")
      .method(method, sent)
      .build();
  var response = http.send(request, BodyHandlers.ofString());
  System.out.println(response.statusCode() + " " + response.body());
  return response.body();
}

String value(String answer, String name) {
  return Pattern.compile("\\"" + name + "\\":\\"([^\\"]*)").matcher(answer).results().findFirst().get().group(1);
}

var store = value(call("GET", "/ping", null), "storeCode");`,

  step({ method, path: address, body }, kept) {
    const sent = `call("${method}", ${path(address)}, ${body ? json(body) : 'null'})`;
    return kept ? `var ${kept} = value(${sent}, "${kept}");` : `${sent};`;
  },

  whole: (
    { method, path: address, body },
    { origin, apiKey },
  ) => `// Needs Java 17 or later, and no library. Save it as Sample.java, and run: java Sample.java
${imports.replace('import java.net.URLEncoder;\n', '')}

public class Sample {
  public static void main(String[] arguments) throws Exception {
    var body = ${body ? `HttpRequest.BodyPublishers.ofString(${indent(json(body), 4)})` : 'HttpRequest.BodyPublishers.noBody()'};
    var request = HttpRequest.newBuilder(URI.create("${origin}${apiPrefix}${address}"))
        .header("x-api-key", "${apiKey}")
        .header("content-type", "application/json")
        .method("${method}", body)
        .build();
    var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    System.out.println(response.statusCode() + " " + response.body());
  }
}`,
};
