#!/usr/bin/env bash
# Java 17.0.21.1: HttpURLConnection sends a POST a second time when the server hangs up, and reports one success.
#
# This is so on a fresh connection too, where nothing says that the server did not act on the first. The program sees one 200:
# no exception, no flag. `-Dsun.net.http.retryPost=false` ends it; `java.net.http.HttpClient` gives an exception. Many tills and
# terminals were written for the older class. What protects a sale is an id that the till makes before it sends, and a server
# that knows it again.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder" && cd "$folder"
apt-get download -qq openjdk-17-jre-headless=17.0.21.1+2-1~deb12u1 2>/dev/null >&2
dpkg -x *.deb .
java=$folder/usr/lib/jvm/java-17-openjdk-amd64
for name in $(find "$java" -type l); do # The package's links go into the system's /etc.
  target=$(readlink "$name")
  case $target in /etc/*) ln -sf "$folder$target" "$name" ;; esac
done
cat > server.cjs <<'JS'
const { createServer } = require('node:net');
const { spawn } = require('node:child_process');
let sales = 0;
const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (data) => {
    if (!data.includes('POST /sales')) return;
    sales += 1;
    if (sales === 1) socket.destroy(); // The sale is recorded; its answer never arrives.
    else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
  });
}).listen(0, '127.0.0.1', async () => {
  for (const way of ['HttpURLConnection', 'HttpURLConnection -Dsun.net.http.retryPost=false', 'HttpClient']) {
    sales = 0;
    const [name, ...flags] = way.split(' ');
    const till = spawn(process.argv[2], [...flags, 'Till.java', name, `http://127.0.0.1:${server.address().port}/sales`]);
    let seen = '';
    till.stdout.on('data', (data) => { seen += data; });
    await new Promise((resolve) => till.on('close', resolve));
    console.log(`${way}: the program sees ${seen.trim()}, the server ${sales} POST`);
  }
  server.close();
});
JS
cat > Till.java <<'JAVA'
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

public class Till {
  public static void main(String[] arguments) throws Exception {
    var address = URI.create(arguments[1]);
    try {
      System.out.println(arguments[0].equals("HttpClient") ? byClient(address) : byConnection(address));
    } catch (IOException exception) {
      System.out.println("an exception");
    }
  }

  static int byConnection(URI address) throws IOException {
    var connection = (HttpURLConnection) address.toURL().openConnection();
    connection.setRequestMethod("POST");
    connection.setDoOutput(true);
    connection.getOutputStream().write("{\"total\":1200}".getBytes());
    return connection.getResponseCode();
  }

  static int byClient(URI address) throws Exception {
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    var request = HttpRequest.newBuilder(address).POST(HttpRequest.BodyPublishers.ofString("{\"total\":1200}")).build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }
}
JAVA
output=$(node server.cjs "$java/bin/java")
printf '%s\n' "$output"
expected='HttpURLConnection: the program sees 200, the server 2 POST
HttpURLConnection -Dsun.net.http.retryPost=false: the program sees an exception, the server 1 POST
HttpClient: the program sees an exception, the server 1 POST'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
