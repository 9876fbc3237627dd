#!/usr/bin/env bash
# Go 1.19.8: a POST goes out a second time by itself if it has the header Idempotency-Key, and only then.
#
# When a server closes a kept-alive connection on which a request has just been sent, Go's http.Transport repeats a GET, and
# gives an error for a POST. With the header Idempotency-Key or X-Idempotency-Key (whatever its value) it repeats the POST too,
# and the program sees one call and one 200. A till that sends the header to an API that does not know it, or whose gateway
# drops it, sells twice. An API that takes the header has to answer the repeat as the first, also while the first still runs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder" && cd "$folder"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 2>/dev/null >&2
for package in *.deb; do dpkg -x "$package" .; done
cp -rL usr/lib/go-1.19 go # Go does not follow links among its sources.
cat > server.cjs <<'JS'
const { createServer } = require('node:net');
const { spawn } = require('node:child_process');
let sales = 0;
const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (data) => {
    if (!data.includes('POST /sales')) return socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    sales += 1;
    if (sales % 2 === 1) socket.destroy(); // The sale is recorded; its answer never arrives.
    else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
}).listen(0, '127.0.0.1', async () => {
  for (const key of ['', 'order-7']) {
    sales = 0;
    const till = spawn('./till', [`http://127.0.0.1:${server.address().port}`, key]);
    let seen = '';
    till.stdout.on('data', (data) => { seen += data; });
    await new Promise((resolve) => till.on('close', resolve));
    console.log(`${key ? 'with' : 'without'} the header the program sees ${seen.trim()}, the server ${sales} POST`);
  }
  server.close();
});
JS
cat > till.go <<'GO'
package main

import (
	"fmt"
	"net/http"
	"os"
	"strings"
)

func main() {
	if response, err := http.Get(os.Args[1] + "/ping"); err == nil {
		response.Body.Close() // The connection is kept.
	}
	request, _ := http.NewRequest("POST", os.Args[1]+"/sales", strings.NewReader(`{"total":1200}`))
	if os.Args[2] != "" {
		request.Header.Set("Idempotency-Key", os.Args[2])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		fmt.Println("an error")
		return
	}
	fmt.Println(response.StatusCode)
}
GO
GOROOT=$folder/go GOCACHE=$folder/cache GOPATH=$folder/path GO111MODULE=off CGO_ENABLED=0 go/bin/go build -o till till.go
output=$(node server.cjs)
printf '%s\n' "$output"
expected='without the header the program sees an error, the server 1 POST
with the header the program sees 200, the server 2 POST'
[ "$output" = "$expected" ] || { echo 'This has changed.'; exit 1; }
