// Loaded into each process of the service: on SIGUSR2 it collects garbage and writes down how the process is.
const { readdirSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const v8 = require('node:v8');
const { runInNewContext } = require('node:vm');

v8.setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
let samples = 0;

function write() {
  const delayMs = delay.percentile(99) / 1e6;
  collectGarbage();
  const { rss, heapUsed } = process.memoryUsage();
  // Files and sockets.
  const open = readdirSync('/proc/self/fd').length;
  const sample = { samples, title: process.title, rss, heapUsed, delayMs, open };
  const path = join(process.env.PROBE_FOLDER, `${process.pid}.json`);
  writeFileSync(`${path}.new`, JSON.stringify(sample));
  renameSync(`${path}.new`, path);
  samples += 1;
  delay.reset();
}

process.on('SIGUSR2', write);
write();
