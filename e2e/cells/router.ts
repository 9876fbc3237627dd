/** The router of `deploy/haproxy-cells.cfg`, in front of cells on this machine. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adaptSample, launchProxy, type Proxy as RunningProxy } from '../deploy/proxies';

export interface Router extends RunningProxy {
  /** Sends keys of merchants that moved straight to their cells: `keyHash` is a SHA-256 in hexadecimal. */
  addMovedKey(keyHash: string, cell: string): Promise<void>;
  /** Reads configuration and maps again, while it serves. Resolves when a new worker serves. */
  reload(): Promise<void>;
}

/** The two cells of the sample. `ports` are those of their instances. */
interface Setup {
  port: number;
  ports: { sg1: [number, number]; sg2: [number, number] };
}

/** Starts the router, without TLS. Keys without a cell's name belong to `sg1`. */
export async function startRouter({ port, ports: { sg1, sg2 } }: Setup): Promise<Router> {
  const folder = mkdtempSync(join(tmpdir(), 'router-'));
  const config = join(folder, 'haproxy.cfg');
  const socket = join(folder, 'admin.sock');
  writeFileSync(join(folder, 'cells.map'), adaptSample('cells.map', {}));
  writeFileSync(join(folder, 'moved-keys.map'), '');
  writeFileSync(
    config,
    adaptSample('haproxy-cells.cfg', {
      '/run/haproxy/admin.sock': socket,
      '/etc/haproxy/': `${folder}/`,
      // As many files as a developer's machine lets a process open.
      'maxconn 20000': 'maxconn 2000',
      'rise 2 maxconn 2000': 'rise 2 maxconn 500',
      'bind :443 ssl crt /etc/ssl/loyalty/ alpn h2,http/1.1': `bind 127.0.0.1:${port}`,
      '10.0.1.11:3000': `127.0.0.1:${sg1[0]}`,
      '10.0.1.12:3000': `127.0.0.1:${sg1[1]}`,
      '10.0.2.11:3000': `127.0.0.1:${sg2[0]}`,
      '10.0.2.12:3000': `127.0.0.1:${sg2[1]}`,
    }),
  );
  const log = join(folder, 'output.log');
  const proxy = await launchProxy({
    name: 'haproxy',
    debian: 'haproxy',
    folder,
    args: ['-W', '-f', config],
    log,
    port,
  });
  const movedKeys = join(folder, 'moved-keys.map');
  return {
    ...proxy,
    addMovedKey: async (keyHash, cell) => {
      writeFileSync(movedKeys, `${keyHash} ${cell}\n`, { flag: 'a' });
      await command(socket, `add map ${movedKeys} ${keyHash} ${cell}`);
    },
    reload: async () => {
      const before = await command(socket, 'show info');
      process.kill(proxy.pid, 'SIGUSR2');
      const pidOf = (info: string) => /^Pid: (\d+)$/m.exec(info)?.[1];
      for (const deadline = Date.now() + 15_000; Date.now() < deadline; ) {
        const now = await command(socket, 'show info').catch(() => before);
        if (pidOf(now) !== pidOf(before)) return;
      }
      throw new Error('the router was not reloaded');
    },
  };
}

/** Sends a command to HAProxy's runtime API. */
async function command(socket: string, text: string): Promise<string> {
  const client = connect(socket);
  client.setEncoding('utf8').end(`${text}\n`);
  let answer = '';
  for await (const part of client) answer += part;
  return answer;
}
